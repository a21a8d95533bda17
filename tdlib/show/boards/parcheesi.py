"""Parcheesi: seat 0's home path at the bottom, movement and turns counter-clockwise.

Men wait in the start circle beside their entry square (tinted), run round the track, turn
into their own home path at the end of their arm and finish in the centre. Castles are ringed.
"""

from functools import partial

from matplotlib.axes import Axes

from tdlib.games import parcheesi
from tdlib.games.parcheesi.steps import CASTLES as CASTLES_OF
from tdlib.games.parcheesi.steps import HOME, LAST
from tdlib.show.boards import cross, ink

_, ENTRY, _ = CASTLES_OF[0]  # squares from the end of the own arm to the entry square
CASTLES = frozenset(s for s in range(cross.TRACK) if s % cross.ARM in CASTLES_OF[0])


def place(seat: int, path: int) -> cross.Place:
    """The place of a man of `seat` that has come to `path`, 0..72."""
    if path == 0:
        return "start", seat
    if path <= LAST:
        return "track", parcheesi.square(seat, path)
    return ("column", seat, HOME - path) if path < HOME else ("home", seat)


def _fill(square: int) -> str:
    seat, step = divmod(square, cross.ARM)
    if step == ENTRY:
        return ink.TINTS[seat]
    return ink.SHADE if square in CASTLES else ink.SURFACE


def _ringed(ax: Axes, xy: ink.XY) -> None:
    ink.disc(ax, xy, 0.4, edge=ink.LINE, stroke=0.06, z=1.2, tag="castle")


RULES = cross.Rules(
    place,
    CASTLES,
    returning=lambda path: False,
    winners=((0,), (1,), (2,), (3,)),
    fill=_fill,
    castle=_ringed,
    nest=partial(ink.disc, radius=2.15),
)
draw = partial(cross.draw, RULES)
