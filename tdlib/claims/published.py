"""The papers' numbers, as printed: tables of `data/published` and ranges written in them."""

import re

import pandas as pd

from tdlib import paths

FOLDER = paths.ROOT / "data" / "published"
_NUMBER = r"\d+(?:\.\d+)?"
_SPAN = re.compile(rf"[~≈±<]?\s*(?:\+-)?\s*({_NUMBER})(?:\s*[-–]\s*({_NUMBER}))?")


def table(name: str) -> pd.DataFrame:
    """One file, such as `leenoh_table1`; every cell as the text that was printed."""
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in FOLDER.glob("*.csv")))
        raise ValueError(f"no published table {name!r}; there are: {known}")
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def cell(name: str, row: str, column: str) -> str:
    """The cell of `column` in the row whose first cell is `row`."""
    found = table(name)
    rows = found[found.iloc[:, 0] == row]
    if len(rows) != 1 or column not in rows:
        raise ValueError(f"{name} has no one cell in row {row!r} and column {column!r}")
    return rows[column].item()


def span(text: str) -> tuple[float, float]:
    """The range that a printed number means: `60-80`, `~420`, `+- 80`, `23`."""
    match = _SPAN.fullmatch(text.strip())
    if not match:
        raise ValueError(f"expected a number or a range like '60-80' or '~420', not {text!r}")
    low = float(match[1])
    return low, float(match[2] or low)
