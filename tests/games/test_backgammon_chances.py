"""Hits and unusable rolls against the twin, which lists every play of every roll."""

from random import Random

import jax
import numpy as np
import pytest

from tdlib.encodings.backgammon_chances import chances
from tdlib.games.backgammon.plays import side
from tdlib.show.notation.backgammon import from_vector, parse
from tests.reference import backgammon as twin
from tests.reference import backgammon_smart

COUNT = jax.jit(jax.vmap(lambda men: chances(side(men[0], men[1]))))


OTHERS = jax.jit(
    jax.vmap(
        lambda men: (
            *chances(side(men[0], men[1]), hit="die", blockade="unfinished"),
            chances(side(men[0], men[1]), blockade="stuck")[1],
        )
    )
)


def counts(states):
    """Hits and unusable rolls of seat 0, for each state."""
    hit, short = COUNT(np.stack([np.asarray(state.men) for state in states]))
    return list(zip(hit.tolist(), short.tolist(), strict=True))


@pytest.mark.parametrize("name, men", [("backgammon", 15), ("hypergammon", 3)])
def test_counts_are_those_of_listing_every_play(name, men):
    rng = Random(3)
    cases = [p for p, _ in twin.random_positions(rng, 400, game=name)]
    cases += backgammon_smart.tight_positions(rng, 400, men=men)
    expected = [backgammon_smart.chances(position) for position in cases]
    assert counts([from_vector(list(p), name=name) for p in cases]) == expected
    assert sum(h > 0 for h, _ in expected) > 200 and sum(s > 0 for _, s in expected) > 200


@pytest.mark.parametrize(
    "mine, theirs, hit, short",
    [
        # the last chequer, before a blot on its ace point: a 1 hits, then any die bears off,
        # but 1-1 has two steps too many; without a 1 the first die bears off
        ("2*1 off*14", "24*1 off*14", 11, 26),
        # a chequer on the bar before a closed board does nothing at all
        ("bar*1 off*14", "6*2 5*2 4*2 3*2 2*2 1*2 24*3", 0, 36),
        # two on the bar and only the 6 free: 6-6 alone brings them in
        ("bar*2 off*13", "5*3 4*3 3*3 2*3 1*3", 0, 35),
        # the last one outside comes home and lets another off: every roll can be used
        ("7*1 6*2 5*2 4*2 3*2 2*2 1*2 off*2", "6*15", 0, 0),
    ],
)
def test_counts_by_hand(mine, theirs, hit, short):
    assert counts([parse(f"{mine} | {theirs} | 0 to roll")]) == [(hit, short)]


def other_counts(states):
    """Under the other readings: hits by one die, neither full nor won, no die usable."""
    found = OTHERS(np.stack([np.asarray(state.men) for state in states]))
    return list(zip(*(numbers.tolist() for numbers in found), strict=True))


@pytest.mark.parametrize("name, men", [("backgammon", 15), ("hypergammon", 3)])
def test_other_readings_are_those_of_listing_every_play(name, men):
    rng = Random(4)
    cases = [p for p, _ in twin.random_positions(rng, 200, game=name)]
    cases += backgammon_smart.tight_positions(rng, 400, men=men)
    expected = [backgammon_smart.other_chances(position) for position in cases]
    usual = [backgammon_smart.chances(position) for position in cases]
    assert other_counts([from_vector(list(p), name=name) for p in cases]) == expected
    differ = [
        (o[0] < u[0], o[1] < u[1], o[2] < o[1]) for o, u in zip(expected, usual, strict=True)
    ]
    assert all(sum(column) > 20 for column in zip(*differ, strict=True))


@pytest.mark.parametrize(
    "mine, theirs, direct, unfinished, stuck",
    [
        # 8 points away is out of reach of one die
        ("24*1 off*14", "9*1 off*14", 0, 0, 0),
        # 3 points away: the 11 rolls with a 3, but not 2-1 and 1-1, which a play could use
        ("24*1 off*14", "4*1 off*14", 11, 0, 0),
        # the last chequer on the 2: a 1 alone does not win, and 1-1 wins with two steps of four
        ("2*1 off*14", "24*1 off*14", 11, 0, 0),
        # two on the bar before a closed board
        ("bar*2 off*13", "6*2 5*2 4*2 3*2 2*2 1*2 24*3", 0, 36, 36),
        # two on the bar, only the 6 open: 11 rolls bring one in, 6-6 both and on
        ("bar*2 off*13", "5*3 4*3 3*3 2*3 1*3", 0, 35, 25),
        # everything off already: no roll is blocked where the game is won
        ("off*15", "1*15", 0, 0, 36),
    ],
)
def test_other_readings_by_hand(mine, theirs, direct, unfinished, stuck):
    found = other_counts([parse(f"{mine} | {theirs} | 0 to roll")])
    assert found == [(direct, unfinished, stuck)]
