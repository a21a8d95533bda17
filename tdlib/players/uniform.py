"""The random player: every distinct result of the roll is equally likely."""

from typing import Any

import jax.numpy as jnp

from tdlib import chance
from tdlib.types import Array, Key, Player, State


def choose(weights: Any, key: Key, state: State, plays: Any) -> Array:
    return chance.below(key, jnp.int32(0), plays.count)


RANDOM = Player("random", choose)
