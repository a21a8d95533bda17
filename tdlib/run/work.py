"""One task from its start to its end: train, save, test, store."""

import time
from collections.abc import Callable, Sequence

from tdlib.run import parts
from tdlib.run.measuring import Measuring, Network
from tdlib.run.tasks import Lane
from tdlib.run.training import Learner, Training
from tdlib.store import Row, Store

SAVE = 60.0  # seconds between savings of learners on their way to a checkpoint


def work(
    store: Store,
    lanes: Sequence[Lane],
    *,
    keep: str,
    played: Callable[[int], None],
    stored: Callable[[Row], None],
) -> tuple[int, int]:
    """Compute all that the lanes lack: plies played in training, and room there was for them.

    played: told now and then how many training games were finished since; stored: each row.
    """
    training = Training([begun(store, lane) for lane in lanes], played)
    measuring = Measuring(store, lanes, keep, stored)
    for lane in lanes:
        for games in lane.tests:
            saved = store.weights(
                lane.experiment, lane.run, games, parts.shapes(lane.experiment)
            )
            measuring.add(Network(lane, saved))
    latest = time.monotonic()
    for learners in training.rounds():
        late = time.monotonic() - latest > SAVE
        latest = time.monotonic() if late else latest
        for learner in learners:
            lane = learner.lane
            if learner.arrived or late:
                store.save(lane.experiment, lane.run, learner.saved)
                store.prune(lane.experiment, lane.run, keep)
            if learner.arrived:
                learner.goals.pop(0)
                measuring.add(Network(lane, learner.saved))
    measuring.finish()
    return training.done, training.room


def begun(store: Store, lane: Lane) -> Learner:
    """A lane where it goes on, or at its beginning."""
    e = lane.experiment
    if lane.start is None:
        saved = parts.initial(e, lane.run)
    else:
        saved = store.weights(e, lane.run, lane.start, parts.shapes(e))
    return Learner(lane, saved, list(lane.goals))
