"""Abalone positions as 61 characters and a side to move, and moves in cell names.

Position: `OOOOOOOOOOO..OOO..(...)@@@@@ @`: the cells row by row from I above to A below, each
row from the left, `@` black, `O` white, `.` empty; then the side to move, `@` or `O`. Spaces
between the rows are ignored when reading. Counters of moves and past positions are not part of
it: a position read is one a game starts from.

Moves: cells are A1 to I9. An in-line move (a single stone too) is `A1-B2`: the rear stone and
the cell next to it in the direction of the move; the own stones in front go along, and any
enemies they push. A broadside is `A1A3-B2`: the two ends of the line and where the stone named
first goes. Either end may be named first; written, it is the one that comes first in the order
A1, A2, ..., I9.
"""

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games import abalone, every_play, make
from tdlib.games.abalone.bits import CELL_NAMES, CELL_WORDS, CELLS, ROWS
from tdlib.games.abalone.layouts import SYMBOLS
from tdlib.show.notation import fields
from tdlib.types import Game

SIDES = ("black", "white")
_FEWEST = abalone.STONES - abalone.TO_WIN
_MOVE = re.compile(r"([A-I][1-9])([A-I][1-9])?-([A-I][1-9])")
_CELL = {
    name: (int(row), int(column)) for name, (row, column) in zip(CELL_NAMES, CELLS, strict=True)
}
_NAME = {cell: name for name, cell in _CELL.items()}


def parse(text: str) -> abalone.State:
    if not isinstance(text, str):
        raise ValueError(
            f"expected 61 cells and the side to move as text, found {fields.shown(text)}"
        )
    compact = "".join(text.split())
    if len(compact) != len(CELLS) + 1:
        raise ValueError(
            f"expected 61 cells and the side to move, 62 characters in all; found"
            f" {len(compact)}: {fields.shown(text)}"
        )
    state = _state(compact[:-1], fields.choice(compact[-1], "the side to move", SYMBOLS[1:]))
    return jax.tree.map(jnp.asarray, state)


def format(state: abalone.State) -> str:
    return f"{_board(state)} {SYMBOLS[1 + int(state.seat)]}"


def move_name(before: abalone.State, after: abalone.State) -> str:
    """The name of the move that led from `before` to `after`."""
    seat = int(before.seat)
    old, new = (_cells(state) == 1 + seat for state in (before, after))
    left, reached = (
        sorted((int(row), int(column)) for row, column in CELLS[changed])
        for changed in (old & ~new, new & ~old)
    )
    # In-line only the ends of the group change, up to three cells apart; else all stones move.
    target = None
    if 1 <= len(left) == len(reached) <= 3:
        up, right = np.sign(np.subtract(reached[0], left[0]))
        target = _NAME.get((left[0][0] + int(up), left[0][1] + int(right)))
    if target is None:
        raise ValueError(f"no move leads from {format(before)!r} to {format(after)!r}")
    ends = _NAME[left[0]] + (_NAME[left[-1]] if len(left) > 1 else "")
    return f"{ends}-{target}"


def parse_move(state: abalone.State, text: str, *, game: Game | None = None) -> abalone.State:
    """The position after a move; `game` if its rules are not the default."""
    wanted = _canonical(text)
    after = every_play(game or make("abalone"), state, 0)
    names = [move_name(state, each) for each in after]
    if wanted not in names:
        legal = f"legal are {', '.join(sorted(names))}" if names else "the game is over"
        raise ValueError(f"{text!r} is not legal in {format(state)!r}; {legal}")
    return after[names.index(wanted)]


def picture(state: abalone.State) -> str:
    """Row I above, A below; @ black, O white."""
    board, lines = np.array(list(_board(state))), []
    for row in reversed(range(len(ROWS))):
        cells = board[CELLS[:, 0] == row]
        lines.append(" " * (len(ROWS) - len(cells)) + " ".join([ROWS[row], *cells]))
    black, white = np.asarray(abalone.score(state))
    return "\n".join(lines) + f"        {format(state)[-1]} to move, ejected {black}-{white}"


def read_query(record: Any) -> tuple[Game, abalone.State, int]:
    fields.known_keys(record, ["board", "to_move"], ["broadside"])
    seat = fields.choice(record["to_move"], "to_move", SIDES)
    broadside = fields.flag(record.get("broadside", True), "broadside")
    return make("abalone", broadside=broadside), _state(record["board"], seat), 0


def answer_numbers(before: abalone.State, after: abalone.State, rank: np.ndarray) -> np.ndarray:
    """[N, 61]: 0 empty, 1 black, 2 white."""
    stones = np.asarray(after.stones)[:, :, None]
    black, white = np.moveaxis(np.any(stones & CELL_WORDS[None, None], -1), 1, 0)  # [N, 61]
    return black + 2 * white


def answer_columns(columns: int) -> list[fields.Column]:
    """A text of one character for each cell."""
    inside = [fields.Column("", SYMBOLS)] * (columns - 2)
    return [fields.Column('"', SYMBOLS), *inside, fields.Column("", SYMBOLS, '"')]


def _board(state: abalone.State) -> str:
    return "".join(SYMBOLS[cell] for cell in _cells(state).tolist())


def _cells(state: abalone.State) -> np.ndarray:
    """[61], in NumPy, which is quicker for one position."""
    return np.asarray(abalone.cells(jax.tree.map(np.asarray, state)))


def _state(board: Any, seat: int) -> abalone.State:
    """The position, refused if no game can reach it."""
    if not isinstance(board, str) or len(board) != len(CELLS):
        found = (
            f"{len(board)}: {fields.shown(board)}"
            if isinstance(board, str)
            else fields.shown(board)
        )
        raise ValueError(f"board must be a text of {len(CELLS)} characters, found {found}")
    for name, symbol in zip(CELL_NAMES, board, strict=True):
        if symbol not in SYMBOLS:
            raise ValueError(f"board must be made of {SYMBOLS!r}, found {symbol!r} on {name}")
    for side, symbol in zip(SIDES, SYMBOLS[1:], strict=True):
        if not _FEWEST <= board.count(symbol) <= abalone.STONES:
            raise ValueError(
                f"{side} must have {_FEWEST} to {abalone.STONES} stones,"
                f" found {board.count(symbol)}"
            )
    if all(board.count(symbol) == _FEWEST for symbol in SYMBOLS[1:]):
        raise ValueError(f"both sides have lost {abalone.TO_WIN} stones; one was the first")
    zero = fields.on_host(0, np.int32)
    cells = np.frombuffer(board.encode(), np.uint8)
    sides = [cells == ord(symbol) for symbol in SYMBOLS[1:]]
    stones = [CELL_WORDS[side].sum(0, dtype=np.uint32) for side in sides]
    placed = fields.on_host(stones, np.uint32)
    return abalone.State(placed, fields.on_host(seat, np.int32), plies=zero, quiet=zero)


def _canonical(text: str) -> str:
    """The move as it is written: the lower end of a broadside's line first."""
    match = _MOVE.fullmatch(text.strip().upper()) if isinstance(text, str) else None
    if not match:
        raise ValueError(
            f"expected a move like 'A1-B2' or 'A1A3-B2', found {fields.shown(text)}"
        )
    first, last, target = match.groups()
    for name in filter(None, match.groups()):
        if name not in _CELL:
            raise ValueError(f"there is no cell {name} on the board, in move {text!r}")
    if last is None or _CELL[first] < _CELL[last]:
        return match[0]
    moved = np.add(_CELL[last], np.subtract(_CELL[target], _CELL[first]))
    return f"{last}{first}-{_NAME.get((int(moved[0]), int(moved[1])), '?')}"
