"""Hits and unusable rolls against the twin, which lists every play of every roll."""

from random import Random

import jax
import numpy as np
import pytest

from tdlib.games.backgammon_chances import chances
from tdlib.games.backgammon_plays import side
from tdlib.notation.backgammon import from_vector, parse
from tests.reference import backgammon as twin
from tests.reference import backgammon_smart

COUNT = jax.jit(jax.vmap(lambda men: chances(side(men[0], men[1]))))


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
