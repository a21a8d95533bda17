"""The tables of Friedman & Ibarra 2004 beside ours, as text: for notebook 10."""

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd

from tdlib import stats
from tdlib.claims import published
from tdlib.claims.evidence import unmixed
from tdlib.papers.friedman2004.claims import games
from tdlib.papers.friedman2004.claims.speed import METHOD
from tdlib.papers.friedman2004.experiments import INITIAL, MISSING, RUNS
from tdlib.stats import Interval
from tdlib.study import registry

SUBSETS = (*RUNS.values(), *MISSING)  # all sixteen
CHANGES = {  # group -> what is different from F-MAIN
    "F-TIES": "always the first of equal moves",
    "F-BASE10": "H4: 10^n in place of 2^n",
    "F-WINDOWS": "H2: every pair and every three",
    "F-QUICKWINS": "earlier wins worth more",
    "F-BLIND": "won games not recognised",
    "F-PATIENT": "stuck only at the tenth time",
    "F-BOUNDS": "the same, and bounds taken for values",
}


def timing(rows: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Table 2: means in milliseconds and ratios, games being the units."""
    parts = {f"depth {d}": rows[rows.depth == d] for d in sorted(rows.depth.unique())}
    if "depth 3" in parts:
        three = parts.pop("depth 3")
        parts["depth 3, first 30 moves"] = three[three.ply < METHOD]
        parts["depth 3, 51 moves"] = three
    lines = {}
    for name, some in parts.items():
        line = {"positions": str(len(some))}
        for what in ("minimax_ms", "alphabeta_ms"):
            line[what.replace("_", ", ")] = f"{some[what].mean():.3g}"
        for label, what in (("time", "ms"), ("nodes", "generated")):
            sums = some.groupby("game")[[f"minimax_{what}", f"alphabeta_{what}"]].sum()
            found = stats.ratio(sums.iloc[:, 0], sums.iloc[:, 1], rng)
            line[f"{label}, ratio [95 %]"] = format(found, ".2f")
        lines[name] = line
    lines["paper, depth 3"] = {
        "positions": "51 moves", "minimax, ms": "404", "alphabeta, ms": "170",
        "time, ratio [95 %]": "2.38",
    }  # fmt: skip
    return pd.DataFrame(lines).T.fillna("")


def by_ply(rows: pd.DataFrame, rng: np.random.Generator, *, stretches: int = 6) -> pd.DataFrame:
    """Minimax over alpha-beta, in time and in nodes, for successive stretches of the games."""
    ends = np.linspace(0, rows.ply.max() + 1, stretches + 1)
    lines = []
    for low, high in itertools.pairwise(ends):
        some = rows[(rows.ply >= low) & (rows.ply < high)].groupby("game")
        for name, what in (("time", "ms"), ("nodes", "generated")):
            sums = some[[f"minimax_{what}", f"alphabeta_{what}"]].sum()
            if len(sums) > 1:
                found = stats.ratio(sums.iloc[:, 0], sums.iloc[:, 1], rng)
                lines.append((name, (low + high) / 2, *found))
    return pd.DataFrame(lines, columns=["what", "ply", "ratio", "low", "high"])


def initial(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 3: how each deterministic game ended, black-white; where its cycle begins."""
    table = published.table("friedman2004_table3").set_index("run")
    lines = {}
    for run in INITIAL:
        paper = table.loc[str(run)]
        line = {"paper": f"{paper.black_score}-{paper.white_score}, endless"}
        for id in registry.contests():
            if id.startswith(f"F-INIT-{run}-"):
                for row in unmixed(rows)[rows.experiment == id].itertuples():
                    colour = "black" if row.first == 0 else "white"
                    line[f"depth {id[-1]}, {colour}"] = ending(row)
        lines[f"{run}: {RUNS[run]}"] = line
    return pd.DataFrame(lines).T.fillna("")


def ending(row) -> str:
    """How a deterministic game ended; the score as black-white."""
    black, white = (row.pieces_0, row.pieces_1)[:: 1 if row.first == 0 else -1]
    score = f"{black}-{white}"
    if row.ended == "stuck":
        start, length = cycle(row)
        return f"{score}, cycle of {length} from ply {start}"
    return f"{score}, {'stopped at' if row.ended == 'limit' else 'won after'} {row.plies} plies"


def cycle(row) -> tuple[int, int]:
    """Where the cycle of a deterministic game begins, and its length.

    The game ends when a position stands for the third time. Until the second time all positions
    are new, from there to the third all are repeated, and both stretches are one cycle long.
    """
    return row.plies - 2 * row.repeated, row.repeated


def main(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 4: wins-losses-stuck of alpha-beta, and differences of the share won."""
    lines = {}
    for run, mine in _by_run(rows, "F-MAIN"):
        theirs = games.paper()[games.paper().run == run]
        line = {}
        for colour in games.COLOURS:
            line[f"paper, {colour}"] = _record(theirs[theirs.colour == colour].result)
            line[f"ours, {colour}"] = _record(results(mine[mine.colour == colour]))
        count = games.wins(mine)
        line["paper, won"] = f"{games.paper_wins(run)[0] / games.paper_wins(run)[1]:.0%}"
        line["ours, won [95 %]"] = _percent(stats.wilson(*count))
        line["difference [95 %]"] = _percent(stats.newcombe(count, games.paper_wins(run)))
        line["paper, margin"] = f"{theirs.margin.mean():+.1f}"
        done = mine[mine.ended == "win"]
        line["ours, margin"] = f"{(done.pieces_0 - done.pieces_1).mean():+.1f}"
        lines[f"{run}: {RUNS[run]}"] = line
    return pd.DataFrame(lines).T


def lengths(rows: pd.DataFrame) -> pd.DataFrame:
    """How each game ended, with its length and score."""
    return rows[["experiment", "game", "first", "ended", "pieces_0", "pieces_1", "plies"]]


def ranking(rows: pd.DataFrame) -> pd.DataFrame:
    """All sixteen subsets, best first: shares of games, and the interval of those won."""
    lines = []
    for id, mine in unmixed(rows).groupby("experiment", sort=False):
        contest = registry.contests()[str(id)]
        if contest.group in ("F-MAIN", "F-FACTORIAL"):
            won = stats.wilson(*games.wins(mine))
            lost = (results(mine) == "loss").mean()
            done = mine[mine.ended == "win"]
            name = contest.title.partition(" at ")[0]
            margin = (done.pieces_0 - done.pieces_1).mean()
            lines.append((name, len(mine), *won, lost, 1 - won.value - lost, margin))
    columns = ["heuristics", "games", "won", "low", "high", "lost", "stuck", "margin"]
    found = pd.DataFrame(lines, columns=columns)
    return found.sort_values(["won", "lost"], ascending=[False, True], ignore_index=True)


def effects(rows: pd.DataFrame) -> pd.DataFrame:
    """Main effects of H1 to H4: share won with it less without it, over the other subsets."""
    table = ranking(rows)
    lines = {}
    for name in ("H1", "H2", "H3", "H4"):
        has = table.heuristics.str.contains(name)
        counts = [
            (round((some.won * some.games).sum()), int(some.games.sum()))
            for some in (table[has], table[~has])
        ]
        lines[name] = {"share won, with - without [95 %]": _percent(stats.newcombe(*counts))}
    return pd.DataFrame(lines).T


def changed(rows: pd.DataFrame) -> pd.DataFrame:
    """Percent of games won / stuck by setting, as in F-MAIN and with each of CHANGES."""
    lines = {}
    for group, words in {"F-MAIN": "as in the main games", **CHANGES}.items():
        mine = dict(_by_run(rows, group))
        if mine:
            cells = {RUNS[run]: _won_and_stuck(some) for run, some in mine.items()}
            number = min(map(len, mine.values()))
            lines[words] = {"games a setting": str(number), **cells}
    return pd.DataFrame(lines).T.fillna("").rename_axis("won / stuck, %", axis=1)


def _won_and_stuck(rows: pd.DataFrame) -> str:
    counts = games.wins(rows), games.stuck(rows)
    return " / ".join(f"{100 * some / of:.0f}" for some, of in counts)


def initial_times(moves: pd.DataFrame) -> pd.DataFrame:
    """Table 3: mean milliseconds of a move of alpha-beta, the paper's and ours by depth."""
    printed = published.table("friedman2004_table3").set_index("run").avg_black_time_ms
    lines = {"paper": {run: printed[str(run)] or "under 1" for run in INITIAL}}
    for depth, some in moves.groupby("depth"):
        means = some.groupby("run").alphabeta_ms.mean()
        lines[f"ours, depth {depth}"] = {run: f"{means[run]:.2g}" for run in means.index}
    return pd.DataFrame(lines).rename(lambda run: f"{run}: {RUNS[run]}").T.fillna("")


def _by_run(rows: pd.DataFrame, group: str) -> Sequence[tuple[int, pd.DataFrame]]:
    """Games of the runs of table 1 in a group, where there are any, with the colour."""
    rows = unmixed(rows).assign(colour=np.where(rows["first"] == 0, *games.COLOURS))
    found = [(run, rows[rows.experiment == f"{group}-{run}"]) for run in RUNS]
    return [(run, mine) for run, mine in found if len(mine)]


def results(rows: pd.DataFrame) -> pd.Series:
    return rows.payoff.map({1: "win", -1: "loss", 0: "stuck"})


def _record(results: pd.Series) -> str:
    """Wins-losses-stuck."""
    return "-".join(str(int((results == word).sum())) for word in ("win", "loss", "stuck"))


def _percent(share: Interval) -> str:
    return format(share.percent, ".0f")
