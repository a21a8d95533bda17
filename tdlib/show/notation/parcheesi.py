"""Parcheesi positions as text and as JSON.

Text: `0 0 0 6 | 0 0 0 0 | 0 0 8 72 | 0 0 0 0 | 0 to roll`: the path numbers of each player's
pieces, ascending, and who rolls; `, 2 doubles` follows if the player has rolled so many in this
turn already.

JSON: `pieces` lists the path numbers of each player.
"""

import re
from collections import Counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games import make, parcheesi
from tdlib.show.notation import fields
from tdlib.types import Game

_TEXT = re.compile(r"([0-3]) to roll(?:, ([12]) doubles)?")


def parse(text: str) -> parcheesi.State:
    players, match = fields.four_players(text, _TEXT, "roll")
    pieces = [fields.path_numbers(player, i) for i, player in enumerate(players)]
    state = _state(pieces, int(match[1]))._replace(
        doubles=fields.on_host(match[2] or 0, np.int32)
    )
    return jax.tree.map(jnp.asarray, state)


def format(state: parcheesi.State) -> str:
    players = [" ".join(map(str, row)) for row in np.asarray(state.pieces)]
    doubles = f", {int(state.doubles)} doubles" if state.doubles else ""
    return " | ".join([*players, f"{int(state.seat)} to roll{doubles}"])


def picture(state: parcheesi.State) -> str:
    """Path numbers of the pieces: 0 start, 72 home."""
    return fields.paths(
        np.asarray(state.pieces), int(state.seat), home=parcheesi.HOME, verb="roll"
    )


def read_query(record: Any) -> tuple[Game, parcheesi.State, int]:
    fields.known_keys(record, ["pieces", "player", "dice"], ["must_enter"])
    pieces = fields.path_lists(record["pieces"], parcheesi.HOME)
    player = fields.integer(record["player"], "player", 0, 3)
    dice = fields.integers(record["dice"], "dice", 2, 1, 6)
    roll = parcheesi.ROLLS.index(f"{max(dice)}-{min(dice)}")
    must_enter = fields.flag(record.get("must_enter", True), "must_enter")
    return make("parcheesi", must_enter=must_enter), _state(pieces, player), roll


answer_numbers, answer_columns = fields.all_pieces, fields.nested_lists


def _state(pieces: list[list[int]], seat: int) -> parcheesi.State:
    """The position, refused if no game can reach it."""
    squares: dict[int, int] = {}
    for player, row in enumerate(fields.path_lists(pieces, parcheesi.HOME)):
        for p, together in Counter(row).items():
            if p in (0, parcheesi.HOME):
                continue
            if together > 2:
                raise ValueError(f"player {player} has {together} pieces on p = {p}, at most 2")
            square = parcheesi.square(player, p)
            if square >= 0 and squares.setdefault(square, player) != player:
                raise ValueError(
                    f"players {squares[square]} and {player} cannot both stand on square"
                    f" {square}"
                )
    fields.one_winner(pieces, parcheesi.HOME, ((0,), (1,), (2,), (3,)))
    return parcheesi.State(
        pieces=fields.on_host([sorted(row) for row in pieces], np.int32),
        seat=fields.on_host(seat, np.int32),
        doubles=fields.on_host(0, np.int32),
    )
