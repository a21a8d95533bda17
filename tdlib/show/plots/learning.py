"""Charts of learning curves: percent won over training games, ours and the paper's.

One colour for each condition, the same in all notebooks (`COLOURS`). Ours is solid: each run
thin, the mean thick, a band for its 95 % interval over runs. The paper is dashed and hollow,
grey where there is one condition, in the colour of each where there are several. Two runs have
no band, which would hide all else: both are there to be seen.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from tdlib import stats
from tdlib.claims.evidence import Curves
from tdlib.show.curves import at, bands
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
_THOUSANDS = FuncFormatter(lambda games, _: _thousands(games))
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


def compared(
    ours: Mapping[str, Curves],
    paper: Mapping[str, Curves],
    *,
    opponent: str,
    colours: Mapping[str, str] = COLOURS,
) -> Figure:
    """Several conditions: the paper's curves over ours, and by how much ours differ."""
    fig, axes = plt.subplots(1, 2, figsize=(10.4, 4.1), width_ratios=(3, 2))
    overlay(axes[0], ours, paper, opponent=opponent, colours=colours)
    differences(axes[1], ours, paper, colours=colours)
    return fig


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
        _mean(ax, curve, colours[name], hollow=_MARKERS[i], label=name, band=False)
    for name, curve in ours.items():
        _mean(ax, curve, colours[name], label=name)
    _finish(ax, [*ours.values(), *paper.values()], opponent)
    ax.set_title(title)
    handles = [
        Line2D([], [], color=colours[name], lw=2.2, label=name) for name in {**paper, **ours}
    ]
    if ours:
        label = f"ours: mean of {_all_runs(ours)} runs, 95 % band"
        handles.append(Line2D([], [], color=INK.text, lw=2.2, label=label))
    if paper:
        look: dict[str, Any] = {"ls": "--", "marker": "o", "mfc": "white", "lw": 1.3}
        label = f"paper: mean of {_all_runs(paper)} runs"
        handles.append(Line2D([], [], color=INK.paper, label=label, **look))
    ax.legend(handles=handles, fontsize="small")
    return ax


def differences(
    ax: Axes,
    ours: Mapping[str, Curves],
    paper: Mapping[str, Curves],
    *,
    colours: Mapping[str, str] = COLOURS,
) -> Axes:
    """Ours less the paper's at a few checkpoints, with Welch's 95 % intervals over runs.

    Shaded: the 3 points within which Matthews claims his tests to be accurate (section 5.5).
    """
    for i, (name, curve) in enumerate(ours.items()):
        marks = _spread(sorted({*curve.games.tolist()} & {*paper[name].games.tolist()}))
        for x, games in enumerate(marks):
            one, two = (at(c, games) for c in (curve, paper[name]))
            place = x + 0.16 * (i - (len(ours) - 1) / 2)
            if min(len(one), len(two)) > 1:
                difference = stats.welch(one, two)
                ax.plot([place] * 2, [difference.low, difference.high], color=colours[name],
                        lw=3, alpha=0.55, solid_capstyle="butt")  # fmt: skip
            label = "_" if x else name
            ax.plot(place, one.mean() - two.mean(), "o", color=colours[name], label=label)
        ax.set_xticks(range(len(marks)), [_thousands(games) for games in marks])
    ax.axhline(0, color=INK.text, lw=0.8)
    ax.axhspan(-3, 3, color=INK.grid, alpha=0.5, lw=0, zorder=0)
    ax.set(xlabel="training games", ylabel="ours less the paper's,\npoints, 95 % intervals")
    return ax


def apart(
    ax: Axes, one: Curves, two: Curves, *, names: tuple[str, str], since: int = 0
) -> Axes:
    """By how many points one condition is above another during training, with 95 % band.

    since: after how many games the chart begins; the first differences may be far larger.
    """
    games = [n for n in one.games.tolist() if n in two.games and n >= since]
    found = [stats.welch(at(one, n), at(two, n)) for n in games]
    value, low, high = zip(*found, strict=True)
    ax.fill_between(games, low, high, color=INK.ours, alpha=0.2, lw=0)
    ax.plot(games, value, color=INK.ours, lw=2.2)
    ax.axhline(0, color=INK.text, lw=0.8)
    ax.set(xlim=(0, games[-1]), xlabel="training games")
    ax.set_ylabel(f"{names[0]} less {names[1]},\npoints, 95 % band")
    ax.xaxis.set_major_formatter(_THOUSANDS)
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
    ax: Axes, curve: Curves, colour: str, *, label: str, hollow: str = "", band: bool = True
) -> None:
    """Mean and band; `hollow`: the marker of a paper's, which is dashed as well."""
    table = bands(curve.games, curve.rates)
    look: dict[str, Any] = {"lw": 2.2, "zorder": 5}
    if hollow:
        look = {"ls": "--", "lw": 1.3, "marker": hollow, "ms": 4.5, "mfc": "white"}
    ax.plot(table.games, table["mean"], color=colour, label=label, **look)
    if band and len(curve.rates) > 2:
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


def _spread(games: Sequence[int], number: int = 5) -> list[int]:
    """A few of these, evenly spread as powers, the first games and the last among them."""
    trained = [n for n in games if n] or list(games)
    wanted = np.geomspace(max(trained[0], 1), max(trained[-1], 1), number)
    near = [min(trained, key=lambda n: abs(np.log(max(n, 1) / x))) for x in wanted]
    return list(dict.fromkeys(near))


def _all_runs(curves: Mapping[str, Curves]) -> str:
    return "/".join(dict.fromkeys(str(len(curve.rates)) for curve in curves.values()))


def _thousands(games: float) -> str:
    return f"{games / 1000:g}k" if games else "0"


def _runs(curve: Curves) -> str:
    return f"{len(curve.rates)} runs" if len(curve.rates) > 1 else "one run"
