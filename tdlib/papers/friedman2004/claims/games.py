"""Counts of stored games, and the paper's counts."""

import functools

import numpy as np
import pandas as pd

from tdlib.claims import published
from tdlib.claims.evidence import Evidence, Lacking, TooFew
from tdlib.papers.friedman2004.experiments import RUNS
from tdlib.study import registry

BOTH = "both"
COLOURS = ("black", "white")  # who begins is black
Count = tuple[int, int]  # successes, trials


def main(evidence: Evidence, run: int) -> pd.DataFrame:
    """Our games of one run of table 4."""
    return played(evidence, f"F-MAIN-{run}")


def played(evidence: Evidence, id: str) -> pd.DataFrame:
    found = evidence.table(id)
    return found.assign(colour=np.where(found["first"] == 0, *COLOURS))


def group(evidence: Evidence, name: str, ids: list[str] | None = None) -> pd.DataFrame:
    """Games of all contests of a group that have any; Lacking if none has."""
    frames = []
    for id, contest in registry.contests().items():
        if contest.group == name and (ids is None or id in ids):
            try:
                frames.append(played(evidence, id))
            except Lacking:
                continue
    if not frames:
        raise Lacking(f"{name} has no results yet")
    return pd.concat(frames, ignore_index=True)


def wins(table: pd.DataFrame, colour: str = BOTH) -> Count:
    """Games that the alpha-beta player won, of all."""
    mine = table if colour == BOTH else table[table.colour == colour]
    if mine.empty:
        raise TooFew(f"there are no games as {colour}")
    return int((mine.payoff > 0).sum()), len(mine)


def stuck(table: pd.DataFrame) -> Count:
    """Games that nobody won: in a cycle, or stopped at the limit."""
    return int(table.ended.isin(("stuck", "limit")).sum()), len(table)


def cycling(table: pd.DataFrame) -> Count:
    """Games in which a position stood for the third time."""
    return int((table.ended == "stuck").sum()), len(table)


def margins(table: pd.DataFrame) -> np.ndarray:
    """Stones taken less stones lost, of games that ended with six."""
    done = table[table.ended == "win"]
    if len(done) < 2:
        raise TooFew("needs two finished games of each setting")
    return (done.pieces_0 - done.pieces_1).to_numpy(float)


def pooled(*counts: Count) -> Count:
    return sum(x for x, _ in counts), sum(n for _, n in counts)


@functools.cache
def paper() -> pd.DataFrame:
    """The 174 games of table 4: run, colour, result, margin (NaN if stuck)."""
    found = published.table("friedman2004_table4")
    scores = found[["black_score", "white_score"]].apply(pd.to_numeric)
    lead = scores.black_score - scores.white_score
    return pd.DataFrame(
        {
            "run": found.run.astype(int),
            "colour": found.alphabeta_colour,
            "result": found.alphabeta_result,
            "margin": lead.where(found.alphabeta_colour == "black", -lead),
        }
    )


def paper_wins(run: int, colour: str = BOTH) -> Count:
    table = paper()
    mine = table[(table.run == run) & ((table.colour == colour) | (colour == BOTH))]
    return int((mine.result == "win").sum()), len(mine)


def paper_margin(run: int) -> float:
    """Stones taken less stones lost in the paper's finished games, on average."""
    return float(paper()[paper().run == run].margin.mean())


def readings() -> dict[str, dict[int, str]]:
    """Heuristics of the runs of table 4 under both readings of table 1."""
    table = published.table("friedman2004_table1")
    by_place = zip(table.run_reading_b_position.astype(int), table.heuristics, strict=True)
    return {"A": dict(RUNS), "B": {run: name for run, name in by_place if run in RUNS}}
