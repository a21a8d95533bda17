"""The scorecard of a store: on the screen, as CSV, as a picture."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from tdlib import paths, plots
from tdlib.claims import ledger, scorecard
from tdlib.claims.evidence import Stored
from tdlib.claims.judgement import NOT_COVERED
from tdlib.store import Store

NAME = "scorecard"
_SHORTER = {"Win-rate curves of five ": "Curves: ", "The best single network of the ": "Best: "}
_PAPER = re.compile(r"(?:best |A[\d.]+-A[\d.]+ )?(-?[\d.]+)(?= \[|$)")  # its first number
_OURS = re.compile(r"-?[\d.]+( \[.*\])?$")


def report(
    scale: str = "paper",
    *,
    papers: tuple[str, ...] = (),
    store: Path | str | None = None,
) -> tuple[pd.DataFrame, list[str]]:
    """All verdicts (see `scorecard.COLUMNS`), and what is damaged in the store.

    papers: none means all. store: None means where results of that scale are kept.
    """
    load = Stored(Store(store or paths.store_dir(scale)), scale)
    table = scorecard.scorecard(ledger.read(), load, scale=scale, papers=papers)
    return table, load.troubles


def command(
    scale: str,
    paper: Sequence[str] = (),
    store: str | None = None,
    csv: str | None = None,
    figures: bool = False,
) -> list[str]:
    """Print the verdicts and write them where asked; the troubles, as text."""
    table, troubles = report(scale, papers=tuple(paper), store=store)
    show(table)
    if csv:
        save(table, Path(csv))
    if figures:
        folder = publish(table, scale=scale).relative_to(paths.ROOT)
        print(f"scorecard  {folder}/{NAME}.png, .svg and .csv")
    return troubles


def show(table: pd.DataFrame) -> None:
    """Print it, in colour where that is read by somebody."""
    width = max(80, min(160, shutil.get_terminal_size((120, 24)).columns))
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print(scorecard.text(table, width=width, colour=colour))


def save(table: pd.DataFrame, path: Path) -> None:
    """As CSV, one line for each claim."""
    table.to_csv(path, index=False, float_format="%.6g", lineterminator="\n")


def publish(table: pd.DataFrame, *, scale: str, root: Path = paths.ROOT) -> Path:
    """Write `scorecard.png`, `.svg` and `.csv` to the figures of the scale; the folder."""
    folder = paths.figure_dir(scale, root)
    save(table, folder / f"{NAME}.csv")
    with plt.rc_context(plots.STYLE):
        plots.publish(
            draw(table, scale), NAME, scale=scale, alt="Verdicts.", root=root, colours=256
        )
    return folder


def draw(table: pd.DataFrame, scale: str) -> plt.Figure:
    """Verdicts by paper, and below them the claims that have one, in two columns."""
    told = table[table.verdict != NOT_COVERED]
    lines = [_cells(row) for row in told.itertuples()]
    height = max(1, -(-len(lines) // 2))
    top = 0.9 + 0.24 * table.paper.nunique()
    size = (15, top + 0.155 * (height + 3))
    fig = plt.figure(figsize=size)
    grid = fig.add_gridspec(2, 2, height_ratios=[top, size[1] - top])
    ax = fig.add_subplot(grid[0, :])
    numbers = scorecard.counts(table)
    plots.verdict_counts(ax, {str(k): dict(row) for k, row in numbers.iterrows()})
    fig.suptitle(f"What the papers claim, at {scale} scale", x=0.01, ha="left", weight="bold")
    for column in range(2):
        part = lines[column * height : (column + 1) * height]
        plots.verdict_list(fig.add_subplot(grid[1, column]), part, height=height)
    return fig


def _cells(row) -> tuple[str, str, str, str, str]:
    name = f"{row.id[0].upper()} {row.id.partition('-')[2]}"  # papers differ in their initials
    claim = row.claim
    for long, short in _SHORTER.items():
        claim = claim.replace(long, short)
    claim = textwrap.shorten(claim, 75, placeholder=" …")
    paper = _PAPER.match(row.published)
    ours = row.ours.partition(";")[0]
    first = _OURS.search(ours)
    return row.verdict, name, claim, paper[1] if paper else "", first[0] if first else ""
