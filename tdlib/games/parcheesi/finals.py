"""Parcheesi, what the end of a roll means: whether it is legal, and which position it is.

A play is kept as two words: the mover's pieces, ascending and packed, and the key of the
captures. Plays are ordered by these two, that is by the mover's pieces and then by the
opponents', seat by seat.
"""

import jax.numpy as jnp
import numpy as np

from tdlib.games.parcheesi.steps import (
    LARGER,
    PIECES,
    SEATS,
    TIMES,
    USED,
    all_home,
    flag,
    in_order,
)
from tdlib.kernels import bits
from tdlib.types import Array

NEVER = np.int32(2**31 - 1)  # larger than any packed pieces: not a play


def shortfall(roll: Array, own: Array, flow: Array) -> Array:
    """How far a final node falls short of using all numbers: the least is legal.

    All four numbers of a double must be used, unless the game ends before.
    """
    first, second, times = flow >> USED & 3, flow >> USED + 2 & 3, roll >> TIMES & 3
    smaller = (first == 0) & flag(roll, LARGER)  # the larger die comes first
    short = jnp.where(first + second == 0, 3, jnp.where(smaller, 2, 1))
    short = jnp.where(times == 2, jnp.where(own == all_home(roll), 0, 3), short)
    return jnp.where(first + second == 2 * times, 0, short)


def key(start: Array, roll: Array, best: Array, own: Array, flow: Array) -> tuple[Array, Array]:
    """The two words of final nodes; NEVER where another node uses more numbers."""
    short = shortfall(roll, own, flow)
    unmoved = (roll >> TIMES & 3 == 2) & (short == 3)  # not all four numbers: no move at all
    flow = jnp.where(unmoved, 0, flow)
    packed = in_order(jnp.where(unmoved, start, own))
    legal = (short == best) | (own == all_home(roll))  # a win needs no other number
    return jnp.where(legal, packed, NEVER), foes_key(flow & (1 << USED) - 1)


def foes_key(captured: Array) -> Array:
    """Capture bits, 4 an opponent, as a number that orders positions like opponents' pieces.

    A captured piece becomes 0, so the more of an opponent's pieces are captured the smaller is
    the position, and of equally many captures those of later pieces are smaller. Hence the
    first opponent, and each opponent's first piece, has the highest bit.
    """
    key = jnp.zeros_like(captured)
    for foe in range(SEATS - 1):
        lost = captured >> PIECES * (SEATS - 2 - foe) & 15
        key = key << 7 | (PIECES - bits.size(lost) << 4) + lost
    return key


def captured(foes: Array) -> Array:
    """Which pieces of the opponents were captured: [3, 4] bool."""
    lost = foes >> 7 * np.arange(SEATS - 1)[::-1, None]
    return lost >> np.arange(PIECES)[None, ::-1] & 1 == 1
