"""Other readings of Matthews 2006 as figures and tables.

effect_panels   what each reading does to a table of the thesis, one panel for each
beside          whole tables under a second reading, as far as they are stored
beside_panels   the same drawn: our reading and the other, each less the paper
beside_table    the same as numbers
"""

from collections.abc import Sequence
from typing import NamedTuple

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from tdlib import stats
from tdlib.claims.evidence import Curves
from tdlib.papers.matthews2006 import effects, second_readings, sensitivity
from tdlib.papers.matthews2006.appendix import appendix
from tdlib.show import curves
from tdlib.show.plots import INK, PALETTE, forest
from tdlib.show.plots.learning import differences
from tdlib.stats import Interval
from tdlib.study.experiment import Experiment
from tdlib.study.store import Store

OURS = "our reading"


def effect_panels(found: pd.DataFrame, gaps: pd.DataFrame, *, limit: float) -> Figure:
    """A `plots.forest` for each table and checkpoint of `effects.effects`, sorted by effect.

    gaps: see `effects.gaps`. limit: of the axis, in points; it should hold the gaps.
    """
    groups = list(found.groupby(["table", "games"], sort=False))
    sizes = [len(mine) for _, mine in groups]
    fig, axes = plt.subplots(
        len(groups), figsize=(8.6, 0.9 + 0.27 * sum(sizes) + 0.5 * len(sizes)), sharex=True,
        height_ratios=[size + 1 for size in sizes], squeeze=False,
    )  # fmt: skip
    for ax, ((table, games), mine) in zip(axes.flat, groups, strict=True):
        mine = mine.sort_values("effect", ascending=False)
        gap = gaps[(gaps.table == table) & (gaps.games == games)].gap
        numbers = [Interval(*x) for x in mine[["effect", "low", "high"]].to_numpy()]
        forest(
            ax, list(mine.words), numbers, differs=list(mine.p < effects.DIFFERS),
            gap=gap.item() if len(gap) else None, limit=limit,
        )  # fmt: skip
        ax.set_title(f"{table.replace('A', 'A.')}, after {games:,} games")
    axes[-1, 0].set_xlabel("points of win rate more than\nunder our reading; dashed: the paper")
    return fig


class Beside(NamedTuple):
    """A table of the thesis under two readings."""

    table: str  # "A.8"
    words: str  # what the other reading is
    ours: Curves
    other: Curves | None  # None: it has no two finished runs yet
    paper: Curves


def beside(store: Store) -> list[Beside]:
    """All tables that have a second reading; ours must have finished runs."""

    def stored(e: Experiment) -> Curves | None:
        try:
            found = curves.of(e, store.load(e))
        except ValueError:
            return None
        return found if len(found.rates) > 1 else None

    found = []
    for e in second_readings.EXPERIMENTS:
        table, words = e.id.split("-")[1], e.title.rpartition(": ")[2]
        name = table.replace("A", "A.")
        if ours := stored(sensitivity.main(table)):
            found.append(Beside(name, words, ours, stored(e), appendix(name)))
    return found


def beside_panels(found: Sequence[Beside]) -> Figure:
    """Our reading and the other, each less the paper, over training: a panel for each table."""
    rows = -(-len(found) // 2)
    fig, axes = plt.subplots(rows, 2, figsize=(9.6, 2.9 * rows), squeeze=False)
    for ax, one in zip(axes.flat, found, strict=False):
        pair = {OURS: one.ours} | ({one.words: one.other} if one.other else {})
        both = {f"{name}, {len(x.rates)} runs": x for name, x in pair.items()}
        colours = dict(zip(both, (INK.ours, PALETTE[3]), strict=False))
        differences(ax, both, dict.fromkeys(both, one.paper), colours=colours)
        ax.legend(fontsize="small")
        ax.set_title(f"{one.table}: {one.words}" + ("" if one.other else " (not stored)"))
    return fig


def beside_table(found: Sequence[Beside]) -> pd.DataFrame:
    """Points of both readings less the paper's, early, in the middle and at the end.

    Columns: table, reading, games, paper (percent), then texts with 95 % intervals.
    """
    lines = []
    for one in found:
        if one.other is None:
            continue
        shared = [int(g) for g in one.ours.games if g and g in one.paper.games]
        for games in (shared[0], shared[len(shared) // 3], shared[-1]):
            ours, other, paper = (curves.at(x, games) for x in (one.ours, one.other, one.paper))
            line = {"table": one.table, "reading": one.words, "games": games}
            line |= {"paper": f"{paper.mean():.1f}"}
            line |= {OURS: format(stats.welch(ours, paper), "+.1f")}
            lines.append(line | {"the other": format(stats.welch(other, paper), "+.1f")})
    return pd.DataFrame(lines)
