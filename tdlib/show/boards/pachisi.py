"""Pachisi: seat 0's arm at the bottom, movement and turns counter-clockwise, castles crossed.

Men wait in the corner after their arm and come home to their quarter of the Charkoni (the
rules start them in the Charkoni too; the corner tells one from the other). Outgoing and
returning men use the same private squares: those that have completed the circuit, and so only
have the way home before them, carry an ivory ring.
"""

from functools import partial

from matplotlib.axes import Axes

from tdlib.games import pachisi
from tdlib.games.pachisi import HOME, OUT, ROUND
from tdlib.show.boards import cross, ink

CASTLES = frozenset(s for s in range(cross.TRACK) if s % cross.ARM in pachisi.CASTLES)


def place(seat: int, path: int) -> cross.Place:
    """The place of a man of `seat` that has come to `path`, 0..84."""
    if path == 0:
        return "start", seat
    if path < OUT:
        return "column", seat, path
    if path <= ROUND:
        return "track", pachisi.square(seat, path)
    return ("column", seat, HOME - path) if path < HOME else ("home", seat)


def _crossed(ax: Axes, xy: ink.XY) -> None:
    x, y = xy
    for slope in (1, -1):
        ends = [(x - 0.48, y - 0.48 * slope), (x + 0.48, y + 0.48 * slope)]
        ink.line(ax, ends, edge=ink.LINE, stroke=0.06, z=1.2, tag="castle")


RULES = cross.Rules(
    place,
    CASTLES,
    returning=lambda path: path >= ROUND,
    winners=pachisi.TEAMS,
    fill=lambda square: ink.SHADE if square in CASTLES else ink.SURFACE,
    castle=_crossed,
    nest=partial(ink.square, half=1.7, corner=0.6),
)
draw = partial(cross.draw, RULES)
