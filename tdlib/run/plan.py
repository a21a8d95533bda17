"""How long a run would take on this machine: a few seconds of each kind of work, measured.

Learners go on from what the store has. With an empty one they are new, and play longer or
shorter games than they will play later, so that the plan is rough.
"""

import contextlib
import dataclasses
import os
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tdlib import compilation_cache
from tdlib.experiments import Experiment
from tdlib.run.measuring import NETWORKS, Network, measured
from tdlib.run.tasks import Lane, shape, shared_out, survey
from tdlib.run.training import Learner, Training
from tdlib.run.work import begun
from tdlib.store import Store

GAMES = 200  # of each network in a test that is measured


class Cost(NamedTuple):
    """What an experiment lacks, and what that takes on one core."""

    experiment: Experiment
    train_games: int
    train_length: float  # plies of a game
    train_speed: float  # plies in a second, of all lanes of a batch
    lanes: int  # of that batch
    eval_games: int
    eval_length: float
    eval_speed: float

    @property
    def train_hours(self) -> float:
        return self.train_games * self.train_length / self.train_speed / 3600

    @property
    def eval_hours(self) -> float:
        return self.eval_games * self.eval_length / self.eval_speed / 3600


def costs(
    experiments: Sequence[Experiment], store: Store, *, workers: int, seconds: float
) -> Iterator[Cost]:
    """The cost of each experiment that is not complete, as soon as it is known.

    seconds: of training to measure for each shape, besides compiling.
    """
    compilation_cache.enable()
    lanes = [lane for lane in survey(store, experiments)[0] if lane.missing]
    first: dict[tuple, Sequence[Lane]] = {}
    for task in shared_out(lanes, workers):
        first.setdefault(shape(task[0].experiment), task)
    with _on_one_core():
        for kind, part in first.items():
            of_kind = [lane for lane in lanes if shape(lane.experiment) == kind]
            yield from _measured(store, part, of_kind, seconds)


@contextlib.contextmanager
def _on_one_core() -> Iterator[None]:
    """As a worker is, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _measured(
    store: Store, part: Sequence[Lane], lanes: Sequence[Lane], seconds: float
) -> Iterator[Cost]:
    """part: the lanes of one batch; lanes: all of that shape."""
    learners = [begun(store, lane) for lane in part]
    speed = _training(learners, seconds)
    for e in dict.fromkeys(lane.experiment for lane in lanes):
        mine = [lane for lane in lanes if lane.experiment == e]
        some = [x for x in learners if x.lane.experiment == e]
        eval_speed, eval_length = _testing(e, some[:NETWORKS])
        yield Cost(
            e,
            train_games=sum(lane.train_games for lane in mine),
            train_length=sum(x.pace for x in some) / len(some),
            train_speed=speed,
            lanes=len(part),
            eval_games=sum(lane.eval_games for lane in mine),
            eval_length=eval_length,
            eval_speed=eval_speed,
        )


def _training(learners: Sequence[Learner], seconds: float) -> float:
    """Plies in a second; the learners learn meanwhile and know the length of their games."""
    for x in learners:
        x.goals = [x.saved.games + 10**6]
    training = Training(learners, lambda games: None)
    rounds = training.rounds()
    next(rounds)
    next(rounds)  # compiles
    done, began = training.done, time.perf_counter()
    for _ in rounds:
        passed = time.perf_counter() - began
        if passed > seconds:
            break
    return (training.done - done) / passed


def _testing(e: Experiment, learners: Sequence[Learner]) -> tuple[float, float]:
    """Plies in a second and plies of a game."""
    short = dataclasses.replace(e, eval_games=min(GAMES, e.eval_games))
    networks = [Network(x.lane._replace(experiment=short), x.saved) for x in learners]
    measured(networks, NETWORKS)  # compiles
    began = time.perf_counter()
    tally = measured(networks, NETWORKS)
    seconds = time.perf_counter() - began
    return tally.plies.sum() / seconds, tally.plies.sum() / tally.games.sum()
