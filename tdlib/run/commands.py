"""The commands `run`, `rematch`, `contest`, `timing`, `exact`, `status` and `plan`.

Each gives its troubles as text; none is good.

ValueError means that nothing was done, because what was asked for makes no sense.
"""

import sys
from collections.abc import Callable, Sequence

from tqdm import tqdm

from tdlib import compilation_cache, exact, paths
from tdlib import experiments as known
from tdlib import run as driver
from tdlib.experiments import Experiment, timings
from tdlib.experiments import rematches as retests
from tdlib.experiments.contests import scaled
from tdlib.run import contests as meeting
from tdlib.run import exactly as measuring
from tdlib.run import plan as planning
from tdlib.run import rematch as playing
from tdlib.run import tables
from tdlib.run import timing as clocks
from tdlib.store import Row, Store


def run(
    experiments: Sequence[str],
    scale: str,
    store: str | None,
    runs: str,
    workers: int | None,
    fresh: bool,
    keep_weights: str,
) -> list[str]:
    chosen, place = _chosen(experiments, scale, store)
    if workers is not None:
        _at_least_one(workers, "workers")
    summary = driver.run(
        chosen,
        place,
        runs=numbers(runs) if runs else None,
        workers=workers,
        fresh=fresh,
        keep=keep_weights,
    )
    print(f"{driver.told(summary)}, in {place.root}")
    return [*map(str, summary.refused), *summary.troubles]


def rematch(rematches: Sequence[str], scale: str, store: str | None) -> list[str]:
    chosen = retests.groups(tuple(rematches))
    place = Store(store or paths.store_dir(scale))
    compilation_cache.enable()

    def watch(row: Row) -> None:
        rate = f"{row.wins / row.eval_games:.1%}"
        print(f"{row.experiment} run {row.run}, {row.games:,} games: {rate}", flush=True)

    there, computed, troubles = playing.rematch(chosen, place, scale=scale, watch=watch)
    print(f"{there} results loaded, {computed} computed, in {place.root}")
    return troubles


def contest(contests: Sequence[str], scale: str, store: str | None, fresh: bool) -> list[str]:
    chosen = [scaled(c, scale) for c in known.select_contests(contests)]
    place = store or str(paths.store_dir(scale))
    compilation_cache.enable()
    with tqdm(unit=" games", delay=1) as bar:
        there, played = meeting.play(chosen, place, fresh=fresh, tell=_telling(bar))
    print(f"{there} games loaded, {played} played, in {place}")
    return []


def timing(scale: str, store: str | None) -> list[str]:
    place = store or str(paths.store_dir(scale))
    with tqdm(unit=" games", delay=1) as bar:
        positions = clocks.measure(timings.timed(scale), place, tell=_telling(bar))
    with tqdm(unit=" games", delay=1) as bar:
        moves = clocks.initial(timings.initial(scale), place, tell=_telling(bar))
    print(f"times of {len(positions)} positions and {len(moves)} moves, in {place}")
    return []


def status(experiments: Sequence[str], scale: str, store: str | None) -> list[str]:
    text, damaged = tables.status(*_chosen(experiments, scale, store))
    print(text)
    return list(map(str, damaged))


def plan(
    experiments: Sequence[str], scale: str, store: str | None, workers: int, seconds: float
) -> list[str]:
    _at_least_one(workers, "workers")
    chosen, place = _chosen(experiments, scale, store)
    costs = []
    try:
        for cost in planning.costs(chosen, place, workers=workers, seconds=seconds):
            print(f"measured {cost.experiment.id}", file=sys.stderr, flush=True)
            costs.append(cost)
    finally:  # if it is interrupted, what it found so far
        print(tables.plan(costs, workers))
    return []


def exactly(experiments: Sequence[str], scale: str, store: str | None) -> list[str]:
    names = experiments or [e.id for e in known.select() if e.game == measuring.GAME]
    chosen, place = _chosen(names, scale, store)
    solutions = [exact.solved(objective) for objective in exact.OBJECTIVES]
    with tqdm(unit=" networks", delay=1) as bar:
        there, computed, troubles = measuring.measure(
            chosen, place, solutions=solutions, tell=_telling(bar)
        )
    print(f"{there} rows loaded, {computed} computed, in {measuring.table(place)}")
    return troubles


def _telling(bar: tqdm) -> Callable[[int, int], None]:
    """Moves a bar on when it is told how much of how much is done."""

    def tell(done: int, total: int) -> None:
        bar.total = total
        bar.update(done - bar.n)

    return tell


def numbers(text: str) -> range:
    """The runs that "5" or "3-4" means."""
    first, dash, last = text.partition("-")
    try:
        found = range(int(first), int(last) + 1) if dash else range(int(first))
    except ValueError:
        found = range(0)
    if not found:
        raise ValueError(f"runs must be a number like 5 or a range like 3-4, not {text!r}")
    return found


def _chosen(
    names: Sequence[str], scale: str, store: str | None
) -> tuple[list[Experiment], Store]:
    chosen = [known.scaled(e, scale) for e in known.select(names)]
    return chosen, Store(store or paths.store_dir(scale))


def _at_least_one(number: int, name: str) -> None:
    if number < 1:
        raise ValueError(f"{name} must be 1 or more, not {number}")
