"""Kalah positions as text and as JSON.

Text: `S 4,4,4,4,4,4/0 N 4,4,4,4,4,4/0 south`: South's pits in the order of sowing and its
store, North's likewise, and who is to move.

JSON: `board` lists South's pits and store, then North's: [S1..Sm, store S, N1..Nm, store N].
"""

import re
from typing import Any

import jax.numpy as jnp

from tdlib.games import kalah, make
from tdlib.notation import fields
from tdlib.types import Game

SEATS = ("south", "north")
_TEXT = re.compile(r"S ([\d,]+)/(\d+) N ([\d,]+)/(\d+) (\w+)")
_MOST = 1_000_000  # seeds in a cup: far beyond any game, far below what an int32 holds


def parse(text: str) -> kalah.State:
    match = _TEXT.fullmatch(text.strip()) if isinstance(text, str) else None
    if not match:
        raise ValueError(
            f"expected a position like 'S 4,4,4,4,4,4/0 N 4,4,4,4,4,4/0 south', found {text!r}"
        )
    south, north = _parse_pits(match[1], "South"), _parse_pits(match[3], "North")
    if len(south) != len(north):
        raise ValueError(
            "both sides must have equally many pits,"
            f" South has {len(south)} and North {len(north)} in {text!r}"
        )
    board = [*south, int(match[2]), *north, int(match[4])]
    return _state(board, fields.choice(match[5], "the player to move", SEATS), len(south))


def format(state: kalah.State) -> str:
    south, north = (
        f"{','.join(map(str, side[:-1]))}/{side[-1]}"
        for side in state.cups.reshape(2, -1).tolist()
    )
    return f"S {south} N {north} {SEATS[int(state.seat)]}"


def read_query(record: Any) -> tuple[Game, kalah.State, int]:
    """`pits`, 6 if not given, says how long the board is: 2 pits + 2 numbers."""
    fields.known_keys(record, ["board", "to_move"], ["empty_capture", "pits"])
    pits = fields.integer(record.get("pits", 6), "pits", 1, 1000)
    empty_capture = fields.flag(record.get("empty_capture", False), "empty_capture")
    board = fields.integers(record["board"], "board", 2 * pits + 2, 0, _MOST)
    state = _state(board, fields.choice(record["to_move"], "to_move", SEATS), pits)
    return make("kalah", pits=pits, empty_capture=empty_capture), state, 0


def answer(before: kalah.State, after: list[kalah.State]) -> list[dict[str, Any]]:
    """One object for each legal pit, `after` being in the order of the pits."""
    sides = before.cups.reshape(2, -1).tolist()
    pits = [i for i, seeds in enumerate(sides[int(before.seat)][:-1], 1) if seeds]
    if after and len(after) != len(pits):
        raise ValueError(f"expected a position for each of the pits {pits}, found {len(after)}")
    return [
        {"pit": pit, "board": state.cups.tolist(), "to_move": SEATS[int(state.seat)]}
        for pit, state in zip(pits, after, strict=False)
    ]


def _parse_pits(text: str, side: str) -> list[int]:
    if not re.fullmatch(r"\d+(,\d+)*", text):
        raise ValueError(f"{side}'s pits must be numbers with commas between, found {text!r}")
    return [int(seeds) for seeds in text.split(",")]


def _state(board: list[int], seat: int, pits: int) -> kalah.State:
    fields.integers(board, "board", 2 * pits + 2, 0, _MOST)
    if not any(board):
        raise ValueError(f"the board must hold seeds, found only empty cups: {board!r}")
    return kalah.State(jnp.array(board, jnp.int32), jnp.int32(seat))
