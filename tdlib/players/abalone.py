"""Abalone players that judge by a formula (`tdlib.values.abalone`), some of them by searching.

Those that look one move ahead take the first of equal plays. Other weights, as the papers vary
them, are given with `_replace(weights=...)`.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from tdlib import search
from tdlib.players import greedy
from tdlib.types import Array, Game, Player, State
from tdlib.values import abalone


def centre(game: Game) -> Player:
    """Abalearn's opponent: near the centre, and ejecting (Campos & Langlois 2003, 6.1)."""
    return _greedy(game, "centre", _by_value(abalone.centre), abalone.Centre())


def friedman(game: Game) -> Player:
    """All four heuristics of Friedman & Ibarra (2004), equally weighted."""
    return _greedy(game, "friedman", _by_value(abalone.friedman), abalone.Friedman())


def aba_pro(game: Game) -> Player:
    """Compact and central, in the manner of ABA-PRO (Aichholzer et al. 2002)."""
    return _greedy(game, "aba_pro", _by_value(abalone.aba_pro), abalone.AbaPro())


def leenoh(game: Game) -> Player:
    """The move that Lee & Noh's search would look at first (section 2.3)."""
    return _greedy(game, "leenoh", abalone.order, abalone.Order())


def alphabeta3(game: Game) -> Player:
    """Friedman & Ibarra's player of their main experiment, here with all four heuristics."""
    options = {"depth": 3, "ties": "random", "order": "value"}
    return _searching(game, "alphabeta3", abalone.friedman, abalone.Friedman(), **options)


def minimax1(game: Game) -> Player:
    """Their opponent: one move ahead, only the distance to the centre, the first of equals."""
    weights = abalone.Friedman(rows=0.0, packed=0.0, kill=0.0)
    return _searching(game, "minimax1", abalone.friedman, weights, depth=1, method="minimax")


def centre_searching(game: Game, *, depth: int) -> Player:
    """Abalearn's minimax opponent (Campos & Langlois 2003, 6.1); its depth is not stated."""
    return _searching(game, f"centre{depth}", abalone.centre, abalone.Centre(), depth=depth)


PLAYERS: dict[str, Callable[..., Player]] = {
    "centre": centre,
    "friedman": friedman,
    "aba_pro": aba_pro,
    "leenoh": leenoh,
    "alphabeta3": alphabeta3,
    "minimax1": minimax1,
    "centre1": functools.partial(centre_searching, depth=1),
    "centre2": functools.partial(centre_searching, depth=2),
}


def _by_value(value: search.Value) -> greedy.Score:
    """The value of the position after a move, for the seat that made it."""

    def score(weights: Any, before: State, after: State) -> Array:
        return value(weights, after, before.seat)

    return score


def _greedy(game: Game, name: str, score: greedy.Score, weights: Any) -> Player:
    return greedy.player(game, score, name=name, weights=jax.tree.map(jnp.asarray, weights))


def _searching(
    game: Game, name: str, value: search.Value, weights: Any, **options: Any
) -> Player:
    arrays = jax.tree.map(jnp.asarray, weights)
    return search.player(game, value, name=name, weights=arrays, **options)
