"""Backgammon and hypergammon as seen by seat 0, who plays the ivory men.

    13 14 15 16 17 18 |bar| 19 20 21 22 23 24 | off, seat 1
    12 11 10  9  8  7 |bar|  6  5  4  3  2  1 | off, seat 0     seat 0's home: lower right

Seat 0 moves from 24 down to 1 in these numbers, seat 1 the other way. A stack shows five men
and, if there are more, their number. Men on the bar stand on the half where they will enter.
"""

import numpy as np
from matplotlib.axes import Axes

from tdlib.games.backgammon.plays import BAR
from tdlib.show.boards import ink
from tdlib.show.boards.ink import XY
from tdlib.types import State

OFF = 0
COLOURS = (ink.IVORY, ink.INK)

SHOWN = 5  # men drawn of a higher stack
RADIUS = 0.46
BAR_X0, BAR_X1 = 6.0, 7.3  # the left half of the board is 0..6
RIGHT = BAR_X1 + 6.0
TRAY_X0, TRAY_X1 = RIGHT + 0.35, RIGHT + 1.65
TOP = 11.6  # two points of five men and a gap
SLAT = 0.325  # thickness of a borne-off man, seen from the side


def draw(
    ax: Axes, state: State, *, before: State | None = None, coordinates: bool = False
) -> Axes:
    """Draw a position; with `before`, mark the play that led from there to here."""
    men = np.asarray(state.men)
    assert men.shape == (2, 26), f"men must be [2, 26], not {men.shape}"
    rim = 0.75 if coordinates else 0.35
    _board(ax, rim)
    for seat in range(2):
        for place in range(1, BAR + 1):
            _stack(ax, seat, place, int(men[seat, place]))
        for level in range(men[seat, OFF]):
            _slat(ax, seat, level, fill=COLOURS[seat], edge=ink.LINE, tag=f"man {seat}")
    if before is not None:
        _changes(ax, np.asarray(before.men), men)
    if coordinates:
        _numbers(ax, men, rim)
    _mover(ax, men, int(state.seat))
    return ink.fit(ax, -rim, -rim, TRAY_X1 + 0.35, TOP + rim)


def point(seat: int, place: int) -> int:
    """A seat's own point number as a point of the board, which counts as seat 0 does."""
    return place if seat == 0 else BAR - place


def point_x(number: int) -> float:
    """The middle of a point, 1..24."""
    if number <= 12:
        return RIGHT - number + 0.5 if number <= 6 else BAR_X0 - (number - 6) + 0.5
    return number - 13 + 0.5 if number <= 18 else BAR_X1 + (number - 19) + 0.5


def man_xy(seat: int, place: int, level: int) -> XY:
    """The middle of the man `level` steps from the foot of its stack, on a point or the bar."""
    if place == BAR:
        outward = 1 if seat == 0 else -1
        return (BAR_X0 + BAR_X1) / 2, TOP / 2 + outward * (0.75 + level * 2 * RADIUS)
    number = point(seat, place)
    height = RADIUS + 0.04 + level * 2 * RADIUS
    return point_x(number), height if number <= 12 else TOP - height


def slat_box(seat: int, level: int) -> tuple[float, float, float, float]:
    """The box (x0, y0, x1, y1) of the man borne off after `level` others."""
    y0 = 0.06 + level * SLAT
    if seat == 1:
        y0 = TOP - y0 - SLAT
    return TRAY_X0 + 0.08, y0, TRAY_X1 - 0.08, y0 + SLAT


def _board(ax: Axes, rim: float) -> None:
    ink.box(ax, -rim, -rim, TRAY_X1 + 0.35, TOP + rim, corner=0.35, fill=ink.FRAME, z=0)
    for x0, x1 in ((0.0, BAR_X0), (BAR_X1, RIGHT)):
        ink.box(ax, x0, 0, x1, TOP, fill=ink.SURFACE, z=1)
    ink.box(ax, BAR_X0 + 0.14, 0, BAR_X1 - 0.14, TOP, fill=ink.DEEP, z=1)
    middle = TOP / 2
    for y0, y1 in ((0, middle - 0.65), (middle - 0.5, middle + 0.5), (middle + 0.65, TOP)):
        ink.box(ax, TRAY_X0, y0, TRAY_X1, y1, fill=ink.DEEP, z=1)
    for number in range(1, 25):
        x = point_x(number)
        foot, tip = (0.0, 4.75) if number <= 12 else (TOP, TOP - 4.75)
        ink.polygon(
            ax,
            [(x - 0.48, foot), (x + 0.48, foot), (x, tip)],
            z=2,
            tag="point",
            fill=ink.DEEP if number % 2 else ink.SHADE,
        )


def _stack(ax: Axes, seat: int, place: int, men: int) -> None:
    for level in range(min(men, SHOWN)):
        ink.chequer(ax, man_xy(seat, place, level), RADIUS, COLOURS[seat], tag=f"man {seat}")
    if men > SHOWN:
        top = man_xy(seat, place, SHOWN - 1)
        ink.disc(ax, top, 0.72 * RADIUS, fill=COLOURS[seat], z=4.2)
        ink.text(ax, top, str(men), 0.36, bold=True, color=COLOURS[1 - seat], tag="stack")


def _slat(ax: Axes, seat: int, level: int, **style) -> None:
    x0, y0, x1, y1 = slat_box(seat, level)
    ink.box(ax, x0, y0 + 0.02, x1, y1 - 0.02, corner=0.08, stroke=0.03, z=4, **style)


def _changes(ax: Axes, old: np.ndarray, new: np.ndarray) -> None:
    """Mark every place where the number of men of a seat has changed."""
    for seat in range(2):
        for place in range(1, BAR + 1):
            gain = int(new[seat, place] - old[seat, place])
            shown = min(int(new[seat, place]), SHOWN)
            for level in range(max(shown - gain, 0), shown):
                mark = ink.taken if place == BAR else ink.arrived
                mark(ax, man_xy(seat, place, level), RADIUS)
            for level in range(shown, min(shown - gain, SHOWN + 1)):
                ink.left(ax, man_xy(seat, place, level), RADIUS)
        for level in range(old[seat, OFF], new[seat, OFF]):
            _slat(ax, seat, level, edge=ink.ACCENT, tag="arrived")


def _numbers(ax: Axes, men: np.ndarray, rim: float) -> None:
    """Point numbers on the rim, and pip counts beside the trays."""
    for number in range(1, 25):
        y = -rim / 2 if number <= 12 else TOP + rim / 2
        ink.text(ax, (point_x(number), y), str(number), 0.34, color=ink.IVORY, tag="number")
    for seat, y in enumerate((-rim / 2, TOP + rim / 2)):
        pips = int(men[seat] @ np.arange(26))
        ink.text(
            ax,
            ((TRAY_X0 + TRAY_X1) / 2, y),
            f"{pips}",
            0.34,
            color=ink.DEEP,
            bold=True,
            tag="pips",
        )


def _mover(ax: Axes, men: np.ndarray, seat: int) -> None:
    """Show who rolls next, unless the game is over."""
    if (men[:, OFF] < men.sum(1)).all():
        middle = ((TRAY_X0 + TRAY_X1) / 2, TOP / 2)
        ink.mover(ax, middle, 0.42, (-90, 90)[seat], COLOURS[seat])
