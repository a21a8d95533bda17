"""Checking the options of games and encodings: a mistake is named with what was expected."""

from collections.abc import Collection, Mapping
from typing import Any


def one_of(name: str, value: Any, choices: Collection[str]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def flag(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, not {value!r}")


def whole(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name} must be an integer of at least {least}, not {value!r}")


def named_or_flags(options: Mapping[str, Any], named: Mapping[str, tuple[str, ...]]) -> None:
    """Each option is one of its names in `named`; those that have none there are flags."""
    for name, value in options.items():
        if name in named:
            one_of(name, value, named[name])
        else:
            flag(name, value)
