"""What is still to be trained and tested, and how it is shared out.

A lane is one run of one experiment. Lanes of the same shape (game, inputs, network, targets)
are trained side by side in one batch, whatever the experiment: that is a task. Nothing that a
lane computes depends on the others of its task.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tdlib.study.experiment import Experiment
from tdlib.study.network import Network, untrained
from tdlib.study.store import Damaged, Store

FEWEST = 7  # lanes of a task; narrower batches do less for their time
MOST = 128  # lanes of a task; wider batches do no more for theirs


class Lane(NamedTuple):
    """One run and what it lacks."""

    start: Network  # to go on from
    goals: tuple[int, ...]  # numbers of games, ascending, to train to and then test
    tests: tuple[Network, ...]  # stored networks that only wait for their test

    @property
    def experiment(self) -> Experiment:
        return self.start.experiment

    @property
    def missing(self) -> int:
        """Rows."""
        return len(self.goals) + len(self.tests)

    @property
    def train_games(self) -> int:
        return self.goals[-1] - self.start.games if self.goals else 0

    @property
    def eval_games(self) -> int:
        return self.missing * self.experiment.eval_games


def survey(
    store: Store,
    experiments: Iterable[Experiment],
    runs: Sequence[int] | None = None,
    *,
    fresh: bool = False,
) -> tuple[list[Lane], list[Damaged]]:
    """All lanes that can be used, and why others are refused.

    runs: None means all. fresh: as if nothing were stored.
    """
    lanes: list[Lane] = []
    refused: list[Damaged] = []
    for e in experiments:
        try:
            rows = {} if fresh else store.rows(e)
        except Damaged as problem:
            refused.append(problem)
            continue
        for run in range(e.runs) if runs is None else runs:
            wanted = [games for games in e.checkpoints if games not in rows.get(run, {})]
            try:
                lanes.append(_lane(store, e, run, wanted, fresh))
            except Damaged as problem:
                refused.append(problem)
    return lanes, refused


def _lane(store: Store, e: Experiment, run: int, wanted: list[int], fresh: bool) -> Lane:
    if fresh or not wanted:
        return Lane(untrained(e, run), tuple(wanted), ())
    saved = store.saved(e, run)
    goals = tuple(games for games in wanted if games not in saved)
    tests = tuple(store.network(e, run, games) for games in wanted if games in saved)
    return Lane(_start(store, e, run, goals, saved), goals, tests)


def _start(
    store: Store, e: Experiment, run: int, goals: tuple[int, ...], saved: list[int]
) -> Network:
    """The latest network from which the first goal can be reached."""
    if not goals:
        return untrained(e, run)
    left = store.left(e, run)
    before = max((games for games in saved if games <= goals[0]), default=0)
    if left is not None and before < left.games <= goals[0]:
        return left
    return store.network(e, run, before) if before in saved else untrained(e, run)


def shared_out(lanes: Sequence[Lane], workers: int) -> list[list[Lane]]:
    """Lanes by shape, the lanes of a shape dealt out to as many workers as is worthwhile.

    What seems to take longest comes first, so that workers end at about the same time.
    """
    groups: dict[Any, list[Lane]] = {}
    for lane in lanes:
        groups.setdefault(shape(lane.experiment), []).append(lane)
    dealt = []
    for group in groups.values():
        least = -(-len(group) // MOST)
        parts = max(least, min(workers, len(group) // FEWEST), 1)
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
        (e.explores, e.habits, e.floats, e.ties),
        e.lam if e.outputs > 1 else None,
    )
