"""Charts of how games ended: won from the left, lost from the right, the paper's as frames."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from tdlib import stats
from tdlib.show.plots import INK, PALETTE, PERCENT
from tdlib.stats import Interval

WON, LOST, NOBODY = INK.ours, PALETTE[3], "#EFEBE4"
Counts = Sequence[int]  # games won, lost, and won by nobody


def duel(
    ax: Axes,
    names: Sequence[str],
    ours: Sequence[Counts | None],
    paper: Sequence[Counts],
    *,
    intervals: bool = True,
) -> Axes:
    """One bar of length 1 for each name, from the top: won blue, lost dark red, else pale.

    The paper's shares are dashed frames in the same colours, which tell won from lost.
    intervals: whether a line through each end of ours shows its 95 % interval.
    """
    for row, (mine, theirs) in enumerate(zip(ours, paper, strict=True)):
        if mine is not None:
            _bar(ax, row, mine, intervals=intervals)
        for place, colour in enumerate((WON, LOST)):
            share = theirs[place] / sum(theirs)
            if share:
                frame = Rectangle((0 if colour == WON else 1 - share, row - 0.4), share, 0.8)
                frame.set(fill=False, ec=colour, ls="--", lw=1.2, zorder=4, clip_on=False)
                ax.add_patch(frame)
    ax.set_yticks(range(len(names)), names)
    ax.set(xlim=(0, 1), ylim=(len(names) - 0.5, -0.5))
    ax.xaxis.set_major_formatter(PERCENT)
    ax.tick_params(axis="y", length=0)
    return ax


def _bar(ax: Axes, row: int, counts: Counts, *, intervals: bool) -> None:
    games = sum(counts)
    ax.barh(row, 1, color=NOBODY, height=0.56)
    for place, colour in enumerate((WON, LOST)):
        share = stats.wilson(int(counts[place]), games)
        left, sign = (0.0, 1) if colour == WON else (1.0, -1)
        ax.barh(row, sign * share.value, left=left, color=colour, height=0.56)
        if intervals:
            ends = [left + sign * x for x in (share.low, share.high)]
            ax.plot(ends, [row] * 2, color=INK.text, lw=1.4, solid_capstyle="butt", zorder=5)


def legend(ours: str, paper: str) -> list[Patch]:
    """Handles of a legend for `duel`; ours, paper: how many games."""
    return [
        Patch(color=WON, label=f"won, ours ({ours})"),
        Patch(color=LOST, label="lost"),
        Patch(color=NOBODY, label="stuck"),
        Patch(fill=False, ec=WON, ls="--", label=f"won, paper ({paper})"),
        Patch(fill=False, ec=LOST, ls="--", label="lost, paper"),
    ]


def panels(
    figure: Figure,
    names: Sequence[str],
    columns: Mapping[str, Sequence[Counts | None]],
    paper: Sequence[Counts],
) -> Axes:
    """A `duel` for each column, in one row; the axes below it, still empty."""
    grid = figure.add_gridspec(2, len(columns), height_ratios=[3, 2])
    for place, (title, ours) in enumerate(columns.items()):
        ax = figure.add_subplot(grid[0, place])
        duel(ax, names if place == 0 else [""] * len(names), ours, paper, intervals=False)
        ax.set_title(title, size=9.5)
        ax.set_xticks([0, 1])
    return figure.add_subplot(grid[1, :])


def side_by_side(
    ax: Axes, names: Sequence[str], series: Mapping[str, Sequence[Interval | None]]
) -> Axes:
    """A dot with its interval for each name and series; the series beside each other."""
    for number, (label, numbers) in enumerate(series.items()):
        x = np.arange(len(names)) + 0.16 * (number - (len(series) - 1) / 2)
        known = [(at, one) for at, one in zip(x, numbers, strict=True) if one is not None]
        for at, one in known:
            ax.plot([at] * 2, [one.low, one.high], color=f"C{number}", lw=3, alpha=0.45,
                    solid_capstyle="butt")  # fmt: skip
        at, dots = [at for at, _ in known], [one.value for _, one in known]
        ax.plot(
            at, dots, color=f"C{number}", ls="", marker="osD^"[number % 4], ms=5, label=label
        )
    ax.set_xticks(range(len(names)), names)
    ax.set(xlim=(-0.6, len(names) - 0.4), ylim=(0, None))
    ax.grid(axis="y")
    return ax
