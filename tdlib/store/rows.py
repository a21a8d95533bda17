"""Rows of results as lines of text, each with a check sum of its own."""

import math
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple


class Row(NamedTuple):
    """A network after some training, and what it did in its test; see `data/README.md`."""

    experiment: str
    config: str  # the beginning of the hash of all settings
    run: int
    games: int  # trained
    eval_games: int
    wins: int
    draws: int
    capped: int
    points: int
    pieces: int
    plies: int
    train_capped: int
    train_plies: int
    seconds_train: float
    seconds_eval: float
    date: str
    version: str
    jax: str


HEADER = ",".join((*Row._fields, "crc"))
TYPES: dict[str, Any] = Row.__annotations__


def line(row: tuple) -> str:
    """The text of a row of any kind, read again by `values`."""
    cells = [f"{x:.3f}" if isinstance(x, float) else str(x) for x in row]
    text = ",".join(cells)
    if text.count(",") != len(row) - 1 or "\n" in text:
        raise ValueError(f"a row has no commas or line breaks in its cells: {row}")
    return f"{text},{_crc(text)}"


def values(text: str, types: Mapping[str, Any]) -> list[Any]:
    """The cells of a line, of these types; ValueError says what is wrong with it."""
    body, _, crc = text.rpartition(",")
    cells = body.split(",")
    if len(cells) != len(types):
        raise ValueError(f"expected {len(types) + 1} cells")
    if crc != _crc(body):
        raise ValueError(f"expected the check sum {_crc(body)}, found {crc!r}")
    found = [kind(cell) for kind, cell in zip(types.values(), cells, strict=True)]
    if not all(math.isfinite(x) for x in found if not isinstance(x, str)):
        raise ValueError("expected finite numbers")
    return found


def parsed(text: str) -> Row:
    """The row of a line; ValueError says what is wrong with it."""
    row = Row(*values(text, TYPES))
    if min(x for x in row[2:8]) < 0 or row.wins + row.draws + row.capped > row.eval_games:
        raise ValueError("expected counts, of no more games than were played")
    return row


def _crc(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"
