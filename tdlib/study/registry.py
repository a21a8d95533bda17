"""All experiments, contests and measurements: `find("M-A1")` gives one, `select` several.

Papers register themselves (`tdlib.papers`), so nothing here names one of them.
"""

import fnmatch
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from tdlib.study.contest import Contest
from tdlib.study.experiment import Experiment
from tdlib.study.measure import Measurement
from tdlib.study.retest import Retest

T = TypeVar("T", Experiment, Contest, Measurement)
Measured = Callable[[str], Sequence[Measurement]]  # by scale


class Registered(NamedTuple):
    """What all papers together have, by id."""

    experiments: dict[str, Experiment]
    contests: dict[str, Contest]
    retests: dict[str, Retest]
    measured: list[Measured]


_KNOWN = Registered({}, {}, {}, [])


def register(
    *,
    experiments: Iterable[Experiment] = (),
    contests: Iterable[Contest] = (),
    retests: Iterable[Retest] = (),
    measured: Measured | None = None,
) -> None:
    """Make these known; ValueError if an id is taken."""
    given: Iterable[tuple[dict[str, Any], Iterable[Any]]] = (
        (_KNOWN.experiments, experiments),
        (_KNOWN.contests, contests),
        (_KNOWN.retests, retests),
    )
    for known, new in given:
        for one in new:
            if one.id in known:
                raise ValueError(f"there are two of the name {one.id}")
            known[one.id] = one
    if measured is not None:
        _KNOWN.measured.append(measured)


def experiments() -> dict[str, Experiment]:
    """All experiments by id, paper by paper."""
    return _paper_by_paper(_KNOWN.experiments, _load("experiments"))


def contests() -> dict[str, Contest]:
    """All contests by id, paper by paper."""
    return _paper_by_paper(_KNOWN.contests, _load("experiments"))


def retests() -> dict[str, Retest]:
    """All tests of stored networks in other company, by id."""
    _load("experiments")
    return _KNOWN.retests


def measurements(scale: str) -> dict[str, Measurement]:
    """All that can be measured, by id, at a scale, paper by paper."""
    papers = _load("measurements")
    return _paper_by_paper({m.id: m for make in _KNOWN.measured for m in make(scale)}, papers)


def find(id: str) -> Experiment:
    """The experiment of that id."""
    if id not in experiments():
        expected = ", ".join(experiments())
        raise ValueError(f"unknown experiment {id!r}; expected one of {expected}")
    return experiments()[id]


def trained(id: str) -> Experiment:
    """The experiment whose networks are tested under that id: it, or the source of a retest."""
    return find(retests()[id].source if id in retests() else id)


def select(names: Sequence[str] = ()) -> list[Experiment]:
    """Those meant by ids, papers or patterns like "M-A2*"; all if there are no names."""
    return _selected(names, experiments(), "experiment", lambda e: (e.paper,))


def select_contests(names: Sequence[str] = ()) -> list[Contest]:
    """Those meant by ids, groups ("F-MAIN"), papers or patterns; all if there are no names."""
    return _selected(names, contests(), "contest", lambda c: (c.paper, c.group))


def select_measurements(names: Sequence[str], scale: str) -> list[Measurement]:
    """Those meant by ids, papers or patterns; all if there are no names."""
    return _selected(names, measurements(scale), "measurement", lambda m: (m.paper,))


def _selected(
    names: Sequence[str],
    known: Mapping[str, T],
    what: str,
    families: Callable[[Any], tuple[str, ...]],
) -> list[T]:
    chosen: dict[str, T] = {}
    for name in names:
        found = {
            id: one
            for id, one in known.items()
            if name in families(one) or fnmatch.fnmatch(id, name)
        }
        if not found:
            expected = dict.fromkeys(
                family for one in known.values() for family in families(one)
            )
            raise ValueError(
                f"unknown {what} {name!r}; expected a pattern, one of {', '.join(expected)},"
                f" or of {', '.join(known)}"
            )
        chosen |= found
    return list(chosen.values()) if names else list(known.values())


def _load(part: str) -> tuple[str, ...]:
    """Import that part of every paper; the papers' names in order.

    By name, because imports go down only: this layer knows that papers exist, not which.
    """
    papers = importlib.import_module("tdlib.papers")
    papers.load(part)
    return papers.NAMES


def _paper_by_paper(known: Mapping[str, T], papers: tuple[str, ...]) -> dict[str, T]:
    """In the order of the papers, whichever was imported first; others come last."""
    position = {paper: number for number, paper in enumerate(papers)}
    last = len(papers)
    return dict(sorted(known.items(), key=lambda one: position.get(one[1].paper, last)))
