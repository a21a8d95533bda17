"""pubeval, G. Tesauro's public linear evaluation of backgammon positions (posted in 1993).

122 inputs of the position after the move, seen by the player that moved, with n chequers on a
point, the opponent's negative. For j = 1..24 and the mover's point 25 - j five inputs: n = -1,
n = 1, n >= 2, n = 3, and (n - 3) / 2 from n = 4 on; then the opponent's chequers on the bar / 2
and the own ones off / 15. Race weights where the sides had no contact before the move, contact
weights elsewhere. A position with all men off is the best there is.

His pubeval may not have been that of the post; other readings of what Matthews writes:

    pubeval-after     weights by contact after the move: "for any given board position", 5.3.2
    pubeval-counts    n - 3, the bar and the chequers off as plain numbers, as in section 4.3.2
    pubeval-contact   contact weights to the end, which 5.3.2 does not say

Hypergammon uses the same weights, and chequers off / 15 too, as Matthews (2006, 5.3) did.
"""

import functools
from collections.abc import Callable
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib import paths
from tdlib.games.backgammon import Moved, State
from tdlib.games.backgammon.plays import BAR
from tdlib.kernels.written_out import total
from tdlib.types import Array


class Weights(NamedTuple):
    contact: Array  # [122]
    race: Array  # [122]


@functools.cache
def published_weights() -> Weights:
    """As they stand in the post."""
    file = paths.ROOT / "data" / "published" / "pubeval_weights.csv"
    table = np.loadtxt(file, delimiter=",", skiprows=1, dtype=np.float32)
    if table.shape != (122, 3):
        raise ValueError(f"{file.name} must have 122 rows of index, contact, race")
    return Weights(jnp.asarray(table[:, 1]), jnp.asarray(table[:, 2]))


def _counting(weights: Weights) -> Weights:
    """Weights that have the effect of inputs which are not divided."""
    scale = np.ones(122, np.float32)
    scale[4:120:5] = 2
    scale[120:] = 2, 15
    return Weights(*(x * scale for x in weights))


OTHER_WEIGHTS: dict[str, Callable[[Weights], Weights]] = {
    "pubeval-counts": _counting,
    "pubeval-contact": lambda weights: Weights(weights.contact, weights.contact),
}


def score(
    weights: Weights, before: State, after: State, *, race_by_after: bool = False
) -> Array:
    """How pubeval rates a play, for the seat that made it: []."""
    seat = before.seat
    race = ~contact(after if race_by_after else before)
    chosen = jnp.where(race, weights.race, weights.contact)
    won = after.men[seat, 1:].sum() == 0
    return jnp.where(won, jnp.inf, chosen @ features(after, seat))


def features(state: State, seat: Array) -> Array:
    """[122] float32."""
    own, other = state.men[seat], state.men[1 - seat]
    n = (own[1:25] - other[1:25][::-1])[::-1].astype(jnp.float32)  # the mover's 24, 23, ..., 1
    units = [n == -1, n == 1, n >= 2, n == 3, jnp.where(n >= 4, (n - 3) / 2, 0.0)]
    rest = jnp.array([other[25] / 2, own[0] / 15], jnp.float32)
    return jnp.concatenate([jnp.stack(units, axis=-1).reshape(-1), rest])


class Basis(NamedTuple):
    """What the plays of a position share."""

    race: Array  # [] int32, 1 where the race weights hold
    left: Array  # [] int32, chequers not yet off


def basis(weights: Weights, state: State) -> Basis:
    return Basis((~contact(state)).astype(jnp.int32), state.men[state.seat, 1:].sum())


class Gains(NamedTuple):
    """What the steps of a play do, each for itself. N steps."""

    score: Array  # [N]
    off: Array  # [N] int32, 1 where a chequer is borne off


def gains(weights: Weights, basis: Basis, do: Moved) -> Gains:
    """What each step adds to the score. Reads the weights by indexing alone."""

    def input_(number: Array | int) -> Array:
        weight = weights.contact[number], weights.race[number]
        return jnp.where(basis.race == 1, weight[1], weight[0])

    def point(place: Array, n: Array) -> Array:
        """What n chequers on the mover's point add, -1 being a blot of the other."""
        first = 5 * (24 - place)
        add = input_(first + jnp.where(n < 0, 0, jnp.where(n == 1, 1, 2)))
        add = jnp.where(n == 0, 0.0, add) + jnp.where(n == 3, input_(first + 3), 0.0)
        return add + jnp.where(n >= 4, (n - 3) / 2 * input_(first + 4), 0.0)

    there = do.source > 0
    from_point, onto_point = there & (do.source < BAR), there & (do.target > 0)
    source, target = jnp.clip(do.source, 1, 24), jnp.maximum(do.target, 1)
    leave = point(source, do.leaves - 1) - point(source, do.leaves)
    join = point(target, do.joins + 1) - point(target, jnp.where(do.hits, -1, do.joins))
    off = there & (do.target == 0)
    gain = jnp.where(from_point, leave, 0.0) + jnp.where(onto_point, join, 0.0)
    gain += jnp.where(do.hits, input_(120) / 2, 0.0) + jnp.where(off, input_(121) / 15, 0.0)
    return Gains(gain, off.astype(jnp.int32))


def gain(weights: Weights, basis: Basis, steps: Gains) -> Array:
    """By how much a play's `score` exceeds that of the position before it: []."""
    score, off = (total(x) for x in steps)
    return jnp.where(off == basis.left, jnp.inf, score)


def contact(state: State) -> Array:
    """Whether some chequers have still to pass each other: [] bool."""
    place = jnp.arange(26)
    rearmost = jnp.where(state.men > 0, place[None], 0).max(-1)  # [2], bar 25
    return rearmost.sum() > 25
