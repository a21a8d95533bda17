"""Readings of what the paper leaves open, beside table 4: found afterwards, deciding nothing.

A reading (`experiments.Reading`) is judged by its distance to the published table: how many
points its shares of games won, lost and stuck differ from the paper's, on average over the
settings. The reading that was fixed beforehand is that of F-MAIN.
"""

import itertools

import numpy as np
import pandas as pd

from tdlib.claims import ledger, scorecard
from tdlib.claims.evidence import Evidence, Lacking, Source
from tdlib.papers.friedman2004.claims import games
from tdlib.papers.friedman2004.experiments import (
    BASES,
    BORDERS,
    FIRSTS,
    READINGS,
    RUNS,
    Reading,
)
from tdlib.stats import Interval
from tdlib.study import registry

OUTCOMES = ("won", "lost", "stuck")
FIXED = "F-MAIN"  # the reading that was fixed beforehand
RESAMPLES = 4_000
# Claims that rest on the games of table 4 alone
CLAIMS = ("tab1", "tab4", *(f"con-{letter}" for letter in "abcdefgi"))


class Under:
    """Evidence in which the games of a reading stand in for those of F-MAIN."""

    def __init__(self, source: Source, reading: Reading) -> None:
        self.source, self.reading = source, reading

    def __call__(self, id: str):
        return self.source(id)

    def measured(self, name: str) -> pd.DataFrame:
        return self.source.measured(name)

    def table(self, id: str) -> pd.DataFrame:
        group, _, run = id.rpartition("-")
        if group != FIXED:
            raise Lacking(f"{id} was not played under that reading")
        return self.source.table(self.reading.contest(RUNS[int(run)]))


def title(reading: Reading | str) -> str:
    """A reading in words."""
    if isinstance(reading, str):
        return "fixed beforehand"
    return f"border {reading.border}, base {reading.base}, {_ties(reading.first)}"


def outcomes(source: Source, reading: Reading | str = FIXED) -> pd.DataFrame:
    """Games won, lost and stuck in each setting of table 4 that has any."""
    evidence = Evidence(source if isinstance(reading, str) else Under(source, reading))
    lines = {}
    for run, heuristics in RUNS.items():
        try:
            payoff = games.main(evidence, run).payoff
        except Lacking:
            continue
        if len(payoff):
            lines[heuristics] = [int((payoff == sign).sum()) for sign in (1, -1, 0)]
    return pd.DataFrame(lines, index=list(OUTCOMES), dtype=int).T


def aligned(counts: pd.DataFrame) -> list[list[int] | None]:
    """The lines of `outcomes` in the order of table 4; None where a setting has no games."""
    return [counts.loc[h].to_list() if h in counts.index else None for h in RUNS.values()]


def games_of(source: Source, reading: Reading) -> pd.DataFrame:
    """All games of a reading."""
    try:
        return games.group(Evidence(Under(source, reading)), FIXED)
    except Lacking:
        return pd.DataFrame(columns=["ended", "plies", "pieces_0", "pieces_1"])


def margins(**ours: pd.DataFrame) -> dict[str, np.ndarray]:
    """Stones taken less stones lost in finished games, of ours and of the paper's."""
    finished = {name: rows[rows.ended == "win"] for name, rows in ours.items()}
    found = {name: (x.pieces_0 - x.pieces_1).to_numpy(float) for name, x in finished.items()}
    found["paper"] = games.paper().margin.dropna().to_numpy()
    return {name: x for name, x in found.items() if len(x)}


def published() -> pd.DataFrame:
    """The paper's games won, lost and stuck, by setting."""
    table = games.paper()
    found = pd.crosstab(table.run.map(RUNS), table.result)[["win", "loss", "stuck"]]
    return found.set_axis(list(OUTCOMES), axis=1).loc[list(RUNS.values())]


def distance(ours: pd.DataFrame, rng: np.random.Generator) -> Interval:
    """Mean absolute difference to the published shares in points; our games are resampled."""
    theirs = _shares(published().loc[ours.index].to_numpy())
    counts = ours.to_numpy()
    drawn = [rng.multinomial(row.sum(), row / row.sum(), RESAMPLES) for row in counts]
    spread = np.abs(_shares(np.stack(drawn, axis=1)) - theirs).mean((1, 2))
    value = np.abs(_shares(counts) - theirs).mean()
    low, high = 100 * np.quantile(spread, [0.025, 0.975])
    return Interval(100 * float(value), float(low), float(high))


def least(rng: np.random.Generator, games: int) -> float:
    """The distance of so many games of a program that wins, loses and sticks as the paper's.

    It is not 0 because the paper's 14 to 16 games of a setting are few.
    """
    theirs = published().to_numpy()
    drawn = [
        _shares(rng.multinomial(of, row / row.sum(), RESAMPLES))
        - _shares(rng.multinomial(row.sum(), row / row.sum(), RESAMPLES))
        for row, of in ((row, games) for row in theirs)
    ]
    return 100 * float(np.abs(drawn).mean())


def distances(source: Source, rng: np.random.Generator) -> pd.DataFrame:
    """All readings, that of F-MAIN first; see `outcomes` and `distance`.

    Those that lack settings are left out, unless all but F-MAIN do.
    """
    lines = []
    every: list[Reading | str] = [FIXED, *READINGS]
    for reading in every:
        ours = outcomes(source, reading)
        if len(ours):
            border, base, first = Reading() if isinstance(reading, str) else reading
            shares = 100 * _shares(ours.to_numpy()).mean(0)
            games = int(ours.to_numpy().sum())
            near = distance(ours, rng)
            lines.append(
                (title(reading), border, base, first, len(ours), games, *near, *shares)
            )
    names = (
        "reading",
        "border",
        "base",
        "first",
        "settings",
        "games",
        "distance",
        "low",
        "high",
    )
    found = pd.DataFrame(lines, columns=[*names, *OUTCOMES])
    whole = found.settings == len(RUNS)
    return found[whole] if whole.iloc[1:].any() else found


def series(table: pd.DataFrame) -> dict[str, list[Interval | None]]:
    """Of `distances`, for each base and choice: that of F-MAIN, then by BORDERS."""
    known = {
        row.reading: Interval(row.distance, row.low, row.high) for row in table.itertuples()
    }
    found = {}
    for base, first in itertools.product(BASES, FIRSTS):
        name = f"H4 base {base}, {_ties(first)}"
        fixed = known.get(title(FIXED)) if (base, first) == (2, 0.0) else None
        found[name] = [fixed, *(known.get(title(Reading(b, base, first))) for b in BORDERS)]
    return found


def fitting(table: pd.DataFrame) -> Reading | None:
    """The reading of `distances` nearest to the published table, of those with all settings."""
    whole = table[(table.settings == len(RUNS)) & (table.reading != title(FIXED))]
    if whole.empty:
        return None
    best = whole.loc[whole.distance.idxmin()]
    return Reading(int(best.border), int(best.base), float(best["first"]))


def verdicts(source: Source, reading: Reading) -> pd.DataFrame:
    """Claims about table 4 as they are judged, and as they would be under that reading."""
    book, lines = ledger.read().claims, {}
    for id in CLAIMS:
        claim = book[f"friedman-{id}"]
        fixed, other = (
            scorecard.judge(claim, s).first for s in (source, Under(source, reading))
        )
        lines[claim.id] = {
            "claim": claim.claim, "fixed beforehand": fixed.verdict, "ours": fixed.text,
            f"found afterwards: {title(reading)}": other.verdict, "its numbers": other.text,
        }  # fmt: skip
    return pd.DataFrame(lines).T


def missing(source: Source) -> dict[str, int]:
    """Games of each group of readings that are not stored, where there are any."""
    lacking: dict[str, int] = {}
    for contest in registry.contests().values():
        if contest.group.startswith("F-BORDER"):
            try:
                there = len(source.table(contest.id))
            except Lacking:
                there = 0
            lacking[contest.group] = lacking.get(contest.group, 0) + contest.games - there
    return {group: number for group, number in lacking.items() if number}


def _shares(counts: np.ndarray) -> np.ndarray:
    return counts / counts.sum(-1, keepdims=True)


def _ties(first: float) -> str:
    return f"the first of equals {first:.0%}" if first else "any of equals"
