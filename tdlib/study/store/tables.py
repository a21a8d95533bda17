"""One format for all rows of results: a keyed table, packed into one file and any shards.

    <folder>/rows.csv             the packed rows, sorted by key: what version control holds
    <folder>/provenance.csv       of each packed row: seconds, date, version of tdlib, of JAX
    <folder>/shards/<name>.csv    rows since then, with their provenance; one file a process

A process only ever writes shards of its own, so several may work at the same time, and results
of several machines are merged by copying their shards together. `pack` moves shards into the
packed files. Every file appears whole or not at all, and says in its first line how many rows
it has and their checksum; one that does not keep that promise is refused (`Damaged`).

Where two rows have one key the later counts: a row is computed again only on request.
"""

import functools
import io
import os
import secrets
import socket
import zlib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tdlib.files import now, sweep, version, write

ROWS, PROVENANCE, SHARDS = "rows.csv", "provenance.csv", "shards"
_STAMP = {"date": str, "version": str, "jax": str}  # added to every row
_SECONDS = "seconds"  # columns that begin so tell of the computing and not of its result


class Damaged(ValueError):
    """A file that is not what it should be."""


class Table:
    """The rows of one kind: a NamedTuple whose first `key` fields name a row.

    It may have a function `impossible` that says what is wrong with a table of such rows.
    """

    def __init__(self, folder: Path, row: Any, key: int) -> None:
        self.folder, self.row = folder, row
        self.types: dict[str, Any] = dict(row.__annotations__)
        self.columns = list(self.types)
        self.key = self.columns[:key]
        self.provenance = [c for c in self.columns if c.startswith(_SECONDS)] + list(_STAMP)
        self._read: tuple[tuple, pd.DataFrame] | None = None  # what `load` read last
        self._mine: dict[tuple, tuple] = {}  # rows in this object's shard, by key
        self._shard = folder / SHARDS / f"{_process_name()}-{secrets.token_hex(4)}.csv"

    def load(self, *, provenance: bool = False) -> pd.DataFrame:
        """All rows, sorted by key; Damaged if any file is. provenance: with those columns.

        As long as no file changes they are read once: many experiments share a table.
        """
        state = self._state()
        if self._read is None or self._read[0] != state:
            self._read = state, self._load()
        found = self._read[1]
        return found.copy() if provenance else found.drop(columns=self.provenance)

    def _state(self) -> tuple:
        """When the files were written, and their sizes: it changes with them."""
        files = (self.folder / ROWS, self.folder / PROVENANCE, *self.shards())
        found = ((path, path.stat()) for path in files if path.exists())
        return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in found)

    def _load(self) -> pd.DataFrame:
        frames = [frame for frame in self._files() if len(frame)]
        types = self.types | _STAMP
        if frames:
            found = pd.concat(frames, ignore_index=True).sort_values("date", kind="stable")
            found = found.drop_duplicates(self.key, keep="last").sort_values(self.key)
        else:
            found = pd.DataFrame(columns=list(types)).astype(types)
        return found.reset_index(drop=True)

    def rows(self) -> list[Any]:
        """All rows as they were added."""
        found = self.load(provenance=True)[self.columns]
        return [self.row(*line) for line in found.itertuples(index=False, name=None)]

    def add(self, rows: Iterable[Any]) -> None:
        """Write these rows to this process's shard; it is on the disk when this returns.

        Damaged, and nothing is written, if they could not be read again.
        """
        stamp = (now(), version(), metadata.version("jax"))
        new = {tuple(row[: len(self.key)]): (*row, *stamp) for row in rows}
        types = self.types | _STAMP
        together = (self._mine | new).values()
        table = pd.DataFrame(together, columns=list(types)).astype(types)
        self._shard.parent.mkdir(parents=True, exist_ok=True)
        content = _text(self._checked(table, self._shard))
        self._mine |= new  # if writing fails, they are written with those that follow
        write(self._shard, content)

    def shards(self) -> list[Path]:
        found = (self.folder / SHARDS).glob("*.csv")
        return sorted(path for path in found if path.is_file())

    def pack(self) -> int:
        """Move all shards into the packed files; how many rows there are now.

        Shards get another name first: a process that is still at work writes its own again,
        with all that it has, so that nothing it adds meanwhile is lost.
        """
        shards = [
            path.rename(path.with_stem(f"packing-{secrets.token_hex(4)}"))
            for path in self.shards()
        ]
        table = self.load(provenance=True)
        if not shards:
            return len(table)
        split = self.key + self.provenance
        write(self.folder / PROVENANCE, _text(table[split]))
        write(self.folder / ROWS, _text(table[self._values]))
        for shard in shards:
            shard.unlink()
        sweep(self.folder)
        sweep(self.folder / SHARDS)
        return len(table)

    @property
    def _values(self) -> list[str]:
        return [name for name in self.columns if name not in self.provenance]

    def _files(self) -> list[pd.DataFrame]:
        """The tables of all files, the packed one first; it is read last, because rows go
        there from the shards and never back.
        """
        while True:
            try:
                shards = list(map(self._read_shard, self.shards()))
                return [self._packed(), *shards]
            except FileNotFoundError:  # another process has just packed
                continue

    def _packed(self) -> pd.DataFrame:
        path = self.folder / ROWS
        if not path.exists():
            return pd.DataFrame()
        rows = _read(path, {name: self.types[name] for name in self._values})
        types, beside = self.types | _STAMP, self.folder / PROVENANCE
        if not beside.exists():
            raise _damaged(beside, "it should be there, as rows.csv is")
        about = _read(beside, {name: types[name] for name in self.key + self.provenance})
        # It is written first, so after a break it may have rows that are still in shards only
        found = rows.merge(about, on=self.key, how="left", indicator=True)
        if (found.pop("_merge") != "both").any():
            raise _damaged(beside, "it lacks rows that rows.csv has")
        return self._checked(found, path)

    def _read_shard(self, path: Path) -> pd.DataFrame:
        return self._checked(_read(path, self.types | _STAMP), path)

    def _checked(self, found: pd.DataFrame, path: Path) -> pd.DataFrame:
        """The same; Damaged if its rows, though written as they are, cannot be."""
        trouble = getattr(self.row, "impossible", lambda _: "")(found)
        if found.duplicated(self.key).any():
            trouble = f"two rows have the same {', '.join(self.key)}"
        if not np.isfinite(found.select_dtypes("number")).all(axis=None):
            trouble = "its numbers should be finite"
        if trouble:
            raise _damaged(path, trouble)
        return found[list(self.types | _STAMP)]


def _text(table: pd.DataFrame) -> bytes:
    """The content of a file: floats as short as they can be read back exactly."""
    body = table.map(lambda x: repr(float(x)) if isinstance(x, float) else x).to_csv(
        index=False, lineterminator="\n"
    )
    return f"{_promise(len(table), body.encode())}\n{body}".encode()


def _promise(rows: int, body: bytes) -> str:
    return f"# {rows} rows, checksum {zlib.crc32(body):08x}"


def _read(path: Path, types: dict[str, Any]) -> pd.DataFrame:
    """The table in a file; Damaged if it is not as it was written, or cannot be read."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _damaged(path, f"it cannot be read: {error.strerror}") from error
    promise, _, body = content.partition(b"\n")
    rows = body.count(b"\n") - 1
    if promise.decode(errors="replace") != _promise(rows, body):
        raise _damaged(path, f"its first line should be {_promise(rows, body)!r}")
    header = body.partition(b"\n")[0].decode(errors="replace")
    if header != ",".join(types):
        raise _damaged(path, f"its columns should be {', '.join(types)}")
    try:
        return _parsed(body, tuple(types.items()))
    except (ValueError, OverflowError) as error:  # of pandas, or of decoding
        raise _damaged(path, f"its rows cannot be read: {str(error).strip()}") from error


@functools.lru_cache(maxsize=256)
def _parsed(body: bytes, types: tuple[tuple[str, Any], ...]) -> pd.DataFrame:
    """Kept, because several readers ask for the same tables."""
    return pd.read_csv(io.BytesIO(body), dtype=dict(types), keep_default_na=False)


def _damaged(path: Path, trouble: str) -> Damaged:
    return Damaged(
        f"{path}: {trouble}. Restore the file from version control or from where it was copied,"
        " or delete it to have its rows computed again"
    )


@functools.cache
def _process_name() -> str:
    return f"{socket.gethostname()[:20]}-{os.getpid()}"
