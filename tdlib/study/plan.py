"""How long a run would take on this machine: a few seconds of each kind of work, measured.

Learners go on from what the store has. With an empty one they are new, and play longer or
shorter games than they will play later, so that the plan is rough.
"""

import contextlib
import dataclasses
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tdlib.study.experiment import LANES, Experiment
from tdlib.study.status import aligned
from tdlib.study.store import Store
from tdlib.study.tasks import Lane, shape, shared_out, survey
from tdlib.study.testing import NETWORKS, exam, tested
from tdlib.study.train import Learner, Training

GAMES = 200  # of each network in a test that is measured


class Work(NamedTuple):
    """Games to play, and how fast that goes on one core."""

    games: int
    length: float  # plies of a game
    speed: float  # plies in a second, of all lanes of a batch
    lanes: int  # of that batch

    @property
    def hours(self) -> float:
        return self.games * self.length / self.speed / 3600

    @property
    def cells(self) -> tuple[str, ...]:
        """The columns of `text`."""
        speed = f"{self.speed:,.0f} ({self.lanes})"
        return f"{self.games:,}", f"{self.length:,.0f}", speed, f"{self.hours:.2f}"


class Cost(NamedTuple):
    """What an experiment lacks, and what that takes."""

    experiment: Experiment
    training: Work
    testing: Work

    @property
    def hours(self) -> float:
        return self.training.hours + self.testing.hours


def costs(
    experiments: Sequence[Experiment], store: Store, *, workers: int, seconds: float
) -> Iterator[Cost]:
    """The cost of each experiment that is not complete, as soon as it is known.

    seconds: of training to measure for each shape, besides compiling.
    """
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
    learners = [Learner(lane.start, list(lane.goals)) for lane in part]
    speed = _training(learners, seconds)
    for e in dict.fromkeys(lane.experiment for lane in lanes):
        mine = [lane for lane in lanes if lane.experiment == e]
        some = [x for x in learners if x.network.experiment == e]
        pace = sum(x.pace for x in some) / len(some)
        games = sum(lane.train_games for lane in mine)
        tests = sum(lane.eval_games for lane in mine)
        training = Work(games, pace, speed, len(part))
        yield Cost(e, training, Work(tests, *_testing(e, some[:NETWORKS])))


def _training(learners: Sequence[Learner], seconds: float) -> float:
    """Plies in a second; the learners learn meanwhile and know the length of their games."""
    for x in learners:
        x.goals = [x.network.games + 10**6]
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


def _testing(e: Experiment, learners: Sequence[Learner]) -> tuple[float, float, int]:
    """Plies of a game, plies in a second, and lanes."""
    short = dataclasses.replace(e, eval_games=min(GAMES, e.eval_games))
    exams = [exam(x.network._replace(experiment=short)) for x in learners]
    tested(exams, NETWORKS)  # compiles
    began = time.perf_counter()
    rows = tested(exams, NETWORKS)
    seconds, plies = time.perf_counter() - began, sum(row.plies for row in rows)
    length = plies / sum(row.eval_games for row in rows)
    return length, plies / seconds, LANES * NETWORKS


def text(costs: Iterable[Cost], workers: int) -> str:
    """A line for each experiment, and the sum."""
    costs = list(costs)
    lines = [
        (x.experiment.id, *x.training.cells, *x.testing.cells, f"{x.hours / workers:.2f}")
        for x in costs
    ]
    hours = sum(cost.hours for cost in costs)
    of_each = ("plies each", "plies/s (lanes)", "core h")
    head = ("experiment", "train games", *of_each, "test games", *of_each, "hours")
    total = f"{hours:.1f} core hours: {hours / workers:.1f} hours on {workers} cores"
    return f"{aligned(head, lines)}\n{total}"
