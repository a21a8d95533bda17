"""Positions in writing: text and JSON both ways, and pictures made of characters.

`NOTATIONS[name]` has, for each game:

    parse(text) -> State          format(State) -> text
    read_query(record) -> Game, State, roll          a question of `python -m tdlib plays`
    answer(before, after) -> JSON value              its answer
    picture(State) -> text        several lines, for a terminal

Malformed or impossible positions raise a ValueError that says what was expected.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from tdlib.notation import abalone, backgammon, kalah, pachisi, parcheesi, pictures
from tdlib.types import Game, State


class Notation(NamedTuple):
    parse: Callable[[str], State]
    format: Callable[[State], str]
    read_query: Callable[[Any], tuple[Game, State, int]]
    answer: Callable[[State, list[State]], list]
    picture: Callable[[State], str]


def _notation(module: Any, picture: Callable[[State], str]) -> Notation:
    return Notation(module.parse, module.format, module.read_query, module.answer, picture)


_backgammon = _notation(backgammon, pictures.backgammon)

NOTATIONS: dict[str, Notation] = {
    "backgammon": _backgammon,
    "hypergammon": _backgammon._replace(
        parse=functools.partial(backgammon.parse, name="hypergammon"),
        read_query=functools.partial(backgammon.read_query, name="hypergammon"),
    ),
    "pachisi": _notation(pachisi, pictures.pachisi),
    "parcheesi": _notation(parcheesi, pictures.parcheesi),
    "kalah": _notation(kalah, pictures.kalah),
    "abalone": _notation(abalone, pictures.abalone),
}
