"""Section 6.2: endgames, judged by their exact solution."""

import numpy as np
import pandas as pd

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, Lacking
from tdlib.claims.judges import judge
from tdlib.claims.rules import Judgement
from tdlib.papers.choi2013 import endgames
from tdlib.papers.choi2013.experiments import END_GAMES, ENDGAMES
from tdlib.stats import Interval

PAPER = 7_000
_IDS = [e.id for e in ENDGAMES]


def own(evidence: Evidence) -> pd.DataFrame:
    """Networks in the one endgame that they learned from; only runs that were completed."""
    rows = evidence.measured("endgames")
    rows = rows[rows.experiment.isin(_IDS) & (rows.set == "own")]
    if rows.empty:
        raise Lacking("no endgame has been learned alone yet")
    last = rows.groupby(["experiment", "run"]).games.max()
    reached = int(last.max())
    evidence.reaches(reached, END_GAMES)
    whole = last[last == reached].index
    rows = rows.set_index(["experiment", "run"]).loc[whole].reset_index()
    evidence.count("runs", "C-END", len(whole))
    return rows.assign(right=rows.sound / rows.decisions)


def _networks(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """One measure: a line for each network, a column for each number of games."""
    return rows.pivot(index=["experiment", "run"], columns="games", values=column).dropna()


def curves(rows: pd.DataFrame, column: str) -> tuple[np.ndarray, np.ndarray]:
    """games [C], and a column [P, C] averaged over the networks of each position.

    The networks of one position say nothing independent about endgames in general, so the
    positions are the units; with a single position (quick scale) its networks have to do.
    """
    table = _networks(rows, column)
    several = table.index.get_level_values("experiment").nunique() > 1
    table = table.groupby("experiment").mean() if several else table
    return table.columns.to_numpy(), table.to_numpy(float)


def lasting(rows: pd.DataFrame) -> np.ndarray:
    """After how many games all moves of a network are right, and stay so; infinite if never."""
    table = _networks(rows, "right")
    right = table.to_numpy() == 1
    from_here = np.logical_and.accumulate(right[:, ::-1], axis=1)[:, ::-1]
    first = np.where(from_here, table.columns.to_numpy(float), np.inf)
    return first.min(axis=1)


@judge("choi-6.2-a")
def perfection(evidence: Evidence) -> Judgement:
    """After 7,000 games all moves are right, and stay so."""
    first = lasting(own(evidence))
    rules.need_runs(first)
    reached = first[np.isfinite(first)]
    share = stats.wilson(len(reached), len(first)).percent
    numbers = [("percent of runs perfect in the end", share)]
    near, most = False, 2 * len(reached) >= len(first)
    if most:
        low, median, high = np.quantile(reached, [0.025, 0.5, 0.975])
        numbers.append(("games", Interval(float(median), float(low), float(high))))
        near = low <= PAPER <= high
    return Judgement(rules.ladder(near, most), tuple(numbers))


@judge("choi-6.2-b")
def plies(evidence: Evidence) -> Judgement:
    """Minimax needs six plies; asked of endgames not chosen for that."""
    table = endgames.load()
    needed = table[table.set == "any"].plies_needed.to_numpy()
    found = stats.bootstrap(np.median, [needed], rng=evidence.rng)
    word = rules.ladder(found.value >= 6 and found.low >= 5, found.value >= 4)
    share = stats.wilson(int((needed >= 6).sum()), len(needed)).percent
    note = (
        "endgames of random play within 10 moves; those that networks learned need 6 by choice"
    )
    return Judgement(word, (("median plies", found), ("percent needing 6", share)), note=note)


@judge("choi-6.2-c")
def order_not_value(evidence: Evidence) -> Judgement:
    """Values are far off though the moves are right."""
    rows = own(evidence)
    last = {column: curves(rows, column)[1][:, -1] for column in ("error", "right")}
    rules.need_runs(*last.values())
    error, right = stats.t_mean(last["error"]), stats.t_mean(100 * last["right"])
    word = rules.by_parts(error.low > 0.1, right.value > 95)
    return Judgement(word, (("error in hundredths", error.percent), ("percent right", right)))
