"""The evidence on one claim: win rates in tests, rows of games, measured tables.

Rates are percentages, as in the ledger. A run counts once it has all its checkpoints; if there
are more runs than the paper had, all are used.

The ledger declares a second analysis: `Evidence(..., late=True)` takes the mean of the last
30 % of training wherever the first takes the last test.
"""

import functools
import zlib
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
import pandas as pd

from tdlib.claims.ledger import UNITS, Claim
from tdlib.study import registry

LATE = 0.3  # the share of training that the second analysis averages over


class Lacking(Exception):
    """There is nothing to judge by; the text says what is missing."""


class TooFew(Lacking):
    """There is something, but not enough for a verdict."""


class Curves(NamedTuple):
    """The tests of the runs of one experiment."""

    games: np.ndarray  # [C] trained, ascending
    rates: np.ndarray  # [R, C] percent won; NaN where a paper has a gap
    tests: int  # games of each test
    runs: tuple[int, ...] = ()  # [R] their numbers

    def upto(self, games: int) -> "Curves":
        """The same, of the first so many games of training."""
        some = self.games <= games
        return self._replace(games=self.games[some], rates=self.rates[:, some])

    def late(self) -> np.ndarray:
        """Rates [R], averaged over the tests of the last 30 % of training."""
        some = self.games >= (1 - LATE) * self.games[-1]
        return np.nanmean(self.rates[:, some], axis=1)


def unmixed(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows, if each experiment has one configuration; otherwise ValueError.

    Rows of other settings, such as those of another scale, carry the same experiment's name and
    would be taken for more runs or games of it.
    """
    if {"experiment", "config"} <= {*rows.columns}:
        settings = rows.groupby("experiment").config.nunique()
        if mixed := ", ".join(map(str, settings.index[settings > 1])):
            raise ValueError(f"these rows mix several configurations of {mixed}")
    return rows


class Source(Protocol):
    """Where evidence comes from: a store, or a test's invention. Lacking if it has nothing."""

    def __call__(self, id: str) -> Curves:
        """The tests of an experiment, or of a retest of its networks."""

    def table(self, id: str) -> pd.DataFrame:
        """The games of a contest."""

    def measured(self, name: str) -> pd.DataFrame:
        """A table of what was measured of stored networks, all of one configuration each."""


class Evidence:
    """What one claim is judged by. It notes how much was used and what fell short."""

    def __init__(
        self,
        source: Source,
        claim: Claim | None = None,
        verdicts: Mapping[str, str] | None = None,
        *,
        late: bool = False,
    ) -> None:
        self._source = source
        self._claim = claim
        self._late = late
        self.verdicts = verdicts or {}  # on the claims judged before this one
        self.counted: dict[str, dict[str, int]] = defaultdict(dict)  # unit -> of what -> number
        self.ends = False  # whether the judge asked for the end of training
        self.short = ""  # which checkpoint stood in for one that training did not reach

    def count(self, unit: str, what: str, number: int) -> None:
        """Note on how many runs, games, positions ... (`ledger.UNITS`) the judgement rests."""
        if unit not in UNITS:
            raise ValueError(f"unknown unit {unit!r}; expected one of {', '.join(UNITS)}")
        self.counted[unit][what] = number

    @property
    def claim(self) -> Claim:
        """The claim in question."""
        if self._claim is None:
            raise ValueError("this evidence is about no claim")
        return self._claim

    @functools.cached_property
    def rng(self) -> np.random.Generator:
        """Random numbers for resampling, the same whenever this claim is judged."""
        return np.random.default_rng(zlib.crc32(self.claim.id.encode()))

    def curves(self, id: str) -> Curves:
        """All tests of an experiment."""
        found = self._counted(id)
        self.reaches(found.games[-1], registry.trained(id).games)
        return found

    def at(self, id: str, games: int) -> np.ndarray:
        """Rates [R] after so many games, or at the last checkpoint if training ended before."""
        return self._upto(id, games).rates[:, -1]

    def final(self, id: str) -> np.ndarray:
        """Rates [R] at the end of the training that the paper describes."""
        return self.last(self._upto(id, registry.trained(id).games))

    def last(self, curves: Curves) -> np.ndarray:
        """Rates [R] at the end of curves, ours or published: see `late` above."""
        self.ends = True
        rates = curves.late() if self._late else curves.rates[:, -1]
        return rates[np.isfinite(rates)]

    def over(self, id: str, first: int, last: int) -> np.ndarray:
        """Rates [R], averaged over the checkpoints from `first` to `last` games."""
        found = self._upto(id, last)
        return found.rates[:, found.games >= min(first, found.games[-1])].mean(axis=1)

    def again(self, id: str) -> tuple[int, int] | None:
        """Wins and games of the best network of an experiment in fresh games, if played."""
        try:
            found = self._source(f"{id}-AGAIN")
        except Lacking:
            return None
        return round(found.rates[0, 0] / 100 * found.tests), found.tests

    def table(self, id: str) -> pd.DataFrame:
        """The games of a contest."""
        found = self._source.table(id)
        self.count("games", id, len(found))
        return unmixed(found)

    def measured(self, name: str) -> pd.DataFrame:
        """A table of what was measured of stored networks."""
        found = self._source.measured(name)
        if found.empty:
            raise Lacking(f"nothing is in the table {name} yet")
        return unmixed(found)

    def reaches(self, reached: int, wanted: int) -> None:
        """Note it if a test stands in for one after more games."""
        if reached < wanted:
            self.short = f"after {reached:,} of {wanted:,} games"

    def _counted(self, id: str) -> Curves:
        found = self._source(id)
        self.count("runs", id, len(found.rates))
        self.count("test_games", id, found.tests)
        return found

    def _upto(self, id: str, games: int) -> Curves:
        found = self._counted(id).upto(games)
        if not len(found.games):
            raise TooFew(f"{id} has no results up to {games:,} games")
        self.reaches(found.games[-1], games)
        return found
