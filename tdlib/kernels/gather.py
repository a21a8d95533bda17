"""One lane of arrays that hold many lanes, read in place instead of copied.

The plays of all games form one list, and each play needs a few numbers of its own game: an
entry of a table, a row of weights. `x[lane]` for every play would copy whole tables. A `Pick`
remembers the lane instead and reads single numbers, as one gather from the flat array.
"""

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from tdlib.types import Array

COPIED = 16  # numbers a lane: up to here a copy is cheaper, and can be used like any array


class Blocks(NamedTuple):
    """Weights of N players that share the lanes between them, in equal blocks, in order."""

    weights: Any  # pytree with [N] in front


@jax.tree_util.register_pytree_node_class
class Pick:
    """x[lane] of an array [B, ...]; it can only be indexed, by whole numbers or arrays of them.

    With fewer indices than axes whole rows are read. Indices must be within bounds.
    """

    def __init__(self, whole: Array, lane: Array) -> None:
        self._whole, self._lane = whole, lane

    @property
    def shape(self) -> tuple[int, ...]:
        return self._whole.shape[1:]

    def __getitem__(self, index: Any) -> Array:
        index = index if isinstance(index, tuple) else (index,)
        assert len(index) <= len(self.shape), f"{len(index)} indices for {self.shape}"
        place = self._lane
        for size, i in zip(self.shape, index, strict=False):
            place = place * size + i
        return _get(self._whole.reshape(-1, *self.shape[len(index) :]), place)

    def copy(self) -> Array:
        return _get(self._whole, self._lane)

    def tree_flatten(self) -> tuple[tuple[Array, Array], None]:
        return (self._whole, self._lane), None

    @classmethod
    def tree_unflatten(cls, aux: None, children: tuple[Array, Array]) -> "Pick":
        return cls(*children)


def pick(tree: Any, lane: Array) -> Any:
    """The lane of every leaf [B, ...]: short ones copied, long ones as a `Pick`."""

    def one(x: Array) -> Any:
        long = x.size // x.shape[0] > COPIED
        return Pick(x, lane) if long else Pick(x, lane).copy()

    return jax.tree.map(one, tree)


def copied(tree: Any) -> Any:
    """The same with every `Pick` copied, for functions that do more than index."""
    return jax.tree.map(
        lambda x: x.copy() if isinstance(x, Pick) else x,
        tree,
        is_leaf=lambda x: isinstance(x, Pick),
    )


def weights_table(weights: Any, batched: Any, size: int) -> tuple[Any, int]:
    """Weights with [N] in front, and N: one for all games, `Blocks` of games, or one each."""
    if isinstance(weights, Blocks):
        weights, batched = weights.weights, True
    leaves = jax.tree.leaves(weights)
    if not isinstance(batched, bool):
        batched = any(jax.tree.leaves(batched))
    if not batched:
        weights = jax.tree.map(lambda x: x[None], weights)
    blocks = jax.tree.leaves(weights)[0].shape[0] if leaves else 1
    assert size % blocks == 0, f"{size} games cannot be shared between {blocks} players"
    return weights, blocks


def in_all_lanes(tree: Any, batched: Any, size: int) -> Any:
    """Every leaf with [size] in front, in the batching rule of a `custom_vmap`.

    batched: of each leaf, whether it has that axis already.
    """
    return jax.tree.map(
        lambda x, has: x if has else jnp.broadcast_to(x, (size, *jnp.shape(x))), tree, batched
    )


def first_above(upto: Any, rank: Array) -> Array:
    """The first entry of upto [N] above rank [], or the last one: []. upto never falls."""
    last = upto.shape[0] - 1
    low = jnp.zeros_like(rank)
    for k in reversed(range(last.bit_length())):
        probe = jnp.minimum(low + (1 << k), last)
        low = jnp.where(upto[probe - 1] <= rank, probe, low)
    return low


def running_totals(numbers: Array) -> Array:
    """jnp.cumsum of [N] int32.

    XLA on a CPU adds up everything before each entry. Here that is done within parts of about
    sqrt(N) entries, and then for the parts.
    """
    count = numbers.shape[0]
    width = math.isqrt(count - 1) + 1
    parts = jnp.pad(numbers, (0, -count % width)).reshape(-1, width)
    inside = jnp.cumsum(parts, axis=1)
    before = jnp.cumsum(inside[:, -1]) - inside[:, -1]
    return (inside + before[:, None]).reshape(-1)[:count]


def _get(x: Array, index: Array) -> Array:
    return x.at[index].get(mode="promise_in_bounds", wrap_negative_indices=False)
