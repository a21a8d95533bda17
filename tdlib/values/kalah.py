"""How good a Kalah position looks to a seat, by a formula: (weights, state, seat) -> []."""

import jax.numpy as jnp

from tdlib.games import kalah
from tdlib.types import Array


def store_lead(weights: tuple, state: kalah.State, seat: Array) -> Array:
    """Own store less the other's: the "piece advantage" of Choi (2013).

    A finished game has all seeds in the stores, so there it is the final difference.
    """
    south, north = state.cups.reshape(2, -1)[:, -1].astype(jnp.float32)
    return (south - north) * (1 - 2 * seat)
