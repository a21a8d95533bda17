"""The first games of a training: how many of them differ, and how long one takes.

distinct   different games among the first of a training
speed      seconds of a training game, raw and hand-crafted inputs in turn
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import jax.numpy as jnp

from tdlib.learning import online
from tdlib.papers.choi2013.distinct_games import distinct as count_distinct
from tdlib.study import train
from tdlib.study.experiment import Experiment
from tdlib.study.measure import Subject
from tdlib.study.network import stacked, untrained
from tdlib.study.store import Store

ROUNDS = 3


class Distinct(NamedTuple):
    experiment: str
    config: str  # the hash of its training
    run: int
    games: int  # the first of a training
    distinct: int


class Speed(NamedTuple):
    """Training of all learners side by side, each kind of inputs in turn."""

    encoding: str
    config: str  # the hash of the training
    round: int
    lanes: int
    games: int
    game_time: float  # seconds


def distinct(
    known: Mapping[str, Experiment], store: Store, todo: Sequence[Subject]
) -> Iterator[list[Distinct]]:
    """Of the very games that these experiments begin their training with."""
    for id in dict.fromkeys(subject[0] for subject in todo):
        mine = [subject for subject in todo if subject[0] == id]
        networks = [untrained(known[id], run) for _, _, run, _ in mine]
        games = mine[0][3]
        found = count_distinct(
            train.task(known[id]), train.condition(networks), stacked(networks), games
        )
        yield [
            Distinct._make((*subject, int(n))) for subject, n in zip(mine, found, strict=True)
        ]


def speed(
    known: Mapping[str, Experiment], store: Store, todo: Sequence[Subject]
) -> Iterator[list[Speed]]:
    """How long a game takes; machines are shared, so kinds of inputs take turns.

    known: experiments by encoding.
    """
    rows = []
    for turn in range(ROUNDS + 1):  # the first compiles
        for encoding, e in known.items():
            mine = [s for s in todo if s[0] == encoding]
            lanes, games = mine[0][3:]
            networks = [untrained(e, run) for run in range(lanes)]
            began = time.perf_counter()
            online.train(
                train.task(e),
                (),
                train.condition(networks),
                online.begin(stacked(networks)),
                jnp.full(lanes, games, jnp.int32),
            )
            seconds = (time.perf_counter() - began) / games / lanes
            rows += [Speed._make((*s, seconds)) for s in mine if s[2] == turn]
    yield rows
