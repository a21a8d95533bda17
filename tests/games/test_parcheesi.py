"""Parcheesi, rule by rule: Matthews 2006, section 3.4, and the readings listed in the module.

Positions are rows of path numbers, the mover's row first; pieces not listed are at start.
Sketches show part of the mover's path: A is its piece, e an opponent's, AA and ee are
blockades, # marks a castle. All go through the compiled rules in batches of one shape.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games import make, parcheesi, roll
from tests import one_shape

HOME = (72,) * 4


def row(*pieces):
    return tuple(sorted([*pieces, *[0] * (4 - len(pieces))]))


def rows(*results):
    """Rows in the order of plays."""
    return sorted(row(*result) for result in results)


def foe(p, player):
    """The mover's path number p as an opponent counts it who sits so many seats later."""
    number = (p - 17 * player - 1) % 68 + 1
    assert number <= 64, "the opponent never stands there"
    return number


def after(cases, **options):
    """cases: (rows, dice, seat, doubles) -> for each its plays: (rows, seat, doubles)."""
    game = make("parcheesi", **options)
    pieces = np.zeros((len(cases), 4, 4), np.int32)
    for i, (listed, _, seat, _) in enumerate(cases):
        for k, pieces_of_one in enumerate(listed):
            pieces[i, (seat + k) % 4] = row(*pieces_of_one)
    seats, doubles = (np.array([case[k] for case in cases], np.int32) for k in (2, 3))
    rolls = [game.rolls.index(f"{max(dice)}-{min(dice)}") for _, dice, _, _ in cases]
    found = one_shape.every_play(game, parcheesi.State(pieces, seats, doubles), rolls)

    def seen(state, seat):
        turned = tuple(map(tuple, np.roll(state.pieces, -seat, axis=0).tolist()))
        return turned, int(state.seat), int(state.doubles)

    return [[seen(s, seat) for s in plays] for seat, plays in zip(seats, found, strict=True)]


def own(position, dice, **options):
    """The mover's pieces after each play of the roll."""
    return [play[0][0] for play in after([(position, dice, 0, 0)], **options)[0]]


def test_all_pieces_begin_at_start_and_any_player_may_start():
    states = jax.vmap(make("parcheesi").init)(jax.random.split(jax.random.key(0), 64))
    assert not states.pieces.any() and not states.doubles.any()
    assert set(states.seat.tolist()) == {0, 1, 2, 3}


def test_two_dice_make_21_rolls():
    game = make("parcheesi")
    assert game.rolls[:4] == ("1-1", "2-1", "2-2", "3-1") and len(game.rolls) == 21
    odds = game.odds(game.init(jax.random.key(0))) * 36
    assert [round(float(x)) for x in odds] == [1 if r[0] == r[2] else 2 for r in game.rolls]


EXAMPLES = [
    # mover, next player, dice, mover afterwards
    ((), (), (5, 3), [(4,)]),
    ((), (), (5, 5), [(6,), (1, 1)]),
    ((), (), (4, 1), [(1,)]),
    ((), (), (6, 6), [()]),
    ((10,), (63,), (2, 6), [(18,), (38,)]),
    ((10,), (64,), (3, 6), [(19,)]),
    ((10,), (63, 63), (2, 6), [(10,)]),
    ((20, 70), (), (2, 1), [(22, 71), (23, 70), (31, 72)]),
    ((), (52,), (5, 1), [(22,)]),
    ((20, 20), (), (3, 3), [(20, 26)]),
    ((70, 71, 72, 72), (), (1, 1), [(70, 71, 72, 72)]),
]


@pytest.mark.parametrize("must_enter", [False, True])
def test_worked_examples_from_every_seat(must_enter):
    cases = [((a, b), dice, seat, 0) for a, b, dice, _ in EXAMPLES for seat in range(4)]
    expected = [results for *_, results in EXAMPLES for _ in range(4)]
    found = after(cases, must_enter=must_enter)
    for case, plays, results in zip(cases, found, expected, strict=True):
        if must_enter and case[1] == (5, 5):
            results = [(1, 1)]
        assert [play[0][0] for play in plays] == rows(*results), case


def test_a_double_of_four_numbers_has_a_hundred_results():
    results = own(((3, 20, 30, 40),), (6, 6))
    assert len(results) == 100
    assert {sum(r) for r in results} == {3 + 20 + 30 + 40 + 14}


def test_plays_are_distinct_and_in_order():
    for position in (((3, 20, 30, 40),), ((20, 20, 26, 26),), ((19, 20, 21, 22),)):
        results = own(position, (6, 6))
        assert len(results) > 10 and results == sorted(set(results))


# ---- the board -------------------------------------------------------------


def test_all_squares_but_castles_are_captured_on():
    # A stands one before a square and e on it; a piece on 1 can always take the other die
    cases = []
    for p in range(2, 65):
        if (p - 17 - 1) % 68 + 1 <= 64:  # else the next player never stands there
            cases.append((((1, p - 1), (foe(p, 1),)), (1, 6), 0, 0))
    castles = 0
    for (position, *_), plays in zip(cases, after(cases), strict=True):
        p = position[0][1] + 1
        captured = any(not any(play[0][1]) for play in plays)
        assert captured == ((p + 4) % 17 not in (0, 5, 12)), p
        castles += not captured
    assert castles == 11  # the twelfth is the mover's own entry square


def test_opponents_on_squares_behind_the_home_path_are_not_in_the_way():
    # player 3 has a blockade on square 2, which player 0 never reaches: it turns in after 0
    assert own(((64,), (), (), (15, 15)), (2, 1)) == rows((67,))


@pytest.mark.parametrize("p", range(65, 72))
def test_pieces_on_their_home_path_are_safe(p):
    for k in (1, 2, 3):
        position = ((5, 22, 39, 56), *[()] * (k - 1), (p,))
        plays = after([(position, (6, 5), 0, 0)])[0]
        assert all(play[0][k] == row(p) for play in plays)


def test_home_is_reached_by_exact_count_only():
    assert own(((69,),), (3, 6)) == rows((72,))
    assert own(((69,),), (4, 6)) == rows((69,))


# ---- blockades -------------------------------------------------------------


def test_nobody_lands_on_or_passes_a_blockade():
    #   10 11 12 13
    #   A  .  ee .
    ee = (foe(12, 1),) * 2
    assert own(((10,), ee), (2, 1)) == rows((11,))
    assert own(((10,), ee), (3, 1)) == rows((11,))


def test_a_lone_opponent_on_a_castle_may_be_passed_but_not_joined():
    #   12 13# 14
    #   A  e   .
    assert own(((12,), (foe(13, 1),)), (2, 1)) == rows((15,))


def test_own_blockades_stop_their_owner():
    #   10 11 12 13
    #   A  .  AA .
    results = own(((10, 12, 12),), (3, 1))
    assert results == rows((11, 12, 15), (10, 12, 16), (10, 13, 15), (12, 13, 13))


def test_own_blockades_stop_their_owner_on_the_home_path():
    #   65 .. 70 71 72
    #   A     AA .  A
    assert own(((65, 70, 70, 72),), (6, 5)) == rows((65, 70, 70, 72))


def test_there_is_never_a_third_piece_on_a_square_but_home():
    results = own(((10, 11, 13, 13),), (3, 2))
    assert all(r.count(p) <= 2 for r in results for p in r if 0 < p < 72)
    assert own(((70, 72, 72),), (2, 6)) == rows((72, 72, 72))


def test_two_pieces_that_stood_together_do_not_meet_again():
    #   20 21 .. 26 27
    #   AA                 1 and 1, or 6 and 6, or 7 and 7 would move the blockade
    results = own(((20, 20, 30, 40),), (6, 6))
    assert len(results) > 10
    assert not any(r.count(p) == 2 for r in results for p in (21, 26, 27))


def test_pieces_that_stood_together_meet_at_home():
    assert own(((68, 68, 72),), (4, 4)) == rows((72, 72, 72))


def test_another_piece_may_make_the_blockade_anew():
    #   17 18 19 20 21 22
    #   A        AA          2 with one of the pair, then 3 with the piece behind
    assert row(20, 20, 22) in own(((17, 20, 20),), (3, 2))


# ---- entering --------------------------------------------------------------


def test_a_five_must_enter_if_it_can_but_a_sum_need_not():
    assert own(((20,),), (5, 1)) == rows((2, 20), (1, 21))
    assert own(((20,),), (4, 1)) == rows((1, 20), (25,))
    assert own(((20,),), (3, 2)) == rows((1, 20), (25,))


def test_a_double_five_enters_two_pieces():
    assert own(((20,),), (5, 5)) == rows((1, 1, 20))


def test_a_blockade_on_the_entry_square_keeps_pieces_at_start():
    assert own(((), (52, 52)), (5, 3)) == rows(())
    assert own(((), (52, 52)), (4, 1)) == rows(())


def test_the_own_blockade_on_the_entry_square_counts_at_that_moment():
    # 3 first opens the square and the 5 must enter; 5 first cannot enter and moves
    assert own(((1, 1),), (5, 3)) == rows((1, 1, 4), (4, 6), (1, 9))


def test_a_lone_opponent_on_the_entry_square_is_captured_by_entering():
    ((position, _, _),) = after([(((), (52,)), (5, 1), 0, 0)])[0]
    assert position == (row(22), row(), row(), row())


# ---- captures and bonuses --------------------------------------------------


def test_a_capture_earns_twenty_for_one_piece_before_the_other_die():
    #   10 11 12 ..  40
    #   A  .  e      A
    results = own(((10, 40), (foe(12, 1),)), (2, 6))
    with_capture = [(38, 40), (32, 46), (18, 60), (12, 66)]
    assert results == rows(*with_capture, (16, 42), (10, 48), (18, 40))


def test_a_bonus_that_nobody_can_use_is_lost():
    #   10 11 12 ..  20
    #   A  .  e      ee     no way for 20 squares; the capture stands
    position = ((10,), (foe(12, 1),), (foe(20, 2),) * 2)
    captured, plain = after([(position, (2, 6), 0, 0)])[0]
    assert captured[0][:2] == (row(18), row())
    assert plain[0][:2] == (row(18), row(foe(12, 1)))


def test_a_bonus_move_earns_another_bonus():
    #   10 11 12 ..  32 ..  52
    #   A  .  e      e              2 captures, 20 captures, 20, then 6
    position = ((10,), (foe(12, 1),), (), (foe(32, 3),))
    plays = [play[0] for play in after([(position, (2, 6), 0, 0)])[0]]
    assert plays == [
        (row(18), row(foe(12, 1)), row(), row(foe(32, 3))),
        (row(58), row(), row(), row()),
    ]


def test_a_piece_home_earns_ten():
    assert own(((20, 70),), (2, 1)) == rows((22, 71), (23, 70), (31, 72))
    # brought home by a bonus of 20 it earns ten as well: 12, 52 to 72, 12 to 22, then 6
    assert row(28, 72) in own(((10, 52), (foe(12, 1),)), (2, 6))


# ---- using the dice --------------------------------------------------------


def test_both_dice_are_used_in_whatever_order_allows_it():
    #   10 .. 13# .. 16 .. 19
    #   A     e                  3 first would join e on a castle
    assert own(((10,), (foe(13, 1),)), (3, 6)) == rows((19,))


def test_if_only_one_die_can_be_used_either_may_be():
    #   10 11 12 13
    #   A  .  .  ee
    assert own(((10,), (foe(13, 1),) * 2), (2, 1)) == rows((11,), (12,))


def test_a_double_with_a_piece_at_start_is_two_numbers():
    assert own(((20,),), (2, 2)) == rows((24,))


def test_a_double_with_nobody_at_start_is_four_numbers():
    assert own(((20, 72, 72, 72),), (2, 2)) == rows((34, 72, 72, 72))


def test_four_numbers_come_in_any_order():
    #   20 .. 22 .. 24 25#
    #   A              e       5 first would join e on a castle, 2 and 2 first pass it
    assert own(((20, 72, 72, 72), (foe(25, 1),)), (2, 2)) == rows((34, 72, 72, 72))


def test_four_numbers_are_used_all_or_none():
    #   20 .. 30              2, 2 and 5 would be possible
    #   A     ee
    position = ((20, 72, 72, 72), (foe(30, 1),) * 2)
    assert own(position, (2, 2)) == rows((20, 72, 72, 72))


# ---- turns and the end -----------------------------------------------------


@pytest.mark.parametrize(
    "dice, doubles, seat, then",
    [((2, 1), 0, 1, 0), ((2, 1), 2, 1, 0), ((3, 3), 0, 0, 1), ((3, 3), 1, 0, 2)],
)
def test_doubles_roll_again(dice, doubles, seat, then):
    plays = after([(((20,),), dice, 0, doubles)])[0]
    assert {(play[1], play[2]) for play in plays} == {(seat, then)}


@pytest.mark.parametrize(
    "before, then",
    [((20, 70, 72), (20, 72)), ((20, 30), (20,)), ((), ()), ((72, 72), (72, 72))],
)
def test_the_third_double_sends_the_piece_nearest_home_back(before, then):
    assert after([((before,), (3, 3), 0, 2)]) == [[((row(*then), *[row()] * 3), 1, 0)]]


def test_whoever_gets_the_last_piece_home_has_won_at_once():
    # one die is all that can be used, and either may be: nobody must win
    assert own(((69, 72, 72, 72),), (3, 1)) == rows((70, 72, 72, 72), HOME)
    # with two of the four numbers of a double
    assert own(((70, 72, 72, 72),), (1, 1)) == rows(HOME)
    # with a bonus, before the second die, although two dice can be used otherwise
    assert own(((62, 71, 72, 72),), (1, 2)) == rows(HOME, (65, 71, 72, 72), (64, 72, 72, 72))


def test_the_first_player_home_wins_three_points_one_from_each():
    outcome = jax.jit(make("parcheesi").outcome)
    pieces = np.zeros((4, 4), np.int32)
    pieces[2] = [71, 72, 72, 72]
    state = parcheesi.State(jnp.array(pieces), jnp.int32(3), jnp.int32(0))
    over, payoff = outcome(state)
    assert not over and payoff.tolist() == [0] * 4
    over, payoff = outcome(state._replace(pieces=state.pieces.at[2, 0].set(72)))
    assert over and payoff.tolist() == [-1, -1, 3, -1]


# ---- options ---------------------------------------------------------------


def test_option_must_enter():
    assert own(((20,),), (5, 1), must_enter=False) == rows((2, 20), (1, 21), (26,))


def test_option_castles():
    # entry square 4, home path behind 65, home 73; castles on p = 1 + 9, 1 + 13, 1 + 17, ..
    assert own(((65,),), (6, 2), castles="0-4-13") == rows((73,))
    assert own(((8,), (foe(10, 1),)), (2, 6), castles="0-4-13") == rows((16,))
    assert own(((9,), (foe(11, 1),)), (2, 6), castles="0-4-13") == rows((17,), (37,))


def test_option_larger_die():
    assert own(((10,), (foe(13, 1),) * 2), (2, 1), larger_die=True) == rows((12,))


def test_option_third_double():
    case = [(((20, 70),), (3, 3), 0, 2)]
    assert after(case, third_double="ends") == [[((row(20, 70), *[row()] * 3), 1, 0)]]
    assert after(case, third_double="played") == [[((row(26, 70), *[row()] * 3), 1, 0)]]


def test_option_move_blockade():
    assert own(((20, 20),), (3, 3), move_blockade=True) == rows((20, 26), (23, 23))


def test_option_own_blockade():
    # the owner may pass, but there is still no room for a third piece
    assert own(((65, 70, 70, 72),), (6, 5), own_blockade=False) == rows((70, 70, 71, 72))


def test_option_entry_capture():
    assert own(((), (52,)), (5, 1), entry_capture=False) == rows(())


@pytest.mark.parametrize(
    "option, message",
    [
        ({"castles": "0-5-13"}, "castles must be one of 0-5-12, 0-4-13, not '0-5-13'"),
        ({"third_double": None}, "third_double must be one of penalty, ends, played, not None"),
        ({"must_enter": 1}, "must_enter must be True or False, not 1"),
    ],
)
def test_unknown_option_values_are_refused(option, message):
    with pytest.raises(ValueError, match=message):
        parcheesi.game(**option)


def test_random_games_end_and_are_as_long_as_another_programs():
    # An independent program plays 162.6 rolls a game between random players; the mean of 256
    # games has a standard error of 2.5, and the bounds are five of them away.
    game = make("parcheesi")
    states = jax.vmap(game.init)(jax.random.split(jax.random.key(1), one_shape.LANES))
    length = np.zeros(one_shape.LANES, int)
    draw = jax.jit(jax.vmap(lambda key, state: roll(game, key, state)))
    rng = np.random.default_rng(1)
    for step in range(1000):
        over = np.asarray(jax.vmap(game.outcome)(states)[0])
        length += ~over
        if over.all():
            break
        keys = jax.random.split(jax.random.key(100 + step), one_shape.LANES)
        plays = jax.vmap(game.plays)(states, draw(keys, states))
        rank = jnp.asarray(rng.integers(np.asarray(plays.count)), jnp.int32)
        new = jax.vmap(game.play)(states, plays, rank)
        states = jax.tree.map(
            lambda old, new: jnp.where(over.reshape(-1, *[1] * (old.ndim - 1)), old, new),  # noqa: B023
            states,
            new,
        )
    assert over.all()
    assert 150 < length.mean() < 175
