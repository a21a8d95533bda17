"""What is under test: functions from one JSON query to the list of its plays."""

import functools
from collections.abc import Callable
from typing import Any

from install import Unavailable

from tests.reference import abalone, backgammon, kalah

Case = tuple[dict[str, Any], list[Any]]  # a query of `python -m tdlib plays`, the right answer
Engine = Callable[[dict[str, Any]], list[Any]]
SIDES = ("south", "north")


def library(game: str) -> Engine:
    """The library, by the way the command line goes."""
    try:
        from tdlib.show import queries
    except ImportError as error:
        raise Unavailable(f"the library cannot be imported ({error}).") from error
    return functools.partial(queries.plays, game)


def twin(game: str) -> Engine:
    """The plain-Python twin, to check an oracle or the twin itself."""
    return {
        "backgammon": _backgammon,
        "hypergammon": _backgammon,
        "kalah": _kalah,
        "abalone": _abalone,
    }[game]


ENGINES = {"library": library, "twin": twin}


def _backgammon(record: dict[str, Any]) -> list[Any]:
    a, b = record["dice"]
    return [list(after) for after in backgammon.plays(tuple(record["position"]), (a, b))]


def _kalah(record: dict[str, Any]) -> list[Any]:
    after = kalah.plays(tuple(record["board"]), SIDES.index(record["to_move"]))
    return [
        {"pit": pit, "board": list(board), "to_move": SIDES[mover]}
        for pit, (board, mover, _) in after.items()
    ]


def _abalone(record: dict[str, Any]) -> list[Any]:
    broadside = record.get("broadside", True)
    return list(abalone.plays(record["board"], record["to_move"], broadside=broadside))


def difference(expected: list[Any], found: list[Any]) -> tuple[list[Any], list[Any]]:
    """Plays that only the oracle has; plays that only the engine has, or has twice."""
    wanted, got = list(map(_frozen, expected)), list(map(_frozen, found))
    missing = [play for play in wanted if play not in set(got)]
    extra = [play for play in got if play not in set(wanted)]
    twice = [play for play in set(got) if got.count(play) > 1]
    return missing, extra + twice


def _frozen(play: Any) -> Any:
    """A play as something hashable. Nobody is to move once a Kalah board is swept."""
    if isinstance(play, dict):
        swept = kalah.over(tuple(play["board"]))
        mover = None if swept else play["to_move"]
        return play["pit"], tuple(play["board"]), mover
    return tuple(play) if isinstance(play, list) else play
