"""How many games of self-play a second the learners of each game and each kind of inputs train.

In seconds of a processor core, so that a busy machine changes them little; games and inputs
take turns. The first games of untrained learners are timed, after a round that compiles.
"""

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp

from tdlib.learning import online
from tdlib.papers.matthews2006.tables import EXPERIMENTS, PAPER
from tdlib.study import train
from tdlib.study.experiment import Experiment, training_hash
from tdlib.study.measure import Measurement, Subject
from tdlib.study.network import stacked, untrained
from tdlib.study.scale import by_scale, scaled
from tdlib.study.store import Store

TABLES = (  # self-play with unary, smart and combined inputs
    "M-A1", "M-A5", "M-A7", "M-A8", "M-A11", "M-A12",
    "M-A13", "M-A18", "M-A19", "M-A20", "M-A27", "M-A28",
)  # fmt: skip
ROUNDS = 5
LANES = 5  # learners side by side, as many as the thesis has runs


class Row(NamedTuple):
    """One round of one experiment; see `data/README.md`."""

    experiment: str
    config: str  # the hash of the training
    round: int
    lanes: int
    games: int  # of each
    game_rate: float  # games a second of a core


def measurement(scale: str) -> Measurement:
    """Of twelve experiments: four games, three kinds of inputs."""
    known = {e.id: scaled(e, scale) for e in EXPERIMENTS if e.id in TABLES}
    games = by_scale(scale, smoke=1, quick=20, paper=100)

    def asked(store: Store) -> list[Subject]:
        return [
            (e.id, training_hash(e), turn, LANES, games)
            for e in known.values()
            for turn in range(ROUNDS)
        ]

    def compute(store: Store, todo: Sequence[Subject]) -> Iterator[list[Row]]:
        asked_for = [known[id] for id in dict.fromkeys(subject[0] for subject in todo)]
        for e in asked_for:
            _rate(e, games)  # compiles
        for turn in range(ROUNDS):
            for e in asked_for:
                rate = _rate(e, games)
                yield [Row._make((*x, rate)) for x in todo if (x[0], x[2]) == (e.id, turn)]

    return Measurement(
        id="training-time",
        paper=PAPER,
        title="games of self-play a second",
        row=Row,
        subject=5,
        key=5,
        asked=asked,
        compute=compute,
    )


def _rate(e: Experiment, games: int) -> float:
    networks = [untrained(e, run) for run in range(LANES)]
    task, condition = train.task(e), train.condition(networks)
    began = time.process_time()
    jax.block_until_ready(
        online.train(
            task, (), condition, online.begin(stacked(networks)), jnp.full(LANES, games)
        )
    )
    return LANES * games / (time.process_time() - began)
