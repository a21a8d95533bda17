"""Positions in writing: text and JSON both ways, and pictures made of characters.

`NOTATIONS[name]` has, for each game:

    parse(text) -> State          format(State) -> text
    read_query(record) -> Game, State, roll          a question of `python -m tdlib plays`
    answer_numbers(before, after, rank) -> [N, K]    the plays that answer it, as numbers,
    answer_columns(K) -> K columns                   and how these are written
    picture(State) -> text        several lines, for a terminal

Malformed or impossible positions raise a ValueError that says what was expected. A new game's
notation is a module here with these five functions, and its line in `NOTATIONS`.
"""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np

from tdlib import games
from tdlib.show.notation import abalone, backgammon, kalah, pachisi, parcheesi
from tdlib.show.notation.fields import Column
from tdlib.types import Game, State


class Notation(NamedTuple):
    parse: Callable[[str], State]
    format: Callable[[State], str]
    read_query: Callable[[Any], tuple[Game, State, int]]
    answer_numbers: Callable[[State, State, np.ndarray], np.ndarray]
    answer_columns: Callable[[int], list[Column]]
    picture: Callable[[State], str]


def _of(module: Any) -> Notation:
    return Notation(*(getattr(module, name) for name in Notation._fields))


NOTATIONS: dict[str, Notation] = {
    "backgammon": _of(backgammon),
    "hypergammon": _of(backgammon)._replace(
        parse=functools.partial(backgammon.parse, name="hypergammon"),
        read_query=functools.partial(backgammon.read_query, name="hypergammon"),
    ),
    "pachisi": _of(pachisi),
    "parcheesi": _of(parcheesi),
    "kalah": _of(kalah),
    "abalone": _of(abalone),
}


def notation_of(game: str) -> Notation:
    """The notation of the game of that name."""
    if game not in NOTATIONS:
        raise ValueError(f"unknown game {game!r}; expected one of {', '.join(NOTATIONS)}")
    return NOTATIONS[game]


def command(game: str, position: str | None, svg: str | None) -> list[str]:
    """`python -m tdlib show`: a position in characters; `svg` names a file to draw it to."""
    notation = notation_of(game)
    if position is None:
        state = games.make(game).init(jax.random.key(0))
    else:
        state = notation.parse(position)
    print(notation.picture(state))
    print(notation.format(state))
    if svg:
        from tdlib.show import boards  # which imports matplotlib

        Path(svg).write_text(boards.svg(game, state, coordinates=True))
    return []
