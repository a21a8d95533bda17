"""What the tables of `run.ladder` and `run.kalah` say, as arrays over runs."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import stats as distributions

from tdlib import experiments, stats
from tdlib.claims.evidence import Evidence, Lacking, TooFew
from tdlib.experiments import Experiment
from tdlib.stats import Interval

DEPTHS = (1, 2, 3, 4)
KEY = ["run", "games"]


def won(evidence: Evidence, e: Experiment, depths: Sequence[int] = DEPTHS) -> pd.DataFrame:
    """Percent won against these depths, averaged: a line for each run, a column by games."""
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
    if max(reached) < games:
        evidence.fell_short(int(max(reached)), games)
    found = table[max(reached)].dropna().to_numpy()
    evidence.used[e.id] = len(found)
    return found


def end(evidence: Evidence, e: Experiment, depths: Sequence[int] = DEPTHS) -> np.ndarray:
    """After the last game of its training: [R]."""
    return at(evidence, e, experiments.find(e.id).games, depths)


def correlation(groups: Mapping[float, np.ndarray], rng: np.random.Generator) -> Interval:
    """Spearman's, of settings and the rates of their runs; runs are drawn within settings."""
    if min(map(len, groups.values())) < 2 or len(groups) < 3:
        raise TooFew("needs two runs of three settings or more")
    settings = np.repeat(list(groups), [len(x) for x in groups.values()])

    def statistic(*rates: np.ndarray) -> float:
        joined = np.concatenate(rates)
        if joined.std() == 0:
            return 0.0
        return float(distributions.spearmanr(settings, joined).statistic)

    return stats.bootstrap(statistic, *([x] for x in groups.values()), rng=rng)


def table_rows(evidence: Evidence, name: str, **where: object) -> pd.DataFrame:
    """Rows of a table of `run.kalah` with these values."""
    rows = evidence.measured(name)
    for column, value in where.items():
        rows = rows[rows[column] == value]
    if rows.empty:
        told = ", ".join(f"{k} {v}" for k, v in where.items())
        raise Lacking(f"the table {name} has nothing of {told} yet")
    return rows


def first_reaching(curve: np.ndarray, games: np.ndarray, level: float) -> float:
    """After how many games a curve [C] is first at the level; infinite if never."""
    reached = np.flatnonzero(curve >= level)
    return float(games[reached[0]]) if len(reached) else np.inf


def depth_of_equals(scores: np.ndarray, depths: np.ndarray, games: int) -> float:
    """At what depth minimax would score half, by a logistic curve through scores [D].

    scores: shares of the points, draws half. Fitted by Newton's method; a curve that does not
    fall tells nothing but that the depth lies beyond the measured ones.
    """
    a, b = 0.0, 0.5
    for _ in range(100):
        p = 1 / (1 + np.exp(-(a - b * depths)))
        w = games * p * (1 - p) + 1e-6
        gradient = np.array(
            [(games * (scores - p)).sum(), -(games * (scores - p) * depths).sum()]
        )
        hessian = np.array(
            [[w.sum(), -(w * depths).sum()], [-(w * depths).sum(), (w * depths**2).sum()]]
        )
        step = np.linalg.solve(hessian + 1e-3 * np.eye(2), gradient)
        a, b = a + np.clip(step[0], -1, 1), b + np.clip(step[1], -1, 1)
    if b < 0.02:
        return float(depths.max() + 1 if scores.mean() > 0.5 else depths.min() - 1)
    return float(np.clip(a / b, depths.min() - 1, depths.max() + 1))
