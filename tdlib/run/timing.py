"""Time minimax and alpha-beta (`experiments.timings`) and store it: tables 2 and 3.

The program is `tdlib.classical`: one node after another, as in the paper. Both search a
position in turn and in one process, so that their ratio does not hang on the machine or on what
else it does; times are those of the processor. Games are moved on by alpha-beta: black picks at
random among equal moves, white takes the first, as the two players of the paper.
"""

import dataclasses
import itertools
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
import pandas as pd

from tdlib import classical, games
from tdlib.classical import abalone
from tdlib.experiments.friedman2004 import HEURISTICS, RUNS, STUCK, weights
from tdlib.experiments.timings import Initial, Timing
from tdlib.files import now, version
from tdlib.store.sheets import Sheet

_NO_SETTINGS = {"paper", "title", "games", "scale"}


class Row(NamedTuple):
    """One position at one depth; see `data/README.md`."""

    experiment: str
    config: str
    game: int
    ply: int
    depth: int
    moves: int
    minimax_generated: int
    minimax_evaluated: int
    alphabeta_generated: int
    alphabeta_evaluated: int
    alphabeta_cut: int
    minimax_ms: float
    alphabeta_ms: float
    date: str
    version: str
    python: str


class Move(NamedTuple):
    """One move of alpha-beta in a game of table 3; see `data/README.md`."""

    experiment: str
    config: str
    run: int
    depth: int
    ply: int
    moves: int
    alphabeta_generated: int
    alphabeta_evaluated: int
    alphabeta_cut: int
    alphabeta_ms: float
    date: str
    version: str
    python: str


def sheet(timing: Timing | Initial, root: Path | str) -> Sheet:
    plain = dataclasses.asdict(timing)
    settings = {name: plain[name] for name in plain if name not in _NO_SETTINGS}
    about = {"id": timing.id, "paper": timing.paper, "title": timing.title}
    kind, name = (Row, "positions") if isinstance(timing, Timing) else (Move, "moves")
    return Sheet(root, kind, name, settings=settings, **about)


def measure(
    timing: Timing,
    root: Path | str,
    *,
    fresh: bool = False,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> pd.DataFrame:
    """All rows; games that are missing are played first, and `tell` hears of each."""
    place = sheet(timing, root)
    rows = [] if fresh else place.rows()
    there = {row.game for row in rows}
    for game in range(timing.games):
        if game not in there:
            rows += _game(timing, game, place.names)
            place.put(rows)
            tell(game + 1, timing.games)
    found = place.frame()
    return found[found.game < timing.games]


def initial(
    timing: Initial,
    root: Path | str,
    *,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> pd.DataFrame:
    """All moves of black; games that are missing are played first, and `tell` hears of each."""
    place = sheet(timing, root)
    rows = place.rows()
    there = {(row.depth, row.run) for row in rows}
    wanted = list(itertools.product(timing.depths, timing.runs))
    for done, (depth, run) in enumerate(wanted, start=1):
        if (depth, run) not in there:
            rows += _cycling(timing, depth, run, place.names)
            place.put(rows)
            tell(done, len(wanted))
    return place.frame()


def _cycling(timing: Initial, depth: int, run: int, names: tuple[str, str]) -> list[Move]:
    """A game of table 3 until a position stands for the third time."""
    chosen = weights(RUNS[run])
    first, second, third, fourth = (int(chosen[name]) for name in HEURISTICS)
    black = abalone.tree((first, second, third, fourth))
    white = abalone.tree()
    here = _start()
    times: dict[abalone.Position, int] = {}
    rows = []
    for ply in range(timing.max_plies):
        times[here] = times.get(here, 0) + 1
        if black.over(here) or times[here] >= STUCK:
            break
        tree, moves = (white if here.seat else black), abalone.children(here)
        began = time.process_time_ns()
        found = classical.alphabeta(tree, here, depth)
        taken = (time.process_time_ns() - began) / 1e6
        if here.seat == 0:
            rows.append(
                Move(*names, run, depth, ply, len(moves), found.generated, found.evaluated,
                     found.cut, taken, now(), version(), sys.version.split()[0])
            )  # fmt: skip
        assert found.best is not None
        here = moves[found.best]
    return rows


def _start() -> abalone.Position:
    return abalone.told(games.make("abalone", broadside=False).init(jax.random.key(0)))


def _game(timing: Timing, game: int, names: tuple[str, str]) -> list[Row]:
    rng = np.random.default_rng([timing.seed, game])
    tree = abalone.tree(timing.weights)
    chosen = [_sample(rng, timing.plies, count) for count in timing.positions]
    here = _start()
    rows = []
    for ply in range(timing.plies):
        if tree.over(here):
            break
        for plies, depth, times in zip(chosen, timing.depths, timing.repeats, strict=True):
            if ply in plies:
                rows.append(_timed(tree, here, depth, times, (*names, game, ply)))
        here = _moved(tree, here, timing.depth, rng if ply % 2 == 0 else None)
    return rows


def _sample(rng: np.random.Generator, plies: int, count: int) -> set[int]:
    """As many plies, one from each of equal stretches of the game."""
    ends = np.linspace(0, plies, count + 1)
    return {int(rng.uniform(low, high)) for low, high in itertools.pairwise(ends)}


def _moved(
    tree: classical.Tree, here: abalone.Position, depth: int, rng: np.random.Generator | None
) -> abalone.Position:
    """After the best move: any one of equals, or the first without a random generator."""
    moves = tree.children(here)
    if rng is not None:  # the first of equals in a random order is a random one of them
        moves = [moves[i] for i in rng.permutation(len(moves))]
    root = tree._replace(children=lambda node: moves if node is here else tree.children(node))
    best = classical.alphabeta(root, here, depth).best
    assert best is not None
    return moves[best]


def _timed(
    tree: classical.Tree,
    here: abalone.Position,
    depth: int,
    times: int,
    where: tuple[str, str, int, int],
) -> Row:
    """Medians of so many timings, the two algorithms taking turns."""
    searches = (classical.minimax, classical.alphabeta)
    found: dict[Any, classical.Found] = {}
    taken: dict[Any, list[float]] = {search: [] for search in searches}
    for _ in range(times):
        for search in searches:
            began = time.process_time_ns()
            found[search] = search(tree, here, depth)
            taken[search].append((time.process_time_ns() - began) / 1e6)
    full, pruned = found.values()
    full_ms, pruned_ms = (statistics.median(some) for some in taken.values())
    return Row(
        *where, depth, len(tree.children(here)), full.generated, full.evaluated,
        pruned.generated, pruned.evaluated, pruned.cut, full_ms, pruned_ms,
        now(), version(), sys.version.split()[0],
    )  # fmt: skip
