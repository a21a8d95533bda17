"""Show: the house style of charts, and the charts that more than one notebook draws.

A chart function fills one axes and returns it; the notebook makes the figure and `publish`es
it. Ours is always solid, the paper always grey, dashed and hollow. Charts know no game and no
rules: they are given names and numbers. Learning curves are in `plots.learning`.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from IPython.display import Image
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, StrMethodFormatter
from PIL import Image as Picture

from tdlib import paths
from tdlib.stats import Interval

INK = SimpleNamespace(ours="#1768B0", paper="#6F675B", text="#2B2926", grid="#E4DED3")
# Told apart in grey as in colour, hence under every common colour deficiency.
PALETTE = ("#1768B0", "#F5BE41", "#1FAE88", "#7A1F50", "#8FB8DE", "#6F675B")

DPI = 160
STYLE: dict[Any, Any] = {
    "axes.edgecolor": INK.paper,
    "axes.labelcolor": INK.text,
    "axes.prop_cycle": plt.cycler(color=PALETTE),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "figure.facecolor": "white",
    "figure.figsize": (7.2, 3.6),
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same letters everywhere
    "font.size": 9.5,
    "grid.color": INK.grid,
    "legend.frameon": False,
    "savefig.dpi": DPI,
    "svg.fonttype": "path",
    "svg.hashsalt": "tdlib",
    "text.color": INK.text,
    "xtick.color": INK.paper,
    "xtick.labelcolor": INK.text,
    "ytick.color": INK.paper,
    "ytick.labelcolor": INK.text,
}
PERCENT = FuncFormatter(lambda share, _: f"{100 * share:g}%")
NOTHING = {"Date": None, "Creator": None, "Format": None, "Type": None}


def use_style() -> None:
    """Draw in the house style from here on."""
    sns.set_theme(style="ticks", rc=STYLE)


def publish(
    figure: Figure,
    name: str,
    *,
    scale: str,
    alt: str,
    data: pd.DataFrame | None = None,
    root: Path = paths.ROOT,
    colours: int = 128,
) -> Image:
    """Save as `<name>.png` and `.svg` in the folder of the scale; the picture, to be shown.

    Equal figures give equal bytes: no date, no version of matplotlib, no random names. The PNG
    has a palette of its own, which makes it a third as large and looks the same.

    Args:
      alt: what the picture shows, for those who cannot see it.
      data: the numbers that were drawn, to be saved beside it as `<name>.csv`.
      colours: of the PNG; more where small things have colours of their own.
    """
    folder = paths.figure_dir(scale, root)
    if data is not None:
        data.to_csv(
            folder / f"{name}.csv", index=False, float_format="%.6g", lineterminator="\n"
        )
    full, png, svg = BytesIO(), BytesIO(), BytesIO()
    # Saving a figure without layout engine gives it the one of the style for the next time.
    with plt.rc_context({**STYLE, "figure.constrained_layout.use": False}):
        figure.savefig(full, format="png", dpi=DPI)
        figure.savefig(svg, format="svg", metadata=NOTHING)
    flat = Picture.open(full).convert("RGB").quantize(colours, dither=Picture.Dither.NONE)
    flat.save(png, "PNG", optimize=True)
    (folder / f"{name}.png").write_bytes(png.getvalue())
    (folder / f"{name}.svg").write_bytes(svg.getvalue())
    plt.close(figure)  # shown once, by the caller
    return Image(png.getvalue(), width=round(96 * figure.get_figwidth()), alt=alt)


def compare(
    ax: Axes,
    names: Sequence[str],
    ours: Sequence[Interval | None],
    paper: Sequence[tuple[float, float] | None],
    *,
    spec: str = ".3g",
) -> Axes:
    """One line for each name, from the top: our number with its interval, the paper's range.

    Either may be None. Our number is written at the right, in the format `spec`.
    """
    for row, (number, published) in enumerate(zip(ours, paper, strict=True)):
        apart = 0.17 if number and published else 0.0
        if published:
            ax.plot(published, [row - apart] * 2, color=INK.paper, ls="--", marker="o",
                    mfc="white", lw=1.2, zorder=2)  # fmt: skip
        if number:
            ax.plot([number.low, number.high], [row + apart] * 2, color=INK.ours, lw=4,
                    solid_capstyle="butt", alpha=0.45, zorder=3)  # fmt: skip
            ax.plot(number.value, row + apart, color=INK.ours, marker="o", ms=5, zorder=4)
            ax.annotate(format(number, spec), (1.02, row), va="center", color=INK.ours,
                        xycoords=("axes fraction", "data"))  # fmt: skip
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    if any(ours):
        ax.plot([], [], color=INK.ours, marker="o", ms=5, lw=4, label="ours, 95 % interval")
    if any(paper):
        ax.plot([], [], color=INK.paper, ls="--", marker="o", mfc="white", label="paper")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.2)
    return ax


def offsets(ax: Axes, apart: Mapping[str, Interval], mean: Interval) -> Axes:
    """Ours less the paper's, one line for each table, and below them the mean of tables."""
    names, numbers = [*apart, "mean of tables"], [*apart.values(), mean]
    compare(ax, names, numbers, [None] * len(names), spec="+.1f")
    ax.axvspan(mean.low, mean.high, color=INK.ours, alpha=0.12, lw=0, zorder=0)
    ax.axvline(0, color=INK.paper, ls="--", zorder=1)
    ax.axhline(len(apart) - 0.5, color=INK.text, lw=0.8)
    ax.set(xlabel="win rate, ours less the paper's, percentage points")
    return ax


def forest(
    ax: Axes,
    names: Sequence[str],
    effects: Sequence[Interval],
    *,
    differs: Sequence[bool],
    gap: float | None = None,
    limit: float,
) -> Axes:
    """One line for each name, from the top: by how much it moves a result, with its interval.

    Args:
      differs: whether it is drawn as a difference; else it is pale.
      gap: what the paper has more than we, a dashed line; None where it says nothing.
      limit: of the axis at both ends; what lies beyond is an arrow at the edge.
    """
    ax.axvline(0, color=INK.text, lw=0.8)
    if gap is not None:
        ax.axvline(gap, color=INK.paper, ls="--", lw=1.2)
    for row, (effect, real) in enumerate(zip(effects, differs, strict=True)):
        colour = INK.ours if real else PALETTE[4]
        low, value, high = np.clip((effect.low, effect.value, effect.high), -limit, limit)
        outside = abs(effect.value) > limit
        mark = ("<" if value < 0 else ">") if outside else "o"
        ax.plot([low, high], [row] * 2, color=colour, lw=3.5, solid_capstyle="butt", alpha=0.6)
        ax.plot(value, row, color=colour, marker=mark, ms=5, zorder=4, clip_on=False)
        words = INK.ours if real else INK.paper
        ax.annotate(format(effect, "+.1f"), (1.02, row), va="center", color=words, size=8,
                    xycoords=("axes fraction", "data"))  # fmt: skip
    ax.set_yticks(range(len(names)), names)
    ax.set(ylim=(len(names) - 0.5, -0.5), xlim=(-limit, limit))
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    return ax


def curve(
    ax: Axes,
    x: Sequence[float] | np.ndarray,
    numbers: Sequence[Interval],
    *,
    label: str,
    colour: str = INK.ours,
) -> Axes:
    """A line through our numbers, one at each x, with their intervals as a band."""
    value, low, high = zip(*numbers, strict=True)
    ax.fill_between(x, low, high, color=colour, alpha=0.22, lw=0)
    ax.plot(x, value, color=colour, marker="o", ms=4, lw=1.8, label=label)
    return ax


def plain_log(ax: Axes) -> Axes:
    """A logarithmic x axis with numbers in full: 1, 10, 100."""
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    return ax


def distribution(
    ax: Axes,
    samples: Mapping[str, np.ndarray],
    *,
    bins: np.ndarray,
    colours: Sequence[str] = PALETTE,
) -> Axes:
    """The share of units in each bin, one outline for each named sample; its mean a triangle.

    What lies beyond the bins is counted in the first and the last.
    """
    for colour, (name, values) in zip(colours, samples.items(), strict=False):
        share = np.histogram(np.clip(values, bins[0], bins[-1]), bins)[0] / len(values)
        ax.stairs(share, bins, color=colour, lw=1.8, label=name)
        ax.stairs(share, bins, color=colour, fill=True, alpha=0.12)
        ax.plot(np.mean(values), 0, color=colour, marker="^", ms=9, mec="white", clip_on=False,
                zorder=5)  # fmt: skip
    ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(PERCENT)
    ax.legend()
    return ax


def shares(ax: Axes, rows: Mapping[str, Mapping[str, float]]) -> Axes:
    """One bar of length 1 for each row, from the top, divided by kind in the order given."""
    kinds = list(dict.fromkeys(kind for row in rows.values() for kind in row))
    for i, row in enumerate(rows.values()):
        left = 0.0
        for kind, colour in zip(kinds, PALETTE, strict=False):
            part = row.get(kind, 0.0)
            label = kind if i == 0 else "_"
            ax.barh(i, part, left=left, color=colour, height=0.62, label=label)
            if part >= 0.06:
                light = colour == PALETTE[1] or colour == PALETTE[4]
                ax.text(left + part / 2, i, f"{part:.0%}", ha="center", va="center",
                        color=INK.text if light else "white")  # fmt: skip
            left += part
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set(xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5))
    ax.xaxis.set_major_formatter(PERCENT)
    ax.tick_params(axis="y", length=0)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(kinds), borderaxespad=0.2)
    return ax
