"""Heuristic pruning of Lee & Noh (section 3.2): moves with unusual keys are not looked at.

During the player's first four moves, the keys by which moves are ordered are gathered. From
then on, only moves whose keys lie within certain percentiles of those are looked at:

    ply 1   from the 10th          ply 2   15th to 90th          ply 3   20th to 85th

Unlike alpha-beta this changes what is found. Where the report is silent we chose: the keys are
those of all moves of the whole tree, plies 1 to 3, before those four moves; deeper plies have
the window of ply 3; a node all of whose moves are dropped is valued as it stands; the highest
move of the root is never dropped. A dropped move counts as made, but not as valued.

A player knows a position and its weights, but not the game so far. So windows are weights, and
the game loop sets them: `opened` for the first four moves, then `learned` from the keys
`gathered` at those positions. `tdlib.study` does so for contests of such players.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games import afterstates
from tdlib.search.nodes import Search, without_past
from tdlib.types import Array, State

PERCENTILES = ((10.0, None), (15.0, 90.0), (20.0, 85.0))  # of plies 1, 2, 3 and on
MOVES = 4  # of its own in a game, during which a player gathers keys
_NODES = 256  # expanded together: one size, so one compilation


class Windowed(NamedTuple):
    """The weights of a search with windows."""

    inner: Any  # of its value and order
    low: Array  # [3] float32, the lowest key that is kept at plies 1, 2, 3 and on
    high: Array  # [3] float32, the highest


def inside(weights: Windowed, ply: Array, key: Array) -> Array:
    """Whether a move that leads to this ply [] is kept: of the shape of the keys, bool."""
    place = jnp.minimum(ply, len(PERCENTILES)) - 1
    return (key >= weights.low[place]) & (key <= weights.high[place])


def opened(inner: Any) -> Windowed:
    """Windows that drop nothing."""
    wide = jnp.full(len(PERCENTILES), jnp.inf, jnp.float32)
    return Windowed(inner, -wide, wide)


def learned(inner: Any, keys: np.ndarray) -> Windowed:
    """Windows of all the keys that were seen [M]."""
    low = [np.percentile(keys, below) for below, _ in PERCENTILES]
    high = [np.inf if a is None else np.percentile(keys, a) for _, a in PERCENTILES]
    return Windowed(inner, jnp.asarray(low, jnp.float32), jnp.asarray(high, jnp.float32))


def gathered(search: Search, inner: Any, states: Sequence[State]) -> np.ndarray:
    """The keys of all moves within the depth of these searches, of plies 1 to 3 at most: [M].

    Of the whole tree, whatever alpha-beta would cut; in no order.
    """
    bare = [without_past(search.game, state) for state in states]
    level = jax.tree.map(lambda *x: np.stack(x), *bare)
    found = []
    for ply in range(1, min(search.depth, len(PERCENTILES)) + 1):
        parts = []
        for some, number in _parts(level):
            after, keys, legal = _expanded(search, inner, some)
            legal = np.asarray(legal) & (np.arange(_NODES) < number)[:, None]
            found.append(np.asarray(keys)[legal])
            if ply < min(search.depth, len(PERCENTILES)):
                parts.append(jax.tree.map(lambda x: np.asarray(x)[legal], after))  # noqa: B023
        if parts:
            level = jax.tree.map(lambda *x: np.concatenate(x), *parts)
    return np.concatenate(found)


@functools.partial(jax.jit, static_argnums=0)
def _expanded(search: Search, inner: Any, states: State) -> tuple[State, Array, Array]:
    """After each move of N positions, its key, and whether it is one: all [N, A]."""

    def expand(state: State) -> tuple[State, Array, Array]:
        assert callable(search.order)
        over, _ = search.game.outcome(state)
        after, legal = afterstates(search.game, state, jnp.int32(0), search.slots)
        keys = jax.vmap(search.order, (None, None, 0))(inner, state, after)
        return after, keys, legal & ~over

    return jax.vmap(expand)(states)


def _parts(level: State) -> Iterator[tuple[State, int]]:
    """Positions [M] by `_NODES`, the last of them repeated to fill up; how many are real."""
    total = len(level.seat)
    for first in range(0, total, _NODES):
        at = np.minimum(np.arange(first, first + _NODES), total - 1)
        yield jax.tree.map(lambda x: x[at], level), min(_NODES, total - first)  # noqa: B023
