"""pubeval, G. Tesauro's public linear evaluation of backgammon positions (posted in 1993).

122 inputs of the position after the move, seen by the player that moved, with n chequers on a
point, the opponent's negative. For j = 1..24 and the mover's point 25 - j five inputs: n = -1,
n = 1, n >= 2, n = 3, and (n - 3) / 2 from n = 4 on; then the opponent's chequers on the bar / 2
and the own ones off / 15. Race weights where the sides had no contact before the move, contact
weights elsewhere. A position with all men off is the best there is.

Hypergammon keeps the weights and the fifteenth, as Matthews (2006, section 5.3) used it there.
"""

import functools
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib import paths
from tdlib.games.backgammon import State
from tdlib.types import Array


class Weights(NamedTuple):
    contact: Array  # [122]
    race: Array  # [122]


@functools.cache
def published_weights() -> Weights:
    file = paths.ROOT / "data" / "published" / "pubeval_weights.csv"
    table = np.loadtxt(file, delimiter=",", skiprows=1, dtype=np.float32)
    if table.shape != (122, 3):
        raise ValueError(f"{file.name} must have 122 rows of index, contact, race")
    return Weights(jnp.asarray(table[:, 1]), jnp.asarray(table[:, 2]))


def score(weights: Weights, before: State, after: State) -> Array:
    """How pubeval rates a play, for the seat that made it: []."""
    seat = before.seat
    race = ~contact(before)
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


def contact(state: State) -> Array:
    """Whether some chequers have still to pass each other: [] bool."""
    place = jnp.arange(26)
    rearmost = jnp.where(state.men > 0, place[None], 0).max(-1)  # [2], bar 25
    return rearmost.sum() > 25
