"""What goes over a short axis, written out number by number.

XLA on a CPU vectorises a chain of elementwise operations on whole arrays, but neither a sort
nor a sum over an axis of a few entries.
"""

import functools
import operator
from collections.abc import Iterable

import jax.numpy as jnp

from tdlib.types import Array


def ascending(a: Array, b: Array, c: Array, d: Array) -> tuple[Array, Array, Array, Array]:
    """The same four numbers, elementwise, the smallest first."""
    a, b = jnp.minimum(a, b), jnp.maximum(a, b)
    c, d = jnp.minimum(c, d), jnp.maximum(c, d)
    low, high = jnp.maximum(a, c), jnp.minimum(b, d)
    return jnp.minimum(a, c), jnp.minimum(low, high), jnp.maximum(low, high), jnp.maximum(b, d)


def total(arrays: Iterable[Array]) -> Array:
    """The sum over the first axis, or of several arrays."""
    return functools.reduce(operator.add, arrays)


def any_of(words: Iterable[Array]) -> Array:
    """What is in any of these sets, each the bits of a word."""
    return functools.reduce(operator.or_, words)
