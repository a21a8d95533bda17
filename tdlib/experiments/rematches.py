"""Trained networks tested again, as data: what the claims ask for beyond the papers' tests.

    M-BEST    the best network of an experiment, chosen by its tests, in fresh games
    M-CROSS   last networks of Matthews' A.1 and A.3 against players they never met in training,
              and against each other (section 6.1)
    M-ERR     one network tested twenty times, to see how tests scatter (section 5.5)

A rematch is stored like the experiment it is of, under an id of its own: its rows tell which
run after how many games was tested. Its random numbers hang on that id, so games are fresh.
"""

import dataclasses

from tdlib.experiments.base import LEARNER, Experiment
from tdlib.experiments.matthews2006 import EXPERIMENTS

REPEATS = 20  # section 5.5 of the ledger: 20 tests of 5,000 games


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rematch:
    """Which networks of an experiment play whom."""

    group: str
    source: str  # id of the experiment whose networks are tested
    networks: str  # "best": of the first five runs; "last": of every run; "same": of run 0
    opponent: str | None = None  # a player, or an experiment: its last networks, run by run

    @property
    def id(self) -> str:
        ending = {"best": "AGAIN", "same": "REPEAT", "last": f"V-{self.opponent}".upper()}
        return f"{self.source}-{ending[self.networks]}"

    def described(self, source: Experiment) -> Experiment:
        """As what it is stored; `source`: of the scale in question."""
        whom = self.opponent or "as before"
        return dataclasses.replace(
            source,
            id=self.id,
            title=f"{source.title}: {self.networks} network, opponents {whom}",
            evaluation=(LEARNER, self.opponent) if self.opponent else source.evaluation,
            runs=REPEATS if self.networks == "same" else source.runs,
            stated={},
            assumed={},
        )


def _cross(source: str, opponent: str) -> Rematch:
    return Rematch(group="M-CROSS", source=source, networks="last", opponent=opponent)


REMATCHES = (
    *(Rematch(group="M-BEST", source=e.id, networks="best") for e in EXPERIMENTS),
    *(_cross(source, whom) for source in ("M-A1", "M-A3") for whom in ("random", "M-A7")),
    _cross("M-A3", "M-A1"),
    *(
        Rematch(group="M-ERR", source=id, networks="same")
        for id in ("M-A7", "M-A12", "M-A19", "M-A28")
    ),
)
BY_ID = {rematch.id: rematch for rematch in REMATCHES}


def groups(names: list[str] | tuple[str, ...] = ()) -> list[Rematch]:
    """Those of the groups or ids named; all if there are no names."""
    known = list(dict.fromkeys(r.group for r in REMATCHES))
    for name in names:
        if name not in known and name not in BY_ID:
            raise ValueError(
                f"unknown rematch {name!r}; expected one of {', '.join([*known, *BY_ID])}"
            )
    return [r for r in REMATCHES if not names or r.group in names or r.id in names]
