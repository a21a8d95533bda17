"""What is still to be computed, and how it is shared out.

A lane is one run of one experiment. Lanes of the same shape (game, inputs, network, targets)
are trained side by side in one batch, whatever the experiment: that is a task. Nothing that a
lane computes depends on the others of its task.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tdlib.experiments import Experiment
from tdlib.run import parts
from tdlib.store import Damaged, Store

FEWEST = 7  # lanes of a task; narrower batches do less for their time


class Lane(NamedTuple):
    """One run and what it lacks."""

    experiment: Experiment
    run: int
    start: int | None  # of the stored weights to go on from; None: from new ones
    goals: tuple[int, ...]  # numbers of games, ascending, to train to and then test
    tests: tuple[int, ...]  # the same, where stored weights only wait for their test

    @property
    def missing(self) -> int:
        """Rows."""
        return len(self.goals) + len(self.tests)

    @property
    def train_games(self) -> int:
        return self.goals[-1] - (self.start or 0) if self.goals else 0

    @property
    def eval_games(self) -> int:
        return self.missing * self.experiment.eval_games


def survey(
    store: Store, experiments: Iterable[Experiment], runs: Sequence[int] | None = None
) -> tuple[list[Lane], list[Damaged]]:
    """All lanes that can be used, and why others are refused. runs: None means all."""
    lanes, refused = [], []
    for e in experiments:
        try:
            store.check(e)
        except Damaged as problem:
            refused.append(problem)
            continue
        for run in range(e.runs) if runs is None else runs:
            try:
                lanes.append(_lane(store, e, run))
            except Damaged as problem:
                refused.append(problem)
    return lanes, refused


def _lane(store: Store, e: Experiment, run: int) -> Lane:
    rows, saved = store.rows(e, run), store.saved(e, run)
    wanted = [games for games in e.checkpoints if games not in rows]
    goals = tuple(games for games in wanted if games not in saved)
    tests = tuple(games for games in wanted if games in saved)
    before = [games for games in saved if goals and games <= goals[0]]
    start = before[-1] if before else None
    for games in {*tests, *before[-1:]}:
        store.weights(e, run, games, parts.shapes(e))  # whether they are as they should be
    return Lane(e, run, start, goals, tests)


def shared_out(lanes: Sequence[Lane], workers: int) -> list[list[Lane]]:
    """Lanes by shape, the lanes of a shape dealt out to as many workers as is worthwhile.

    What seems to take longest comes first, so that workers end at about the same time.
    """
    groups: dict[Any, list[Lane]] = {}
    for lane in lanes:
        groups.setdefault(shape(lane.experiment), []).append(lane)
    dealt = []
    for group in groups.values():
        parts = max(1, min(workers, len(group) // FEWEST))
        dealt += [group[part::parts] for part in range(parts)]
    return sorted(dealt, key=_effort, reverse=True)


def _effort(task: Sequence[Lane]) -> int:
    """Games, weighted by the seats, because games of four take several times as many plies."""
    return sum((x.train_games + x.eval_games) * len(x.experiment.seats) ** 2 for x in task)


def shape(e: Experiment) -> tuple:
    """What lanes must have in common to be trained in one batch.

    Lambda is part of it where there are several outputs: `learning` has two ways then, of which
    one suits small values, and their rounding differs.
    """
    return (
        (e.game, e.game_options),
        (e.encoding, e.encoding_options),
        (e.hidden, e.outputs, e.bias),
        (e.targets, e.rewards, e.reevaluate, e.observe_end),
        e.explores,
        e.lam if e.outputs > 1 else None,
    )
