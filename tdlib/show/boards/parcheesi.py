"""Parcheesi: seat 0's home path at the bottom, movement and turns counter-clockwise.

Men wait in the start circle beside their entry square (tinted), run round the track, turn
into their own home path at the end of their arm and finish in the centre. Castles are ringed.
"""

from matplotlib.axes import Axes

from tdlib.games import parcheesi
from tdlib.games.parcheesi.steps import CASTLES as CASTLES_OF
from tdlib.games.parcheesi.steps import HOME, LAST
from tdlib.show.boards import cross, ink
from tdlib.types import State

_, ENTRY, _ = CASTLES_OF[0]  # squares from the end of the own arm to the entry square
CASTLES = frozenset(s for s in range(cross.TRACK) if s % cross.ARM in CASTLES_OF[0])


def draw(
    ax: Axes, state: State, *, before: State | None = None, coordinates: bool = False
) -> Axes:
    """Draw a position; with `before`, mark the play that led from there to here."""
    _board(ax)
    return cross.draw(ax, RULES, state, before, coordinates)


def place(seat: int, path: int) -> cross.Place:
    """The place of a man of `seat` that has come to `path`, 0..72."""
    if path == 0:
        return "start", seat
    if path <= LAST:
        return "track", parcheesi.square(seat, path)
    return ("column", seat, HOME - path) if path < HOME else ("home", seat)


RULES = cross.Rules(place, CASTLES, lambda path: False, ((0,), (1,), (2,), (3,)))


def _board(ax: Axes) -> None:
    cross.outline(ax)
    cross.centre(ax)
    for number in range(cross.TRACK):
        xy = cross.track_xy(number)
        seat, step = divmod(number, cross.ARM)
        fill = ink.TINTS[seat] if step == ENTRY else ink.SURFACE
        if number in CASTLES and step != ENTRY:
            fill = ink.SHADE
        cross.square(ax, xy, fill=fill, tag=f"square {number}")
        if number in CASTLES:
            ink.disc(ax, xy, 0.4, edge=ink.LINE, stroke=0.06, z=1.2, tag="castle")
    for seat in range(4):
        for number in range(1, cross.COLUMN + 1):
            cross.square(
                ax,
                cross.column_xy(seat, number),
                fill=ink.TINTS[seat],
                tag=f"private {seat} {number}",
            )
        ink.disc(
            ax,
            cross.turned(cross.CORNER, seat),
            2.15,
            fill=ink.TINTS[seat],
            edge=ink.LINE,
            stroke=0.045,
            z=1,
            tag=f"nest {seat}",
        )
        for i in range(cross.MEN):
            ink.disc(ax, cross.start_xy(seat, i), 0.12, fill=ink.IVORY, z=1.5)
