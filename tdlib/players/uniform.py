"""The random player: every distinct result of the roll is equally likely."""

from typing import Any

import jax

from tdlib.types import Array, Key, Player, State


def choose(weights: Any, key: Key, state: State, plays: Any) -> Array:
    return jax.random.randint(key, (), 0, plays.count)


RANDOM = Player("random", choose)
