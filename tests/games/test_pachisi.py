"""Pachisi, rule by rule: Matthews 2006, section 3.3, and the readings listed in the module.

Positions are rows of path numbers, one row a player; pieces not listed are in the Charkoni.
Sketches show part of a path: A is the mover's piece, P the partner's, e an enemy's, # a castle.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games import afterstates, make, pachisi, roll

every_seat = pytest.mark.parametrize("seat", range(4))
THROWS = (25, 10, 2, 3, 4, 5, 6)


def row(*pieces):
    return sorted([*pieces, *[0] * (4 - len(pieces))])


def position(*rows, seat=0, entered=None, run=0, passed=(False,) * 4):
    """The mover's row first, then in order of play; all have entered unless said otherwise."""
    rows = [row(*r) for r in rows] + [row()] * (4 - len(rows))
    entered = [True] * 4 if entered is None else entered
    return pachisi.State(
        pieces=jnp.array([rows[(k - seat) % 4] for k in range(4)], jnp.int32),
        entered=jnp.array([entered[(k - seat) % 4] for k in range(4)]),
        seat=jnp.int32(seat),
        run=jnp.int32(run),
        passed=jnp.array(passed),
    )


@functools.cache
def _padded(**options):
    game = make("pachisi", **options)
    padded = functools.partial(afterstates, game, slots=9)
    return padded if options else jax.jit(padded)  # options seldom run often enough to compile


def after(state, throw, **options):
    """The positions after each choice, in order of rank."""
    states, legal = _padded(**options)(state, THROWS.index(throw))
    states = jax.tree.map(np.asarray, states)
    return [jax.tree.map(lambda x: x[i], states) for i in range(int(legal.sum()))]  # noqa: B023


def own(state, throw, **options):
    """The mover's pieces after each choice."""
    return [s.pieces[int(state.seat)].tolist() for s in after(state, throw, **options)]


def test_all_pieces_begin_in_the_charkoni_and_any_player_may_start():
    states = jax.vmap(make("pachisi").init)(jax.random.split(jax.random.key(0), 64))
    assert not states.pieces.any() and not states.entered.any()
    assert set(states.seat.tolist()) == {0, 1, 2, 3}


def test_six_cowries_make_seven_throws():
    game = make("pachisi")
    assert game.rolls == ("25", "10", "2", "3", "4", "5", "6")
    odds = game.odds(position()) * 64
    assert odds.tolist() == [1, 6, 15, 20, 15, 6, 1]


@every_seat
@pytest.mark.parametrize(
    "pieces, others, entered, throw, results",
    [
        ((), {}, False, 3, [(), (3,)]),
        ((6,), {}, True, 3, [(6,), (9,)]),
        ((6,), {}, True, 10, [(6,), (10, 6), (16,)]),
        ((74,), {}, True, 5, [(74,), (79,), (11,)]),
        ((80,), {}, True, 25, [(80,), (25, 80), (84,)]),
        ((10,), {1: (64, 64)}, True, 3, [(10,), (13,)]),
        ((9,), {1: (63,)}, True, 3, [(9,)]),
        ((10,), {2: (47,)}, True, 3, [(10,), (13,)]),
        ((76, 8), {}, True, 6, [(76, 8), (76, 8, 6), (76, 14), (82, 8), (14, 8)]),
    ],
)
def test_worked_examples(pieces, others, entered, throw, results, seat):
    rows = [pieces, *(others.get(k, ()) for k in (1, 2, 3))]
    state = position(*rows, seat=seat, entered=[entered, True, True, True])
    assert own(state, throw) == [row(*r) for r in results]


@every_seat
def test_all_squares_but_castles_are_captured_on(seat):
    # every square s of the track once: A two before it, e (of the next player) on it
    castles = {s for s in range(68) if s % 17 in (0, 4, 13)}
    assert len(castles) == 12
    for p in range(10, 77):  # where the mover lands
        square = p - 8  # counted from the mover's own end square
        enemy = (square - 17) % 68 + 8
        result = own(position((p - 2,), (enemy,), seat=seat), 2)
        assert (row(p) in result) == (square % 68 not in castles), p


def test_both_ends_of_the_circuit_are_the_same_square():
    # p = 8 and p = 76 of player 0 are square 0; player 3 stands there with p = 25
    assert own(position((6,), (), (), (25,)), 2) == [row(6)]
    assert own(position((74,), (), (), (25,)), 2) == [row(74)]


@pytest.mark.parametrize(
    "throw, seat", [(25, 0), (10, 0), (6, 0), (2, 1), (3, 1), (4, 1), (5, 1)]
)
def test_a_grace_throws_again_whether_or_not_it_was_used(throw, seat):
    moved = after(position((20,)), throw)
    assert len(moved) >= 2
    assert {int(s.seat) for s in moved} == {seat}


def test_passing_is_always_allowed_and_changes_only_the_turn():
    state = position((20, 30), (7,), (84,), (83,))
    passed = after(state, 4)[0]
    assert (passed.pieces == state.pieces).all() and passed.entered.all()
    assert passed.seat == 1


def test_exactly_one_piece_moves_by_the_whole_throw():
    assert own(position((20, 30)), 5) == [row(20, 30), row(25, 30), row(20, 35)]


def test_a_piece_leaves_the_charkoni_only_with_a_grace():
    assert row(9, 20) not in own(position((20,)), 5)
    assert own(position((20,)), 6) == [row(20), row(6, 20), row(26)]


@pytest.mark.parametrize("throw", THROWS)
def test_the_first_piece_of_the_game_needs_no_grace(throw):
    state = position(entered=[False, True, True, True])
    entered = after(state, throw)
    assert [s.pieces[0].tolist() for s in entered] == [row(), row(throw)]
    assert [s.entered[0] for s in entered] == [False, True]


def test_after_a_capture_even_the_only_piece_needs_a_grace():
    state = position()  # has entered before, nothing is out
    assert own(state, 5) == [row()]
    assert own(state, 10) == [row(), row(10)]


def test_entering_captures_and_respects_castles():
    # a 10 enters on square 2, a 25 on square 17, which is a castle
    captured = after(position((), (), (), (27,)), 10)[1]
    assert captured.pieces[0].tolist() == row(10) and not captured.pieces[3].any()
    assert own(position((), (8,)), 25) == [row()]


def test_a_piece_gets_home_with_more_than_it_needs():
    assert own(position((80,)), 4) == [row(80), row(84)]
    assert own(position((80,)), 5) == [row(80), row(84)]


def test_pieces_at_home_stay():
    assert own(position((84, 84, 84, 20)), 25) == [row(84, 84, 84, 20), row(84, 84, 84, 45)]


@pytest.mark.parametrize(
    "p, throw, inward, again",
    [(75, 2, 77, 9), (76, 2, 78, 10), (60, 25, 84, 17), (76, 25, 84, 33), (71, 6, 77, 9)],
)
def test_passing_the_own_end_square_allows_another_circuit(p, throw, inward, again):
    results = own(position((p, 84, 84, 84)), throw)
    assert results == [row(p, 84, 84, 84), row(inward, 84, 84, 84), row(again, 84, 84, 84)]


@pytest.mark.parametrize("p, throw", [(74, 2), (77, 4), (83, 5)])
def test_no_other_circuit_without_passing_the_end_square_from_outside(p, throw):
    assert len(own(position((p,)), throw)) == 2


def test_another_circuit_captures_where_it_lands():
    #   76   | 9  10 11
    #   A      .  .  e      A with a 3 on the next circuit
    enemy = (11 - 8 - 17) % 68 + 8
    inward, again = after(position((76,), (enemy,)), 3)[1:]
    assert inward.pieces[0].tolist() == row(79) and inward.pieces[1].tolist() == row(enemy)
    assert again.pieces[0].tolist() == row(11) and not again.pieces[1].any()


def test_own_and_partners_pieces_share_any_square_in_any_number():
    #   10 11 12 13
    #   A  .  .  AAPP      the partner's 47 is the same square
    state = position((10, 13, 13), (), (47, 47))
    joined = after(state, 3)[1]
    assert joined.pieces[0].tolist() == row(13, 13, 13)
    assert joined.pieces[2].tolist() == row(47, 47)


def test_castles_are_shared_with_the_partner():
    assert row(12) in own(position((10,), (), (46,)), 2)


def test_a_capture_takes_all_enemies_of_both_colours_and_no_extra_throw():
    #   10 11 12 13
    #   A  .  .  eee       two pieces of player 1 and one of player 3 on square 5
    taken = after(position((10,), (64, 64), (), (30,)), 3)[1]
    assert not taken.pieces[1].any() and not taken.pieces[3].any()
    assert taken.seat == 1


def test_pieces_pass_over_each_other():
    #   10 11 12# 13 14
    #   A  ee P   .  .
    state = position((10,), (62, 62), (46,))
    assert row(14) in own(state, 4)


@pytest.mark.parametrize("enemy", [3, 7, 77, 80, 83])
def test_pieces_on_their_own_column_are_safe(enemy):
    # whatever the mover does, the enemy stays
    for throw in THROWS:
        state = position((8, 30, 59, 76), (enemy,))
        assert all(s.pieces[1].tolist() == row(enemy) for s in after(state, throw))


def test_two_pieces_on_the_same_place_are_one_choice():
    assert own(position((20, 20, 30)), 2) == [row(20, 20, 30), row(20, 22, 30), row(20, 20, 32)]
    assert own(position(), 6) == [row(), row(6)]


def test_choices_come_pass_first_then_by_piece_home_before_circuit():
    assert own(position((0, 30, 75, 76)), 6) == [
        row(0, 30, 75, 76),
        row(6, 30, 75, 76),
        row(0, 36, 75, 76),
        row(0, 30, 81, 76),
        row(0, 30, 13, 76),
        row(0, 30, 75, 82),
        row(0, 30, 75, 14),
    ]


def test_a_player_who_is_home_throws_no_more():
    # player 1 is home: after player 0 comes player 2
    assert {int(s.seat) for s in after(position((20,), (84,) * 4), 3)} == {2}


def test_a_player_who_gets_home_with_a_grace_gives_the_turn_on():
    stays, goes = after(position((84, 84, 84, 80), (84,) * 4), 6)
    assert (stays.seat, goes.seat) == (0, 2)


@pytest.mark.parametrize("first, payoff", [(0, [1, -1, 1, -1]), (1, [-1, 1, -1, 1])])
def test_a_team_wins_with_eight_pieces_home(first, payoff):
    outcome = jax.jit(make("pachisi").outcome)
    pieces = np.zeros((4, 4), np.int32)
    pieces[first] = 84
    over, points = outcome(position()._replace(pieces=jnp.array(pieces)))
    assert not over and points.tolist() == [0] * 4
    pieces[first + 2] = 84
    over, points = outcome(position()._replace(pieces=jnp.array(pieces)))
    assert over and points.tolist() == payoff


def test_option_exact():
    assert own(position((83,)), 2, exact=True) == [row(83)]
    assert own(position((82,)), 2, exact=True) == [row(82), row(84)]
    # too far to get home, but not for another circuit
    assert own(position((76,)), 10, exact=True) == [row(76), row(10, 76), row(18)]


def test_option_free_entry():
    new = position(entered=[False] * 4)
    assert own(new, 3, free_entry="never") == [row()]
    assert own(position((84,)), 3, free_entry="none_out") == [row(84), row(3, 84)]
    assert own(position((84, 20)), 3, free_entry="none_out") == [row(84, 20), row(84, 23)]


def test_option_entry():
    assert own(position(), 25, entry="first") == [row(), row(1)]


def test_option_grace_on_pass():
    seats = [int(s.seat) for s in after(position((20,)), 10, grace_on_pass=False)]
    assert seats == [1, 0, 0]


def test_option_capture_throws_again():
    seats = [int(s.seat) for s in after(position((10,), (64,)), 3, capture_throws_again=True)]
    assert seats == [1, 0]


def test_option_extra_circuit():
    assert own(position((76,)), 5, extra_circuit=False) == [row(76), row(81)]


@pytest.mark.parametrize(
    "passing, history, may_pass",
    [
        ("no_pass_after_three", {"run": 2}, True),
        ("no_pass_after_three", {"run": 3}, False),
        ("not_twice", {"passed": (False, True, True, True)}, True),
        ("not_twice", {"passed": (True, False, False, False)}, False),
        ("forced_only", {}, False),
    ],
)
def test_option_passing_binds_only_those_who_can_move(passing, history, may_pass):
    can = own(position((20,), **history), 3, passing=passing)
    assert can == ([row(20)] if may_pass else []) + [row(23)]
    assert own(position(**history), 3, passing=passing) == [row()]


def test_passes_are_remembered_as_far_as_the_rule_asks():
    state = position((20,), run=2, passed=(False, True, False, False))
    for passing, run, passed in [
        ("free", [2, 2], [[False, True, False, False]] * 2),
        ("no_pass_after_three", [3, 0], [[False, True, False, False]] * 2),
        ("not_twice", [2, 2], [[True, True, False, False], [False, True, False, False]]),
    ]:
        both = after(state, 3, passing=passing)
        assert [int(s.run) for s in both] == run
        assert [s.passed.tolist() for s in both] == passed


@pytest.mark.parametrize(
    "option, message",
    [
        (
            {"passing": "often"},
            "passing must be one of free, no_pass_after_three, .* not 'often'",
        ),
        ({"free_entry": True}, "free_entry must be one of once, never, none_out, not True"),
        ({"entry": "last"}, "entry must be one of count, first, not 'last'"),
        ({"exact": 1}, "exact must be True or False, not 1"),
    ],
)
def test_unknown_option_values_are_refused(option, message):
    with pytest.raises(ValueError, match=message):
        pachisi.game(**option)


def test_random_games_end_and_their_length_is_the_references():
    # Two other programs saw 1,126 and 1,300 throws a game between random players; the mean of
    # 64 games has a standard error of about 50, so these bounds are five of them away.
    game = make("pachisi")

    def turn(carry, key):
        state, ends = carry
        key_roll, key_play = jax.random.split(key)
        plays = game.plays(state, roll(game, key_roll, state))
        new = game.play(state, plays, jax.random.randint(key_play, (), 0, plays.count))
        over, _ = game.outcome(state)
        return (
            jax.tree.map(lambda a, b: jnp.where(over, a, b), state, new),
            ends + ~over,
        ), None

    def play(key):
        key_init, key_play = jax.random.split(key)
        start = game.init(key_init), jnp.int32(0)
        (state, length), _ = jax.lax.scan(turn, start, jax.random.split(key_play, 4000))
        return game.outcome(state)[0], length

    over, length = jax.jit(jax.vmap(play))(jax.random.split(jax.random.key(1), 64))
    assert over.all()
    assert 900 < length.mean() < 1550
