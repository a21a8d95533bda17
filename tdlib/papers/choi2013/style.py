"""How networks of Kalah play, and how well their values predict who wins.

style         which pits, captures and extra moves, against minimax of depth 3
predictions   Brier scores of the values by quarter of a game
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tdlib import stats
from tdlib.papers.choi2013 import endgames, records
from tdlib.papers.choi2013.records import Record
from tdlib.study import seeds
from tdlib.study.experiment import Experiment
from tdlib.study.identity import fingerprint
from tdlib.study.measure import Subject
from tdlib.study.network import encoding
from tdlib.study.store import Store

OPPONENT = 3  # depth of minimax, for questions of style
OTHERS_GAMES = 4  # times as many games of the players to compare with
PHASES = 4
EXPLORE = 0.1  # random moves in games with itself, without which they would all be one game


class Style(NamedTuple):
    """Of one player against minimax; expected: of a player at random in the same positions."""

    experiment: str  # or the name of a player
    config: str  # the hash of the network's training
    test: str  # and of what is measured here
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


class Prediction(NamedTuple):
    experiment: str
    config: str
    test: str
    run: int
    games: int
    phase: int  # quarter of a game
    turns: int
    brier: float
    baseline: float  # of a logistic function of the difference of the stores


def style_hash(games: int) -> str:
    return fingerprint({"games": games, "others": OTHERS_GAMES, "opponent": OPPONENT})


def predictions_hash(games: int) -> str:
    return fingerprint({"games": games, "explore": EXPLORE, "phases": PHASES})


def styles(
    known: Mapping[str, Experiment], games: int, store: Store, todo: Sequence[Subject]
) -> Iterator[list[Style]]:
    """Rows of `Style` for stored networks and for the players to compare with."""
    other = records.searching(OPPONENT)
    for subject, chooser in records.choosers(known, store, todo):
        rng = seeds.rng("style", subject[0], *subject[3:])
        half = games // 2 if subject[0] in known else OTHERS_GAMES * games // 2
        both = [
            records.play(chooser, other, half, rng),
            records.play(other, chooser, half, rng),
        ]
        seats = np.repeat([0, 1], half)
        yield [Style._make((*subject, *described(_joined(both), seats)))]


def predictions(
    known: Mapping[str, Experiment], games: int, store: Store, todo: Sequence[Subject]
) -> Iterator[list[Prediction]]:
    """Rows of `Prediction` for stored networks."""
    for subject, chooser in records.choosers(known, store, todo):
        id, _, _, run, trained = subject
        network = store.network(known[id], run, trained)
        rng = seeds.rng("self", id, run, trained)
        record = records.play(chooser, chooser, games, rng, explore=EXPLORE)
        values = records.chances(
            encoding(known[id]), network.weights, record.after, record.seat
        )
        yield [Prediction._make((*subject, *line)) for line in briers(values, record)]


def described(record: Record, seats: np.ndarray) -> tuple:
    """From `eval_games` to `pits_expected` of a `Style`; seats [N]: where the player sat."""
    mine = record.seat == seats[record.game]
    cups, seat, pit = record.cups[mine], record.seat[mine], record.pit[mine]
    legal = records.legal_pits(cups, seat)
    some = legal.sum(1) > 1
    cups, seat, pit, legal = cups[some], seat[some], pit[some], legal[some]
    n, number = np.arange(len(pit)), legal.sum(1)
    nearest = 5 - np.argmax(legal[:, ::-1], axis=1)
    kinds = []
    _, movers, _ = endgames.after(cups, seat)
    for kind in (records.captures(cups, seat) & legal, (movers == seat[:, None]) & legal):
        open_ = kind.any(1) & (kind != legal).any(1)
        expected = (kind.sum(1) / number)[open_].sum()
        kinds += [int(open_.sum()), int(kind[n, pit][open_].sum()), float(expected)]
    margin = np.where(seats == 0, record.margin, -record.margin)
    own = np.where(seats[:, None] == 0, record.final[:, :6], record.final[:, 7:13])
    share = np.bincount(pit, minlength=6) / len(pit)
    expected = (legal / number[:, None]).mean(0)
    return (
        len(seats), int((margin > 0).sum()), len(pit),
        int((pit == nearest).sum()), float((1 / number).sum()), *kinds,
        int(own.any(1).sum()), *(" ".join(f"{x:.4f}" for x in y) for y in (share, expected)),
    )  # fmt: skip


def _joined(both: Sequence[Record]) -> Record:
    first = len(both[0].margin)
    second = both[1]._replace(game=both[1].game + first)
    return Record(*map(np.concatenate, zip(both[0], second, strict=True)))


def briers(values: np.ndarray, record: Record) -> list[tuple[int, int, float, float]]:
    """By quarter of a game: quarter, turns, Brier score of values [T], and of the baseline."""
    sign = np.where(record.seat == 0, 1, -1)
    outcome = (np.sign(record.margin[record.game] * sign) + 1) / 2
    ahead = (record.after[:, 6] - record.after[:, 13]) * sign
    slope = _logistic_slope(ahead, outcome)
    baseline = 1 / (1 + np.exp(-slope * ahead))
    length = np.bincount(record.game)[record.game]
    phase = PHASES * record.ply // length
    return [
        (
            k + 1,
            int((phase == k).sum()),
            float(((values - outcome)[phase == k] ** 2).mean()),
            float(((baseline - outcome)[phase == k] ** 2).mean()),
        )
        for k in range(PHASES)
    ]


def _logistic_slope(x: np.ndarray, outcome: np.ndarray) -> float:
    """Of the most likely 1 / (1 + exp(-slope x))."""
    return float(stats.logistic(x[:, None], outcome, np.ones(len(x)))[0])
