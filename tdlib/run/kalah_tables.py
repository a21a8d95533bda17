"""The tables of `run.kalah`: what a row holds, where it is stored, which rows are missing."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import jax.numpy as jnp

from tdlib.experiments import Experiment
from tdlib.run import parts
from tdlib.run.ladder import Entry
from tdlib.store import Store, identity
from tdlib.store.table import Table
from tdlib.values import mlp


class Endgame(NamedTuple):
    """In all positions of best play from some roots."""

    experiment: str
    config: str
    run: int
    games: int
    set: str  # "own": the position learned from; else a set of `endgames.SETS`
    roots: int
    perfect: int  # roots from which every move keeps the win
    decisions: int  # positions in which some move keeps the outcome and some does not
    sound: int  # of these, where the network keeps it
    choices: int  # positions in which not all moves keep the margin
    best: int  # of these, where the network keeps it
    error: float  # mean |value - outcome| of all moves
    correlation: float  # of values and exact margins, all moves
    pairs: int  # of moves from one position with different margins
    agree: int  # of these, valued in the right order
    date: str
    version: str


class Judged(NamedTuple):
    """Of moves with so many seeds left in the pits."""

    experiment: str  # or the name of a player
    config: str
    run: int
    games: int
    seeds: int
    decisions: int
    sound: int
    choices: int
    best: int
    date: str
    version: str


class Style(NamedTuple):
    """Of one player against minimax; expected: of a player at random in the same positions."""

    experiment: str
    config: str
    run: int
    games: int
    eval_games: int
    wins: int
    moves: int  # with a choice
    nearest: int  # the legal pit nearest to the own store
    nearest_expected: float
    captures_open: int  # positions in which some moves capture and some do not
    captures: int
    captures_expected: float
    extras_open: int  # the same with extra moves
    extras: int
    extras_expected: float
    kept: int  # games at whose end the own pits held seeds
    pits: str  # shares of pits 1 to 6, and as expected at random
    pits_expected: str
    date: str
    version: str


class Prediction(NamedTuple):
    experiment: str
    config: str
    run: int
    games: int
    phase: int  # quarter of a game
    turns: int
    brier: float
    baseline: float  # of a logistic function of the difference of the stores
    date: str
    version: str


class Distinct(NamedTuple):
    experiment: str
    config: str
    run: int
    games: int  # the first of a training
    distinct: int
    date: str
    version: str


class Speed(NamedTuple):
    """Training of all learners side by side, each kind of inputs in turn."""

    encoding: str
    round: int
    lanes: int
    games: int
    seconds: float  # of a game
    date: str
    version: str


TABLES: dict[str, tuple[Any, int]] = {
    "endgames": (Endgame, 5),
    "judged": (Judged, 5),
    "style": (Style, 4),
    "predictions": (Prediction, 5),
    "distinct": (Distinct, 4),
    "speed": (Speed, 2),
}


def table(store: Store, name: str) -> Table:
    row, key = TABLES[name]
    return Table(store.root / "kalah" / f"{name}.csv", row, key)


def missing(store: Store, name: str, wanted: Iterable[Entry]) -> list[Entry]:
    known = {key[:4] for key in table(store, name).known()}
    return [
        entry
        for entry in wanted
        if entry.games in store.saved(*entry[:2]) and named(*entry) not in known
    ]


def weights(store: Store, e: Experiment, run: int, games: int) -> mlp.Weights:
    saved = store.weights(e, run, games, parts.shapes(e))
    return mlp.Weights(**{k: jnp.asarray(x) for k, x in saved.weights.items()})


def named(e: Experiment, run: int, games: int) -> tuple[str, str, int, int]:
    return e.id, identity(e), run, games
