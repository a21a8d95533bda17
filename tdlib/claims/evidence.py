"""The evidence on one claim: win rates in tests, rows of games, measured tables.

Rates are percentages, as in the ledger. A run counts once it has all its checkpoints; if there
are more runs than the paper had, all are used.
"""

import functools
import zlib
from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
import pandas as pd

from tdlib.claims.ledger import Claim
from tdlib.study import registry


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
    """What one claim is judged by. It notes how many runs were used and what fell short."""

    def __init__(
        self,
        source: Source,
        claim: Claim | None = None,
        verdicts: Mapping[str, str] | None = None,
    ) -> None:
        self._source = source
        self._claim = claim
        self.verdicts = verdicts or {}  # on the claims judged before this one
        self.used: dict[str, int] = {}  # experiment -> runs
        self.played: dict[str, int] = {}  # contest -> games
        self.short = ""  # which checkpoint stood in for one that training did not reach

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
        found = self._source(id)
        self.used[id] = len(found.rates)
        self.reaches(found.games[-1], registry.trained(id).games)
        return found

    def at(self, id: str, games: int) -> np.ndarray:
        """Rates [R] after so many games, or at the last checkpoint if training ended before."""
        found = self._source(id)
        self.used[id] = len(found.rates)
        before = found.games[found.games <= games]
        if not len(before):
            raise TooFew(f"{id} has no results up to {games:,} games")
        self.reaches(before[-1], games)
        rates = found.rates[:, len(before) - 1]
        return rates[np.isfinite(rates)]

    def final(self, id: str) -> np.ndarray:
        """Rates [R] at the end of the training that the paper describes."""
        return self.at(id, registry.trained(id).games)

    def over(self, id: str, first: int, last: int) -> np.ndarray:
        """Rates [R], averaged over the checkpoints from `first` to `last` games."""
        self.at(id, last)
        found = self._source(id)
        some = (found.games >= min(first, found.games[-1])) & (found.games <= last)
        return found.rates[:, some].mean(axis=1)

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
        self.played[id] = len(found)
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
