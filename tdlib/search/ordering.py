"""The order in which searches look at the moves of their inner nodes: the highest key first.

Keys are kept by rank and never sorted. The next move is the one with the highest key below that
of the move looked at last, which XLA finds in one pass over all lanes, faster than it sorts.
All arrays have the lanes [L] last, where XLA works on several at a time.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jax import lax

from tdlib.types import Array


class Ordering(NamedTuple):
    """Of the D-1 inner nodes of every lane."""

    keys: Array  # [D-1, A, L] float32, of the moves, by rank
    keyed: Array  # [D-1, L] int32, how many are known
    key: Array  # [D-1, L] float32, of the move looked at last
    rank: Array  # [D-1, L] int32, its rank


def unordered(inner: int, slots: int, lanes: int) -> Ordering:
    """Nothing known yet."""
    shape = inner, lanes
    return Ordering(
        jnp.zeros((inner, slots, lanes)),
        jnp.zeros(shape, jnp.int32),
        jnp.full(shape, jnp.inf),
        jnp.full(shape, -1, jnp.int32),
    )


def forgotten(order: Ordering, ply: Array, fresh: Array) -> Ordering:
    """Nothing known of the nodes at `ply` [L] of the lanes where they are fresh [L]."""
    here = _at(order, ply) & fresh[None]
    return Ordering(
        order.keys,
        jnp.where(here, 0, order.keyed),
        jnp.where(here, jnp.inf, order.key),
        jnp.where(here, -1, order.rank),
    )


def keyed(order: Ordering, ply: Array) -> Array:
    """How many keys are known of the nodes at `ply` [L]: [L]."""
    return jnp.where(_at(order, ply), order.keyed, 0).sum(0)


def rated(order: Ordering, ply: Array, rates: Array, keys: Array) -> Ordering:
    """With K more keys [K, L] of the nodes at `ply`, in the lanes that rate [L]."""
    _, slots, lanes = order.keys.shape
    known = keyed(order, ply)
    rank = known[None] + jnp.arange(keys.shape[0], dtype=jnp.int32)[:, None]  # [K, L]
    rank = jnp.where(rates[None], rank, slots)  # not written
    where = jnp.broadcast_to(ply[None], rank.shape), rank, jnp.arange(lanes)[None]

    def write(all_keys: Array) -> Array:
        return all_keys.at[where].set(keys, mode="drop")

    filled = lax.cond(rates.any(), write, lambda all_keys: all_keys, order.keys)
    here = _at(order, ply) & rates[None]
    return order._replace(
        keys=filled, keyed=jnp.where(here, order.keyed + keys.shape[0], order.keyed)
    )


def following(
    order: Ordering, ply: Array, moves: Array, otherwise: Array
) -> tuple[Array, Ordering]:
    """The rank [L] of the next move at `ply`, and the ordering once it has been looked at.

    moves [L]: how many there are; otherwise [L]: the rank where all that have keys are done.
    """
    here = _at(order, ply)
    key = latest(order, ply)
    last = jnp.where(here, order.rank, -1).max(0)
    keys = order.keys[0]
    for i in range(1, order.keys.shape[0]):
        keys = jnp.where((ply == i)[None], order.keys[i], keys)  # [A, L]
    ranks = jnp.arange(keys.shape[0], dtype=jnp.int32)[:, None]
    left = (keys < key[None]) | ((keys == key[None]) & (ranks > last[None]))
    left &= ranks < moves[None]
    keys = jnp.where(left, keys, -jnp.inf)
    best = keys.max(0)
    none = jnp.int32(keys.shape[0])
    rank = jnp.where(left & (keys == best[None]), ranks, none).min(0)
    order = order._replace(
        key=jnp.where(here, best[None], order.key), rank=jnp.where(here, rank[None], order.rank)
    )
    return jnp.where(rank < none, rank, otherwise), order


def latest(order: Ordering, ply: Array) -> Array:
    """The key of the move looked at last at `ply` [L]: [L]."""
    return jnp.where(_at(order, ply), order.key, -jnp.inf).max(0)


def kept(mask: Array, new: Ordering, old: Ordering) -> Ordering:
    """What was looked at last of the new or the old, by mask [L]; the same keys."""
    return old._replace(
        key=jnp.where(mask[None], new.key, old.key),
        rank=jnp.where(mask[None], new.rank, old.rank),
    )


def _at(order: Ordering, ply: Array) -> Array:
    """[D-1, L] bool: the nodes at `ply` [L]."""
    return jnp.arange(order.keyed.shape[0])[:, None] == ply[None]
