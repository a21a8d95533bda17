"""Drive: train, test and store what experiments ask for and the store does not hold yet.

    run           compute what is missing, on all cores, with a progress bar
    load_or_run   the rows of experiments, computed first if need be: for notebooks

What is computed depends on the experiment alone: not on how lanes are batched, on the number of
workers, nor on where a run was interrupted.
"""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from tqdm import tqdm

from tdlib import compilation_cache, paths
from tdlib.experiments import Experiment
from tdlib.run import workers as working
from tdlib.run.progress import Progress
from tdlib.run.tasks import Lane, shared_out, survey
from tdlib.store import Damaged, Row, Store

__all__ = ["Summary", "load_or_run", "run", "store_of", "told"]


class Summary(NamedTuple):
    """What a run found and did."""

    stored: int  # rows that were there
    computed: int  # rows
    seconds: float
    idle: float  # share of the training batches' lanes that waited for others
    refused: list[Damaged]
    troubles: list[str]  # of tasks that failed

    @property
    def complete(self) -> bool:
        return not self.refused and not self.troubles


def store_of(e: Experiment) -> Store:
    """Where results of its scale are kept."""
    return Store(paths.store_dir(e.scale))


def run(
    experiments: Iterable[Experiment],
    store: Store,
    *,
    runs: Sequence[int] | None = None,
    workers: int | None = None,
    fresh: bool = False,
    keep: str = "last",
) -> Summary:
    """Compute what is missing; what is damaged is refused, and all else goes on.

    Args:
      runs: which runs of each experiment; None means as many as it has.
      workers: processes; None means one for each core.
      fresh: forget first what is stored of these runs.
      keep: weights, one of `store.KEEP`.
    """
    experiments = list(experiments)
    if fresh:
        for e in experiments:
            for number in range(e.runs) if runs is None else runs:
                store.forget(e, number)
    began = time.monotonic()
    lanes, refused = survey(store, experiments, runs)
    stored = sum(len(lane.experiment.checkpoints) - lane.missing for lane in lanes)
    heard = _Heard()
    if lanes := [lane for lane in lanes if lane.missing]:
        _compute(store, lanes, keep, workers or len(working.cores()), heard)
    idle = 1 - heard.done / heard.room if heard.room else 0.0
    seconds = time.monotonic() - began
    return Summary(stored, heard.rows, seconds, idle, refused, heard.troubles)


def _compute(
    store: Store, lanes: Sequence[Lane], keep: str, workers: int, heard: "_Heard"
) -> None:
    todo = shared_out(lanes, workers)
    train, test = sum(x.train_games for x in lanes), sum(x.eval_games for x in lanes)
    print(f"{train:,} games to train, {test:,} to test, in {len(todo)} tasks", flush=True)
    compilation_cache.enable()
    with Progress(train + test) as heard.progress:
        if min(workers, len(todo)) == 1:
            working.here(store, todo, keep, heard)
        else:
            working.together(store, todo, keep, heard, workers=min(workers, len(todo)))


def load_or_run(
    experiments: Experiment | Sequence[Experiment],
    *,
    store: Store | Path | str | None = None,
    workers: int | None = None,
    fresh: bool = False,
) -> pd.DataFrame:
    """The rows of experiments, see `data/README.md`; what is missing is computed first.

    store: None means where results of that scale are kept. Says what was there and what was
    computed; ValueError if anything is damaged or fails.
    """
    chosen = [experiments] if isinstance(experiments, Experiment) else list(experiments)
    frames = []
    for scale in dict.fromkeys(e.scale for e in chosen):
        group = [e for e in chosen if e.scale == scale]
        place = store_of(group[0]) if store is None else store
        place = place if isinstance(place, Store) else Store(place)
        summary = run(group, place, workers=workers, fresh=fresh)
        print(told(summary))
        if not summary.complete:
            raise ValueError("\n".join([*map(str, summary.refused), *summary.troubles]))
        frames += [place.load(e) for e in group]
    return pd.concat(frames, ignore_index=True)


def told(summary: Summary) -> str:
    """In a line."""
    line = f"{summary.stored} results loaded, {summary.computed} computed"
    if not summary.computed:
        return line
    clock = tqdm.format_interval(summary.seconds)
    return f"{line} in {clock}; {summary.idle:.0%} of training lanes idle"


class _Heard:
    """Adds up what workers tell, and shows it."""

    progress: Progress

    def __init__(self) -> None:
        self.rows = self.done = self.room = 0
        self.troubles: list[str] = []

    def __call__(self, message: Any) -> None:
        if isinstance(message, working.Played):
            self.progress.played(message.games)
        elif isinstance(message, Row):
            self.rows += 1
            rate = message.wins / message.eval_games
            games = f"{message.games:,} games"
            self.progress.note(f"{message.experiment} run {message.run}, {games}: {rate:.1%}")
            self.progress.played(message.eval_games)
        elif message.trouble:
            self.troubles.append(message.trouble)
        else:
            self.done += message.done
            self.room += message.room
