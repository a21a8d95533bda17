"""How good an Abalone position looks to a seat, by formulas: players and searches use them.

Each is `value(weights, state, seat) -> []` float32, own terms minus the other's, so that the
two seats' values are opposite.

    material   stones ejected: the leaf value of Lee & Noh (section 2.3)
    centre     distances to the centre, and stones ejected: the opponent of Abalearn (Campos &
               Langlois 2003, section 6.1: "a simple heuristic based on the distance to the
               center")
    friedman   the four heuristics of Friedman & Ibarra (2004), weighted (0 or 1 in the paper)
    aba_pro    distances to a point between the two sides and the centre (Aichholzer et al.
               2002: compactness of each side and distance of its centre of mass)

`order` rates a move instead: the key by which Lee & Noh (section 2.3) sort moves.

Where the sources are silent we chose, mostly as weights: a stone ejected is worth 100 steps in
`centre`; Friedman & Ibarra's gravity is 4 minus the distance to the centre (`border` more with
its option), a row of four or more counts as one of three (`windows`: every pair counts 1 and
every three 2), and n stones ejected are worth base^n - 1 with base 2; all numbers of `AbaPro`,
and its form, which is that of a public program. Lee & Noh print no weights: they tried -100 to
100 and found that a push must count positively.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.encodings.abalone import RING
from tdlib.games import abalone
from tdlib.games.abalone.bits import CELL_WORDS, CELLS, Bits
from tdlib.types import Array

AXES = np.array([1, 10, 9], np.int32)  # E, NE, NW as steps in bits

# Cells at least 1, 2, 3 and 4 steps from the centre, as bits: [4, 3] uint32
_BEYOND = np.stack([CELL_WORDS[r <= RING].sum(0, dtype=np.uint32) for r in (1, 2, 3, 4)])


class Centre(NamedTuple):
    distance: Array | float = 1.0  # a step from the centre
    ejected: Array | float = 100.0  # a stone


class Friedman(NamedTuple):
    gravity: Array | float = 1.0  # H1, gravity centre
    rows: Array | float = 1.0  # H2, three in a row
    packed: Array | float = 1.0  # H3, keep packed
    kill: Array | float = 1.0  # H4, let's kill 'em
    base: Array | float = 2.0  # of H4
    border: Array | float = 0.0  # H1's value of a stone on the border; 4 more in the centre
    windows: Array | bool = False  # H2 counts every pair and every three, else every row once


class AbaPro(NamedTuple):
    side: Array | float = 0.35  # weight of each side's centre of mass in the point aimed at
    centre: Array | float = 0.30  # weight of the centre of the board
    lost: Array | float = 8.0  # a stone, in steps


class Order(NamedTuple):
    closeness: Array | float = -1.0  # of the sum of distances to the centre
    border: Array | float = -1.0  # of the number of stones on the border
    push: Array | float = 100.0


def material(weights: tuple, state: abalone.State, seat: Array) -> Array:
    """Stones ejected less stones lost: []."""
    return _lead(abalone.score(state).astype(jnp.float32), seat)


def centre(weights: Centre, state: abalone.State, seat: Array) -> Array:
    near = _lead(-distances(state).astype(jnp.float32), seat)
    return weights.distance * near + weights.ejected * material((), state, seat)


def friedman(weights: Friedman, state: abalone.State, seat: Array) -> Array:
    """H1 to H4, each own minus other."""
    stones = Bits(*state.stones.T)  # both seats: each word [2]
    pairs = rows = jnp.zeros(2, jnp.int32)
    for step in AXES:
        second = stones & stones.shifted(step)  # stones with one behind
        begins = second & ~second.shifted(step)  # the second stone of each row
        third = stones & begins.shifted(step)
        three = second & second.shifted(step)  # stones with two behind
        pairs += second.size()
        once, windows = begins.size() + third.size(), second.size() + 2 * three.size()
        rows += jnp.where(weights.windows, windows, once)
    ejected = abalone.score(state).astype(jnp.float32)
    gravity = (4 + weights.border) * stones.size() - distances(state)
    terms = (
        weights.gravity * gravity.astype(jnp.float32)
        + weights.rows * rows.astype(jnp.float32)
        + weights.packed * 2 * pairs.astype(jnp.float32)  # of two, each is next to the other
        + weights.kill * weights.base**ejected
    )
    return _lead(terms, seat)


def aba_pro(weights: AbaPro, state: abalone.State, seat: Array) -> Array:
    """Distances D of all stones to one point R, D(other) - D(own), lost stones included.

    R = side (own centre of mass + other centre of mass) + centre E5
    """
    cells = abalone.cells(state)
    number = lax.population_count(state.stones).sum(-1).astype(jnp.float32)  # [2]
    share = weights.side / jnp.maximum(number, 1)
    share = jnp.where(cells == 1, share[0], jnp.where(cells == 2, share[1], 0))  # [61]
    aim = (share[:, None] * CELLS).sum(0) + weights.centre * CELLS.mean(0)
    row, column = (CELLS[:, axis] - aim[axis] for axis in (0, 1))
    steps = jnp.maximum(jnp.maximum(abs(row), abs(column)), abs(row - column))  # [61]
    near = [-jnp.where(cells == side, steps, 0).sum() for side in (1, 2)]
    return _lead(jnp.stack(near) - weights.lost * (abalone.STONES - number), seat)


def order(weights: Order, before: abalone.State, after: abalone.State) -> Array:
    """The key of a move, for the seat that made it: []. Not a value of the position alone."""
    seat = before.seat
    border = lax.population_count(after.stones[seat] & _BEYOND[3]).sum().astype(jnp.float32)
    pushes = (before.stones[1 - seat] != after.stones[1 - seat]).any()
    return (
        weights.closeness * distances(after)[seat].astype(jnp.float32)
        + weights.border * border
        + weights.push * jnp.where(pushes, 1.0, -1.0)
    )


def distances(state: abalone.State) -> Array:
    """The sum of distances to the centre of each seat's stones: [2] int32.

    A stone r steps away is counted r times, once in each set of cells that it is in.
    """
    inside = state.stones[:, None] & _BEYOND[None]  # [2, 4, 3]
    return lax.population_count(inside).sum((1, 2)).astype(jnp.int32)


def _lead(terms: Array, seat: Array) -> Array:
    """Own minus other, from the terms of both seats [2]."""
    return (terms[0] - terms[1]) * (1 - 2 * seat)
