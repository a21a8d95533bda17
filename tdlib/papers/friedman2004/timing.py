"""Times of minimax and alpha-beta: tables 2 and 3 of Friedman & Ibarra (2004).

    F-TIME        both at the same positions, for table 2
    F-TIME4       the same, four plies deep: one position of each game
    F-INITTIME    alpha-beta's moves in the games of table 3

The program is `teaching.plain_search`: one node after another, as in the paper. Both search a
position in turn and in one process, so that their ratio does not depend on the machine or on
what else it does; times are those of the processor. Games are moved on by alpha-beta: black
picks at random among equal moves, white takes the first, as the two players of the paper.
"""

import dataclasses
import itertools
import platform
import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from tdlib import games
from tdlib.papers.friedman2004.experiments import (
    DEPTHS,
    HEURISTICS,
    INITIAL,
    LIMIT,
    PAPER,
    RUNS,
    STUCK,
    weights,
)
from tdlib.study.identity import differing, fingerprint
from tdlib.study.measure import Measurement, Subject
from tdlib.study.scale import by_scale
from tdlib.study.store import Store
from tdlib.teaching import plain_search
from tdlib.teaching.plain_search import abalone

PYTHON = platform.python_version()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Timing:
    """Games at some of whose positions both algorithms search; times and nodes are taken."""

    id: str
    weights: tuple[int, int, int, int]  # of H1 to H4
    plies: int  # of each game
    depth: int  # at which the games are played
    depths: tuple[int, ...]  # at which both algorithms are timed
    repeats: tuple[int, ...]  # at each depth, timings of a position
    positions: tuple[int, ...]  # at each depth, positions of a game
    games: int
    seed: int = 0


@dataclasses.dataclass(frozen=True, kw_only=True)
class Initial:
    """Deterministic games of two players of equal depth; the moves of black are timed."""

    id: str
    runs: tuple[int, ...]
    depths: tuple[int, ...]
    max_plies: int


TIME = Timing(
    id="F-TIME", weights=(1, 0, 0, 0), plies=102, depth=3, depths=DEPTHS, repeats=(10, 10, 1),
    positions=(20, 20, 12), games=51,  # the ledger asks for 50 games and 1,000 positions
)  # fmt: skip
TIME4 = dataclasses.replace(
    TIME, id="F-TIME4", depths=(4,), repeats=(1,), positions=(1,), games=50
)
INITIAL_TIME = Initial(
    id="F-INITTIME", runs=INITIAL, depths=(1, 2), max_plies=LIMIT,
)  # fmt: skip


def timed(scale: str) -> Timing:
    """F-TIME at a scale."""
    fewer = dataclasses.replace(TIME, games=2, plies=40, positions=(8, 8, 3))
    fewest = dataclasses.replace(
        TIME, games=2, plies=4, depth=1, depths=(1, 2), repeats=(2, 2), positions=(2, 2)
    )
    return by_scale(scale, smoke=fewest, quick=fewer, paper=TIME)


def timed4(scale: str) -> Timing:
    """F-TIME4 at a scale: minimax takes 20 seconds for a position, so only at paper scale."""
    return TIME4 if scale == "paper" else dataclasses.replace(TIME4, games=0)


def initial(scale: str) -> Initial:
    """F-INITTIME at a scale."""
    short = dataclasses.replace(INITIAL_TIME, depths=(2,), max_plies=4)
    return by_scale(scale, smoke=short, quick=INITIAL_TIME, paper=INITIAL_TIME)


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
    python: str


def timing(t: Timing) -> Measurement:
    """F-TIME or F-TIME4 as a measurement: a subject is a game."""
    settings = [field.name for field in dataclasses.fields(t) if field.name != "games"]
    hash = fingerprint(differing(t, settings))

    def compute(store: Store, todo: Sequence[Subject]) -> Iterator[list[Row]]:
        for subject in todo:
            yield _game(t, subject[2], (t.id, hash))

    return Measurement(
        id=t.id,
        paper=PAPER,
        title="minimax and alpha-beta with H1 at the same positions",
        row=Row,
        subject=3,
        key=5,
        asked=lambda store: [(t.id, hash, game) for game in range(t.games)],
        compute=compute,
    )


def initial_timing(scale: str) -> Measurement:
    """F-INITTIME as a measurement: a subject is a game, of a depth and a run of table 3."""
    t = initial(scale)
    settings = [field.name for field in dataclasses.fields(t) if field.name != "runs"]
    hash = fingerprint(differing(t, settings))

    def compute(store: Store, todo: Sequence[Subject]) -> Iterator[list[Move]]:
        for _, _, run, depth in todo:
            yield _cycling(t, depth, run, (t.id, hash))

    asked = [(t.id, hash, run, depth) for depth in t.depths for run in t.runs]
    return Measurement(
        id=t.id,
        paper=PAPER,
        title="moves of alpha-beta in the games of table 3",
        row=Move,
        subject=4,
        key=5,
        asked=lambda store: asked,
        compute=compute,
    )


def _cycling(timing: Initial, depth: int, run: int, names: tuple) -> list[Move]:
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
        found = plain_search.alphabeta(tree, here, depth)
        taken = (time.process_time_ns() - began) / 1e6
        if here.seat == 0:
            rows.append(
                Move._make(
                    (*names, run, depth, ply, len(moves), found.generated, found.evaluated,
                     found.cut, taken, PYTHON)
                )
            )  # fmt: skip
        assert found.best is not None
        here = moves[found.best]
    return rows


def _start() -> abalone.Position:
    return abalone.told(games.make("abalone", broadside=False).init(jax.random.key(0)))


def _game(timing: Timing, game: int, names: tuple) -> list[Row]:
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
    tree: plain_search.Tree, here: abalone.Position, depth: int, rng: np.random.Generator | None
) -> abalone.Position:
    """After the best move: any one of equals, or the first without a random generator."""
    moves = tree.children(here)
    if rng is not None:  # the first of equals in a random order is a random one of them
        moves = [moves[i] for i in rng.permutation(len(moves))]
    root = tree._replace(children=lambda node: moves if node is here else tree.children(node))
    best = plain_search.alphabeta(root, here, depth).best
    assert best is not None
    return moves[best]


def _timed(
    tree: plain_search.Tree,
    here: abalone.Position,
    depth: int,
    times: int,
    where: tuple,
) -> Row:
    """Medians of so many timings, the two algorithms taking turns."""
    searches = (plain_search.minimax, plain_search.alphabeta)
    found: dict[Any, plain_search.Found] = {}
    taken: dict[Any, list[float]] = {search: [] for search in searches}
    for _ in range(times):
        for search in searches:
            began = time.process_time_ns()
            found[search] = search(tree, here, depth)
            taken[search].append((time.process_time_ns() - began) / 1e6)
    full, pruned = found.values()
    full_ms, pruned_ms = (statistics.median(some) for some in taken.values())
    return Row._make((*where, depth, len(tree.children(here)), full.generated, full.evaluated,
        pruned.generated, pruned.evaluated, pruned.cut, full_ms, pruned_ms,
        PYTHON))  # fmt: skip
