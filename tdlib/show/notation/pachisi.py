"""Pachisi positions as text and as JSON.

Text: `0 0 0 6+ | 0 0 0 0 | 0 0 8 84+ | 0 0 0 0+ | 0 to throw`: the path numbers of each
player's pieces, ascending, with a plus sign if the player has brought a piece out in this game;
then who throws. Where a pass rule counts passes they follow: `, 2 passes, last passed 1 3`.

JSON: `pieces` lists the path numbers of each player, `entered` who has brought a piece out.
"""

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games import make, pachisi
from tdlib.show.notation import fields
from tdlib.types import Game

_TEXT = re.compile(r"([0-3]) to throw(?:, (\d) passes)?(?:, last passed ([0-3](?: [0-3])*))?")


def parse(text: str) -> pachisi.State:
    players, match = fields.four_players(text, _TEXT, "throw")
    pieces = [fields.path_numbers(player.rstrip("+"), i) for i, player in enumerate(players)]
    state = _state(pieces, [player.endswith("+") for player in players], int(match[1]))
    last = [str(player) in (match[3] or "").split() for player in range(4)]
    state = state._replace(
        run=fields.on_host(match[2] or 0, np.int32), passed=fields.on_host(last, bool)
    )
    return jax.tree.map(jnp.asarray, state)


def format(state: pachisi.State) -> str:
    entered = np.asarray(state.entered)
    players = [
        " ".join(map(str, row)) + "+" * bool(entered[i])
        for i, row in enumerate(np.asarray(state.pieces))
    ]
    turn = f"{int(state.seat)} to throw"
    if state.run:
        turn += f", {int(state.run)} passes"
    if np.any(state.passed):
        turn += f", last passed {' '.join(map(str, np.flatnonzero(state.passed)))}"
    return " | ".join([*players, turn])


def picture(state: pachisi.State) -> str:
    """Path numbers of the pieces: 0 start, 84 home."""
    return fields.paths(
        np.asarray(state.pieces), int(state.seat), home=pachisi.HOME, verb="throw"
    )


def read_query(record: Any) -> tuple[Game, pachisi.State, int]:
    fields.known_keys(record, ["pieces", "entered", "player", "throw"])
    pieces = fields.path_lists(record["pieces"], pachisi.HOME)
    entered = record["entered"]
    if not isinstance(entered, list) or len(entered) != 4:
        raise ValueError(f"entered must be a list of 4 booleans, found {fields.shown(entered)}")
    entered = [fields.flag(value, f"entered[{i}]") for i, value in enumerate(entered)]
    player = fields.integer(record["player"], "player", 0, 3)
    roll = fields.choice(record["throw"], "throw", pachisi.DISTANCE.tolist())
    return make("pachisi"), _state(pieces, entered, player), roll


answer_numbers, answer_columns = fields.all_pieces, fields.nested_lists


def _state(pieces: list[list[int]], entered: list[bool], seat: int) -> pachisi.State:
    """The position, refused if no game can reach it."""
    squares: dict[int, int] = {}
    for player, row in enumerate(fields.path_lists(pieces, pachisi.HOME)):
        if any(row) and not entered[player]:
            raise ValueError(f"player {player} has pieces out, so entered must be true: {row}")
        for square in {pachisi.square(player, p) for p in row} - {-1}:
            if squares.setdefault(square, player) % 2 != player % 2:
                raise ValueError(
                    f"players {squares[square]} and {player} are enemies and cannot both"
                    f" stand on square {square}"
                )
    fields.one_winner(pieces, pachisi.HOME, pachisi.TEAMS)
    return pachisi.State(
        pieces=fields.on_host([sorted(row) for row in pieces], np.int32),
        entered=fields.on_host(entered, bool),
        seat=fields.on_host(seat, np.int32),
        run=fields.on_host(0, np.int32),
        passed=fields.on_host([False] * 4, bool),
    )
