"""Players of the papers that look some moves ahead (`tdlib.search`), by name.

Other weights, as Friedman & Ibarra (2004) vary them, are given with `_replace(weights=...)`.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from tdlib import search
from tdlib.types import Game, Player
from tdlib.values import abalone, kalah

DEPTHS = range(1, 10)  # of Kalah


def alphabeta3(game: Game) -> Player:
    """Friedman & Ibarra's player of their main experiment, here with all four heuristics."""
    weights = _arrays(abalone.Friedman())
    return _abalone(
        game,
        abalone.friedman,
        name="alphabeta3",
        depth=3,
        ties="random",
        order="value",
        weights=weights,
    )


def minimax1(game: Game) -> Player:
    """Their opponent: one move ahead, only the distance to the centre, the first of equals."""
    weights = _arrays(abalone.Friedman(rows=0.0, packed=0.0, kill=0.0))
    return _abalone(
        game, abalone.friedman, name="minimax1", depth=1, method="minimax", weights=weights
    )


def centre(game: Game, *, depth: int) -> Player:
    """Abalearn's minimax opponent (Campos & Langlois 2003, 6.1); its depth is not stated."""
    name, weights = f"centre{depth}", _arrays(abalone.Centre())
    return _abalone(game, abalone.centre, name=name, depth=depth, weights=weights)


def store_lead(game: Game, *, depth: int) -> Player:
    """Choi's (2013) opponent: piece advantage, any one of equal moves at random."""
    if game.name != "kalah":
        raise ValueError(f"the player 'minimax{depth}' plays kalah, not {game.name}")
    name = f"minimax{depth}"
    order = "value" if depth > 2 else None  # changes how fast it is, not what it plays
    return search.player(
        game, kalah.store_lead, depth=depth, ties="random", order=order, name=name
    )


ABALONE: dict[str, Callable[..., Player]] = {
    "alphabeta3": alphabeta3,
    "minimax1": minimax1,
    **{f"centre{depth}": functools.partial(centre, depth=depth) for depth in (1, 2)},
}
KALAH: dict[str, Callable[..., Player]] = {
    f"minimax{depth}": functools.partial(store_lead, depth=depth) for depth in DEPTHS
}


def _abalone(game: Game, value: search.Value, *, name: str, **options: Any) -> Player:
    if game.name != "abalone":
        raise ValueError(f"the player {name!r} plays abalone, not {game.name}")
    return search.player(game, value, name=name, **options)


def _arrays(weights: Any) -> Any:
    return jax.tree.map(jnp.asarray, weights)
