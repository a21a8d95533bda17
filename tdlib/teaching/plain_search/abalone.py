"""Abalone without broadside moves for `classical`: a position is two Python integers.

Cells are bits as in `games.abalone_bits`, but of one 81-bit number, so a shift moves all stones
of a side at once. Moves come in the order of `games.abalone`: by direction, then by rear stone.
Leaf values are those of `values.abalone.friedman`, for black, who maximises; a game that is won
is worth more than any of them.
"""

import functools
from typing import NamedTuple

import numpy as np

from tdlib.encodings.abalone import RING
from tdlib.games import abalone
from tdlib.games.abalone.bits import CELL_BITS, WORD
from tdlib.teaching.plain_search import Tree

WON = 1e6
STEPS = (1, 10, 9, -1, -10, -9)  # E, NE, NW, W, SW, SE
AXES = STEPS[:3]
BOARD = sum(1 << int(bit) for bit in CELL_BITS)
_BEYOND = [sum(1 << int(b) for b in CELL_BITS[np.asarray(RING) >= r]) for r in (1, 2, 3, 4)]


class Position(NamedTuple):
    black: int
    white: int
    seat: int  # 0 black, 1 white to move


def told(state: abalone.State) -> Position:
    """A position of `games.abalone`."""
    words = np.asarray(state.stones).tolist()
    black, white = (sum(word << (WORD * i) for i, word in enumerate(side)) for side in words)
    return Position(black, white, int(state.seat))


def tree(weights: tuple[int, int, int, int] = (1, 0, 0, 0), base: float = 2) -> Tree:
    """The game with leaves valued by H1 to H4, weighted."""
    return Tree(
        children,
        functools.partial(value, weights=weights, base=base),
        lambda p: p.seat == 0,
        over,
    )


def over(p: Position) -> bool:
    lost = abalone.STONES - abalone.TO_WIN
    return p.black.bit_count() <= lost or p.white.bit_count() <= lost


def children(p: Position) -> list[Position]:
    """The position after each legal move."""
    own, other = (p.white, p.black) if p.seat else (p.black, p.white)
    after = []
    for step in STEPS:
        for rear in _rears(own, other, step):
            moved, pushed = _moved(own, other, rear, step)
            after.append(Position(pushed, moved, 0) if p.seat else Position(moved, pushed, 1))
    return after


def value(p: Position, weights: tuple[int, int, int, int], base: float = 2) -> float:
    """For black: H1 to H4 of Friedman & Ibarra, or a won game."""
    sides = p.black, p.white
    ejected = abalone.STONES - p.white.bit_count(), abalone.STONES - p.black.bit_count()
    if max(ejected) >= abalone.TO_WIN:
        return WON if ejected[0] >= abalone.TO_WIN else -WON
    gravity, rows, packed, kill = weights
    total = 0.0
    if gravity:
        total += gravity * (_gravity(p.black) - _gravity(p.white))
    if rows:
        total += rows * (_rows(p.black) - _rows(p.white))
    if packed:
        near = [sum((s & _shift(s, step)).bit_count() for step in AXES) for s in sides]
        total += packed * 2 * (near[0] - near[1])
    if kill:
        total += kill * (base ** ejected[0] - base ** ejected[1])
    return total


def _gravity(side: int) -> int:
    return 4 * side.bit_count() - sum((side & far).bit_count() for far in _BEYOND)


def _rows(side: int) -> int:
    """One point for each row of two, two for each longer one."""
    points = 0
    for step in AXES:
        second = side & _shift(side, step)
        begins = second & ~_shift(second, step)
        points += begins.bit_count() + (side & _shift(begins, step)).bit_count()
    return points


def _shift(side: int, step: int) -> int:
    return (side << step if step > 0 else side >> -step) & BOARD


def _rears(own: int, other: int, step: int) -> list[int]:
    """The rear stones, as bits, of the moves in one direction; see `games.abalone._moves`."""
    taken = own | other
    empty = BOARD & ~taken
    one = other & ~_shift(taken, -step)
    two = other & _shift(one, -step)
    single = own & _shift(empty, -step)
    leads_three = own & _shift(empty | one | two, -step)
    second = own & _shift(empty | one | leads_three, -step)
    rears = single | (own & _shift(second, -step))
    found = []
    while rears:
        bit = rears & -rears
        found.append(bit)
        rears ^= bit
    return found


def _moved(own: int, other: int, rear: int, step: int) -> tuple[int, int]:
    """Both sides after the group that begins at `rear` has gone one step."""
    second = own & _shift(rear, step)
    third = own & _shift(second, step)
    group = rear | second | third
    moved = _shift(group, step)
    pushed = other & moved
    run = pushed | (other & _shift(pushed, step))
    return (own & ~group) | moved, (other & ~pushed) | _shift(run, step)
