"""The scorecard on the screen, as CSV and as a picture; a notebook's part of it."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from tdlib import paths
from tdlib.claims import ledger, scorecard
from tdlib.claims.rules import NOT_COVERED
from tdlib.show import plots
from tdlib.show.plots import INK

NAME = "scorecard"
# Verdicts by colour and by sign, so that neither is needed alone.
SIGNS = {
    "reproduced": ("#1FAE88", "●"),
    "partly": ("#F5BE41", "◐"),
    "not reproduced": ("#B3272D", "✕"),
    "inconclusive": ("#8FB8DE", "?"),
    "pending": ("#B9B2A6", "…"),
    "no results yet": ("#D8D2C7", "–"),
    "not testable": ("#6F675B", "■"),
    "not covered yet": ("#EFEBE4", "·"),
}
BELOW = "†"
BESIDE = {"M-CROSS", "M-ERR", "M-BEST"}  # tests of networks that other experiments trained
_SHORTER = {"Win-rate curves of five ": "Curves: ", "The best single network of the ": "Best: "}
_PAPER = re.compile(r"(?:best |A[\d.]+-A[\d.]+ )?(-?[\d.]+)(?= \[|$)")  # its first number
_OURS = re.compile(r"-?[\d.]+( \[.*\])?$")


def command(
    scale: str,
    paper: Sequence[str] = (),
    store: str | None = None,
    csv: str | None = None,
    figures: bool = False,
) -> list[str]:
    """Print the verdicts and write them where asked; return what is damaged, as text."""
    table, troubles = scorecard.of_store(scale, papers=tuple(paper), store=store)
    show(table)
    if csv:
        save(table, Path(csv))
    if figures:
        folder = publish(table, scale=scale).relative_to(paths.ROOT)
        print(f"scorecard  {folder}/{NAME}.png, .svg and .csv")
    return troubles


def about(
    experiments: Collection[str],
    *,
    scale: str,
    paper: str = "matthews2006",
    store: Path | str | None = None,
) -> pd.DataFrame:
    """Verdicts on the claims that rest on these experiments alone, in the ledger's order."""
    mine = {*experiments} | BESIDE
    chosen = [
        claim.id
        for claim in ledger.read().claims.values()
        if claim.paper == paper
        and {*claim.experiment} <= mine
        and not {*claim.experiment} <= BESIDE
    ]
    found = scorecard.of_store(scale, papers=(paper,), store=store)[0]
    found = found.set_index("id").loc[chosen].rename_axis(None)
    found["note"] = [scorecard.remarks(row) for row in found.itertuples()]
    found["verdict"] = [f"{SIGNS[verdict][1]} {verdict}" for verdict in found.verdict]
    columns = ["verdict", "source", "claim", "published", "ours", "note", "below_minimum"]
    return found[columns].rename(columns={"published": "paper"})


def show(table: pd.DataFrame) -> None:
    """Print it, in colour if the output is a terminal."""
    width = max(80, min(160, shutil.get_terminal_size((120, 24)).columns))
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print(scorecard.text(table, width=width, colour=colour))


def save(table: pd.DataFrame, path: Path) -> None:
    """As CSV, one line for each claim."""
    table.to_csv(path, index=False, float_format="%.6g", lineterminator="\n")


def publish(table: pd.DataFrame, *, scale: str, root: Path = paths.ROOT) -> Path:
    """Write `scorecard.png`, `.svg` and `.csv` to the figures of the scale: the folder."""
    folder = paths.figure_dir(scale, root)
    save(table, folder / f"{NAME}.csv")
    with plt.rc_context(plots.STYLE):
        plots.publish(
            draw(table, scale), NAME, scale=scale, alt="Verdicts.", root=root, colours=256
        )
    return folder


def draw(table: pd.DataFrame, scale: str) -> plt.Figure:
    """Verdicts by paper, and below them the claims that have one, in two columns."""
    covered = table[table.verdict != NOT_COVERED]
    lines = [_cells(row) for row in covered.itertuples()]
    height = max(1, -(-len(lines) // 2))
    told = [*scorecard.totals(table), f"{BELOW} less than the ledger's minimum"]
    top = 0.9 + 0.24 * table.paper.nunique()
    size = (15, top + 0.155 * (height + 3 + 2 * len(told)))
    fig = plt.figure(figsize=size)
    grid = fig.add_gridspec(2, 2, height_ratios=[top, size[1] - top])
    numbers = scorecard.counts(table)
    verdict_counts(fig.add_subplot(grid[0, :]), numbers.to_dict("index"))
    fig.suptitle(f"What the papers claim, at {scale} scale", x=0.01, ha="left", weight="bold")
    fig.supxlabel("\n".join(told), x=0.01, ha="left", size=9)
    for column in range(2):
        part = lines[column * height : (column + 1) * height]
        verdict_list(fig.add_subplot(grid[1, column]), part, height=height)
    return fig


def verdict_counts(
    ax: Axes, counts: Mapping[str, Mapping[str, int]], *, narrow: bool = False
) -> Axes:
    """A bar for each paper, from the top, divided by verdict, with the number of claims.

    narrow: the legend stands beside the shorter bars, and not in one line above them.
    """
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": 8}
    if narrow:
        place = {"loc": "lower right", "ncols": 2}
    for i, row in enumerate(counts.values()):
        left = 0
        for verdict, (colour, _) in SIGNS.items():
            number = row.get(verdict, 0)
            if number:
                ax.barh(i, number, left=left, color=colour, height=0.7)
                dark = verdict in ("reproduced", "not reproduced", "not testable")
                ax.text(left + number / 2, i, f"{number}", ha="center", va="center", size=8,
                        color="white" if dark else INK.text)  # fmt: skip
            left += number
    ax.set_yticks(range(len(counts)), list(counts))
    ax.set(ylim=(len(counts) - 0.5, -0.5), xlabel="claims")
    ax.tick_params(axis="y", length=0)
    ax.legend(
        [
            Line2D([], [], color=colour, marker=f"${sign}$", ls="", ms=8)
            for colour, sign in SIGNS.values()
        ],
        list(SIGNS),
        borderaxespad=0.2,
        **place,
    )
    return ax


def verdict_list(ax: Axes, lines: Sequence[Sequence[str]], *, height: int) -> Axes:
    """Claims from the top: verdict (its sign), name, what is claimed, paper, ours.

    height: lines that the axes have room for.
    """
    for place, text in ((0.035, "claim"), (0.72, "paper"), (0.83, "ours")):
        ax.text(place, -1.2, text, weight="bold", size=7)
    for row, (verdict, name, claim, paper, ours) in enumerate(lines):
        colour, sign = SIGNS[verdict]
        ax.text(0.0, row, sign, color=colour, size=9, weight="bold", va="center")
        for place, text in ((0.035, name), (0.14, claim), (0.72, paper), (0.83, ours)):
            ax.text(place, row, text, size=6.6, va="center", color=INK.text)
    ax.set(xlim=(0, 1), ylim=(height, -1.6))
    ax.axis("off")
    return ax


def _cells(row) -> tuple[str, str, str, str, str]:
    name = f"{row.id[0].upper()} {row.id.partition('-')[2]}"  # papers differ in their initials
    if row.below_minimum:
        name += f" {BELOW}"
    claim = row.claim
    for long, short in _SHORTER.items():
        claim = claim.replace(long, short)
    claim = textwrap.shorten(claim, 75, placeholder=" …")
    paper = _PAPER.match(row.published)
    ours = row.ours.partition(";")[0]
    first = _OURS.search(ours)
    return row.verdict, name, claim, paper[1] if paper else "", first[0] if first else ""
