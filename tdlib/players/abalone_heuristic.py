"""Abalone players that look one move ahead and judge by a formula (`tdlib.values.abalone`).

Among equals the first play is taken. Other weights, as the papers vary them, are given with
`_replace(weights=...)`.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from tdlib.players import greedy
from tdlib.types import Array, Game, Player, State
from tdlib.values import abalone


def centre(game: Game) -> Player:
    """Abalearn's opponent: near the centre, and ejecting (Campos & Langlois 2003, 6.1)."""
    return _player(game, "centre", _by_value(abalone.centre), abalone.Centre())


def friedman(game: Game) -> Player:
    """All four heuristics of Friedman & Ibarra (2004), equally weighted."""
    return _player(game, "friedman", _by_value(abalone.friedman), abalone.Friedman())


def aba_pro(game: Game) -> Player:
    """Compact and central, in the manner of ABA-PRO (Aichholzer et al. 2002)."""
    return _player(game, "aba_pro", _by_value(abalone.aba_pro), abalone.AbaPro())


def leenoh(game: Game) -> Player:
    """The move that Lee & Noh's search would look at first (section 2.3)."""
    return _player(game, "leenoh", abalone.order, abalone.Order())


def _by_value(value: Callable[[Any, State, Array], Array]) -> greedy.Score:
    """The value of the position after a move, for the seat that made it."""

    def score(weights: Any, before: State, after: State) -> Array:
        return value(weights, after, before.seat)

    return score


def _player(game: Game, name: str, score: greedy.Score, weights: Any) -> Player:
    if game.name != "abalone":
        raise ValueError(f"the player {name!r} plays abalone, not {game.name}")
    arrays = jax.tree.map(jnp.asarray, weights)
    return greedy.player(game, score, name=name, weights=arrays)
