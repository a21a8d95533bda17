"""The rules of backgammon, one at a time, on drawn positions. Both seats, jitted."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games import backgammon, every_play, make
from tdlib.show.notation.backgammon import from_vector, parse

GAME = {name: make(name) for name in ("backgammon", "hypergammon")}
OPENING_PLAYS = {  # distinct results of each roll from the start, larger die first
    "backgammon": {
        1: [42], 2: [15, 75], 3: [16, 17, 73], 4: [14, 18, 17, 52], 5: [8, 8, 9, 9, 4],
        6: [10, 14, 14, 14, 7, 11],
    },
    "hypergammon": {
        1: [7], 2: [6, 11], 3: [7, 8, 15], 4: [7, 8, 9, 15], 5: [7, 8, 9, 9, 15],
        6: [7, 8, 9, 9, 9, 12],
    },
}  # fmt: skip


def results(text, dice, *, seat=0, name="backgammon"):
    """The mover's chequers and the number it has hit, for each play, sorted."""
    mine, others = text.split(" / ")
    parts = [mine, others] if seat == 0 else [others, mine]
    state = parse(f"{parts[0]} | {parts[1]} | {seat} to roll", name=name)
    roll = GAME[name].rolls.index(f"{max(dice)}-{min(dice)}")
    after = every_play(GAME[name], state, roll)
    assert all(int(a.seat) == 1 - seat for a in after)
    return sorted((men_text(a.men[seat]), int(a.men[1 - seat][25])) for a in after)


def men_text(men):
    names = {25: "bar", 0: "off"}
    return " ".join(f"{names.get(p, p)}*{men[p]}" for p in range(25, -1, -1) if men[p])


both_seats = pytest.mark.parametrize("seat", [0, 1])


@pytest.mark.parametrize("name", list(GAME))
def test_number_of_plays_of_each_opening_roll(name):
    state = GAME[name].init(jax.random.key(0))
    plays = jax.jit(jax.vmap(GAME[name].plays, (None, 0)))(state, jnp.arange(21))
    counts = dict(zip(GAME[name].rolls, plays.count.tolist(), strict=True))
    assert counts == {
        f"{a}-{b}": n
        for a, row in OPENING_PLAYS[name].items()
        for b, n in enumerate(row, start=1)
    }


@both_seats
def test_all_sixteen_plays_of_an_opening_three_one(seat):
    moves = """8/5 6/5, 24/23 13/10, 24/20, 24/23 24/21, 13/9, 24/21 6/5, 13/10 6/5, 24/23 6/3,
        24/23 8/5, 24/21 8/7, 13/10 8/7, 8/4, 6/2, 6/5 6/3, 8/7 6/3, 8/7 8/5"""
    expected = []
    for move in moves.split(","):
        men = np.zeros(26, int)
        men[[24, 13, 8, 6]] = 2, 5, 3, 5
        for step in move.split():
            source, target = map(int, step.split("/"))
            men[source] -= 1
            men[target] += 1
        expected.append((men_text(men), 0))
    start = "24*2 13*5 8*3 6*5 / 24*2 13*5 8*3 6*5"
    assert results(start, (3, 1), seat=seat) == sorted(expected)


@both_seats
def test_chequers_on_the_bar_enter_first(seat):
    # the other side holds its 1 and 3 points, which face the mover's 24 and 22
    stuck = results("bar*1 6*14 / 3*2 1*2 13*11", (3, 1), seat=seat)
    assert stuck == [("bar*1 6*14", 0)]
    # 22 is open: enter there with the 3, then play the 1 with either chequer
    after = results("bar*1 6*14 / 1*2 13*13", (3, 1), seat=seat)
    assert after == [("21*1 6*14", 0), ("22*1 6*13 5*1", 0)]


@both_seats
def test_a_second_chequer_on_the_bar_waits_for_the_second_die(seat):
    # 21 is held: one chequer enters on 23, the other stays, 6*13 may not move
    assert results("bar*2 6*13 / 4*2 13*13", (4, 2), seat=seat) == [("bar*1 23*1 6*13", 0)]


@both_seats
def test_a_held_point_stops_a_chequer_and_a_blot_does_not(seat):
    # 10/8 hits a blot (the other's 17), 10/9 meets a point of two (its 16)
    after = results("10*1 off*2 / 17*1 16*2", (2, 1), seat=seat, name="hypergammon")
    assert after == [("7*1 off*2", 1)]


@both_seats
def test_a_chequer_may_hit_in_passing_and_the_way_it_takes_makes_two_plays(seat):
    # blots on 8 and 9: 10/8*/7 and 10/9*/7 leave the other side differently
    after = results("10*1 off*2 / 17*1 16*1 off*1", (2, 1), seat=seat, name="hypergammon")
    assert after == [("7*1 off*2", 1), ("7*1 off*2", 1)]


@both_seats
def test_both_dice_must_be_used_when_possible(seat):
    # 3 and 10 are held. 20/16 would leave no six, so only 20/14 9/5 is legal
    after = results("20*1 9*1 off*13 / 22*2 15*2 off*11", (6, 4), seat=seat)
    assert after == [("14*1 5*1 off*13", 0)]


@both_seats
def test_the_larger_die_must_be_used_if_only_one_can_be(seat):
    # either die alone takes 8 to 2 or 7; from there 1 is held
    after = results("8*1 off*2 / 24*2 off*1", (6, 1), seat=seat, name="hypergammon")
    assert after == [("2*1 off*2", 0)]


@both_seats
def test_the_smaller_die_is_used_if_the_larger_cannot_be(seat):
    # 2 and 1 are held: no six, before or after the one
    after = results("8*1 off*14 / 24*2 23*2 off*11", (6, 1), seat=seat)
    assert after == [("7*1 off*14", 0)]


@both_seats
def test_no_bearing_off_while_a_chequer_is_outside_home(seat):
    after = results("12*1 3*1 1*1 / 14*3", (3, 1), seat=seat, name="hypergammon")
    assert after == [("8*1 3*1 1*1", 0), ("9*1 2*1 1*1", 0)]
    # ... but once 7/6 has brought the last one in, the 3 bears off
    after = results("7*1 3*1 1*1 / 13*3", (3, 1), seat=seat, name="hypergammon")
    assert ("6*1 1*1 off*1", 0) in after


@both_seats
def test_bearing_off_with_an_exact_number_or_from_the_highest_point(seat):
    # the six clears the 5 point; or 5/3 first and the six clears that
    after = results("5*1 2*2 / 13*3", (6, 2), seat=seat, name="hypergammon")
    assert after == [("2*1 off*2", 0), ("2*2 off*1", 0)]


@both_seats
def test_a_larger_number_bears_off_nothing_while_a_higher_point_is_held(seat):
    after = results("6*2 2*1 / 13*3", (4, 3), seat=seat, name="hypergammon")
    assert after == [("3*1 2*2", 0)]


@both_seats
def test_a_double_plays_four_times(seat):
    after = results("24*1 off*2 / 13*3", (2, 2), seat=seat, name="hypergammon")
    assert after == [("16*1 off*2", 0)]
    after = results("6*1 2*2 / 13*3", (4, 4), seat=seat, name="hypergammon")
    assert after == [("off*3", 0)]  # 6/2, then all three off


@both_seats
def test_a_double_stops_where_it_is_blocked(seat):
    # 24/20/16, then 12 is held (the other's 13)
    after = results("24*1 off*2 / 13*3", (4, 4), seat=seat, name="hypergammon")
    assert after == [("16*1 off*2", 0)]


@both_seats
def test_the_turn_passes_when_nothing_can_move(seat):
    after = results("bar*1 off*2 / 6*2 off*1", (6, 6), seat=seat, name="hypergammon")
    assert after == [("bar*1 off*2", 0)]


@pytest.mark.parametrize(
    "loser, points",
    [("24*2 off*1", 1), ("6*3", 2), ("18*3", 2), ("19*1 6*2", 3), ("bar*1 6*2", 3)],
)
@both_seats
def test_points_for_win_gammon_and_backgammon(loser, points, seat):
    men = ["off*3", loser] if seat == 0 else [loser, "off*3"]
    over, payoff = jax.jit(backgammon.outcome)(
        parse(f"{men[0]} | {men[1]} | 0 to roll", name="hypergammon")
    )
    assert bool(over)
    assert payoff.tolist() == ([points, -points] if seat == 0 else [-points, points])


def test_the_opening_roll_is_no_double_and_later_rolls_are_free():
    state = GAME["backgammon"].init(jax.random.key(1))
    first = np.asarray(backgammon.odds(state))
    later = np.asarray(backgammon.odds(state._replace(opening=jnp.bool_(False))))
    double = np.array([a == b for a, b in (r.split("-") for r in GAME["backgammon"].rolls)])
    assert np.allclose(first, np.where(double, 0, 1 / 15))
    assert np.allclose(later, np.where(double, 1 / 36, 2 / 36))
    coin = make("backgammon", start="coin").init(jax.random.key(1))
    assert np.allclose(backgammon.odds(coin), later)


def test_either_seat_may_start():
    # 400 fair coins: 150..250 but for a chance of 5e-7
    seats = jax.vmap(GAME["backgammon"].init)(jax.random.split(jax.random.key(2), 400)).seat
    assert 150 <= int(seats.sum()) <= 250


def test_seat_0_starts_and_throws_freely_if_told_so():
    keys = jax.random.split(jax.random.key(2), 20)
    states = jax.vmap(make("hypergammon", start="seat_0").init)(keys)
    assert not states.seat.any() and not states.opening.any()


def test_the_start_has_pip_count_167_and_69():
    for name, pips in (("backgammon", 167), ("hypergammon", 69)):
        men = GAME[name].init(jax.random.key(0)).men
        assert (men @ jnp.arange(26)).tolist() == [pips, pips]


def test_an_unknown_start_rule_is_refused():
    with pytest.raises(ValueError, match="higher_die, coin, seat_0, not 'dice'"):
        make("backgammon", start="dice")


def test_the_rank_th_play_does_not_depend_on_being_vectorised():
    position = [0] * 28
    position[5], position[7], position[12], position[23] = 5, 3, 5, 2
    position[18], position[16], position[11], position[0] = -5, -3, -5, -2
    state, game = from_vector(position), GAME["backgammon"]
    states = jax.tree.map(lambda x: jnp.stack([x] * 21), state)
    rolls = jnp.arange(21)
    many = jax.jit(jax.vmap(game.plays))(states, rolls)
    ranks = many.count - 1
    after = jax.jit(jax.vmap(game.play))(states, many, ranks)
    for roll in (3, 9):  # 3-1 and 4-4; neither jitted nor vectorised, so slow
        plays = game.plays(state, rolls[roll])
        single = game.play(state, plays, ranks[roll])
        assert plays.count == many.count[roll]
        assert (single.men == after.men[roll]).all() and single.seat == after.seat[roll]
