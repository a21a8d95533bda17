"""Section 6.2: endgames, judged by their exact solution."""

import numpy as np
import pandas as pd

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, Lacking, TooFew
from tdlib.claims.judges import judge
from tdlib.claims.rules import NOT_TESTABLE, Judgement
from tdlib.papers.choi2013 import endgames
from tdlib.papers.choi2013.experiments import END_GAMES, ENDGAMES, ENDS
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
    networks = rows.groupby("experiment").run.nunique()
    evidence.count("runs", "C-END", int(networks.min()))
    evidence.count("positions", "C-END", len(networks))
    return rows.assign(right=rows.sound / rows.decisions)


def kinds(evidence: Evidence) -> dict[str, pd.DataFrame]:
    """For charts: who learned what, and what it was asked; percentages `right` and `order`."""
    rows = evidence.measured("endgames")
    rows = rows.assign(
        right=100 * rows.sound / rows.decisions, order=100 * rows.agree / rows.pairs
    )
    alone, together = rows.experiment.isin(_IDS), rows.experiment == ENDS.id
    found = {
        "one endgame alone": rows[alone & (rows.set == "own")],
        "all twenty": rows[together & (rows.set == "learned")],
        "all twenty, asked about others": rows[together & (rows.set == "unseen")],
    }
    return {name: some for name, some in found.items() if len(some)}


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


def lasting(rows: pd.DataFrame) -> pd.Series:
    """After how many games all moves of a network are right, and stay so; infinite if never."""
    table = _networks(rows, "right")
    right = table.to_numpy() == 1
    from_here = np.logical_and.accumulate(right[:, ::-1], axis=1)[:, ::-1]
    first = np.where(from_here, table.columns.to_numpy(float), np.inf)
    return pd.Series(first.min(axis=1), table.index)


def perfect(rows: pd.DataFrame) -> pd.Series:
    """The percentage of networks that end perfect, by position."""
    return 100 * np.isfinite(lasting(rows)).groupby("experiment").mean()


@judge("choi-6.2-a")
def perfection(evidence: Evidence) -> Judgement:
    """After 7,000 games all moves are right, and stay so."""
    rows = own(evidence)
    each, first = perfect(rows).to_numpy(), lasting(rows)
    if len(each) < 2:
        raise TooFew("needs two endgames: the networks of one say nothing about others")
    share, reached = stats.t_mean(each), first[np.isfinite(first)]
    numbers = [("percent of networks perfect in the end, by position", share)]
    most, near = rules.beyond(share, 50), False
    if most:
        low, median, high = np.quantile(reached, [0.025, 0.5, 0.975])
        numbers.append(("games", Interval(float(median), float(low), float(high))))
        near = low <= PAPER <= high
    word = rules.ladder(near, bool(most), inconclusive=most is None)
    return Judgement(word, tuple(numbers))


@judge("choi-6.2-b")
def plies(evidence: Evidence) -> Judgement:
    """Minimax needs six plies on the positions learned, which are not known."""
    table = endgames.load()
    needed = table[table.set == "any"].plies_needed
    share = stats.wilson(int((needed >= 6).sum()), len(needed)).percent
    note = (
        "his position is lost, and ours were chosen because they need 6 plies; the number is"
        " of 200 endgames that were not"
    )
    return Judgement(NOT_TESTABLE, (("percent needing 6", share),), note=note)


@judge("choi-6.2-c")
def order_not_value(evidence: Evidence) -> Judgement:
    """Values are far off though the moves are right."""
    rows = own(evidence)
    last = {column: curves(rows, column)[1][:, -1] for column in ("error", "right")}
    rules.need_runs(*last.values())
    error, right = stats.t_mean(last["error"]), stats.t_mean(100 * last["right"])
    word = rules.by_parts(rules.beyond(error, 0.1), rules.beyond(right, 95))
    return Judgement(word, (("error in hundredths", error.percent), ("percent right", right)))
