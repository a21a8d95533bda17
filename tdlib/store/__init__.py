"""Remember: a row and, where kept, the weights of each (experiment, run, checkpoint).

    <store>/<paper>/<id>-<hash>/experiment.json        the settings that the hash is of
                                run-0.csv              one row for each checkpoint of a run
                                run-0-games-5000.npz   weights of that run after 5,000 games

The hash is of all settings that results depend on and of the meaning of the code
(`experiments.fingerprint`), so other settings never meet in a folder, and more runs or more
games extend it. A run has files of its own and files appear whole or not at all: processes work
on different runs without knowing of each other, a killed one leaves nothing half written, and
stores of several machines are merged by copying.

Whatever is damaged or does not belong where it lies is refused by name (`Damaged`); nothing is
computed over it, and all else remains usable.
"""

import functools
import re
from pathlib import Path

import pandas as pd

from tdlib.experiments import Experiment, config, fingerprint
from tdlib.files import now, sweep, version, write
from tdlib.store import about
from tdlib.store import rows as lines
from tdlib.store.about import Damaged
from tdlib.store.rows import Row
from tdlib.store.weights import Owner, Saved, Shapes, packed, read

__all__ = ["KEEP", "Damaged", "Row", "Saved", "Shapes", "Store", "identity", "now", "version"]

KEEP = ("last", "all")  # weights: of the latest checkpoint of each run, or of all

_ROWS = re.compile(r"run-(0|[1-9]\d*)\.csv")
_WEIGHTS = re.compile(r"run-(0|[1-9]\d*)-games-(0|[1-9]\d*)\.npz")


def identity(e: Experiment) -> str:
    """The beginning of the hash of its settings, by which folder and rows are named."""
    return _hash(e)[:8]


class Store:
    """A folder of results. It is made when something is written."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)

    def folder(self, e: Experiment) -> Path:
        return self.root / e.paper / f"{e.id}-{identity(e)}"

    def load(self, e: Experiment) -> pd.DataFrame:
        """All rows of an experiment, by run and games; Damaged if anything is."""
        self.check(e)
        rows = [row for run in self.runs(e) for row in self.rows(e, run).values()]
        return pd.DataFrame(rows, columns=list(Row._fields)).astype(lines.TYPES)

    def runs(self, e: Experiment) -> list[int]:
        """The runs that have rows."""
        return sorted(int(match[1]) for match in self._named(e, _ROWS))

    def rows(self, e: Experiment, run: int) -> dict[int, Row]:
        """The rows of a run by games; Damaged if one of them is."""
        path = self._rows(e, run)
        if not path.exists():
            return {}
        text = path.read_bytes().decode(errors="replace").split("\n")
        if text[0] != lines.HEADER:
            raise _damaged(e, run, path, f"its first line should be {lines.HEADER}")
        if text[-1]:
            raise _damaged(e, run, f"{path}, line {len(text)}", "it has no end", "that line")
        found: dict[int, Row] = {}
        for number, line in enumerate(text[1:-1], start=2):
            try:
                row = lines.parsed(line)
                if (row.experiment, row.config, row.run) != (e.id, identity(e), run):
                    raise ValueError(f"it should be of {e.id}, {identity(e)}, run {run}")
                if row.games in found:
                    raise ValueError(f"it is another of {row.games} games")
            except ValueError as error:
                where = f"{path}, line {number}"
                raise _damaged(e, run, where, str(error), "that line") from error
            found[row.games] = row
        return found

    def add(self, e: Experiment, row: Row) -> None:
        """Write one more row; the others of its run stay."""
        self._describe(e)
        rows = self.rows(e, row.run) | {row.games: row}
        text = [lines.HEADER, *(lines.line(rows[games]) for games in sorted(rows))]
        write(self._rows(e, row.run), ("\n".join(text) + "\n").encode())

    def saved(self, e: Experiment, run: int) -> list[int]:
        """After how many games there are weights of a run."""
        return sorted(int(m[2]) for m in self._named(e, _WEIGHTS) if int(m[1]) == run)

    def weights(
        self, e: Experiment, run: int, games: int, shapes: Shapes | None = None
    ) -> Saved:
        """A learner as it was saved; Damaged if the file is, or if its shapes are others."""
        path = self._weights(e, run, games)
        if not path.exists():
            there = ", ".join(map(str, self.saved(e, run))) or "none"
            raise ValueError(
                f"{path.parent} has no weights of run {run} after {games} games;"
                f" there are those after: {there}"
            )
        try:
            return read(path, Owner(_hash(e), run), games, shapes)
        except ValueError as error:
            raise _damaged(e, run, path, str(error)) from error

    def save(self, e: Experiment, run: int, learner: Saved) -> None:
        """Write the weights of a run."""
        self._describe(e)
        content = packed(Owner(_hash(e), run), learner)
        write(self._weights(e, run, learner.games), content)

    def prune(self, e: Experiment, run: int, keep: str) -> None:
        """Drop weights that nothing needs any more.

        These are weights followed by later ones, but for those that wait for their test and, if
        all are to be kept, those of checkpoints.
        """
        rows = self.rows(e, run)
        for games in self.saved(e, run)[:-1]:
            waits = games in e.checkpoints and games not in rows
            if not waits and (keep == "last" or games not in e.checkpoints):
                self._weights(e, run, games).unlink(missing_ok=True)
        sweep(self.folder(e))

    def forget(self, e: Experiment, run: int) -> None:
        """Remove all that is stored of a run."""
        for games in self.saved(e, run):
            self._weights(e, run, games).unlink(missing_ok=True)
        self._rows(e, run).unlink(missing_ok=True)

    def size(self, e: Experiment) -> int:
        """Bytes of all files of an experiment."""
        folder = self.folder(e)
        return sum(p.stat().st_size for p in folder.iterdir()) if folder.is_dir() else 0

    def check(self, e: Experiment) -> None:
        """Whether the folder is said to hold these settings; Damaged if not."""
        about.check(self.folder(e), _hash(e))

    def _describe(self, e: Experiment) -> None:
        """Say what the folder holds, if it is new."""
        about.describe(
            self.folder(e), id=e.id, paper=e.paper, title=e.title, settings=config(e)
        )

    def _named(self, e: Experiment, pattern: re.Pattern) -> list[re.Match]:
        folder = self.folder(e)
        names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
        return [match for match in map(pattern.fullmatch, names) if match]

    def _rows(self, e: Experiment, run: int) -> Path:
        return self.folder(e) / f"run-{run}.csv"

    def _weights(self, e: Experiment, run: int, games: int) -> Path:
        return self.folder(e) / f"run-{run}-games-{games}.npz"


@functools.cache
def _hash(e: Experiment) -> str:
    return fingerprint(config(e))


def _damaged(
    e: Experiment, run: int, where: Path | str, trouble: str, what: str = "it"
) -> Damaged:
    return Damaged(
        f"{where}: {trouble}. To compute only this again, delete {what} and give the command:"
        f" python -m tdlib run {e.id} --scale {e.scale} --runs {run}-{run}"
    )
