"""The effect of reading the thesis differently: win rates compared with our own reading.

`cases` names the experiments, `effects` compares their results, reading by reading. Differences
are of means over runs, in percentage points, with Welch's 95 % interval. Because many readings
are compared, p-values are adjusted by Holm's method before anything is called different.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from tdlib import stats
from tdlib.papers.matthews2006 import sensitivity
from tdlib.papers.matthews2006.appendix import appendix
from tdlib.papers.matthews2006.retests import RETESTS
from tdlib.papers.matthews2006.sensitivity import Reading
from tdlib.study import measure, registry
from tdlib.study.experiment import Experiment, training_hash
from tdlib.study.scale import scaled
from tdlib.study.store import Store

FEW = ("pubeval-contact",)  # readings of the smoke scale
DIFFERS = 0.05  # of adjusted p-values


class Case(NamedTuple):
    """One experiment of the comparison."""

    table: str
    reading: Reading | None  # None: ours
    experiment: Experiment


def cases(
    tables: Sequence[str] = (), *, scale: str, runs: int = 0, seed: int = 0
) -> list[Case]:
    """Each table as we read it, then under its other readings.

    Args:
      tables: names like "A8"; none means all at paper scale, elsewhere A8 alone.
      runs: of every experiment; 0 means as many as it has, but two at least.
      seed: of all random numbers.
    """
    known = tuple(sensitivity.BASES)
    tables = tables or (known if scale == "paper" else ("A8",))
    if unknown := [table for table in tables if table not in known]:
        raise ValueError(f"unknown table {unknown[0]!r}; expected some of {', '.join(known)}")

    def at_scale(e: Experiment) -> Experiment:
        e = scaled(e, scale)
        return dataclasses.replace(e, runs=runs or max(2, e.runs), seed=seed)

    found = []
    for table in tables:
        found.append(Case(table, None, at_scale(sensitivity.BASES[table])))
        for reading in sensitivity.READINGS:
            if table in reading.tables and (scale != "smoke" or reading.name in FEW):
                e = sensitivity.derived(table, reading)
                found.append(Case(table, reading, at_scale(e)))
    return found


def measured(cases: Sequence[Case], rows: pd.DataFrame) -> list[Case]:
    """Those that can be compared: at some checkpoint they and our reading have two runs."""
    ours = {case.table: case.experiment for case in cases if case.reading is None}
    return [c for c in cases if _compared(rows, c.experiment, ours[c.table])]


def effects(cases: Sequence[Case], rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each reading and checkpoint; rates in percent, differences in points.

    Columns: table, games, reading, words; runs, rate; ours, the rate as we read the paper;
    effect, low, high; p, adjusted for the number of lines.
    """
    ours = {case.table: case.experiment for case in cases if case.reading is None}
    lines = []
    for table, reading, e in cases:
        for games in _compared(rows, e, ours[table]) if reading else ():
            rates, base = (_rates(rows, x, games) for x in (e, ours[table]))
            effect = stats.welch(rates, base)
            lines.append(
                {
                    "table": table,
                    "games": games,
                    "reading": reading.name if reading else "",
                    "words": reading.words if reading else "",
                    "runs": len(rates),
                    "rate": rates.mean(),
                    "ours": base.mean(),
                    "effect": effect.value,
                    "low": effect.low,
                    "high": effect.high,
                    "p": 2 * min(stats.above(rates, base), stats.above(base, rates)),
                }
            )
    found = pd.DataFrame(lines)
    return found.assign(p=stats.holm(found.p.tolist()))


def gaps(cases: Sequence[Case], rows: pd.DataFrame) -> pd.DataFrame:
    """The differences to be explained: a line for each table and checkpoint of the paper.

    Columns: table, games; ours, paper (percent); gap, low, high: the paper's mean less ours.
    """
    lines = []
    for table, _, e in (case for case in cases if case.reading is None):
        for games in _compared(rows, e, e):
            ours, theirs = _rates(rows, e, games), _published(table, games)
            if len(theirs):
                gap = stats.welch(theirs, ours)
                line = {"table": table, "games": games, "runs": len(ours), "ours": ours.mean()}
                line |= {"paper": theirs.mean(), "gap": gap.value}
                lines.append(line | {"low": gap.low, "high": gap.high})
    return pd.DataFrame(lines)


def explained(found: pd.DataFrame, gaps: pd.DataFrame) -> pd.DataFrame:
    """How much of each gap other readings explain: a line for each table and checkpoint.

    Columns: table, games, gap; readings; differ, how many of them differ from ours; nearest,
    the one that comes nearest to the paper, its effect, and left, what remains of the gap.
    """
    lines = []
    for (table, games), mine in found.groupby(["table", "games"], sort=False):
        there = gaps[(gaps.table == table) & (gaps.games == games)]
        if len(there):
            gap = there.gap.item()
            best = mine.loc[(gap - mine.effect).abs().idxmin()]
            line = {"table": table, "games": games, "gap": gap, "readings": len(mine)}
            line |= {"differ": int((mine.p < DIFFERS).sum()), "nearest": best.words}
            lines.append(line | {"effect": best.effect, "left": gap - best.effect})
    return pd.DataFrame(lines)


def opponents(store: Store, *, scale: str) -> pd.DataFrame:
    """The last networks of some tables against other versions of pubeval, as far as stored.

    Columns: opponent, table, games, runs; ours, against our pubeval, and rate, against this;
    effect, low, high, network by network; gap, the paper's mean less ours.
    """
    lines: list[dict[str, Any]] = []
    stored = measure.load(registry.measurements(scale)["S-OPPONENT"], store)
    for again in RETESTS:
        if again.group != "S-OPPONENT":
            continue
        source = scaled(registry.find(again.source), scale)
        games, table = max(source.checkpoints), again.source.removeprefix("M-")
        usual, other = store.load(source), stored[stored.experiment == again.id]
        both = usual[usual.games == games].merge(other[other.games == games], on="run")
        if len(both) < 2:
            continue
        ours, rate = (100 * both[f"wins_{x}"] / both[f"eval_games_{x}"] for x in "xy")
        effect, theirs = stats.t_mean(rate - ours), _published(table, games)
        line: dict[str, Any] = {"opponent": again.opponent, "table": table, "games": games}
        line |= {"runs": len(both), "ours": ours.mean(), "rate": rate.mean()}
        line |= {"effect": effect.value, "low": effect.low, "high": effect.high}
        lines.append(line | {"gap": theirs.mean() - ours.mean() if len(theirs) else np.nan})
    return pd.DataFrame(lines)


def _compared(rows: pd.DataFrame, one: Experiment, two: Experiment) -> list[int]:
    """The checkpoints at which both have two runs or more."""

    def enough(games: int) -> bool:
        return min(len(_rates(rows, e, games)) for e in (one, two)) > 1

    return [games for games in one.checkpoints if enough(games)]


def _rates(rows: pd.DataFrame, e: Experiment, games: int) -> np.ndarray:
    """Percent won by each stored run after so many games."""
    mine = rows[(rows.config == training_hash(e)) & (rows.games == games)]
    return (100 * mine.wins / mine.eval_games).to_numpy()


def _published(table: str, games: int) -> np.ndarray:
    """Percent won by each of the paper's runs; none if it has no such line."""
    curves = appendix(table.replace("A", "A."))
    return curves.rates[:, curves.games == games].ravel()
