"""Abalone: row A at the bottom, Black's marbles black (seat 0), White's ivory (seat 1).

    I O O O O O              letters name the rows, at their left ends;
   H O O O O O O             numbers name the lines that run up to the left,
  G . . O O O . .            at their lower right ends
 F . . . . . . . .
E . . . . . . . . .          Marbles ejected from the board lie beside it: White's losses
 D . . . . . . . . 9         at the lower left, Black's losses at the upper right.
  C . . @ @ @ . . 8
   B @ @ @ @ @ @ 7
    A @ @ @ @ @ 6
       1 2 3 4 5
"""

from math import sqrt

import numpy as np
from matplotlib.axes import Axes

from tdlib.games import abalone as rules
from tdlib.games.abalone import STONES, TO_WIN
from tdlib.games.abalone.bits import CELLS, ROWS
from tdlib.show.boards import ink
from tdlib.show.boards.ink import XY
from tdlib.types import State

COLOURS = ("#3B3834", ink.IVORY)
SHADOWS = (ink.INK, "#E4DCCB")
GLINTS = ("#8D867C", "#FFFFFF")

RADIUS = 0.44
SMALL = 0.37  # radius of an ejected marble
HEIGHT = sqrt(0.75)  # from row to row
SIDE = 4 + 0.95  # from the centre to a corner of the wooden hexagon


def draw(
    ax: Axes, state: State, *, before: State | None = None, coordinates: bool = False
) -> Axes:
    """Draw a position; with `before`, mark the play that led from there to here."""
    cells = np.asarray(rules.cells(state))
    _board(ax)
    for cell, owner in enumerate(cells):
        if owner:
            _marble(ax, cell_xy(*CELLS[cell]), owner - 1)
    lost = [STONES - int((cells == owner).sum()) for owner in (1, 2)]
    for seat in range(2):
        for i in range(TO_WIN):
            ink.disc(ax, lost_xy(seat, i), 0.1, fill=ink.SHADE, z=1)
        for i in range(min(lost[seat], TO_WIN)):
            _marble(ax, lost_xy(seat, i), seat, SMALL)
    if before is not None:
        _changes(ax, np.asarray(rules.cells(before)), cells, lost)
    if coordinates:
        _numbers(ax)
    if max(lost) < TO_WIN:
        seat = int(state.seat)
        x, y = ((4.6, -3.6), (-4.6, 3.6))[seat]
        ink.mover(ax, (x, y), 0.36, (180, 0)[seat], COLOURS[seat])
    return ink.fit(ax, -5.7, -4.6, 5.7, 4.6)


def cell_xy(row: int, column: int) -> XY:
    """The middle of a cell; the middle of the board is the origin, neighbours are 1 apart."""
    return column - row / 2 - 2, (row - 4) * HEIGHT


def lost_xy(seat: int, i: int) -> XY:
    """Where the i-th ejected marble of a seat lies: a triangle in a corner of the picture."""
    across, down = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)][i]
    x, y = 5.2 - 0.82 * across, 3.98 - 0.82 * down
    return (x, y) if seat == 0 else (-x, -y)


def _board(ax: Axes) -> None:
    for size, fill in ((SIDE + 0.12, ink.FRAME), (SIDE, ink.SURFACE)):
        corners = [
            (size, 0),
            (size / 2, size * HEIGHT),
            (-size / 2, size * HEIGHT),
            (-size, 0),
            (-size / 2, -size * HEIGHT),
            (size / 2, -size * HEIGHT),
        ]
        ink.polygon(ax, corners, fill=fill, edge=fill, stroke=0.2, z=0)
    for row, column in CELLS:
        ink.disc(
            ax,
            cell_xy(row, column),
            RADIUS - 0.06,
            fill=ink.SHADE,
            edge=ink.DEEP,
            stroke=0.025,
            z=1,
            tag="cell",
        )


def _marble(ax: Axes, xy: XY, seat: int, radius: float = RADIUS) -> None:
    """A ball lit from the upper left."""
    x, y = xy
    ink.disc(
        ax,
        xy,
        radius,
        fill=SHADOWS[seat],
        edge=ink.INK,
        stroke=0.1 * radius,
        z=4,
        tag=f"man {seat}",
    )
    lit = (x - 0.07 * radius, y + 0.07 * radius)
    ink.disc(ax, lit, 0.8 * radius, fill=COLOURS[seat], z=4.1)
    glint = (x - 0.33 * radius, y + 0.34 * radius)
    ink.disc(ax, glint, 0.22 * radius, fill=GLINTS[seat], z=4.2)


def _changes(ax: Axes, old: np.ndarray, new: np.ndarray, lost: list[int]) -> None:
    for cell in np.flatnonzero(old != new):
        mark = ink.arrived if new[cell] else ink.left
        mark(ax, cell_xy(*CELLS[cell]), RADIUS)
    for seat in range(2):
        for i in range(STONES - int((old == seat + 1).sum()), min(lost[seat], TO_WIN)):
            ink.taken(ax, lost_xy(seat, i), SMALL)


def _numbers(ax: Axes) -> None:
    """Row letters left of the rows, line numbers below and right of the lines' lower ends."""
    for k in range(9):
        x, y = cell_xy(k, max(0, k - 4))
        ink.text(ax, (x - 0.75, y), ROWS[k], 0.24, color=ink.FADED, tag="number")
        x, y = cell_xy(max(0, k - 4), k)
        ink.text(
            ax, (x + 0.375, y - 0.75 * HEIGHT), str(k + 1), 0.24, color=ink.FADED, tag="number"
        )
