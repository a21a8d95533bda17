"""The cross-shaped board of pachisi and Parcheesi: four arms of 3 x 8 squares round a centre.

Squares are 1 x 1, the middle of the centre is the origin. Seat 0's arm is at the bottom; seats
and movement run counter-clockwise, so seat 1's arm is on the right.

    The track has 68 squares. From the end square 17k of seat k's arm it runs inwards along
    17k+1 .. 17k+8, then outwards along 17k+9 .. 17k+16 on the next arm, to 17(k+1). The other
    seven squares of an arm's middle column belong to its seat alone: 1 is next to the centre,
    7 next to the end square. Seat k's men wait in the first corner that its track passes.

A place is ("track", square), ("column", seat, number), ("start", seat) or ("home", seat).
"""

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from tdlib.games.pachisi import PIECES as MEN
from tdlib.games.pachisi import QUARTER as ARM
from tdlib.games.pachisi import TRACK
from tdlib.show.boards import ink
from tdlib.show.boards.ink import XY
from tdlib.types import State

COLUMN = 7  # private squares of a seat
Place = tuple

# Men that share a square: radius and offsets, by their number.
SHARED: dict[int, tuple[float, list[XY]]] = {
    1: (0.38, [(0, 0)]),
    2: (0.25, [(-0.21, 0.21), (0.21, -0.21)]),
    3: (0.22, [(-0.23, 0.23), (0.23, 0.23), (0, -0.2)]),
    4: (0.22, [(-0.23, 0.23), (0.23, 0.23), (-0.23, -0.23), (0.23, -0.23)]),
}
CROWD = (0.15, [(x, y) for y in (0.31, 0, -0.31) for x in (-0.31, 0, 0.31)])
NEST, NESTLING = 0.78, 0.52  # half the distance of waiting men, and their radius
HOMED = 0.28  # radius of a man in the centre
CORNER = (5.5, -5.5)  # the middle of seat 0's nest
RULED: dict[str, Any] = {"edge": ink.LINE, "stroke": 0.045, "z": 1}


class Rules(NamedTuple):
    """What tells one game on this board from the other."""

    place: Callable[[int, int], Place]  # seat, path number -> place
    castles: Collection[int]  # safe squares of the track
    returning: Callable[[int], bool]  # path number -> draw the man as on its way home
    winners: tuple[tuple[int, ...], ...]  # sets of seats that win together
    fill: Callable[[int], str]  # square of the track -> its colour
    castle: Callable[[Axes, XY], None]  # marks a castle
    nest: Callable[..., Any]  # draws the place where men wait: axes, its middle, style


class Man(NamedTuple):
    seat: int
    place: Place
    xy: XY
    radius: float
    returning: bool


def turned(xy: XY, quarters: int) -> XY:
    """Turn a point counter-clockwise about the centre."""
    x, y = xy
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


def track_xy(square: int) -> XY:
    """The middle of a square of the track, 0..67."""
    arm, step = divmod(square, ARM)
    if step == 0:
        return turned((0, -9), arm)
    return turned((1, step - 10) if step <= 8 else (step - 7, -1), arm)


def column_xy(seat: int, number: int) -> XY:
    """The middle of a private square, 1 (next to the centre) .. 7."""
    return turned((0, -1 - number), seat)


def start_xy(seat: int, i: int) -> XY:
    """Where the i-th waiting man of a seat stands."""
    x, y = turned(CORNER, seat)
    return x + (NEST if i % 2 else -NEST), y + (-NEST if i // 2 else NEST)


def home_xy(seat: int, i: int) -> XY:
    """Where the i-th man of a seat to come home stands, in its quarter of the centre."""
    return turned([(0, -1.16), (-0.6, -1.16), (0.6, -1.16), (0, -0.56)][i], seat)


def square_xy(place: Place) -> XY:
    """The middle of a track or column square."""
    return track_xy(place[1]) if place[0] == "track" else column_xy(place[1], place[2])


def men(rules: Rules, pieces: np.ndarray) -> list[Man]:
    """All sixteen men of `pieces` [4, 4] with their places on the picture."""
    drawn: list[Man] = []
    shared: dict[Place, list[tuple[int, bool]]] = {}
    for seat, row in enumerate(pieces):
        waiting = homed = 0
        for path in sorted(int(p) for p in row):
            place = rules.place(seat, path)
            if place[0] == "start":
                drawn.append(Man(seat, place, start_xy(seat, waiting), NESTLING, False))
                waiting += 1
            elif place[0] == "home":
                drawn.append(Man(seat, place, home_xy(seat, homed), HOMED, False))
                homed += 1
            else:
                shared.setdefault(place, []).append((seat, rules.returning(path)))
    for place, group in shared.items():
        x, y = square_xy(place)
        radius, offsets = SHARED.get(len(group), CROWD)
        drawn += [
            Man(seat, place, (x + dx, y + dy), radius, returning)
            for (seat, returning), (dx, dy) in zip(group, offsets, strict=False)
        ]
    return drawn


def draw(
    rules: Rules,
    ax: Axes,
    state: State,
    *,
    before: State | None = None,
    coordinates: bool = False,
) -> Axes:
    """Draw a position; with `before`, mark the play that led from there to here."""
    pieces = np.asarray(state.pieces)
    assert pieces.shape == (4, MEN), f"pieces must be [4, 4], not {pieces.shape}"
    _ground(ax, rules)
    for man in men(rules, pieces):
        _man(ax, man)
    if before is not None:
        _changes(ax, rules, np.asarray(before.pieces), pieces)
    if coordinates:
        _numbers(ax)
    home = [all(rules.place(k, int(p))[0] == "home" for p in pieces[k]) for k in range(4)]
    if not any(all(home[k] for k in team) for team in rules.winners):
        seat = int(state.seat)
        ink.mover(ax, turned(CORNER, seat), 0.45, 180 + 90 * seat, ink.INK)
    edge = 10.3 if coordinates else 9.7
    return ink.fit(ax, -edge, -edge, edge, edge)


def _ground(ax: Axes, rules: Rules) -> None:
    """The board without men: rim, centre, track, private squares and nests."""
    corner = [(1.5, -9.5), (1.5, -1.5), (9.5, -1.5)]
    rim = [turned(xy, k) for k in range(4) for xy in corner]
    ink.polygon(ax, rim, fill=ink.FRAME, edge=ink.FRAME, stroke=0.3, z=0)
    for seat in range(4):  # four quarters, each in the tint of the arm that it opens to
        quarter = [turned(xy, seat) for xy in ((0, 0), (-1.5, -1.5), (1.5, -1.5))]
        ink.polygon(ax, quarter, fill=ink.TINTS[seat], **RULED, tag=f"quarter {seat}")
    for number in range(TRACK):
        xy = track_xy(number)
        ink.square(ax, xy, 0.5, fill=rules.fill(number), **RULED, tag=f"square {number}")
        if number in rules.castles:
            rules.castle(ax, xy)
    for seat in range(4):
        tint = {"fill": ink.TINTS[seat]} | RULED
        for number in range(1, COLUMN + 1):
            xy = column_xy(seat, number)
            ink.square(ax, xy, 0.5, **tint, tag=f"private {seat} {number}")
        rules.nest(ax, turned(CORNER, seat), **tint, tag=f"nest {seat}")
        for i in range(MEN):
            ink.disc(ax, start_xy(seat, i), 0.12, fill=ink.IVORY, z=1.5)


def _man(ax: Axes, man: Man) -> None:
    """A disc; with an ivory ring if the man has only the way home before it."""
    ink.disc(
        ax,
        man.xy,
        man.radius,
        fill=ink.SEATS[man.seat],
        edge=ink.INK,
        stroke=0.045,
        z=4,
        tag=f"man {man.seat}",
    )
    if man.returning:
        ink.disc(
            ax,
            man.xy,
            0.66 * man.radius,
            edge=ink.IVORY,
            stroke=0.3 * man.radius,
            z=4.1,
            tag="returning",
        )


def _changes(ax: Axes, rules: Rules, old: np.ndarray, new: np.ndarray) -> None:
    """Mark the squares and nests that lost or gained men; men sent back are crossed out."""
    for seat in range(4):
        was = Counter(rules.place(seat, int(p)) for p in old[seat])
        now = Counter(rules.place(seat, int(p)) for p in new[seat])
        for place in was | now:
            if place[0] in ("start", "home"):
                _nest_change(ax, place, was[place], now[place])
            elif was[place] != now[place]:
                _square_mark(ax, square_xy(place), arrived=now[place] > was[place])


def _nest_change(ax: Axes, place: Place, was: int, now: int) -> None:
    waits = place[0] == "start"
    xy, radius = (start_xy, NESTLING) if waits else (home_xy, HOMED)
    for i in range(was, now):
        if waits:
            ink.taken(ax, xy(place[1], i), radius)
        else:
            ink.arrived(ax, xy(place[1], i), 1.2 * radius)
    for i in range(now, was):
        ink.left(ax, xy(place[1], i), radius)


def _square_mark(ax: Axes, xy: XY, *, arrived: bool) -> None:
    """The ring of the house style, squared; an arrival covers the departure of a captive."""
    ink.square(
        ax,
        xy,
        0.46,
        edge=ink.ACCENT,
        z=3 if arrived else 2,
        stroke=0.12 if arrived else 0.1,
        dashed=not arrived,
        tag="arrived" if arrived else "left",
    )


def _numbers(ax: Axes) -> None:
    """Seats below their nests; squares outside the cross, spread a little in its corners."""
    for seat in range(4):
        x, y = turned(CORNER, seat)
        ink.text(ax, (x, y - 2.6), f"seat {seat}", 0.3, color=ink.FADED, tag="name")
    for number in range(TRACK):
        arm, step = divmod(number, ARM)
        if step == 0:
            xy = (0.0, -9.9)
        elif step <= 8:
            xy = (1.97, step - 10.0 - (0.34 if step == 8 else 0.0))
        else:
            xy = (step - 7.0 + (0.34 if step == 9 else 0.0), -1.97)
        ink.text(ax, turned(xy, arm), str(number), 0.3, color=ink.FADED, tag="number")
