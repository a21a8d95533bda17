"""What hypergammon positions are worth exactly, read from a solution (`tdlib.exact`)."""

from collections.abc import Iterable

import jax.numpy as jnp
import numpy as np

from tdlib.exact import Solution
from tdlib.exact.places import BAR, index
from tdlib.games.backgammon import State
from tdlib.types import Array

CHEQUERS = 3
Places = tuple[Array, ...]  # of three chequers, [] int32 each


def table(solution: Solution) -> Array:
    """[N, N] float32: worth to the player that has just moved, by its own index first."""
    if solution.chequers != CHEQUERS:
        raise ValueError(f"hypergammon has {CHEQUERS} chequers a side, not {solution.chequers}")
    return jnp.asarray((solution.total - solution.values.T).astype(np.float32))


def value(table: Array, state: State, seat: Array) -> Array:
    """What a position is worth to `seat`, which has just moved: []."""
    own, other = (places(state.men[s]) for s in (seat, 1 - seat))
    return table[index(own), index(other)]


def places(men: Array) -> Array:
    """Where the three chequers are, ascending: men [26], by place -> [3] int32."""
    upto = jnp.cumsum(men)
    return (upto[None, :] <= np.arange(CHEQUERS)[:, None]).sum(1, dtype=jnp.int32)


def changed_value(
    table: Array, sides: tuple[Iterable[Array], Iterable[Array]], steps: tuple[Array, Array]
) -> Array:
    """`value` after a play's steps, sources and targets [K]; reads the table by indexing alone.

    sides: where the mover's chequers and the opponent's are before the play. The opponent
    cannot hold a target of a legal step, so a single chequer met there is a blot.
    """
    own, other = map(tuple, sides)
    for source, target in zip(*steps, strict=True):
        own = _moved(own, source, target)
        met = jnp.where(target > 0, BAR - target, -1)
        other = tuple(jnp.where((source > 0) & (place == met), BAR, place) for place in other)
    return table[index(_ascending(*own)), index(_ascending(*other))]


def _moved(places: Places, source: Array, target: Array) -> Places:
    """One of the chequers at `source` is at `target` now; source 0: nobody moves."""
    after: list[Array] = []
    waiting = source > 0
    for place in places:
        goes = waiting & (place == source)
        after.append(jnp.where(goes, target, place))
        waiting &= ~goes
    return tuple(after)


def _ascending(a: Array, b: Array, c: Array) -> Places:
    low, high = (jnp.minimum(jnp.minimum(a, b), c), jnp.maximum(jnp.maximum(a, b), c))
    return low, a + b + c - low - high, high
