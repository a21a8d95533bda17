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
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games import backgammon, make
from tdlib.show.notation import fields
from tdlib.types import Game

_ID = re.compile(r"[A-Za-z0-9+/]{14}")
_ROLLS = backgammon.DICE.tolist()


def parse(text: str, *, name: str = "backgammon") -> backgammon.State:
    if _ID.fullmatch(text):
        return from_gnubg_id(text, name=name)
    parts = [part.strip() for part in text.split("|")]
    turn = re.fullmatch(r"([01]) to (roll|open)", parts[-1])
    if len(parts) != 3 or not turn:
        raise ValueError(
            "expected 'men of seat 0 | men of seat 1 | 0 to roll' (or 1, or 'to open'),"
            f" or a GNU Backgammon id of 14 characters; found {fields.shown(text)}"
        )
    men = [_parse_men(part) for part in parts[:2]]
    return _on_device(_state(men, int(turn[1]), name=name, opening=turn[2] == "open"))


def format(state: backgammon.State) -> str:
    men = np.asarray(state.men).tolist()
    turn = f"{int(state.seat)} to {'open' if state.opening else 'roll'}"
    return " | ".join([_format_men(men[0]), _format_men(men[1]), turn])


def from_gnubg_id(text: str, *, name: str = "backgammon") -> backgammon.State:
    """The player on roll becomes seat 0."""
    if not _ID.fullmatch(text):
        raise ValueError(
            f"a GNU Backgammon id has 14 characters of base 64, found {fields.shown(text)}"
        )
    key = np.frombuffer(base64.b64decode(text + "=="), np.uint8)
    bits = np.unpackbits(key, bitorder="little")
    ends = np.flatnonzero(bits == 0)[:50]  # a run of ones for each place, closed by a zero
    if len(ends) < 50 or bits[ends[49] :].any():
        raise ValueError(f"{text!r} is no GNU Backgammon id: it must hold 50 places")
    counts = (np.diff(ends, prepend=-1) - 1).reshape(2, 25)  # opponent first; 1..24, then bar
    men = np.zeros((2, 26), int)
    men[:, 1:] = counts[::-1]
    men[:, 0] = _chequers(name) - men.sum(-1)
    return _on_device(_state(men.tolist(), 0, name=name))


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
    return _on_device(_from_vector(vector, name))


def _from_vector(vector: list[int], name: str) -> backgammon.State:
    points, (bar, other_bar, off, other_off) = vector[:24], vector[24:]
    own = [off, *[n if n > 0 else 0 for n in points], bar]
    other = [other_off, *[-n if n < 0 else 0 for n in reversed(points)], other_bar]
    return _state([own, other], 0, name=name)


def _on_device(state: backgammon.State) -> backgammon.State:
    return jax.tree.map(jnp.asarray, state)


def to_vector(state: backgammon.State, mover: int) -> list[int]:
    own, other = np.asarray(state.men)[[mover, 1 - mover]]
    points = own[1:25] - other[1:25][::-1]
    return [int(n) for n in (*points, own[25], other[25], own[0], other[0])]


def picture(state: backgammon.State) -> str:
    """Seat 0 is X and moves to the lower right, seat 1 is O; point numbers are seat 0's."""
    men = np.asarray(state.men)

    def point(p: int) -> str:
        own, other = men[0, p], men[1, 25 - p]
        return f"{own}X" if own else f"{other}O" if other else "."

    def row(points: range) -> str:
        words = [f"{point(p):>3}" for p in points]
        return "".join(words[:6]) + " |" + "".join(words[6:])

    def numbers(points: range) -> str:
        words = [f"{p:>3}" for p in points]
        return "".join(words[:6]) + " |" + "".join(words[6:])

    upper, lower = range(13, 25), range(12, 0, -1)
    return "\n".join(
        [
            numbers(upper),
            row(upper) + f"   O bar {men[1, 25]} off {men[1, 0]}",
            row(lower) + f"   X bar {men[0, 25]} off {men[0, 0]}",
            numbers(lower) + f"   {'XO'[int(state.seat)]} to roll",
        ]
    )


def read_query(record: Any, *, name: str = "backgammon") -> tuple[Game, backgammon.State, int]:
    fields.known_keys(record, ["position", "dice"])
    position = fields.integers(record["position"], "position", 28, -15, 15)
    if min(position[24:]) < 0:
        for i in range(24, 28):
            fields.integer(position[i], f"position[{i}] (bar and off)", 0, 15)
    dice = fields.integers(record["dice"], "dice", 2, 1, 6)
    roll = _ROLLS.index(sorted(dice, reverse=True))
    return make(name), _from_vector(position, name), roll


def answer_numbers(
    before: backgammon.State, after: backgammon.State, rank: np.ndarray
) -> np.ndarray:
    """[N, 28]: the view of the player who moved."""
    number = np.arange(len(before.seat))
    own, other = after.men[number, before.seat], after.men[number, 1 - before.seat]
    ends = [own[:, 25], other[:, 25], own[:, 0], other[:, 0]]
    return np.concatenate([own[:, 1:25] - other[:, 24:0:-1], np.stack(ends, 1)], 1)


def answer_columns(columns: int) -> list[fields.Column]:
    """A list of numbers."""
    inside = [fields.Column(", ")] * (columns - 2)
    return [fields.Column("["), *inside, fields.Column(", ", after="]")]


def _state(
    men: list[list[int]], seat: int, *, name: str, opening: bool = False
) -> backgammon.State:
    """The position of men [2, 26], refused if no game can reach it.

    Lists are quicker to check than short arrays.
    """
    chequers = _chequers(name)
    for player, row in enumerate(men):
        if sum(row) != chequers or min(row) < 0:
            raise ValueError(
                f"each side must have {chequers} chequers in {name},"
                f" seat {player} has {_format_men(row)}: {sum(row)}"
            )
    for point, (own, other) in enumerate(zip(men[0], reversed(men[1]), strict=True)):
        if own and other and 0 < point < 25:
            raise ValueError(f"both sides have chequers on seat 0's point {point}")
    if men[0][0] == men[1][0] == chequers:
        raise ValueError("both sides have borne off everything")
    if men[0][25] == men[1][25] == chequers:
        raise ValueError(
            f"both sides have all {chequers} chequers on the bar, but who hits last must have"
            " a chequer on the point"
        )
    if opening and men != [_start(name)] * 2:
        raise ValueError(
            f"'to open' is only at the start, {_format_men(_start(name))} for both sides; found"
            f" {_format_men(men[0])} and {_format_men(men[1])}"
        )
    return backgammon.State(
        fields.on_host(men, np.int32),
        fields.on_host(seat, np.int32),
        fields.on_host(opening, bool),
    )


def _start(name: str) -> list[int]:
    """[26], the men of either side at the start."""
    return [backgammon.START[name].get(place, 0) for place in range(26)]


@functools.cache
def _chequers(name: str) -> int:
    return sum(backgammon.START[name].values())


def _parse_men(text: str) -> list[int]:
    men = [0] * 26
    for word in text.split():
        match = re.fullmatch(r"(2[0-4]|1\d|[1-9]|bar|off)\*(\d{1,2})", word)
        if not match:
            raise ValueError(
                "expected a place 1..24, bar or off with its chequers, like 13*5;"
                f" found {fields.shown(word)}"
            )
        place = {"bar": 25, "off": 0}.get(match[1])
        men[int(match[1]) if place is None else place] += int(match[2])
    return men


def _format_men(men: Sequence[int]) -> str:
    names = {25: "bar", 0: "off"}
    return " ".join(f"{names.get(p, p)}*{men[p]}" for p in range(25, -1, -1) if men[p])
