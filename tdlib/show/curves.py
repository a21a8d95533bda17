"""Learning curves as tables: ours, the paper's, and both side by side.

`Curves` are the tests of the runs of one condition. Runs are the units: means have Student's t
intervals over runs, differences of two conditions Welch's.

`python -m tdlib.show.curves` writes the reference curves, by which other implementations can
check themselves; see `reference`.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tdlib import paths, stats
from tdlib.claims.evidence import Curves
from tdlib.papers.matthews2006.tables import EXPERIMENTS
from tdlib.study import registry
from tdlib.study.experiment import LEARNER, Experiment, training_hash
from tdlib.study.store import Store

FILE = paths.ROOT / "data" / "reference_curves_matthews2006.csv"
COLUMNS = (
    "experiment", "title", "games", "runs", "mean", "sd", "low", "high", "opponent",
    "eval_games",
)  # fmt: skip


def of(e: Experiment, rows: pd.DataFrame) -> Curves:
    """The runs of an experiment that have a row for each of its checkpoints."""
    mine = rows[(rows.config == training_hash(e)) & rows.games.isin(e.checkpoints)]
    found = of_column(mine.assign(rate=100 * mine.wins / mine.eval_games), "rate", e.eval_games)
    if len(found.rates) == 0 or len(found.games) < len(e.checkpoints):
        raise ValueError(f"no run of {e.id} has results at all of its checkpoints")
    return found


def stored(id: str) -> Curves:
    """The runs of an experiment at paper scale that came with the repository."""
    e = registry.find(id)
    return of(e, Store(paths.store_dir("paper")).load(e))


def of_column(rows: pd.DataFrame, column: str, tests: int) -> Curves:
    """Another measure of experiments' networks, for the runs that have all of their rows."""
    table = rows.pivot(index=["experiment", "run"], columns="games", values=column).dropna()
    runs = tuple(map(int, table.index.get_level_values("run")))
    return Curves(table.columns.to_numpy(), table.to_numpy(), tests, runs)


def at(curve: Curves, games: int) -> np.ndarray:
    """The rates of the runs after so many games; a paper's gaps are left out."""
    rates = curve.rates[:, list(curve.games).index(games)]
    return rates[np.isfinite(rates)]


def bands(games: np.ndarray, rates: np.ndarray) -> pd.DataFrame:
    """At each number of games [C]: runs, their mean and sd, and the interval of the mean.

    rates [R, C], in any unit. One run has neither sd nor interval (NaN).
    """
    lines = []
    for count, column in zip(games, np.asarray(rates, float).T, strict=True):
        there = column[np.isfinite(column)]
        several = len(there) > 1
        sd = there.std(ddof=1) if several else np.nan
        ends = stats.t_mean(there)[1:] if several else (np.nan, np.nan)
        lines.append((int(count), len(there), there.mean(), sd, *ends))
    return pd.DataFrame(lines, columns=["games", "runs", "mean", "sd", "low", "high"])


def tidy(**sources: Mapping[str, Curves]) -> pd.DataFrame:
    """One line for each test: source, condition, run, games, percent, tests.

    sources: such as ours={"unary": curves}, paper={"unary": curves}.
    """
    lines = [
        (source, name, run, int(games), float(rate), curve.tests)
        for source, curves in sources.items()
        for name, curve in curves.items()
        for run, rates in enumerate(curve.rates, start=1)
        for games, rate in zip(curve.games, rates, strict=True)
    ]
    columns = ["source", "condition", "run", "games", "percent", "tests"]
    return pd.DataFrame(lines, columns=columns)


def side_by_side(ours: Curves, paper: Curves) -> pd.DataFrame:
    """A line for each checkpoint that both have: mean ± sd of both, and ours less the paper's.

    Texts, in percent and points; the difference with its 95 % interval (Welch).
    """
    common = sorted(set(ours.games.tolist()) & set(paper.games.tolist()))
    lines = {f"{games:,}": _line(ours, paper, games) for games in common}
    return _shown(lines, "games")


def tables(
    ours: Mapping[str, Curves], paper: Mapping[str, Curves], titles: Mapping[str, str]
) -> pd.DataFrame:
    """These tables one below the other, for those of the titled conditions that we have."""
    found = {titles[n]: side_by_side(ours[n], paper[n]) for n in titles if n in ours}
    return pd.concat(found, names=["table"]) if found else pd.DataFrame()


def finals(ours: Mapping[str, Curves], paper: Mapping[str, Curves]) -> pd.DataFrame:
    """The same, a line for each condition, at the last checkpoint that both have."""
    lines = {}
    for name, curve in ours.items():
        games = max(set(curve.games.tolist()) & set(paper[name].games.tolist()))
        lines[name] = {"games": f"{games:,}"} | _line(curve, paper[name], games)
    return _shown(lines, "condition")


def contrasts(
    ours: Mapping[str, Curves],
    paper: Mapping[str, Curves],
    pairs: Iterable[tuple[str, str, int]],
) -> pd.DataFrame:
    """By how many points one condition is above another: the paper's runs and ours.

    pairs: (one, another, games); where our training is shorter, its last checkpoint.
    """
    lines = []
    for one, two, games in pairs:
        four = (ours[one], ours[two], paper[one], paper[two])
        common = set.intersection(*({*curve.games.tolist()} for curve in four))
        there = max(x for x in common if x <= games)
        line = {"contrast": f"{one} less {two}", "games": f"{there:,}"}
        for whose, curves in (("paper [95 %]", paper), ("ours [95 %]", ours)):
            line[whose] = _difference(at(curves[one], there), at(curves[two], there))
        lines.append(line)
    columns = ["contrast", "games", "paper [95 %]", "ours [95 %]"]
    return pd.DataFrame(lines, columns=columns).set_index("contrast")


def _line(ours: Curves, paper: Curves, games: int) -> dict[str, str]:
    mine, theirs = at(ours, games), at(paper, games)
    return {
        "paper": _mean_sd(theirs),
        "ours": _mean_sd(mine),
        "ours less paper [95 %]": _difference(mine, theirs),
    }


def _difference(one: np.ndarray, two: np.ndarray) -> str:
    if min(len(one), len(two)) < 2:
        return f"{one.mean() - two.mean():+.1f} (too few runs)"
    return format(stats.welch(one, two), "+.1f")


def _mean_sd(rates: np.ndarray) -> str:
    spread = f" ± {rates.std(ddof=1):.1f}" if len(rates) > 1 else ""
    return f"{rates.mean():.1f}{spread} ({len(rates)})"


def _shown(lines: Mapping[str, Mapping[str, str]], name: str) -> pd.DataFrame:
    table = pd.DataFrame.from_dict(lines, orient="index")
    table.index.name = name
    return table


def reference(experiments: Iterable[Experiment], store: Store) -> pd.DataFrame:
    """Our learning curves with bands, from stored rows, with COLUMNS; rates from 0 to 1.

    Of finished runs alone, so that all points of a curve are of the same runs. low, high: the
    95 % interval of the mean over runs. opponent: who sits in the other seats of the tests.
    """
    tables = []
    for e in experiments:
        rows = store.load(e)
        rows = rows[rows.games.isin(e.checkpoints)]
        rows = rows[rows.groupby("run").games.transform("nunique") == len(e.checkpoints)]
        if rows.empty:
            continue
        rows = rows.assign(rate=rows.wins / rows.eval_games)
        wide = rows.pivot(index="run", columns="games", values="rate")
        others = " and ".join(dict.fromkeys(name for name in e.evaluation if name != LEARNER))
        about: dict[str, Any] = {
            "experiment": e.id,
            "title": e.title,
            "opponent": others,
            "eval_games": e.eval_games,
        }
        tables.append(bands(wide.columns.to_numpy(), wide.to_numpy()).assign(**about))
    found = pd.concat(tables) if tables else pd.DataFrame(columns=list(COLUMNS))
    return found[list(COLUMNS)]


def as_csv(table: pd.DataFrame) -> str:
    """With five decimals: two more than 5,000 games can show."""
    return table.to_csv(index=False, float_format="%.5f", lineterminator="\n")


def write_reference(path: Path = FILE) -> Path:
    """The reference curves of the store of paper scale, as CSV."""
    table = reference(EXPERIMENTS, Store(paths.store_dir("paper")))
    path.write_text(as_csv(table), encoding="utf-8")
    return path


if __name__ == "__main__":
    print(write_reference().relative_to(paths.ROOT))
