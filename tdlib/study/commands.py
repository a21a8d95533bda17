"""The commands `run`, `contest`, `measure`, `status`, `plan` and `pack`.

Each returns what went wrong, as sentences; none means that all went well. ValueError means that
nothing was done, because what was asked for makes no sense.
"""

import functools
import sys
from collections.abc import Sequence

from tqdm import tqdm

from tdlib import paths
from tdlib.study import drive, registry
from tdlib.study import plan as planning
from tdlib.study import status as listing
from tdlib.study.experiment import Experiment
from tdlib.study.measure import Measurement
from tdlib.study.measure import measure as compute
from tdlib.study.progress import bar
from tdlib.study.scale import scaled
from tdlib.study.store import Damaged, Store, opened


def run(
    experiments: Sequence[str],
    scale: str,
    store: str | None,
    runs: range | None,
    workers: int | None,
    fresh: bool,
) -> list[str]:
    """Train and test what experiments lack, and store it."""
    place = opened(store, scale)
    summary = drive.run(
        _chosen(experiments, scale),
        place,
        runs=runs,
        workers=workers,
        fresh=fresh,
    )
    print(f"{summary}, in {place.root}")
    return summary.problems


def measure(
    measurements: Sequence[str], scale: str, store: str | None, fresh: bool
) -> list[str]:
    """Measure of stored networks what is missing, and store it."""
    chosen = registry.select_measurements(measurements, scale)
    return _measured(chosen, opened(store, scale), fresh)


def contest(contests: Sequence[str], scale: str, store: str | None, fresh: bool) -> list[str]:
    """Play what contests between fixed players lack, and store it."""
    from tdlib.study.contests import measurement

    chosen = [scaled(c, scale) for c in registry.select_contests(contests)]
    papers = dict.fromkeys(c.paper for c in chosen)
    mine = [measurement(paper, [c for c in chosen if c.paper == paper]) for paper in papers]
    return _measured(mine, opened(store, scale), fresh)


def _measured(chosen: Sequence[Measurement], place: Store, fresh: bool) -> list[str]:
    problems = []
    for m in chosen:
        with bar(None, "", desc=m.id) as shown:
            try:
                found = compute(m, place, fresh=fresh, tell=functools.partial(_show, shown))
            except Damaged as problem:
                problems.append(str(problem))
                continue
        print(f"{m.id}: {found.stored} loaded, {found.computed} computed, in {place.root}")
    return problems


def status(experiments: Sequence[str], store: str | None) -> list[str]:
    """What is stored, at every scale."""
    stores = {scale: opened(store, scale) for scale in paths.SCALES}
    text, damaged = listing.status(registry.select(experiments), stores)
    print(text)
    return list(map(str, damaged))


def plan(
    experiments: Sequence[str], scale: str, store: str | None, workers: int, seconds: float
) -> list[str]:
    """How long training would take here."""
    costs = []
    chosen = _chosen(experiments, scale)
    try:
        for cost in planning.costs(
            chosen, opened(store, scale), workers=workers, seconds=seconds
        ):
            print(f"measured {cost.experiment.id}", file=sys.stderr, flush=True)
            costs.append(cost)
    finally:  # if it is interrupted, what it found so far
        print(planning.text(costs, workers))
    return []


def pack(scale: str, store: str | None) -> list[str]:
    """Move finished results from shards into the files that version control holds."""
    place = opened(store, scale)
    groups: dict[tuple[str, str], list[Experiment]] = {}
    for e in _chosen((), scale):
        groups.setdefault((e.paper, e.group), []).append(e)
    problems = []
    for (paper, group), members in groups.items():
        try:
            place.pack(paper, group, members)
        except Damaged as problem:
            problems.append(str(problem))
    for m in registry.measurements(scale).values():
        try:
            m.table(place).pack()
        except Damaged as problem:
            problems.append(str(problem))
    return problems


def _show(bar: tqdm, done: int, total: int) -> None:
    """Move a bar on to so much of so much."""
    bar.total = total
    bar.update(done - bar.n)


def _chosen(names: Sequence[str], scale: str) -> list[Experiment]:
    return [scaled(e, scale) for e in registry.select(names)]
