"""Players that know nothing of the game: random, first, and now and then random.

The epsilon of an exploring player is part of its weights, so that a trainer can set it anew
for every game (`tdlib.learning.records.Schedule`) without compiling anything.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp

from tdlib.kernels import random_numbers
from tdlib.types import Array, Key, Player, State


def _any(weights: Any, key: Key, state: State, plays: Any) -> Array:
    return random_numbers.below(key, jnp.int32(0), plays.count)


def _first(weights: Any, key: Key, state: State, plays: Any) -> Array:
    return jnp.int32(0)


RANDOM = Player("random", _any)  # every distinct result of the roll is equally likely
FIRST = Player("first", _first)  # the deterministic player of Matthews 2006, section 5.5


class Exploring(NamedTuple):
    """The weights of an exploring player."""

    inner: Any  # the weights of the player that chooses when it does not explore
    epsilon: Array  # [] float32, the probability of a random play


def exploring(player: Player, epsilon: float = 0.0) -> Player:
    """Plays uniformly at random with probability epsilon, else as `player` does.

    A random play may happen to be the one `player` would have chosen.
    """
    weights = Exploring(player.weights, jnp.float32(epsilon))
    return Player(f"exploring {player.name}", _explore(player.choose), weights)


@functools.cache  # the same function for the same player, which is then compiled once
def _explore(inner: Callable[[Any, Key, State, Any], Array]) -> Callable:
    def choose(weights: Exploring, key: Key, state: State, plays: Any) -> Array:
        explores = random_numbers.unit(key, 0) < weights.epsilon
        random = random_numbers.below(key, 1, plays.count)
        otherwise = inner(weights.inner, random_numbers.fold_in(key, 2), state, plays)
        return jnp.where(explores, random, otherwise)

    return choose
