"""What the measured tables of Kalah say, as arrays over runs."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tdlib import stats
from tdlib.claims.evidence import Curves, Evidence, Lacking, TooFew
from tdlib.papers.choi2013.experiments import SERIES
from tdlib.stats import Interval
from tdlib.study import registry
from tdlib.study.experiment import Experiment

DEPTHS = (1, 2, 3, 4)


def won(evidence: Evidence, e: Experiment, depths: Sequence[int] = DEPTHS) -> pd.DataFrame:
    """Percent won, averaged over these depths: a line for each run, a column for each games."""
    found = _tested(evidence, e, depths)
    _count(evidence, e, found)
    return found.percent.unstack()


def at(
    evidence: Evidence, e: Experiment, games: int, depths: Sequence[int] = DEPTHS
) -> np.ndarray:
    """The same after so many games, or the last before: [R]."""
    found = _tested(evidence, e, depths).reset_index()
    before = found[found.games <= games]
    if before.empty:
        raise TooFew(f"{e.id} has no test within {games:,} games")
    last = int(before.games.max())
    evidence.reaches(last, games)
    here = before[before.games == last]
    _count(evidence, e, here)
    return here.percent.to_numpy()


def curves(evidence: Evidence, e: Experiment, depths: Sequence[int] = DEPTHS) -> Curves:
    """The same for charts."""
    table = won(evidence, e, depths)
    tests = evidence.counted["test_games"][e.id]
    return Curves(table.columns.to_numpy(), table.to_numpy(), tests)


def members(evidence: Evidence, group: str) -> dict[float, Experiment]:
    """The experiments of a series that were tested, by what is varied."""
    tested = {*evidence.measured("ladder").experiment}
    return {x: e for x, e in SERIES[group].items() if e.id in tested}


def scores(evidence: Evidence, e: Experiment) -> pd.DataFrame:
    """Percent scored by the last networks at depth `depth` against minimax of each depth."""
    rows = at_the_end(evidence, "ladder", e)
    score = 100 * (rows.wins + rows.draws / 2) / rows.eval_games
    return rows[["run", "depth", "opponent"]].assign(score=score)


def mean(values: ArrayLike) -> Interval:
    """The mean of runs; of one run (smoke scale) without an interval."""
    several = np.asarray(values, float)
    return stats.t_mean(several) if len(several) > 1 else Interval.exactly(several[0])


def difference(one: np.ndarray, two: np.ndarray) -> Interval:
    """How much the mean of the first runs is larger, likewise."""
    if min(len(one), len(two)) < 2:
        return Interval.exactly(one.mean() - two.mean())
    return stats.welch(one, two)


def effects(rates: Mapping[str, np.ndarray], base: np.ndarray) -> pd.DataFrame:
    """By how much runs of other settings [R] are above those of the base, one setting a line.

    differs: from zero at a level of 95 % after Holm's adjustment for the number of settings.
    """
    several = min(map(len, (base, *rates.values()))) > 1
    p = [2 * min(stats.above(x, base), stats.above(base, x)) if several else 1
         for x in rates.values()]  # fmt: skip
    found = [(name, *difference(x, base)) for name, x in rates.items()]
    table = pd.DataFrame(found, columns=["setting", "more", "low", "high"])
    return table.assign(differs=np.array(stats.holm(p)) < 0.05)


def _tested(evidence: Evidence, e: Experiment, depths: Sequence[int]) -> pd.DataFrame:
    """By run and games: percent won and games of the test, over all of these depths."""
    rows = evidence.measured("ladder")
    mine = rows[(rows.experiment == e.id) & (rows.depth == 1) & rows.opponent.isin(depths)]
    each = mine.assign(percent=100 * mine.wins / mine.eval_games).groupby(["run", "games"])
    found = each.agg(
        percent=("percent", "mean"), tests=("eval_games", "sum"), depths=("opponent", "size")
    )
    found = found[found.depths == len(depths)]
    if found.empty:
        raise Lacking(f"{e.id} has not been tested against minimax yet")
    return found


def _count(evidence: Evidence, e: Experiment, tested: pd.DataFrame) -> None:
    runs = tested.reset_index().run.nunique()
    evidence.count("runs", e.id, runs)
    evidence.count("test_games", e.id, int(tested.tests.min()))


def end(evidence: Evidence, e: Experiment, depths: Sequence[int] = DEPTHS) -> np.ndarray:
    """After the last game of its training, see `Evidence.last`: [R]."""
    at(evidence, e, registry.find(e.id).games, depths)
    table = _tested(evidence, e, depths).percent.unstack()
    return evidence.last(Curves(table.columns.to_numpy(), table.to_numpy(), 0))


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
