"""Section 6.2: endgames, judged by their exact solution."""

import numpy as np
import pandas as pd

from tdlib import endgames, stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, Lacking
from tdlib.claims.judgement import Judgement
from tdlib.claims.ledger import Claim
from tdlib.experiments.choi2013 import END_GAMES, ENDGAMES
from tdlib.stats import NOT_REPRODUCED, PARTLY, REPRODUCED, Interval

Rng = np.random.Generator
PAPER = 7_000
_IDS = [e.id for e in ENDGAMES]


def own(evidence: Evidence) -> pd.DataFrame:
    """Networks in the one endgame they learned from, of runs that came to the end."""
    rows = evidence.measured("endgames")
    rows = rows[rows.experiment.isin(_IDS) & (rows.set == "own")]
    if rows.empty:
        raise Lacking("no endgame has been learned alone yet")
    last = rows.groupby(["experiment", "run"]).games.max()
    reached = int(last.max())
    if reached < END_GAMES:
        evidence.fell_short(reached, END_GAMES)
    whole = last[last == reached].index
    rows = rows.set_index(["experiment", "run"]).loc[whole].reset_index()
    evidence.used["C-END"] = len(whole)
    return rows.assign(right=rows.sound / rows.decisions)


def _networks(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """A column, with a line for each network and a column by games."""
    return rows.pivot(index=["experiment", "run"], columns="games", values=column).dropna()


def curves(rows: pd.DataFrame, column: str) -> tuple[np.ndarray, np.ndarray]:
    """games [C], and a column [P, C] averaged over the networks of each position.

    Networks of one position are no independent witnesses about endgames, so positions count;
    with a single position (quick scale) its networks must do.
    """
    table = _networks(rows, column)
    several = table.index.get_level_values("experiment").nunique() > 1
    table = table.groupby("experiment").mean() if several else table
    return table.columns.to_numpy(), table.to_numpy(float)


def lasting(rows: pd.DataFrame) -> np.ndarray:
    """From how many games on all moves of a network are right for good: infinite if never."""
    table = _networks(rows, "right")
    right = table.to_numpy() == 1
    from_here = np.logical_and.accumulate(right[:, ::-1], axis=1)[:, ::-1]
    first = np.where(from_here, table.columns.to_numpy(float), np.inf)
    return first.min(axis=1)


def perfection(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """6.2-a: after 7,000 games all moves are right, and stay so."""
    first = lasting(own(evidence))
    rules.need_runs(first)
    reached = first[np.isfinite(first)]
    share = stats.wilson(len(reached), len(first)).map(lambda x: 100 * x)
    numbers = [("percent of runs perfect in the end", share)]
    word = NOT_REPRODUCED
    if 2 * len(reached) >= len(first):
        low, median, high = np.quantile(reached, [0.025, 0.5, 0.975])
        numbers.append(("games", Interval(float(median), float(low), float(high))))
        word = REPRODUCED if low <= PAPER <= high else PARTLY
    return Judgement(word, tuple(numbers))


def plies(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """6.2-b: minimax needs six plies; asked of endgames not chosen for that."""
    table = endgames.load()
    needed = table[table.set == "any"].plies_needed.to_numpy()
    found = stats.bootstrap(np.median, [needed], rng=rng)
    if found.value >= 6 and found.low >= 5:
        word = REPRODUCED
    else:
        word = PARTLY if found.value >= 4 else NOT_REPRODUCED
    share = stats.wilson(int((needed >= 6).sum()), len(needed)).map(lambda x: 100 * x)
    note = (
        "endgames of random play within 10 moves; those that networks learned need 6 by choice"
    )
    return Judgement(word, (("median plies", found), ("percent needing 6", share)), note=note)


def order_not_value(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """6.2-c: values are far off though the moves are right."""
    rows = own(evidence)
    last = {column: curves(rows, column)[1][:, -1] for column in ("error", "right")}
    rules.need_runs(*last.values())
    error, right = stats.t_mean(last["error"]), stats.t_mean(100 * last["right"])
    parts = (error.low > 0.1) + (right.value > 95)
    word = (NOT_REPRODUCED, PARTLY, REPRODUCED)[parts]
    hundredfold = error.map(lambda x: 100 * x)
    return Judgement(word, (("error in hundredths", hundredfold), ("percent right", right)))
