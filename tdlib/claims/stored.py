"""Evidence from a store, at one scale; what is damaged is told once and counts as missing."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from tdlib.claims.evidence import Curves, Lacking
from tdlib.study import measure, registry
from tdlib.study.experiment import Experiment
from tdlib.study.retest import Retest
from tdlib.study.scale import scaled
from tdlib.study.store import Damaged, Store

T = TypeVar("T")


class Stored:
    """Loads what judges ask for; Lacking says what is not there."""

    def __init__(self, store: Store, scale: str) -> None:
        self.store = store
        self.scale = scale
        self.troubles: list[str] = []
        self._curves = functools.cache(self._read_curves)
        self._games = functools.cache(self._read_games)
        self._table = functools.cache(self._read_table)

    def __call__(self, id: str) -> Curves:
        """The tests of an experiment, or of a retest."""
        return self._usable(id, self._curves)

    def table(self, id: str) -> pd.DataFrame:
        """The games of a contest."""
        return self._usable(id, self._games)

    def measured(self, id: str) -> pd.DataFrame:
        """The rows of a measurement: those that it asks for at this scale, and no others."""
        return self._usable(id, self._table)

    def _usable(self, id: str, read: Callable[[str], T]) -> T:
        try:
            return read(id)
        except Damaged as damage:
            if str(damage) not in self.troubles:
                self.troubles.append(str(damage))
            raise Lacking(f"results of {id} are damaged") from damage

    def _read_curves(self, id: str) -> Curves:
        retest = registry.retests().get(id)
        if retest is None:
            return self._tests(scaled(registry.find(id), self.scale))
        return self._retests(retest, scaled(registry.find(retest.source), self.scale))

    def _tests(self, e: Experiment) -> Curves:
        runs = self.store.whole(e)
        if not runs:
            there = "whole run" if self.store.rows(e) else "results"
            raise Lacking(f"{e.id} has no {there} yet")
        rates = [[_rate(row) for row in rows.values()] for rows in runs.values()]
        return Curves(np.array(e.checkpoints), np.array(rates), e.eval_games, tuple(runs))

    def _retests(self, retest: Retest, source: Experiment) -> Curves:
        rows = measure.load(registry.measurements(self.scale)[retest.group], self.store)
        rows = rows[rows.experiment == retest.id]
        if rows.empty:
            raise Lacking(f"{retest.id} has not been played yet")
        rates = 100 * rows.wins / rows.eval_games
        by_run = rates.groupby([rows.run, rows.games]).first().unstack()
        games, runs = by_run.columns.to_numpy(), tuple(by_run.index)
        return Curves(games, by_run.to_numpy(), source.eval_games, runs)

    def _read_table(self, id: str) -> pd.DataFrame:
        found = measure.load(registry.measurements(self.scale)[id], self.store)
        if found.empty:
            raise Lacking(f"{id} has no results yet")
        return found

    def _read_games(self, id: str) -> pd.DataFrame:
        """Up to the first game that is missing: short games end first."""
        contest = scaled(registry.contests()[id], self.scale)
        try:
            games = self._table(f"{contest.paper}-contests")
        except Lacking:
            games = pd.DataFrame(columns=["experiment"])
        mine = games[games.experiment == id]
        if mine.empty:
            raise Lacking(f"{id} has no results yet")
        whole = int((mine.game.to_numpy() == np.arange(len(mine))).sum())
        return mine[mine.game < whole].reset_index(drop=True)


def _rate(row: Any) -> float:
    return 100 * row.wins / row.eval_games
