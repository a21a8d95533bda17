"""What the store, or a paper's appendix, says about an experiment: win rates of its tests.

Percentages throughout, as in the ledger. A run counts once it has all its checkpoints; a store
with more runs than the paper had is used in full.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from tdlib import experiments, published
from tdlib.experiments import Experiment, contests, timings
from tdlib.experiments.rematches import BY_ID, Rematch
from tdlib.run import contests as playing
from tdlib.run import kalah_tables, ladder, timing
from tdlib.run.rematch import best, whole
from tdlib.store import Damaged, Row, Store

_TIMES: dict[str, Callable[[str], Any]] = {
    timings.TIME.id: timings.timed,
    timings.INITIAL_TIME.id: timings.initial,
}
FIVE = 5  # runs of the papers' maxima


class Lacking(Exception):
    """There is nothing to judge by; says what is missing."""


class TooFew(Lacking):
    """There is something, but not enough for a verdict."""


class Curves(NamedTuple):
    """Tests of the runs of an experiment."""

    games: np.ndarray  # [C] trained, ascending
    rates: np.ndarray  # [R, C] percent won; NaN where the paper has a gap
    tests: int  # games of each test
    runs: tuple[int, ...]  # [R] their numbers

    def upto(self, games: int) -> "Curves":
        some = self.games <= games
        return self._replace(games=self.games[some], rates=self.rates[:, some])


Load = Callable[[str], Curves]  # of an experiment or a rematch; Lacking if there is nothing
# It may have `table(id)` as well: rows of the games of a contest, or of F-TIME


class Evidence:
    """What one claim is judged by. It notes how many runs were used and what fell short."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self.used: dict[str, int] = {}  # experiment -> runs
        self.played: dict[str, int] = {}  # contest -> games
        self.short = ""  # which checkpoint stood in for one that training did not reach

    def curves(self, id: str) -> Curves:
        """All tests of an experiment."""
        found = self._load(id)
        self.used[id] = len(found.rates)
        wanted = _last(id)
        if found.games[-1] < wanted:
            self.fell_short(found.games[-1], wanted)
        return found

    def at(self, id: str, games: int) -> np.ndarray:
        """Rates [R] after so many games, or at the last checkpoint if training ended before."""
        found = self._load(id)
        self.used[id] = len(found.rates)
        before = found.games[found.games <= games]
        if not len(before):
            raise TooFew(f"{id} has no results up to {games:,} games")
        if before[-1] < games:
            self.fell_short(before[-1], games)
        rates = found.rates[:, len(before) - 1]
        return rates[np.isfinite(rates)]

    def final(self, id: str) -> np.ndarray:
        """Rates [R] at the end of the training that the paper describes."""
        return self.at(id, _last(id))

    def over(self, id: str, first: int, last: int) -> np.ndarray:
        """Rates [R], averaged over the checkpoints from `first` to `last` games."""
        self.at(id, last)
        found = self._load(id)
        some = (found.games >= min(first, found.games[-1])) & (found.games <= last)
        return found.rates[:, some].mean(axis=1)

    def again(self, id: str) -> tuple[int, int] | None:
        """Wins and games of the best network of an experiment in fresh games, if played."""
        try:
            found = self._load(f"{id}-AGAIN")
        except Lacking:
            return None
        return round(found.rates[0, 0] / 100 * found.tests), found.tests

    def table(self, id: str) -> pd.DataFrame:
        """Games of a contest, or positions of a timing."""
        found = self._load.table(id)  # type: ignore[attr-defined]
        if "ended" in found:
            self.played[id] = len(found)
        return found

    def measured(self, name: str) -> pd.DataFrame:
        """A table of what was measured of stored networks, see `run.kalah_tables`."""
        tables = getattr(self._load, "measured", None)
        found = tables(name) if tables else pd.DataFrame()
        if found.empty:
            raise Lacking(f"nothing is in the table {name} yet")
        return found

    def fell_short(self, reached: int, wanted: int) -> None:
        """Note that a test stands in for one after more games."""
        self.short = f"after {reached:,} of {wanted:,} games"


class Stored:
    """Loads from a store; what is damaged is told once in `troubles` and counts as missing."""

    def __init__(self, store: Store, scale: str) -> None:
        self.store = store
        self.scale = scale
        self.troubles: list[str] = []
        self._kept = functools.cache(self._found)
        self._sheet = functools.cache(self._read)

    def __call__(self, id: str) -> Curves:
        found = self._kept(id)
        if isinstance(found, Curves):
            return found
        raise Lacking(found)

    def table(self, id: str) -> pd.DataFrame:
        """Stored rows of a contest or a timing."""
        found = self._sheet(id)
        if isinstance(found, str):
            raise Lacking(found)
        return found

    def _read(self, id: str) -> pd.DataFrame | str:
        try:
            if id in _TIMES:
                found = timing.sheet(_TIMES[id](self.scale), self.store.root).frame()
            else:
                contest = contests.scaled(experiments.CONTESTS[id], self.scale)
                found = playing.load([contest], self.store.root)
        except Damaged as damage:
            self.troubles.append(str(damage))
            return f"results of {id} are damaged"
        return found if len(found) else f"{id} has no results yet"

    def measured(self, name: str) -> pd.DataFrame:
        """A table of `run.kalah_tables`, or that of `run.ladder`; empty if it is damaged."""
        table = (
            ladder.table(self.store)
            if name == "ladder"
            else kalah_tables.table(self.store, name)
        )
        try:
            return table.load()
        except ValueError as damage:
            if str(damage) not in self.troubles:
                self.troubles.append(str(damage))
            return pd.DataFrame()

    def _found(self, id: str) -> Curves | str:
        again = BY_ID.get(id)
        e = experiments.scaled(experiments.find(again.source if again else id), self.scale)
        try:
            return self._retests(again, e) if again else self._tests(e)
        except Damaged as damage:
            self.troubles.append(str(damage))
            return f"results of {id} are damaged"

    def _tests(self, e: Experiment) -> Curves | str:
        runs = whole(e, self.store)
        if not runs:
            return f"{e.id} has no {'whole run' if self.store.runs(e) else 'results'} yet"
        table = [[_rate(row) for row in rows.values()] for rows in runs.values()]
        return Curves(np.array(e.checkpoints), np.array(table), e.eval_games, tuple(runs))

    def _retests(self, again: Rematch, source: Experiment) -> Curves | str:
        e = again.described(source)
        self.store.check(e)
        games = max(source.checkpoints)
        rows = {run: self.store.rows(e, run) for run in self.store.runs(e)}
        if again.networks == "best" and (runs := whole(source, self.store)):
            run, games = best(runs)
            rows = {run: rows.get(run, {})}
        there = {run: x[games] for run, x in rows.items() if games in x}
        if not there:
            return f"{e.id} has not been played yet"
        rates = np.array([[_rate(row)] for row in there.values()])
        return Curves(np.array([games]), rates, e.eval_games, tuple(there))


@functools.cache
def appendix(table: str) -> Curves:
    """One of Matthews' tables A.1 to A.28."""
    rows = published.table("matthews2006_appendix_a")
    rows = rows[rows.table == table]
    if rows.empty:
        raise ValueError(f"no table {table!r} in Matthews' appendix; expected A.1 to A.28")
    wins = rows.assign(
        run=rows.run.astype(int),
        games=rows.games_trained.astype(int),
        rate=rows.wins.replace("", "nan").astype(float) / 50,  # percent of 5,000
    ).pivot(index="run", columns="games", values="rate")
    return Curves(wins.columns.to_numpy(), wins.to_numpy(), 5_000, tuple(wins.index))


def _rate(row: Row) -> float:
    return 100 * row.wins / row.eval_games


def _last(id: str) -> int:
    again = BY_ID.get(id)
    return experiments.find(again.source if again else id).games
