"""What each paper did, as data: `find("M-A1")` gives an `Experiment`, `select` several.

One module for each paper; settings that a paper does not state are marked as assumed. Besides,
`sensitivity` varies what a paper leaves open.
"""

import fnmatch
from collections.abc import Sequence

from tdlib.experiments import choi2013, friedman2004, matthews2006, sensitivity
from tdlib.experiments.base import LEARNER, SEMANTICS, Experiment, config, fingerprint, scaled
from tdlib.experiments.contests import Contest

__all__ = [
    "CONTESTS",
    "EXPERIMENTS",
    "LEARNER",
    "SEMANTICS",
    "Contest",
    "Experiment",
    "config",
    "find",
    "fingerprint",
    "scaled",
    "select",
    "select_contests",
]

EXPERIMENTS: dict[str, Experiment] = {
    e.id: e
    for e in (*matthews2006.EXPERIMENTS, *choi2013.EXPERIMENTS, *sensitivity.EXPERIMENTS)
}
CONTESTS: dict[str, Contest] = {c.id: c for c in friedman2004.CONTESTS}


def find(id: str) -> Experiment:
    """The experiment of that id."""
    if id not in EXPERIMENTS:
        raise ValueError(f"unknown experiment {id!r}; expected one of {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[id]


def select(names: Sequence[str] = ()) -> list[Experiment]:
    """Those meant by ids, papers or patterns like "M-A2*"; all if there are no names."""
    chosen: dict[str, Experiment] = {}
    for name in names:
        found = [
            e for e in EXPERIMENTS.values() if name == e.paper or fnmatch.fnmatch(e.id, name)
        ]
        if not found:
            papers = ", ".join(dict.fromkeys(e.paper for e in EXPERIMENTS.values()))
            raise ValueError(
                f"unknown experiment {name!r}; expected a paper ({papers}), a pattern or one of"
                f" {', '.join(EXPERIMENTS)}"
            )
        chosen |= {e.id: e for e in found}
    return list(chosen.values()) if names else list(EXPERIMENTS.values())


def select_contests(names: Sequence[str] = ()) -> list[Contest]:
    """Those meant by ids, groups ("F-MAIN"), papers or patterns; all if there are no names."""
    chosen: dict[str, Contest] = {}
    for name in names:
        found = [
            c
            for c in CONTESTS.values()
            if name in (c.paper, c.group) or fnmatch.fnmatch(c.id, name)
        ]
        if not found:
            groups = ", ".join(dict.fromkeys(c.group for c in CONTESTS.values()))
            raise ValueError(f"unknown contest {name!r}; expected an id or one of {groups}")
        chosen |= {c.id: c for c in found}
    return list(chosen.values()) if names else list(CONTESTS.values())
