"""Times of minimax and alpha-beta, as data; `tdlib.run.timing` takes them.

F-TIME        both at the same positions, for table 2 of Friedman & Ibarra (2004)
F-INITTIME    alpha-beta's moves in the games of their table 3
"""

import dataclasses

from tdlib import paths
from tdlib.experiments.friedman2004 import DEPTHS, INITIAL, LIMIT, PAPER


@dataclasses.dataclass(frozen=True, kw_only=True)
class Timing:
    """Games at some of whose positions both algorithms search; times and nodes are taken."""

    id: str
    paper: str
    title: str
    weights: tuple[int, int, int, int]  # of H1 to H4
    plies: int  # of each game
    depth: int  # at which the games are played
    depths: tuple[int, ...]  # at which both algorithms are timed
    repeats: tuple[int, ...]  # at each depth, timings of a position
    positions: tuple[int, ...]  # at each depth, positions of a game
    games: int
    seed: int = 0
    scale: str = "paper"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Initial:
    """Deterministic games of two players of equal depth; the moves of black are timed."""

    id: str
    paper: str
    title: str
    runs: tuple[int, ...]
    depths: tuple[int, ...]
    max_plies: int
    scale: str = "paper"


TIME = Timing(
    id="F-TIME", paper=PAPER, title="minimax and alpha-beta with H1 at the same positions",
    weights=(1, 0, 0, 0), plies=102, depth=3, depths=DEPTHS, repeats=(10, 10, 1),
    positions=(20, 20, 12), games=14,
)  # fmt: skip
INITIAL_TIME = Initial(
    id="F-INITTIME", paper=PAPER, title="moves of alpha-beta in the games of table 3",
    runs=INITIAL, depths=(1, 2), max_plies=LIMIT,
)  # fmt: skip


def timed(scale: str) -> Timing:
    """F-TIME at a scale."""
    if paths.checked(scale) == "paper":
        return TIME
    if scale == "quick":
        return dataclasses.replace(TIME, games=2, plies=40, positions=(8, 8, 3), scale=scale)
    return dataclasses.replace(
        TIME, games=2, plies=4, depth=1, depths=(1, 2), repeats=(2, 2), positions=(2, 2),
        scale=scale,
    )  # fmt: skip


def initial(scale: str) -> Initial:
    """F-INITTIME at a scale."""
    if paths.checked(scale) == "paper":
        return INITIAL_TIME
    if scale == "quick":
        return dataclasses.replace(INITIAL_TIME, scale=scale)
    return dataclasses.replace(INITIAL_TIME, depths=(2,), max_plies=4, scale=scale)
