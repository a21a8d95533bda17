"""Backgammon and hypergammon against the plain-Python twin, play for play."""

from random import Random

import hypothesis.strategies as st
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings

from tdlib.games import backgammon, every_play, make
from tdlib.show.notation.backgammon import from_vector, to_vector
from tests import batches
from tests.reference import backgammon as twin

DICE = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def roll_of(dice):
    return DICE.index((max(dice), min(dice)))


@pytest.mark.parametrize("name, positions", [("backgammon", 2000), ("hypergammon", 2000)])
def test_every_play_of_random_positions_is_the_twins(name, positions):
    cases = twin.random_positions(Random(20061), positions, game=name)
    states = batches.stack([from_vector(list(p), name=name) for p, _ in cases])
    listed = batches.every_play(make(name), states, np.array([roll_of(d) for _, d in cases]))

    seen = {"bar": 0, "bearing off": 0, "double": 0, "short double": 0, "no play": 0, "hit": 0,
            "one die": 0}  # fmt: skip
    for (position, dice), after in zip(cases, listed, strict=True):
        ours = [tuple(to_vector(state, 0)) for state in after]
        theirs = twin.plays(position, dice)
        assert len(ours) == len(set(ours)), f"listed twice: {position} {dice}"
        assert set(ours) == theirs, f"{position} {dice}"
        count(seen, position, dice, theirs)
    if name == "hypergammon":  # three chequers seldom shut anybody out
        del seen["no play"]
    assert min(seen.values()) >= positions // 100, seen


def count(seen, position, dice, after):
    """Which kinds of play this case shows."""
    used = max(twin.pips(position) - twin.pips(a) for a in after)
    double = dice[0] == dice[1]
    seen["bar"] += position[twin.BAR] > 0
    seen["bearing off"] += any(a[twin.OFF] > position[twin.OFF] for a in after)
    seen["double"] += double
    seen["short double"] += double and 0 < used < 4 * dice[0]
    seen["one die"] += not double and 0 < used <= max(dice)
    seen["no play"] += after == {position}
    seen["hit"] += any(a[twin.THEIR_BAR] > position[twin.THEIR_BAR] for a in after)


@st.composite
def any_position(draw, men):
    """Any placement of both sides' chequers that the rules can name, crowded or thin."""
    owners = draw(st.lists(st.sampled_from([0, 1]), min_size=24, max_size=24))
    position = [0] * 28
    for sign, bar, off, mine in ((1, 24, 26, 0), (-1, 25, 27, 1)):
        places = [i for i in range(24) if owners[i] == mine][: draw(st.integers(1, 24))]
        places += [bar, off] * draw(st.integers(0, 2)) or [bar]
        for _ in range(men):
            place = draw(st.sampled_from(places))
            position[place] += sign if place < 24 else 1
    return tuple(position)


@pytest.mark.parametrize("name, men", [("backgammon", 15), ("hypergammon", 3)])
@settings(max_examples=250)
@given(data=st.data(), dice=st.sampled_from(DICE))
def test_every_play_of_any_position_is_the_twins(name, men, data, dice):
    position = data.draw(any_position(men).filter(lambda p: not twin.over(p)))

    after = every_play(make(name), from_vector(list(position), name=name), roll_of(dice))

    ours = [tuple(to_vector(state, 0)) for state in after]
    assert len(ours) == len(set(ours))
    assert set(ours) == twin.plays(position, dice)


@pytest.mark.parametrize("die", range(1, 7))
def test_a_board_full_of_blots_fits_the_tables_of_a_double(die):
    # Fifteen blots give a double its longest lists. Ten such boards for each die.
    rng, game = Random(die), make("backgammon")
    for _ in range(10):
        position = [0] * 28
        for place in rng.sample(range(24), 15):
            position[place] = 1
        position[twin.THEIR_OFF] = 14
        position[twin.THEIR_BAR] = 1
        after = every_play(game, from_vector(position), roll_of((die, die)))
        ours = {tuple(to_vector(state, 0)) for state in after}
        assert ours == twin.plays(tuple(position), (die, die))
        assert len(after) == len(ours) > 200


@pytest.mark.parametrize("name", ["backgammon", "hypergammon"])
def test_points_won_are_the_twins(name):
    rng, shown = Random(5), set()
    for _ in range(400):
        men = {"backgammon": 15, "hypergammon": 3}[name]
        position = [0] * 28
        position[twin.OFF] = men
        off = rng.choice([0, 0, 1])
        position[twin.THEIR_OFF] = off
        for _ in range(men - off):
            place = rng.choice([*range(24), twin.THEIR_BAR])
            position[place] += 1 if place == twin.THEIR_BAR else -1
        if rng.random() < 0.5:  # no loser left behind: a plain gammon
            position = [0] * 28
            position[twin.OFF], position[23] = men, -men
        over, payoff = backgammon.outcome(from_vector(position, name=name))
        points = twin.points(tuple(position))
        assert bool(over) and payoff.tolist() == [points, -points]
        shown.add(points)
    assert shown == {1, 2, 3}
    start = twin.START[name]
    over, payoff = backgammon.outcome(from_vector(list(start), name=name))
    assert not over and not jnp.any(payoff)
