"""Kalah positions as text and as JSON.

Text: `S 4,4,4,4,4,4/0 N 4,4,4,4,4,4/0 south`: South's pits in the order of sowing and its
store, North's likewise, and who is to move.

JSON: `board` lists South's pits and store, then North's: [S1..Sm, store S, N1..Nm, store N].
"""

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games import kalah, make
from tdlib.show.notation import fields
from tdlib.types import Game

SEATS = ("south", "north")
_TEXT = re.compile(r"S ([\d,]+)/(\d+) N ([\d,]+)/(\d+) (\w+)")


def parse(text: str) -> kalah.State:
    match = _TEXT.fullmatch(text.strip()) if isinstance(text, str) else None
    if not match:
        raise ValueError(
            "expected a position like 'S 4,4,4,4,4,4/0 N 4,4,4,4,4,4/0 south',"
            f" found {fields.shown(text)}"
        )
    south, north = _parse_pits(match[1], "South"), _parse_pits(match[3], "North")
    if len(south) != len(north):
        raise ValueError(
            "both sides must have equally many pits,"
            f" South has {len(south)} and North {len(north)} in {fields.shown(text)}"
        )
    board = [*south, int(match[2]), *north, int(match[4])]
    fields.integers(board, "board", len(board), 0, kalah.MOST_SEEDS)
    seat = fields.choice(match[5], "the player to move", SEATS)
    return jax.tree.map(jnp.asarray, _state(board, seat))


def format(state: kalah.State) -> str:
    south, north = (
        f"{','.join(map(str, side[:-1]))}/{side[-1]}"
        for side in state.cups.reshape(2, -1).tolist()
    )
    return f"S {south} N {north} {SEATS[int(state.seat)]}"


def picture(state: kalah.State) -> str:
    """North above, its pits from right to left; stores outside."""
    south, north = np.asarray(state.cups).reshape(2, -1)
    width = 3 * (len(south) - 1)
    mover = ("South", "North")[int(state.seat)]
    return "\n".join(
        [
            "    " + "".join(f"{n:>3}" for n in north[-2::-1]),
            f"{north[-1]:>4}" + " " * width + f"{south[-1]:>4}",
            "    " + "".join(f"{n:>3}" for n in south[:-1]) + f"     {mover} to move",
        ]
    )


def read_query(record: Any) -> tuple[Game, kalah.State, int]:
    """`pits`, 6 if not given, says how long the board is: 2 pits + 2 numbers."""
    fields.known_keys(record, ["board", "to_move"], ["empty_capture", "pits"])
    pits = fields.integer(record.get("pits", 6), "pits", 1, 1000)
    empty_capture = fields.flag(record.get("empty_capture", False), "empty_capture")
    board = fields.integers(record["board"], "board", 2 * pits + 2, 0, kalah.MOST_SEEDS)
    state = _state(board, fields.choice(record["to_move"], "to_move", SEATS))
    return make("kalah", pits=pits, empty_capture=empty_capture), state, 0


def answer_numbers(before: kalah.State, after: kalah.State, rank: np.ndarray) -> np.ndarray:
    """[N, 1 + cups + 1]: the pit that was played, the board after it, who moves next."""
    number = np.arange(len(rank))
    sides = before.cups.reshape(len(number), 2, -1)
    filled = sides[number, before.seat, :-1] > 0  # [N, m]
    pit = (filled.cumsum(1) > rank[:, None]).argmax(1) + 1  # the rank-th that is not empty
    return np.concatenate([pit[:, None], after.cups, after.seat[:, None]], 1)


def answer_columns(columns: int) -> list[fields.Column]:
    """{"pit": 3, "board": [...], "to_move": "south"}"""
    cups = [fields.Column(", ")] * (columns - 3)
    return [
        fields.Column('{"pit": '),
        fields.Column(', "board": ['),
        *cups,
        fields.Column('], "to_move": "', SEATS, '"}'),
    ]


def _parse_pits(text: str, side: str) -> list[int]:
    if not re.fullmatch(r"\d+(,\d+)*", text):
        raise ValueError(
            f"{side}'s pits must be numbers with commas between, found {fields.shown(text)}"
        )
    return [int(seeds) for seeds in text.split(",")]


def _state(board: list[int], seat: int) -> kalah.State:
    if not any(board):
        raise ValueError(
            f"the board must hold seeds, found only empty cups: {fields.shown(board)}"
        )
    if sum(board) > kalah.MOST_SEEDS:
        raise ValueError(
            f"a board holds at most {kalah.MOST_SEEDS} seeds, found {sum(board)} in all cups"
        )
    return kalah.State(fields.on_host(board, np.int32), fields.on_host(seat, np.int32))
