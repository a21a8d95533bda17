"""Charts of learning curves: percent won over training games, ours and the paper's.

One colour for each condition, the same in all notebooks (`COLOURS`). Ours is solid: each run
thin, the mean thick, a band for its 95 % interval over runs. The paper is dashed and hollow,
with a lighter band of the same kind; alone in an axes with ours it is grey. Two runs have no
band, which would hide all else: both are there to be seen.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from tdlib.claims.evidence import Curves
from tdlib.show.curves import bands
from tdlib.show.plots import INK

COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "self-play": "#1768B0",  # with unary inputs: one experiment under two names
        "unary": "#1768B0",
        "against random": "#7A1F50",
        "against pubeval": "#E8875B",
        "smart": "#F5BE41",
        "smart, not scaled": "#7D5A00",
        "combined": "#1FAE88",
        "combined, not scaled": "#0B5345",
        "10 hidden units": "#8FB8DE",
        "50 hidden units": "#0B3C66",
    }
)
_THOUSANDS = FuncFormatter(lambda games, _: f"{games / 1000:g}k" if games else "0")
_PER_CENT = FuncFormatter(lambda rate, _: f"{rate:g}%")
_MARKERS = "osD^v"


def learning_curve(
    ax: Axes,
    ours: Curves | None,
    paper: Curves | None,
    *,
    opponent: str,
    colour: str = INK.ours,
    title: str = "",
) -> Axes:
    """One condition: our runs, mean and band over the paper's mean and band. Either may lack.

    opponent: whom the games are won against; the y label says so, and how many a point has.
    """
    if paper is not None:
        _mean(ax, paper, INK.paper, hollow="o", label=f"paper, mean of {_runs(paper)}")
    if ours is not None:
        for rates in ours.rates:
            ax.plot(ours.games, rates, color=colour, lw=0.6, alpha=0.5, zorder=3)
        _mean(ax, ours, colour, label=f"ours, mean of {_runs(ours)}")
    _finish(ax, [x for x in (ours, paper) if x is not None], opponent)
    ax.set_title(title)
    ax.legend(loc="best")
    return ax


def panels(
    ours: Mapping[str, Curves],
    paper: Mapping[str, Curves],
    titles: Mapping[str, str],
    *,
    opponent: str,
    colours: Mapping[str, str] = COLOURS,
) -> Figure:
    """A `learning_curve` for each condition, side by side, scaled alike; ours may lack some."""
    width = 3.4 * len(titles) + 0.6
    fig, axes = plt.subplots(1, len(titles), figsize=(width, 3.4), sharey=True, squeeze=False)
    for ax, (name, title) in zip(axes[0], titles.items(), strict=True):
        mine, theirs = ours.get(name), paper.get(name)
        learning_curve(
            ax, mine, theirs, opponent=opponent, colour=colours[name], title=title
        ).label_outer()
    axes[0, 0].set_ylim(0, _top([*ours.values(), *paper.values()]))
    return fig


def comparison(
    axes: Sequence[Axes],
    ours: Mapping[str, Curves],
    paper: Mapping[str, Curves],
    *,
    opponent: str,
    colours: Mapping[str, str] = COLOURS,
) -> Sequence[Axes]:
    """Several conditions in each of two axes, the paper's left and ours right, scaled alike."""
    left, right = axes
    for i, (name, curve) in enumerate(paper.items()):
        _mean(left, curve, colours[name], hollow=_MARKERS[i], label=name)
    _ours(right, ours, colours)
    everything = [*ours.values(), *paper.values()]
    for ax, whose, curves in ((left, "paper", paper), (right, "ours", ours)):
        _finish(ax, everything, opponent)
        _name_ends(ax, curves, colours)
        runs = "/".join(dict.fromkeys(str(len(curve.rates)) for curve in curves.values()))
        ax.set_title(f"{whose}, means of {runs} runs" if runs else f"{whose}: no results yet")
    right.set_ylabel("")
    return axes


def overlay(
    ax: Axes,
    ours: Mapping[str, Curves],
    paper: Mapping[str, Curves],
    *,
    opponent: str,
    colours: Mapping[str, str] = COLOURS,
    title: str = "",
) -> Axes:
    """A few conditions, ours and the paper's in one axes; colour tells the condition."""
    for i, (name, curve) in enumerate(paper.items()):
        _mean(ax, curve, colours[name], hollow=_MARKERS[i], label=f"paper, {name}", line=1.0)
    for name, curve in ours.items():
        _mean(ax, curve, colours[name], label=f"ours, {name}")
    _finish(ax, [*ours.values(), *paper.values()], opponent)
    ax.set_title(title)
    ax.legend(fontsize="small")
    return ax


def yours(
    ax: Axes,
    mine: Mapping[str, Curves],
    stored: Mapping[str, Curves],
    *,
    games: int,
    opponent: str,
    colours: Mapping[str, str] = COLOURS,
) -> Axes:
    """A reader's own training in black beside stored curves, all up to so many games."""
    beside = {name: curve.upto(games) for name, curve in stored.items()}
    for name, curve in beside.items():
        runs = f"stored, {_runs(curve)}"
        _mean(ax, curve, colours[name], label=f"{name} ({runs})")
    for name, curve in mine.items():
        for rates in curve.rates:
            ax.plot(curve.games, rates, color=INK.text, lw=0.6, alpha=0.5, zorder=6)
        _mean(ax, curve, INK.text, label=f"yours: {name} ({_runs(curve)})")
    _finish(ax, [*beside.values(), *mine.values()], opponent)
    ax.set_title("Yours beside the stored ones" if mine else "Stored; yours would be black")
    ax.legend(fontsize="small")
    return ax


def over_training(
    ax: Axes,
    ours: Mapping[str, Curves],
    *,
    ylabel: str,
    levels: Mapping[str, float] = MappingProxyType({}),
    colours: Mapping[str, str] = COLOURS,
) -> Axes:
    """Anything measured during training, several conditions; dashed: players to compare with.

    The `rates` of these curves may be in any unit.
    """
    _ours(ax, ours, colours)
    last = max(curve.games[-1] for curve in ours.values())
    for name, level in levels.items():
        ax.axhline(level, color=INK.paper, lw=1, ls=":")
        ax.annotate(name, (last, level), va="bottom", ha="right", color=INK.paper, size="small")
    ax.set(xlim=(0, last), xlabel="training games", ylabel=ylabel)
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_formatter(_THOUSANDS)
    ax.grid(axis="y")
    ax.set_axisbelow(True)
    return ax


def _ours(ax: Axes, curves: Mapping[str, Curves], colours: Mapping[str, str]) -> None:
    """Runs and means of several conditions."""
    for name, curve in curves.items():
        for rates in curve.rates:
            ax.plot(curve.games, rates, color=colours[name], lw=0.5, alpha=0.35, zorder=3)
        _mean(ax, curve, colours[name], label=name)


def _mean(
    ax: Axes, curve: Curves, colour: str, *, label: str, hollow: str = "", line: float = 1.3
) -> None:
    """Mean and band; `hollow`: the marker of a paper's, which is dashed as well."""
    table = bands(curve.games, curve.rates)
    look: dict[str, Any] = {"lw": 2.2, "zorder": 5}
    if hollow:
        look = {"ls": "--", "lw": line, "marker": hollow, "ms": 4.5, "mfc": "white"}
    ax.plot(table.games, table["mean"], color=colour, label=label, **look)
    if len(curve.rates) > 2:
        depth = 0.13 if hollow else 0.22
        ax.fill_between(table.games, table.low, table.high, color=colour, alpha=depth, lw=0)


def _finish(ax: Axes, curves: Sequence[Curves], opponent: str) -> None:
    """Axes from 0, with names."""
    last = max(curve.games[-1] for curve in curves)
    tests = "/".join(dict.fromkeys(f"{curve.tests:,}" for curve in curves))
    ax.set(xlim=(0, last), ylim=(0, _top(curves)), xlabel="training games")
    ax.set_ylabel(f"won against {opponent}\n({tests} games a point)")
    ax.xaxis.set_major_formatter(_THOUSANDS)
    ax.yaxis.set_major_formatter(_PER_CENT)
    ax.grid(axis="y")
    ax.set_axisbelow(True)


def _top(curves: Sequence[Curves]) -> float:
    """The next ten above all rates; bands may reach beyond."""
    highest = max(np.nanmax(curve.rates) for curve in curves)
    return min(100.0, 10 * np.ceil((highest + 1) / 10))


def _name_ends(
    ax: Axes, curves: Mapping[str, Curves], colours: Mapping[str, str], apart: float = 4.5
) -> None:
    """Each condition's name at the right end of its line, moved apart where they are near."""
    ends = {name: float(np.nanmean(curve.rates[:, -1])) for name, curve in curves.items()}
    height = -np.inf
    for name in sorted(ends, key=lambda name: ends[name]):
        height = max(ends[name], height + apart * ax.get_ylim()[1] / 70)
        ax.annotate(name, (1.02, height), xycoords=("axes fraction", "data"), va="center",
                    color=INK.text, size="small", annotation_clip=False)  # fmt: skip
        ax.plot(1.0, height, color=colours[name], marker="s", ms=5, clip_on=False,
                transform=ax.get_yaxis_transform(), zorder=6)  # fmt: skip


def _runs(curve: Curves) -> str:
    return f"{len(curve.rates)} runs" if len(curve.rates) > 1 else "one run"
