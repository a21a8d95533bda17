"""Checking the options of a game: each is either one of some names, or True or False."""

from collections.abc import Mapping
from typing import Any


def check(options: Mapping[str, Any], named: Mapping[str, tuple[str, ...]]) -> None:
    """Refuses unknown values. named: the values allowed to options that are not flags."""
    for name, value in options.items():
        if name in named and value not in named[name]:
            raise ValueError(f"{name} is one of {', '.join(named[name])}, not {value!r}")
        if name not in named and not isinstance(value, bool):
            raise ValueError(f"{name} is True or False, not {value!r}")
