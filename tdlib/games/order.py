"""Four numbers in order, elementwise: pieces of a colour are alike, so rows are kept sorted."""

import jax.numpy as jnp

from tdlib.types import Array


def ascending(a: Array, b: Array, c: Array, d: Array) -> tuple[Array, Array, Array, Array]:
    """The same four numbers, the smallest first. A sort of so few is cheaper written out."""
    a, b = jnp.minimum(a, b), jnp.maximum(a, b)
    c, d = jnp.minimum(c, d), jnp.maximum(c, d)
    low, high = jnp.maximum(a, c), jnp.minimum(b, d)
    return jnp.minimum(a, c), jnp.minimum(low, high), jnp.maximum(low, high), jnp.maximum(b, d)
