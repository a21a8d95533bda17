"""A game of no meaning, for testing search: everything follows from one scrambled number.

Widths, who moves next, where the game ends and what positions are worth are as irregular as
can be, and few different values make many ties. The same in JAX and in plain Python.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.types import Game
from tests.reference.search import Tree

WIDTH = 9
_A, _B = 2654435761, 40503


class State(NamedTuple):
    number: jnp.ndarray  # [] uint32
    seat: jnp.ndarray  # [] int32


class Plays(NamedTuple):
    count: jnp.ndarray  # type: ignore[assignment]


def _scrambled(number):
    number = (number ^ (number >> 15)) * np.uint32(_A)
    number = (number ^ (number >> 13)) * np.uint32(_B | 1)
    return number ^ (number >> 16)


def _play(state, plays, rank):
    number = _scrambled(state.number + np.uint32(7919) * (1 + rank).astype(jnp.uint32))
    again = number % 4 == 0
    return State(number, jnp.where(again, state.seat, 1 - state.seat))


def _outcome(state):
    over = (state.number >> 8) % 16 == 0
    sign = jnp.where(over, (state.number >> 12 & 1).astype(jnp.int32) * 2 - 1, 0)
    return over, jnp.stack([sign, -sign])


GAME = Game(
    name="scrambled",
    seats=2,
    rolls=("",),
    init=lambda key: State(jnp.uint32(12345), jnp.int32(0)),
    odds=lambda state: jnp.ones(1, jnp.float32),
    plays=lambda state, roll: Plays(1 + ((state.number >> 4) % WIDTH).astype(jnp.int32)),
    play=_play,
    outcome=_outcome,
    pieces=lambda state: jnp.zeros(2, jnp.int32),
)


def value(weights, state, seat):
    """Not opposite for the two seats, as of a network that speaks for each on its own."""
    own = (state.number >> 20) % 12
    other = (state.number >> 24) % 12
    return jnp.where(seat == 0, own, other).astype(jnp.float32)


def key(weights, before, after):
    return ((after.number >> 6) % 8).astype(jnp.float32)


def _children(position):
    number, seat = position
    if (number >> 8) % 16 == 0:
        return []
    after = []
    for rank in range(1 + (number >> 4) % WIDTH):
        n = (number + 7919 * (1 + rank)) & 0xFFFFFFFF
        n = (n ^ (n >> 15)) * _A & 0xFFFFFFFF
        n = (n ^ (n >> 13)) * (_B | 1) & 0xFFFFFFFF
        n ^= n >> 16
        after.append((n, seat if n % 4 == 0 else 1 - seat))
    return after


def _winner(position):
    over = (position[0] >> 8) % 16 == 0
    return (1 - (position[0] >> 12 & 1)) if over else None


TREE = Tree(
    mover=lambda position: position[1],
    children=_children,
    value=lambda position, seat: float((position[0] >> (24 if seat else 20)) % 12),
    winner=_winner,
)
ORDERED = TREE._replace(key=lambda before, after: (after[0] >> 6) % 8)
