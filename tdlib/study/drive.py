"""Train, test and store what experiments ask for and the store does not hold yet.

    run           compute what is missing, on all cores, with a progress bar
    load_or_run   the tests of experiments, computed first if need be: for notebooks

What is computed depends on the experiment alone: not on how lanes are batched, on the number of
workers, nor on where a run was interrupted.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from tqdm import tqdm

from tdlib import jax_settings
from tdlib.study import pool
from tdlib.study.experiment import Experiment
from tdlib.study.measure import refuse_fresh
from tdlib.study.progress import bar
from tdlib.study.store import Damaged, Store, Test, opened
from tdlib.study.tasks import Lane, shared_out, survey
from tdlib.study.train import Played, train


class Summary(NamedTuple):
    """What a run found and did."""

    stored: int  # tests that were there
    computed: int  # tests
    seconds: float
    idle: float  # share of the training batches' lanes that waited for others
    refused: list[Damaged]
    failed: list[str]  # what went wrong in tasks

    @property
    def problems(self) -> list[str]:
        return [*map(str, self.refused), *self.failed]

    def __str__(self) -> str:
        line = f"{self.stored} tests loaded, {self.computed} computed"
        if not self.computed:
            return line
        clock = tqdm.format_interval(self.seconds)
        return f"{line} in {clock}; {self.idle:.0%} of training lanes idle"


def store_of(scale: str) -> Store:
    """Where results of a scale are kept: for notebooks."""
    return opened(None, scale)


def run(
    experiments: Iterable[Experiment],
    store: Store,
    *,
    runs: Sequence[int] | None = None,
    workers: int | None = None,
    fresh: bool = False,
    compute: bool = True,
) -> Summary:
    """Compute what is missing; what is damaged is refused, and all else goes on.

    Args:
      runs: which runs of each experiment; None means as many as it has.
      workers: processes; None means one for each core.
      fresh: compute again what is stored. Old results count until new ones take their place.
      compute: False means that nothing may be missing; ValueError says how much is.
    """
    began = time.monotonic()
    if fresh:
        refuse_fresh(store)
    lanes, refused = survey(store, list(experiments), runs, fresh=fresh)
    stored = sum(len(lane.experiment.checkpoints) - lane.missing for lane in lanes)
    heard = _Heard()
    if lanes := [lane for lane in lanes if lane.missing]:
        if not compute:
            raise ValueError(
                f"{_amount(lanes)} are not stored, which may be hours of work: `python -m tdlib"
                " plan` estimates them, and compute=True starts them"
            )
        store.refuse_writing()
        _compute(store, lanes, workers or len(pool.cores()), heard)
    idle = 1 - heard.plies / heard.room if heard.room else 0.0
    seconds = time.monotonic() - began
    return Summary(stored, heard.rows, seconds, idle, refused, heard.failed)


def _compute(store: Store, lanes: Sequence[Lane], workers: int, heard: "_Heard") -> None:
    todo = shared_out(lanes, workers)
    print(f"{_amount(lanes)}, in {len(todo)} tasks", flush=True)
    games = sum(x.train_games + x.eval_games for x in lanes)
    with bar(games, "games") as heard.bar:
        tasks = [(store.root, lanes) for lanes in todo]
        for outcome in pool.run_all(_trained, tasks, workers=workers, tell=heard):
            heard.finished(outcome)


def _amount(lanes: Sequence[Lane]) -> str:
    train_games = sum(x.train_games for x in lanes)
    test_games = sum(x.eval_games for x in lanes)
    return f"{train_games:,} games to train, {test_games:,} to test"


def _trained(task: tuple[Path, Sequence[Lane]], tell: Callable[[Any], None]) -> Played:
    """Train and test lanes, in whatever process; tells of games played and of each test."""
    jax_settings.prepare()
    root, lanes = task
    return train(Store(root), lanes, played=lambda games: tell(games), stored=tell)


def load_or_run(
    experiments: Experiment | Sequence[Experiment],
    *,
    store: Store | Path | str | None = None,
    workers: int | None = None,
    fresh: bool = False,
    compute: bool = True,
) -> pd.DataFrame:
    """The tests of experiments, see `data/README.md`; what is missing is computed first.

    store: None means where results of that scale are kept. The other arguments are those of
    `run`. Says what was there and what was computed; ValueError if anything is damaged or
    fails.
    """
    chosen = [experiments] if isinstance(experiments, Experiment) else list(experiments)
    frames = []
    for scale in dict.fromkeys(e.scale for e in chosen):
        group = [e for e in chosen if e.scale == scale]
        place = opened(store, scale)
        summary = run(group, place, workers=workers, fresh=fresh, compute=compute)
        print(summary)
        if summary.problems:
            raise ValueError("\n".join(summary.problems))
        frames += [place.load(e) for e in group]
    return pd.concat(frames, ignore_index=True)


class _Heard:
    """Adds up what workers tell, and shows it."""

    bar: tqdm  # of games

    def __init__(self) -> None:
        self.rows = self.plies = self.room = 0
        self.failed: list[str] = []

    def __call__(self, message: int | Test) -> None:
        """So many more training games, or a test."""
        if isinstance(message, int):
            self.bar.update(message)
            return
        self.rows += 1
        name = f"{message.experiment} run {message.run}, {message.games:,} games"
        self.bar.set_postfix_str(f"{name}: {message.wins / message.eval_games:.1%}")
        self.bar.update(message.eval_games)

    def finished(self, outcome: pool.Outcome) -> None:
        """A task has come to its end, or failed."""
        if outcome.trouble:
            names = ", ".join(dict.fromkeys(lane.experiment.id for lane in outcome.task[1]))
            self.failed.append(f"{names}: {outcome.trouble}")
        else:
            self.plies += outcome.result.plies
            self.room += outcome.result.room
