"""Players that now and then play at random (epsilon-greedy).

Epsilon is part of the weights, so that a trainer can set it anew for every game
(`tdlib.schedules`) without compiling anything.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp

from tdlib import chance
from tdlib.types import Array, Key, Player, State


class Exploring(NamedTuple):
    """The weights of an exploring player."""

    inner: Any  # of the player it otherwise asks
    epsilon: Array  # [] float32, the probability of a random play


def exploring(player: Player, epsilon: float = 0.0) -> Player:
    """Plays uniformly at random with probability epsilon, else as `player` does.

    A random play may happen to be the one `player` would have chosen.
    """
    weights = Exploring(player.weights, jnp.float32(epsilon))
    return Player(f"exploring {player.name}", _choose(player.choose), weights)


@functools.cache  # the same function for the same player, which is then compiled once
def _choose(inner: Callable[[Any, Key, State, Any], Array]) -> Callable:
    def choose(weights: Exploring, key: Key, state: State, plays: Any) -> Array:
        explores = chance.unit(key, 0) < weights.epsilon
        random = chance.below(key, 1, plays.count)
        otherwise = inner(weights.inner, chance.fold_in(key, 2), state, plays)
        return jnp.where(explores, random, otherwise)

    return choose
