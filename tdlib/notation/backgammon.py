"""Backgammon and hypergammon positions as text, as GNU Backgammon ids and as 28 numbers.

Text: `24*2 13*5 8*3 6*5 | 24*2 13*5 8*3 6*5 | 0 to roll`, seat 0's chequers, then seat 1's,
each in its own numbering (`bar*1`, `off*2`), then who rolls; `0 to open` before the first roll.

GNU Backgammon id: 14 characters of base 64, `4HPwATDgc/ABMA` being the start. The id knows a
player on roll, not seats: reading one, the player on roll is seat 0.

28 numbers, the view of the player on roll (of the mover, also after its play): chequers on its
points 1..24, the opponent's negative; own bar, opponent's bar, own off, opponent's off.
"""

import base64
import functools
import re
from typing import Any

import jax.numpy as jnp
import numpy as np

from tdlib.games import backgammon
from tdlib.notation import fields
from tdlib.types import Game

_ID = re.compile(r"[A-Za-z0-9+/]{14}")
_make = functools.cache(backgammon.game)


def parse(text: str, *, name: str = "backgammon") -> backgammon.State:
    if _ID.fullmatch(text):
        return from_gnubg_id(text, name=name)
    parts = [part.strip() for part in text.split("|")]
    turn = re.fullmatch(r"([01]) to (roll|open)", parts[-1])
    if len(parts) != 3 or not turn:
        raise ValueError(
            "expected 'men of seat 0 | men of seat 1 | 0 to roll' (or 1, or 'to open'),"
            f" or a GNU Backgammon id of 14 characters; found {text!r}"
        )
    men = np.array([_parse_men(part) for part in parts[:2]])
    return _state(men, int(turn[1]), name=name, opening=turn[2] == "open")


def format(state: backgammon.State) -> str:
    men = np.asarray(state.men)
    turn = f"{int(state.seat)} to {'open' if state.opening else 'roll'}"
    return " | ".join([_format_men(men[0]), _format_men(men[1]), turn])


def from_gnubg_id(text: str, *, name: str = "backgammon") -> backgammon.State:
    """The player on roll becomes seat 0."""
    if not _ID.fullmatch(text):
        raise ValueError(f"a GNU Backgammon id has 14 characters of base 64, found {text!r}")
    key = np.frombuffer(base64.b64decode(text + "=="), np.uint8)
    bits = np.unpackbits(key, bitorder="little")
    ends = np.flatnonzero(bits == 0)[:50]  # a run of ones for each place, closed by a zero
    if len(ends) < 50 or bits[ends[49] :].any():
        raise ValueError(f"{text!r} is no GNU Backgammon id: it must hold 50 places")
    counts = (np.diff(ends, prepend=-1) - 1).reshape(2, 25)  # opponent first; 1..24, then bar
    men = np.zeros((2, 26), int)
    men[:, 1:] = counts[::-1]
    men[:, 0] = _chequers(name) - men.sum(-1)
    return _state(men, 0, name=name)


def to_gnubg_id(state: backgammon.State) -> str:
    men, seat = np.asarray(state.men), int(state.seat)
    bits = [
        bit
        for counts in (men[1 - seat], men[seat])
        for n in counts[1:]
        for bit in [1] * n + [0]
    ]
    key = np.packbits(np.array(bits + [0] * (80 - len(bits)), np.uint8), bitorder="little")
    return base64.b64encode(key.tobytes()).decode()[:14]


def from_vector(vector: list[int], *, name: str = "backgammon") -> backgammon.State:
    """28 numbers to a position in which the mover is seat 0."""
    points, (bar, other_bar, off, other_off) = np.array(vector[:24]), vector[24:]
    men = np.zeros((2, 26), int)
    men[0, 1:25] = np.maximum(points, 0)
    men[1, 1:25] = np.maximum(-points, 0)[::-1]
    men[:, 25], men[:, 0] = (bar, other_bar), (off, other_off)
    return _state(men, 0, name=name)


def to_vector(state: backgammon.State, mover: int) -> list[int]:
    own, other = np.asarray(state.men)[[mover, 1 - mover]]
    points = own[1:25] - other[1:25][::-1]
    return [int(n) for n in (*points, own[25], other[25], own[0], other[0])]


def read_query(record: Any, *, name: str = "backgammon") -> tuple[Game, backgammon.State, int]:
    fields.known_keys(record, ["position", "dice"])
    position = fields.integers(record["position"], "position", 28, -15, 15)
    for i in range(24, 28):
        fields.integer(position[i], f"position[{i}] (bar and off)", 0, 15)
    dice = fields.integers(record["dice"], "dice", 2, 1, 6)
    roll = backgammon.DICE.tolist().index(sorted(dice, reverse=True))
    return _make(name), from_vector(position, name=name), roll


def answer(before: backgammon.State, after: list[backgammon.State]) -> list[list[int]]:
    return sorted(to_vector(state, int(before.seat)) for state in after)


def _state(men: np.ndarray, seat: int, *, name: str, opening: bool = False) -> backgammon.State:
    """The position, refused if no game can reach it."""
    chequers = _chequers(name)
    for player in (0, 1):
        if men[player].sum() != chequers or men[player].min() < 0:
            raise ValueError(
                f"each side must have {chequers} chequers in {name},"
                f" seat {player} has {_format_men(men[player])}: {men[player].sum()}"
            )
    both = np.flatnonzero((men[0, 1:25] > 0) & (men[1, 1:25][::-1] > 0)) + 1
    if both.size:
        raise ValueError(f"both sides have chequers on seat 0's point {both[0]}")
    if (men[:, 0] == chequers).all():
        raise ValueError("both sides have borne off everything")
    return backgammon.State(jnp.asarray(men, jnp.int32), jnp.int32(seat), jnp.bool_(opening))


def _chequers(name: str) -> int:
    return sum(backgammon.START[name].values())


def _parse_men(text: str) -> list[int]:
    men = [0] * 26
    for word in text.split():
        match = re.fullmatch(r"(2[0-4]|1\d|[1-9]|bar|off)\*(\d{1,2})", word)
        if not match:
            raise ValueError(
                "expected a place 1..24, bar or off with its chequers, like 13*5;"
                f" found {word!r}"
            )
        place = {"bar": 25, "off": 0}.get(match[1])
        men[int(match[1]) if place is None else place] += int(match[2])
    return men


def _format_men(men: np.ndarray) -> str:
    names = {25: "bar", 0: "off"}
    return " ".join(f"{names.get(p, p)}*{men[p]}" for p in range(25, -1, -1) if men[p])
