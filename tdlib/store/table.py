"""A table of measurements beside the rows of runs: one CSV, whose lines have a key.

For whatever is measured of stored networks afterwards. It appears whole or not at all, and is
refused by name if it is none of ours.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tdlib.files import write
from tdlib.store.about import Damaged


class Table:
    """The table of one kind of rows, a NamedTuple whose first fields are the key."""

    def __init__(self, path: Path, row: Any, key: int) -> None:
        self.path = path
        self.types = row.__annotations__
        self.columns = list(row._fields)
        self.key = self.columns[:key]

    def load(self) -> pd.DataFrame:
        """All rows so far; Damaged if the file is none of ours."""
        if not self.path.exists():
            return pd.DataFrame(columns=self.columns).astype(self.types)
        try:
            found = pd.read_csv(self.path, dtype=self.types, keep_default_na=False)
            if list(found.columns) != self.columns:
                raise ValueError(f"its columns should be {', '.join(self.columns)}")
            if found.duplicated(self.key).any():
                raise ValueError(f"two rows have the same {', '.join(self.key)}")
            if not np.isfinite(found.select_dtypes("number")).all(axis=None):
                raise ValueError("its numbers should be finite")
        except (ValueError, OSError) as error:
            raise Damaged(
                f"{self.path}: {error}. Delete it to have it computed again"
            ) from error
        return found

    def known(self) -> set[tuple]:
        """The keys of all rows."""
        return set(self.load()[self.key].itertuples(index=False, name=None))

    def add(self, rows: Iterable[Any]) -> None:
        """Write these as well, in order of the key; those with a key that is there replace."""
        new = pd.DataFrame(list(rows), columns=self.columns)
        table = pd.concat([self.load(), new]) if self.path.exists() else new
        table = table.drop_duplicates(self.key, keep="last").sort_values(self.key)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = table.to_csv(index=False, float_format="%.9g", lineterminator="\n")
        write(self.path, text.encode())
