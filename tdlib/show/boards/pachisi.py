"""Pachisi: seat 0's arm at the bottom, movement and turns counter-clockwise, castles crossed.

Men wait in the corner after their arm and come home to their quarter of the Charkoni (the
rules start them in the Charkoni too; the corner tells one from the other). Outgoing and
returning men use the same private squares: those that have completed the circuit, and so only
have the way home before them, carry an ivory ring.
"""

from matplotlib.axes import Axes

from tdlib.games import pachisi
from tdlib.games.pachisi import HOME, OUT, ROUND
from tdlib.show.boards import cross, ink
from tdlib.types import State

CASTLES = frozenset(s for s in range(cross.TRACK) if s % cross.ARM in pachisi.CASTLES)


def draw(
    ax: Axes, state: State, *, before: State | None = None, coordinates: bool = False
) -> Axes:
    """Draw a position; with `before`, mark the play that led from there to here."""
    _board(ax)
    return cross.draw(ax, RULES, state, before, coordinates)


def place(seat: int, path: int) -> cross.Place:
    """The place of a man of `seat` that has come to `path`, 0..84."""
    if path == 0:
        return "start", seat
    if path < OUT:
        return "column", seat, path
    if path <= ROUND:
        return "track", pachisi.square(seat, path)
    return ("column", seat, HOME - path) if path < HOME else ("home", seat)


RULES = cross.Rules(place, CASTLES, lambda path: path >= ROUND, pachisi.TEAMS)


def _board(ax: Axes) -> None:
    cross.outline(ax)
    cross.centre(ax)
    for number in range(cross.TRACK):
        xy = cross.track_xy(number)
        castle = number in CASTLES
        cross.square(ax, xy, fill=ink.SHADE if castle else ink.SURFACE, tag=f"square {number}")
        if castle:
            _crossed(ax, xy)
    for seat in range(4):
        for number in range(1, cross.COLUMN + 1):
            cross.square(
                ax,
                cross.column_xy(seat, number),
                fill=ink.TINTS[seat],
                tag=f"private {seat} {number}",
            )
        x, y = cross.turned(cross.CORNER, seat)
        ink.box(
            ax,
            x - 1.7,
            y - 1.7,
            x + 1.7,
            y + 1.7,
            corner=0.6,
            fill=ink.TINTS[seat],
            edge=ink.LINE,
            stroke=0.045,
            z=1,
            tag=f"nest {seat}",
        )
        for i in range(cross.MEN):
            ink.disc(ax, cross.start_xy(seat, i), 0.12, fill=ink.IVORY, z=1.5)


def _crossed(ax: Axes, xy: ink.XY) -> None:
    x, y = xy
    for slope in (1, -1):
        ink.line(
            ax,
            [(x - 0.48, y - 0.48 * slope), (x + 0.48, y + 0.48 * slope)],
            edge=ink.LINE,
            stroke=0.06,
            z=1.2,
            tag="castle",
        )
