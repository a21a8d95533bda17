"""Sets of cells of the Abalone board as 81-bit numbers in three 32-bit words.

                  I 5 . . . 9                NW   NE      bit = 9 row + column, A1 = (0, 0)
                 H 4 . . . . 9                 \\ /
                G 3 . . . . . 9             W - o - E     a step adds to the bit number:
               F 2 . . . . . . 9               / \\        E 1, NE 10, NW 9; W, SW, SE the
              E 1 . . . . . . . 9            SW   SE      same with a minus
               D 1 . . . . . . 8
                C 1 . . . . . 7              word = bit // 27: rows A-C, D-F, G-I
                 B 1 . . . . 6
                  A 1 2 3 4 5

The hexagon fills 61 of the 81 places of a 9 x 9 square. The empty corners keep the rows apart:
one step over the rim, even past the end of a row, lands on a place that is no cell. So shifting
the number and keeping only cells moves all stones of a set at once.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.kernels.compute_once import kept
from tdlib.types import Array

ROWS = "ABCDEFGHI"
WORD = 27  # bits in use of each word

# The cells in reading order, row I first, each row from the left: (row, column) [61, 2]
CELLS = np.array([(r, c) for r in range(8, -1, -1) for c in range(9) if abs(r - c) <= 4])
CELL_NAMES = tuple(f"{ROWS[r]}{c + 1}" for r, c in CELLS)
CELL_BITS = CELLS @ np.array([9, 1])  # [61] bit number of each cell
CELL_WORDS = np.where(  # [61, 3] uint32, each cell alone in its word
    (CELL_BITS // WORD)[:, None] == np.arange(3), 1 << (CELL_BITS % WORD)[:, None], 0
).astype(np.uint32)
_BOARD = CELL_WORDS.sum(0, dtype=np.uint32)


class Bits(NamedTuple):
    """A set of cells; every operation stays on the board."""

    low: Array  # [] uint32, rows A-C
    mid: Array  # [] uint32, rows D-F
    high: Array  # [] uint32, rows G-I

    @classmethod
    def of(cls, bit: Array) -> "Bits":
        """The cell with that bit number [] uint32, alone."""
        one = jnp.uint32(1)  # shifted by 32 or more it is gone: the bit is in another word
        return cls(
            *((one << (bit - np.uint32(WORD * i))) & cells for i, cells in enumerate(_BOARD))
        )

    def __and__(self, other: "Bits") -> "Bits":
        return Bits(*(a & b for a, b in zip(self, other, strict=True)))

    def __or__(self, other: "Bits") -> "Bits":
        return Bits(*(a | b for a, b in zip(self, other, strict=True)))

    def __invert__(self) -> "Bits":
        return Bits(*(~a & cells for a, cells in zip(self, _BOARD, strict=True)))

    def where(self, condition: Array, otherwise: "Bits") -> "Bits":
        return Bits(*(jnp.where(condition, a, b) for a, b in zip(self, otherwise, strict=True)))

    def any(self) -> Array:
        """[] bool."""
        return (self.low | self.mid | self.high) != 0

    def size(self) -> Array:
        """[] int32."""
        low, mid, high = (lax.population_count(a) for a in self)
        return (low + mid + high).astype(jnp.int32)

    def shifted(self, step: Array) -> "Bits":
        """All stones one step on, [] int32 in bits; whoever steps over the rim is gone."""
        up = jnp.maximum(step, 0).astype(jnp.uint32)
        down = jnp.maximum(-step, 0).astype(jnp.uint32)  # one of the two is 0
        carry, borrow = WORD - up, WORD - down
        low, mid, high = self
        return Bits(
            (low << up >> down | mid << borrow) & _BOARD[0],
            (mid << up >> down | low >> carry | high << borrow) & _BOARD[1],
            (high << up >> down | mid >> carry) & _BOARD[2],
        )

    def nth(self, rank: Array) -> Array:
        """The bit number [] uint32 of the rank-th cell, 0 for the lowest."""
        low, mid = (lax.population_count(a).astype(jnp.int32) for a in self[:2])
        in_low, in_high = rank < low, rank >= low + mid
        word = jnp.where(in_low, self.low, jnp.where(in_high, self.high, self.mid))
        rank = rank - jnp.where(in_low, 0, jnp.where(in_high, low + mid, low))
        place = jnp.uint32(0)
        for half in (16, 8, 4, 2, 1):  # halve the stretch of the word that holds the cell
            stretch = word >> place & np.uint32((1 << half) - 1)
            below = lax.population_count(stretch).astype(jnp.int32)
            above = rank >= below
            rank = rank - jnp.where(above, below, 0)
            place += jnp.where(above, np.uint32(half), np.uint32(0))
        return place + np.uint32(WORD) * (~in_low + in_high.astype(jnp.uint32))


def stacked(*sets: Bits) -> Array:
    """[n, 3] uint32, the words of n sets; by selection, XLA being slow at joining scalars."""
    words = [word for bits in sets for word in bits]
    place = jnp.arange(len(words)).reshape(-1, 3)
    result = jnp.zeros(place.shape, jnp.uint32)
    for i, word in enumerate(words):
        result = jnp.where(place == i, word, result)
    return kept(result)
