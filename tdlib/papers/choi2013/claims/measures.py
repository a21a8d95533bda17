"""What the measured tables of Kalah say, as arrays over runs."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tdlib import stats
from tdlib.claims.evidence import Evidence, Lacking, TooFew
from tdlib.stats import Interval
from tdlib.study import registry
from tdlib.study.experiment import Experiment

DEPTHS = (1, 2, 3, 4)
KEY = ["run", "games"]


def won(evidence: Evidence, e: Experiment, depths: Sequence[int] = DEPTHS) -> pd.DataFrame:
    """Percent won, averaged over these depths: a line for each run, a column for each games."""
    rows = evidence.measured("ladder")
    mine = rows[(rows.experiment == e.id) & (rows.depth == 1) & rows.opponent.isin(depths)]
    each = mine.assign(rate=100 * mine.wins / mine.eval_games)
    table = each.groupby(KEY).rate.agg(["mean", "size"])
    whole = table[table["size"] == len(depths)]["mean"].unstack()
    if whole.empty:
        raise Lacking(f"{e.id} has not been tested against minimax yet")
    return whole


def at(
    evidence: Evidence, e: Experiment, games: int, depths: Sequence[int] = DEPTHS
) -> np.ndarray:
    """The same after so many games, or the last before: [R]."""
    table = won(evidence, e, depths)
    reached = [x for x in table.columns if x <= games]
    if not reached:
        raise TooFew(f"{e.id} has no test within {games:,} games")
    evidence.reaches(int(max(reached)), games)
    found = table[max(reached)].dropna().to_numpy()
    evidence.count("runs", e.id, len(found))
    return found


def end(evidence: Evidence, e: Experiment, depths: Sequence[int] = DEPTHS) -> np.ndarray:
    """After the last game of its training: [R]."""
    return at(evidence, e, registry.find(e.id).games, depths)


def correlation(groups: Mapping[float, np.ndarray], rng: np.random.Generator) -> Interval:
    """Spearman's rank correlation of settings and the rates of their runs.

    Runs are resampled within each setting.
    """
    if min(map(len, groups.values())) < 2 or len(groups) < 3:
        raise TooFew("needs two runs of three settings or more")
    settings = np.repeat(list(groups), [len(x) for x in groups.values()])

    def statistic(*rates: np.ndarray) -> float:
        return stats.spearman(settings, np.concatenate(rates))

    return stats.bootstrap(statistic, *([x] for x in groups.values()), rng=rng)


def table_rows(evidence: Evidence, name: str, **where: object) -> pd.DataFrame:
    """Rows of a measured table with these values."""
    rows = evidence.measured(name)
    for column, value in where.items():
        rows = rows[rows[column] == value]
    if rows.empty:
        wanted = ", ".join(f"{k} {v}" for k, v in where.items())
        raise Lacking(f"the table {name} has nothing of {wanted} yet")
    return rows


def at_the_end(evidence: Evidence, name: str, e: Experiment) -> pd.DataFrame:
    """Rows of a measured table on the last networks of an experiment."""
    rows = table_rows(evidence, name, experiment=e.id)
    last = int(rows.games.max())
    evidence.reaches(last, e.games)
    return rows[rows.games == last]


def first_reaching(curve: np.ndarray, games: np.ndarray, level: float) -> float:
    """After how many games a curve [C] is first at the level; infinite if never."""
    reached = np.flatnonzero(curve >= level)
    return float(games[reached[0]]) if len(reached) else np.inf


def depth_of_equals(points: ArrayLike, games: ArrayLike, depths: ArrayLike) -> float:
    """The depth at which minimax would score half, by a logistic curve through scores.

    points, games, depths [D]: points won against each depth (draws half), of how many games. A
    curve that does not fall only says that the depth lies beyond the measured ones, and one
    step beyond them is as far as any curve is believed.
    """
    points, games, depths = (np.asarray(x, float) for x in (points, games, depths))
    design = np.stack([np.ones_like(depths), -depths], axis=1)
    a, b = stats.logistic(design, points / games, games, ridge=1e-6)
    if b < 0.02:
        above = (points / games).mean() > 0.5
        return float(depths.max() + 1 if above else depths.min() - 1)
    return float(np.clip(a / b, depths.min() - 1, depths.max() + 1))
