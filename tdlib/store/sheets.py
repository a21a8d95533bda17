"""Results that are one table of rows: games of a contest, times of a search.

    <store>/<paper>/<id>-<hash>/experiment.json    the settings that the hash is of
                                <name>.csv         one line for each row, each with a check sum

Like the rows of a run: other settings have another folder, the file appears whole or not at
all, and what is damaged is refused by name.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from tdlib.experiments import fingerprint
from tdlib.files import write
from tdlib.store import about
from tdlib.store import rows as lines
from tdlib.store.about import Damaged


class Sheet:
    """A table of rows of one kind, a NamedTuple whose first fields are experiment, config."""

    def __init__(
        self, root: Path | str, kind: Any, name: str, *, id: str, paper: str, title: str,
        settings: Mapping[str, Any],
    ) -> None:  # fmt: skip
        self.kind, self.types = kind, kind.__annotations__
        self.words = {"id": id, "paper": paper, "title": title}
        self.settings = settings
        self.hash = fingerprint(settings)
        self.names = (id, self.hash[:8])  # how every row begins
        self.folder = Path(root) / paper / f"{id}-{self.hash[:8]}"
        self.path = self.folder / f"{name}.csv"
        self.header = ",".join((*kind._fields, "crc"))

    def rows(self) -> list[Any]:
        """All rows in order; Damaged if one of them is."""
        about.check(self.folder, self.hash)
        if not self.path.exists():
            return []
        text = self.path.read_bytes().decode(errors="replace").split("\n")
        if text[0] != self.header or text[-1]:
            raise Damaged(f"{self.path}: expected whole lines under the heading {self.header}")
        return [self._row(line, number) for number, line in enumerate(text[1:-1], start=2)]

    def frame(self) -> pd.DataFrame:
        """All rows as a table."""
        return pd.DataFrame(self.rows(), columns=list(self.types)).astype(self.types)

    def put(self, rows: Iterable[Any]) -> None:
        """Write these rows in place of what is there."""
        about.describe(self.folder, settings=self.settings, **self.words)
        text = [self.header, *map(lines.line, rows)]
        write(self.path, ("\n".join(text) + "\n").encode())

    def _row(self, line: str, number: int) -> Any:
        try:
            row = self.kind(*lines.values(line, self.types))
            if row[:2] != self.names:
                raise ValueError(f"it should be of {', '.join(self.names)}")
        except ValueError as error:
            raise Damaged(
                f"{self.path}, line {number}: {error}. Delete that line to have it again"
            ) from error
        return row
