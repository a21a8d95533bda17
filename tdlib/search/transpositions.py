"""Positions that are met again: what is known of them is looked up, not searched once more.

The table is one array of rows of words: the position itself, so that nothing is ever taken for
something else; which search it belongs to and how many plies were left; and bounds of its value
for the seat that searches, which meet where the value is known exactly. All lanes share it, and
a new row takes the place of what was there: so what is found does not hang on searches side by
side, but how many nodes are saved does.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.search.nodes import Node, Search
from tdlib.types import Array, State

_DEPTHS = 64  # more than any search has plies: tells searches and plies left apart in one word


def empty(search: Search, states: State) -> Array:
    """The table [S, W] uint32 of a search of these positions [N]."""
    words = jax.eval_shape(jax.vmap(lambda x: _name(x, jnp.int32(0), 1)), states).shape[1]
    return jnp.zeros((search.table, words + 2), jnp.uint32)


def known(table: Array, job: Array, at: Node, left: Array) -> Node:
    """The node newly reached, but without moves if the table has what is needed of it."""
    name = _name(at.state, job, left)
    row = table[_slot(table, name)]
    low, high = lax.bitcast_convert_type(row[-2:], jnp.float32)
    enough = (low >= high) | (low >= at.beta) | (high <= at.alpha)
    enough &= (row[:-2] == name).all() & (at.moves > 0)
    value = jnp.where((low >= high) | (low >= at.beta), low, high)
    return at._replace(
        moves=jnp.where(enough, 0, at.moves), best=jnp.where(enough, value, at.best)
    )


def row(job: Array, at: Node, left: int, value: Array, window: tuple[Array, Array]) -> Array:
    """What was found out of a node [W]: its value, or on which side of the window that is."""
    alpha, beta = window
    low = jnp.where(value <= alpha, -jnp.inf, value)
    high = jnp.where(value >= beta, jnp.inf, value)
    bounds = lax.bitcast_convert_type(jnp.stack([low, high]), jnp.uint32)
    return jnp.concatenate([_name(at.state, job, left), bounds])


def written(table: Array, rows: Array, real: Array) -> Array:
    """The table with those of the rows [N, W] that are real [N]."""
    slot = jax.vmap(lambda name: _slot(table, name))(rows[:, :-2])
    return table.at[jnp.where(real, slot, table.shape[0])].set(rows, mode="drop")


def _name(state: State, job: Array, left: Array | int) -> Array:
    """All that a value hangs on, in words: [W - 2] uint32."""
    tag = job * _DEPTHS + left
    leaves = jax.tree.leaves((state, tag))
    assert all(x.dtype.kind in "iub" and x.dtype.itemsize <= 4 for x in leaves)
    return jnp.concatenate([x.astype(jnp.uint32).ravel() for x in leaves])


def _slot(table: Array, name: Array) -> Array:
    """Where in the table a name [W - 2] belongs: [] uint32."""
    mixed = jnp.uint32(0)
    for i in range(name.shape[0]):
        mixed = (mixed ^ name[i]) * np.uint32(0x9E3779B1)
        mixed ^= mixed >> np.uint32(15)
    return mixed & np.uint32(table.shape[0] - 1)
