"""Hits and unusable rolls against the twin, which lists every play of every roll."""

from random import Random

import jax
import numpy as np
import pytest

from tdlib.games.backgammon_chances import chances
from tdlib.games.backgammon_plays import side
from tdlib.notation.backgammon import from_vector
from tests.reference import backgammon as twin

ROLLS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


def listed(position):
    """The same two counts by listing all plays."""
    hits = short = 0
    for a, b in ROLLS:
        after = twin.plays(position, (a, b))
        hits += any(p[twin.THEIR_BAR] > position[twin.THEIR_BAR] for p in after)
        short += dice_used(position, (a, b)) < (4 if a == b else 2)
    return hits, short


def dice_used(position, dice):
    """The greatest number of dice that can be used, by trying."""
    orders = [[dice[0]] * 4] if dice[0] == dice[1] else [list(dice), list(dice)[::-1]]
    most = 0
    for order in orders:
        reached = {position}
        for used, die in enumerate(order, start=1):
            reached = {after for before in reached for after in twin.moves(before, die)}
            if not reached:
                break
            most = max(most, used)
    return most


@pytest.mark.parametrize("name", ["backgammon", "hypergammon"])
def test_counts_are_those_of_listing_every_play(name):
    cases = [p for p, _ in twin.random_positions(Random(3), 400, game=name)]
    states = [from_vector(list(p), name=name) for p in cases]
    men = np.stack([np.asarray(state.men) for state in states])
    hit, short = jax.jit(jax.vmap(lambda m: chances(side(m[0], m[1]))))(men)
    expected = [listed(position) for position in cases]
    assert list(zip(hit.tolist(), short.tolist(), strict=True)) == expected
    assert sum(h > 0 for h, _ in expected) > 60 and sum(s > 0 for _, s in expected) > 40
