"""Questions about positions, one JSON object per line: what may be played here?

Every line is answered, in order, with {"plays": [...]} or {"error": "..."}. Lines are read as
they come: whatever is there when input pauses is answered together, so that a program that asks
line by line is answered at once, and a large file is answered in batches. A batch is padded to
one of two sizes, so that at most two programs are compiled for each game and its options.
"""

import functools
import json
import os
import select
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.show.notation import Notation, notation_of
from tdlib.show.notation.fields import Column
from tdlib.types import Array, Game, State

BATCHES = (16, 2_048)  # positions whose plays are found together
SLOTS = 16  # plays of a position that are made together
LONGEST_LINE, LONGEST_ERROR = 100_000, 300  # bytes; characters
NO_PLAYS = '{"plays": []}'  # the game is over
_TOGETHER = 1 << 20  # bytes read before they are answered


class Query(NamedTuple):
    """A line that was understood."""

    game: Game
    state: State
    roll: int


def command(game: str) -> list[str]:
    """Answer standard input on standard output; says how many lines were bad."""
    notation_of(game)
    if sys.stdin is None:
        raise ValueError("standard input is closed; expected a JSON object on each line")
    lines = bad = 0
    for batch in _batches(sys.stdin.fileno()):
        answers = answer_lines(game, batch)
        lines += len(answers)
        bad += sum(answer.startswith('{"error"') for answer in answers)
        sys.stdout.write("".join(f"{answer}\n" for answer in answers))
        sys.stdout.flush()
    return [f"{bad:,} of {lines:,} lines could not be answered"] if bad else []


def plays(name: str, record: Any) -> list:
    """All distinct positions after a legal play, sorted, in the record's own format."""
    notation = notation_of(name)
    return json.loads(_answers(notation, [Query(*notation.read_query(record))])[0])["plays"]


def answer_lines(name: str, lines: Sequence[bytes]) -> list[str]:
    """An answer for each line; a bad line is answered with what was expected."""
    notation = notation_of(name)
    answers = [""] * len(lines)
    groups: dict[Game, dict[int, Query]] = {}
    for i, line in enumerate(lines):
        try:
            query = Query(*notation.read_query(_record(line)))
        except ValueError as error:
            answers[i] = json.dumps({"error": _shortened(str(error))})
        else:
            groups.setdefault(query.game, {})[i] = query
    for group in groups.values():
        for start in range(0, len(group), BATCHES[-1]):
            numbers = list(group)[start : start + BATCHES[-1]]
            found = _answers(notation, [group[i] for i in numbers])
            for i, answer in zip(numbers, found, strict=True):
                answers[i] = answer
    return answers


def _batches(source: int) -> Iterator[list[bytes]]:
    """Lines that are not blank, as many as are there; a long one may lose its end."""
    rest = b""
    while data := os.read(source, _TOGETHER):
        while len(data) < _TOGETHER and _more(source) and (more := os.read(source, _TOGETHER)):
            data += more
        *lines, rest = (rest + data).split(b"\n")
        rest = rest[: LONGEST_LINE + 1]
        if lines := [line for line in lines if line.strip()]:
            yield lines
    if rest.strip():
        yield [rest]


def _more(source: int) -> bool:
    """Whether there is more to read at once, where the system can tell."""
    return os.name == "posix" and bool(select.select([source], [], [], 0)[0])


def _record(line: bytes) -> Any:
    """The JSON value of a line."""
    if len(line) > LONGEST_LINE:
        raise ValueError(f"expected at most {LONGEST_LINE:,} bytes in a line")
    try:
        return _DECODER.decode(line.decode())
    except UnicodeDecodeError:
        raise ValueError(f"expected UTF-8 text, found {line!r}") from None
    except json.JSONDecodeError as error:
        found = _shortened(line.decode())
        raise ValueError(f"expected one JSON object, found {found!r}: {error.msg}") from None
    except RecursionError:
        raise ValueError("expected one JSON object, found too many brackets") from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {twice!r} is given twice")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_without_duplicates)


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_ERROR:
        return text
    return f"{text[: LONGEST_ERROR * 2 // 3]} ... {text[-LONGEST_ERROR // 4 :]}"


def _answers(notation: Notation, queries: Sequence[Query]) -> list[str]:
    """The answers to questions about one game with the same options."""
    game, size = queries[0].game, next(n for n in BATCHES if n >= len(queries))
    padded = [*queries, *[queries[-1]] * (size - len(queries))]
    states = jax.tree.map(lambda *leaves: np.stack(leaves), *(q.state for q in padded))
    plays, count = _prepared(game, states, np.array([q.roll for q in padded], np.int32))
    count = np.where(np.arange(size) < len(queries), count, 0)
    owner = np.repeat(np.arange(size), -(-count // SLOTS))  # of each row of SLOTS plays
    first = SLOTS * (np.arange(len(owner)) - np.searchsorted(owner, owner))
    rank = first[:, None] + np.arange(SLOTS)  # [rows, SLOTS]
    legal = rank < count[owner, None]
    if not legal.size:
        return [NO_PLAYS] * len(queries)
    made = []
    for start in range(0, len(owner), size):
        rows = (np.resize(x[start : start + size], size) for x in (owner, first))
        made.append(jax.tree.map(np.asarray, _made(game, states, plays, *rows)))
    after = jax.tree.map(lambda *parts: np.concatenate(parts)[: len(owner)][legal], *made)
    position = np.repeat(owner, legal.sum(1))
    before = jax.tree.map(lambda x: x[position], states)
    numbers = notation.answer_numbers(before, after, rank[legal])
    texts = iter(_written(numbers, notation.answer_columns(numbers.shape[1]), position))
    return [next(texts) if n else NO_PLAYS for n in count[: len(queries)]]


@functools.partial(jax.jit, static_argnums=0)
def _prepared(game: Game, states: State, rolls: Array) -> tuple[Any, Array]:
    """The Plays of each position [B], and how many there are [B]."""
    plays = jax.vmap(game.plays)(states, rolls)
    over, _ = jax.vmap(game.outcome)(states)
    return plays, jnp.where(over, 0, plays.count)


@functools.partial(jax.jit, static_argnums=0)
def _made(game: Game, states: State, plays: Any, owner: Array, first: Array) -> State:
    """The positions [B, SLOTS] after plays first, first + 1, ... of the owner-th position."""
    states, plays = jax.tree.map(lambda x: x[owner], (states, plays))

    def row(state: State, plays: Any, first: Array) -> State:
        ranks = jnp.minimum(first + jnp.arange(SLOTS), plays.count - 1)
        return jax.vmap(game.play, in_axes=(None, None, 0))(state, plays, ranks)

    return jax.vmap(row)(states, plays, first)


def _written(numbers: np.ndarray, columns: Sequence[Column], position: np.ndarray) -> list[str]:
    """The plays of each position in turn as JSON, sorted by their numbers.

    Each number becomes a cell of bytes, padded with zeros, which are taken out of the whole
    text at the end: far quicker than writing numbers one by one.

    Args:
      numbers: [N, K], one row for each play.
      columns: K, how each number is written.
      position: [N] ascending, which position the play belongs to.
    """
    low = int(numbers.min())
    numbers = numbers[_sorted(numbers - low, position)]
    first = np.diff(position, prepend=-1) > 0
    opening = np.where(first, b'{"plays": [', b", ")
    ending = np.where(np.append(first[1:], True), b"]}\n", b"")
    cells = [opening]
    for k, column in enumerate(columns):
        values = column.words or range(low, int(numbers.max()) + 1)
        known = np.array([f"{column.before}{value}{column.after}".encode() for value in values])
        cells.append(known[numbers[:, k] - (0 if column.words else low)])
    cells.append(ending)
    bytes_ = np.concatenate([c.view(np.uint8).reshape(len(c), -1) for c in cells], axis=1)
    return bytes_.tobytes().translate(None, b"\0").decode().splitlines()


def _sorted(numbers: np.ndarray, position: np.ndarray) -> np.ndarray:
    """The order [N] of rows by position, then by their numbers [N, K], none negative.

    A row as big-endian bytes compares as its numbers do.
    """
    kind = np.uint8 if numbers.max() < 256 else np.dtype(">u4")
    parts = [position[:, None].astype(">u4"), numbers.astype(kind)]
    keys = np.concatenate([part.view(np.uint8) for part in parts], axis=1)
    return np.argsort(keys.view(f"V{keys.shape[1]}").ravel(), kind="stable")
