"""Sets of board places as the bits of one 32-bit word, and the few operations games need."""

import jax.numpy as jnp
from jax import lax

from tdlib.types import Array


def pack(members: Array) -> Array:
    """[..., N] bool, N <= 32 -> [...] int32 with bit i set where member i is."""
    places = 1 << jnp.arange(members.shape[-1], dtype=jnp.int32)
    return jnp.where(members, places, 0).sum(-1, dtype=jnp.int32)


def has(word: Array, place: Array) -> Array:
    """Whether the bit is set: bool. Negative places are in no set."""
    return (place >= 0) & ((word >> jnp.maximum(place, 0)) & 1 == 1)


def size(word: Array) -> Array:
    """How many bits are set."""
    return lax.population_count(word)


def highest(word: Array) -> Array:
    """The set holding only the highest place of `word`; empty if `word` is."""
    return word & (1 << jnp.maximum(31 - lax.clz(word), 0))


def nth(word: Array, rank: Array) -> Array:
    """The place of the rank-th set bit, counted from the lowest, rank from 0."""
    place = jnp.zeros_like(rank)
    for width in (16, 8, 4, 2, 1):  # is it in the lower half? then look there
        low = word & ((1 << width) - 1)
        above = rank >= size(low)
        rank = jnp.where(above, rank - size(low), rank)
        place = jnp.where(above, place + width, place)
        word = jnp.where(above, word >> width, low)
    return place
