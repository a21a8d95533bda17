"""Kalah with any number of pits: South at the bottom, everyone sows counter-clockwise.

              N6  N5  N4  N3  N2  N1
    store N                           store S
              S1  S2  S3  S4  S5  S6

Each cup shows its seeds and their number; seeds that the last play brought are in the accent.
"""

from math import cos, pi, sin, sqrt

import numpy as np
from matplotlib.axes import Axes

from tdlib.show.boards import ink
from tdlib.show.boards.ink import XY
from tdlib.types import State

PIT = 0.43  # radius
STORE = 0.46  # half the width of a store, which is a pit drawn out lengthwise
ROWS = 1.2  # from South's row to North's
LENGTH = ROWS / 2  # half the straight part of a store
SEED = 0.095
GOLDEN = pi * (3 - sqrt(5))


def draw(
    ax: Axes, state: State, *, before: State | None = None, coordinates: bool = False
) -> Axes:
    """Draw a position; with `before`, mark the play that led from there to here."""
    cups = np.asarray(state.cups)
    pits = cups.size // 2 - 1
    assert cups.shape == (2 * pits + 2,), f"cups must be [2m + 2], not {cups.shape}"
    old = cups if before is None else np.asarray(before.cups)
    _board(ax, pits)
    for cup, seeds in enumerate(cups):
        _cup(ax, pits, cup, int(seeds), fresh=int(seeds - old[cup]))
    if before is not None:
        _changes(ax, old, cups, int(before.seat))
    if coordinates:
        _numbers(ax, pits)
    _mover(ax, cups, int(state.seat))
    edge = 1.3 if coordinates else 0.95
    return ink.fit(ax, -2.0, -edge, pits + 1.0, ROWS + edge)


def is_store(pits: int, cup: int) -> bool:
    return cup in (pits, 2 * pits + 1)


def cup_xy(pits: int, cup: int) -> XY:
    """The middle of a cup, in the order S1..Sm, store S, N1..Nm, store N."""
    if is_store(pits, cup):
        return (pits + 0.2 if cup == pits else -1.2), ROWS / 2
    return (float(cup), 0.0) if cup < pits else (2.0 * pits - cup, ROWS)


def seeds_xy(pits: int, cup: int, seeds: int) -> tuple[list[XY], float]:
    """Where the seeds of a cup lie, without touching, and how large they are drawn."""
    x, y = cup_xy(pits, cup)
    scatter, size = _in_store(seeds) if is_store(pits, cup) else _in_pit(seeds)
    return [(x + dx, y + dy) for dx, dy in scatter], size


def _in_pit(seeds: int) -> tuple[list[XY], float]:
    """Few seeds in a ring, more in a sunflower, which packs any number evenly."""
    if seeds <= 7:
        inner = seeds > 5 or seeds == 1
        ring = seeds - inner
        radius = 1.2 * SEED / sin(pi / max(ring, 2)) if ring else 0.0
        angles = [2 * pi * i / ring + pi / 2 for i in range(ring)]
        return [(0.0, 0.0)] * inner + [(radius * cos(a), radius * sin(a)) for a in angles], SEED
    step = min(1.35 * SEED, (PIT - 0.12) / sqrt(seeds))
    spiral = [(step * sqrt(i + 0.5), i * GOLDEN) for i in range(seeds)]
    return [(r * cos(a), r * sin(a)) for r, a in spiral], step / 1.35


def _in_store(seeds: int) -> tuple[list[XY], float]:
    """A heap in the middle that grows to fill the store, drawn smaller when it must be."""
    step = 2.5 * SEED
    while len(lattice := _lattice(step)) < seeds:
        step *= 0.97
    heap = sorted(lattice, key=lambda d: (round(np.hypot(*d), 9), d))[:seeds]
    x, y = np.mean(heap, axis=0) if heap else (0.0, 0.0)
    return [(dx - x, dy - y) for dx, dy in heap], step / 2.5


def _lattice(step: float) -> list[XY]:
    """The points of a triangular lattice that lie inside a store."""
    room = STORE - 0.5 * step - 0.02
    rows, columns = int(2 / step), int(1 / step) + 1
    points = [
        ((i + (j % 2) / 2) * step, j * step * sqrt(0.75))
        for j in range(-rows, rows + 1)
        for i in range(-columns, columns + 1)
    ]
    return [(x, y) for x, y in points if np.hypot(x, max(abs(y) - LENGTH, 0)) <= room]


def _board(ax: Axes, pits: int) -> None:
    ink.box(ax, -1.9, -0.95, pits + 0.9, ROWS + 0.95, corner=0.5, fill=ink.FRAME, z=0)
    ink.box(ax, -1.8, -0.85, pits + 0.8, ROWS + 0.85, corner=0.4, fill=ink.SURFACE, z=0.5)
    for cup in range(2 * pits + 2):
        _hollow(ax, pits, cup, fill=ink.SHADE, edge=ink.DEEP, stroke=0.025, z=1, tag="cup")


def _hollow(ax: Axes, pits: int, cup: int, **style) -> None:
    x, y = cup_xy(pits, cup)
    if is_store(pits, cup):
        reach = LENGTH + STORE
        ink.box(ax, x - STORE, y - reach, x + STORE, y + reach, corner=STORE, **style)
    else:
        ink.disc(ax, (x, y), PIT, **style)


def _cup(ax: Axes, pits: int, cup: int, seeds: int, fresh: int) -> None:
    """The seeds and their number, which stands on the owner's side."""
    spots, size = seeds_xy(pits, cup, seeds)
    for i, xy in enumerate(spots):
        new = i >= seeds - fresh
        ink.disc(
            ax,
            xy,
            size,
            fill=ink.ACCENT if new else ink.FRAME,
            edge=ink.SHADE,
            stroke=0.12 * size,
            z=4,
            tag="seed arrived" if new else "seed",
        )
    south = cup <= pits
    ink.text(
        ax,
        (cup_xy(pits, cup)[0], -0.64 if south else ROWS + 0.64),
        str(seeds),
        0.2,
        bold=is_store(pits, cup),
        tag="count",
    )


def _changes(ax: Axes, old: np.ndarray, new: np.ndarray, seat: int) -> None:
    """Mark the cups that lost seeds: emptied, or taken from the opponent.

    When the game ends a player's last seeds go to that player's own store, so then nothing
    tells a captured pit from one that was only cleared.
    """
    pits = len(new) // 2 - 1
    over = not new.sum() > new[pits] + new[-1]
    for cup in np.flatnonzero(new < old).tolist():
        theirs = (cup > pits) == (seat == 0)
        _hollow(ax, pits, cup, edge=ink.ACCENT, stroke=0.045, dashed=True, z=3, tag="left")
        if theirs and not over:
            ink.taken(ax, cup_xy(pits, cup), 0.6 * PIT)


def _numbers(ax: Axes, pits: int) -> None:
    for cup in range(2 * pits + 2):
        south, (x, _) = cup <= pits, cup_xy(pits, cup)
        name = "SN"[not south]
        if not is_store(pits, cup):
            name += str(cup + 1 if south else cup - pits)
        ink.text(
            ax, (x, -1.14 if south else ROWS + 1.14), name, 0.15, color=ink.FADED, tag="number"
        )


def _mover(ax: Axes, cups: np.ndarray, seat: int) -> None:
    """Point at the row of the player who moves next, unless the game is over."""
    pits = len(cups) // 2 - 1
    if cups[:pits].any() or cups[pits + 1 : -1].any():
        x, y = ((-0.6, 0.0), (pits - 0.4, ROWS))[seat]
        ink.mover(ax, (x, y), 0.125, (0, 180)[seat], ink.INK)
