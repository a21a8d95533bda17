"""Reading the fields of a JSON record: each mistake is named with what was expected."""

from collections.abc import Sequence
from typing import Any


def known_keys(record: Any, required: Sequence[str], optional: Sequence[str] = ()) -> None:
    """Refuse anything but an object with exactly these keys."""
    if not isinstance(record, dict):
        raise ValueError(f"expected an object with {', '.join(required)}, found {record!r}")
    for key in required:
        if key not in record:
            raise ValueError(f"missing key {key!r}; expected {', '.join(required)}")
    for key in record:
        if key not in (*required, *optional):
            raise ValueError(
                f"unknown key {key!r}; expected {', '.join((*required, *optional))}"
            )


def integer(value: Any, what: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{what} must be an integer from {low} to {high}, found {value!r}")
    return value


def integers(value: Any, what: str, length: int, low: int, high: int) -> list[int]:
    if not isinstance(value, list) or len(value) != length:
        raise ValueError(f"{what} must be a list of {length} integers, found {value!r}")
    return [integer(v, f"{what}[{i}]", low, high) for i, v in enumerate(value)]


def flag(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{what} must be true or false, found {value!r}")
    return value


def choice(value: Any, what: str, options: Sequence[Any]) -> int:
    """The index of `value` among `options`."""
    if isinstance(value, bool) or value not in options:
        raise ValueError(
            f"{what} must be one of {', '.join(map(str, options))}, found {value!r}"
        )
    return options.index(value)


def path_lists(value: Any, home: int) -> list[list[int]]:
    """Four players' path numbers, 0 (start) to `home`."""
    if not isinstance(value, list) or len(value) != 4:
        raise ValueError(f"pieces must be a list of 4 lists of 4 path numbers, found {value!r}")
    return [integers(row, f"pieces[{i}]", 4, 0, home) for i, row in enumerate(value)]


def path_numbers(text: str, player: int) -> list[int]:
    """Numbers with spaces between, as one player's pieces stand in a text."""
    words = text.split()
    if len(words) != 4 or not all(word.isdecimal() for word in words):
        raise ValueError(
            f"player {player} must have 4 path numbers like '0 0 8 23', found {text!r}"
        )
    return [int(word) for word in words]
