"""The deterministic player: always the first legal play (Matthews 2006, section 5.5)."""

from typing import Any

import jax.numpy as jnp

from tdlib.types import Array, Key, Player, State


def choose(weights: Any, key: Key, state: State, plays: Any) -> Array:
    return jnp.int32(0)


FIRST = Player("first", choose)
