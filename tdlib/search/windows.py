"""Heuristic pruning of Lee & Noh (section 3.2): moves with unusual keys are not looked at.

The keys that moves are ordered by are gathered during the player's first four moves; at each
ply only moves within certain percentiles of all of them are kept from then on:

    ply 1   from the 10th          ply 2   15th to 90th          ply 3   20th to 85th

Unlike alpha-beta this changes what is found. Where the report is silent we chose: the keys are
those of all moves of the whole tree, plies 1 to 3, before those four moves; deeper plies have
the window of ply 3; a node all of whose moves are dropped is valued as it stands; the highest
move of the root is never dropped. A dropped move counts as made, but not as valued.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games import afterstates
from tdlib.search.nodes import Search
from tdlib.types import Array, State

PERCENTILES = ((10.0, None), (15.0, 90.0), (20.0, 85.0))  # of plies 1, 2, 3 and on


class Windowed(NamedTuple):
    """The weights of a search with windows."""

    inner: Any  # of its value
    low: Array  # [3] float32, the lowest key that is kept at plies 1, 2, 3 and on
    high: Array  # [3] float32, the highest


def inside(weights: Windowed, ply: Array, key: Array) -> Array:
    """Whether a move that leads to this ply [] is kept: of the shape of the keys, bool."""
    place = jnp.minimum(ply, len(PERCENTILES)) - 1
    return (key >= weights.low[place]) & (key <= weights.high[place])


def learned(inner: Any, keys: np.ndarray) -> Windowed:
    """Windows of all the keys that were seen [M]."""
    low = [np.percentile(keys, below) for below, _ in PERCENTILES]
    high = [np.inf if a is None else np.percentile(keys, a) for _, a in PERCENTILES]
    return Windowed(inner, jnp.asarray(low, jnp.float32), jnp.asarray(high, jnp.float32))


def gathered(search: Search, states: Sequence[State]) -> np.ndarray:
    """The keys of all moves within the depth of these searches, of plies 1 to 3 at most."""
    order, game, slots = search.order, search.game, search.slots
    assert callable(order)

    @jax.jit
    def expand(state: State) -> tuple[State, Array, Array]:
        over, _ = game.outcome(state)
        after, legal = afterstates(game, state, jnp.int32(0), slots)
        keys = jax.vmap(lambda x: order(state, x))(after)
        return after, keys, legal & ~over

    found = []
    level = jax.tree.map(lambda *x: np.stack(x), *states)
    for ply in range(min(search.depth, len(PERCENTILES))):
        parts = [expand(jax.tree.map(lambda x: x[i], level)) for i in range(len(level.seat))]  # noqa: B023
        found += [np.asarray(keys)[np.asarray(legal)] for _, keys, legal in parts]
        if ply + 1 < search.depth:
            kept = [
                jax.tree.map(lambda x: np.asarray(x)[np.asarray(legal)], after)  # noqa: B023
                for after, _, legal in parts
            ]
            level = jax.tree.map(lambda *x: np.concatenate(x), *kept)
    return np.concatenate(found)
