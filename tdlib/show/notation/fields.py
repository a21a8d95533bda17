"""What the notations share: reading fields, naming each mistake with what was expected."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np


class Column(NamedTuple):
    """How one number of an answer is written."""

    before: str  # what stands before it
    words: Sequence[str] = ()  # a word for each number from 0 on; none: as a number
    after: str = ""


def on_host(value: Any, kind: Any) -> Any:
    """A NumPy array as part of a state: many positions go to the device together."""
    return np.asarray(value, kind)


_LONGEST = 120  # characters of what was found, in an error


def shown(value: Any) -> str:
    """A value as Python writes it, cut where it is long: errors stay short."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"


def known_keys(record: Any, required: Sequence[str], optional: Sequence[str] = ()) -> None:
    """Refuse anything but an object with exactly these keys."""
    if not isinstance(record, dict):
        raise ValueError(
            f"expected an object with {', '.join(required)}, found {shown(record)}"
        )
    for key in required:
        if key not in record:
            raise ValueError(f"missing key {key!r}; expected {', '.join(required)}")
    for key in record:
        if key not in (*required, *optional):
            raise ValueError(
                f"unknown key {shown(key)}; expected {', '.join((*required, *optional))}"
            )


def integer(value: Any, what: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(
            f"{what} must be an integer from {low} to {high}, found {shown(value)}"
        )
    return value


def integers(value: Any, what: str, length: int, low: int, high: int) -> list[int]:
    if not isinstance(value, list) or len(value) != length:
        raise ValueError(f"{what} must be a list of {length} integers, found {shown(value)}")
    if set(map(type, value)) == {int} and low <= min(value) and max(value) <= high:
        return value  # at once, which is what makes long inputs quick to read
    return [integer(v, f"{what}[{i}]", low, high) for i, v in enumerate(value)]


def flag(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{what} must be true or false, found {shown(value)}")
    return value


def choice(value: Any, what: str, options: Sequence[Any]) -> int:
    """The index of `value` among `options`."""
    if not any(type(value) is type(option) and value == option for option in options):
        raise ValueError(
            f"{what} must be one of {', '.join(map(str, options))}, found {shown(value)}"
        )
    return options.index(value)


def path_lists(value: Any, home: int) -> list[list[int]]:
    """Four players' path numbers, 0 (start) to `home`."""
    if not isinstance(value, list) or len(value) != 4:
        raise ValueError(
            f"pieces must be a list of 4 lists of 4 path numbers, found {shown(value)}"
        )
    return [integers(row, f"pieces[{i}]", 4, 0, home) for i, row in enumerate(value)]


def one_winner(pieces: list[list[int]], home: int, sides: Sequence[Sequence[int]]) -> None:
    """Refuse a position in which several sides, each of some players, have all pieces home."""
    done = [side for side in sides if all(p == home for player in side for p in pieces[player])]
    if len(done) > 1:
        players = " and ".join(",".join(map(str, side)) for side in done)
        raise ValueError(
            f"the game ends when one side is home, but players {players} all have their pieces"
            f" on {home}"
        )


def four_players(text: str, turn: re.Pattern, verb: str) -> tuple[list[str], re.Match]:
    """The pieces of each player, as text, and whose turn it is."""
    *players, last = [part.strip() for part in text.split("|")]
    match = turn.fullmatch(last)
    if len(players) != 4 or not match:
        raise ValueError(
            f"expected the pieces of four players and who {verb}s, like"
            f" '0 0 0 6 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 to {verb}', found {shown(text)}"
        )
    return players, match


def path_numbers(text: str, player: int) -> list[int]:
    """Numbers with spaces between, as one player's pieces stand in a text."""
    words = text.split()
    if len(words) != 4 or not all(word.isdecimal() for word in words):
        raise ValueError(
            f"player {player} must have 4 path numbers like '0 0 8 23', found {shown(text)}"
        )
    return [int(word) for word in words]


def all_pieces(before: Any, after: Any, rank: np.ndarray) -> np.ndarray:
    """The positions after plays as numbers [N, 16]: the path numbers of all pieces."""
    return np.reshape(after.pieces, (len(after.pieces), -1))


def nested_lists(columns: int) -> list[Column]:
    """Four numbers for each of the players: [[0, 0, 0, 6], [0, 0, 0, 0], ...]."""
    first, last = {0: "[["}, {columns - 1: "]]"}
    return [
        Column(first.get(i, ", " if i % 4 else "], ["), after=last.get(i, ""))
        for i in range(columns)
    ]


def paths(pieces: np.ndarray, seat: int, *, home: int, verb: str) -> str:
    """A picture of the pieces [4, 4] by their path numbers, a line for each player."""
    names = {0: "start", home: "home"}
    return "\n".join(
        f"{'>' if player == seat else ' '} seat {player} "
        + "".join(f"{names.get(int(p), int(p))!s:>6}" for p in row)
        + (f"   to {verb}" if player == seat else "")
        for player, row in enumerate(pieces)
    )
