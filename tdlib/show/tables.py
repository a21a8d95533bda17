"""Tables of notebooks: long ones are folded, so that a reader sees the argument first."""

import html

import pandas as pd
from IPython.display import HTML


def folded(table: pd.DataFrame, summary: str) -> HTML:
    """A table behind one line, which opens it."""
    head = f"<details><summary>{html.escape(summary)}</summary>"
    return HTML(f"{head}\n{table.to_html(border=0)}\n</details>")


def points(rows: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """Games won, points and turns of a game in the last tests of experiments, over all runs.

    names: what each experiment's id stands for, in the order of the lines.
    """
    last = rows[rows.games == rows.groupby("experiment").games.transform("max")]
    sums = last.groupby("experiment")[["wins", "points", "plies", "eval_games"]].sum()
    sums = sums.loc[[id for id in names if id in sums.index]].rename(index=names)
    return pd.DataFrame(
        {
            "won": (100 * sums.wins / sums.eval_games).map("{:.1f} %".format),
            "points a game": (sums.points / sums.eval_games).map("{:+.3f}".format),
            "turns a game": (sums.plies / sums.eval_games).map("{:.1f}".format),
        }
    ).rename_axis("condition")
