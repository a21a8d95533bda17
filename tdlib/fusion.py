"""How to keep XLA from computing the same thing many times.

On a CPU, XLA fuses cheap arithmetic into each of its uses: an index that three hundred steps
compute is computed anew for every number read through it. It does not fuse across a branch. So
a branch of which XLA cannot know that it is always taken computes its result once and keeps it
(`lax.optimization_barrier` does not stop it; `make bench` would show if this no longer did).
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_batching import custom_vmap

from tdlib.types import Array


def once(compute: Callable[[], Any], one: Array) -> Any:
    """compute(), which may not be part of a `jax.vmap`; one [] int32: a 1 unknown to XLA."""
    shapes = jax.eval_shape(compute)

    def blank() -> Any:
        return jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shapes)

    return lax.cond(one > 0, compute, blank)


def kept(numbers: Array) -> Array:
    """The same numbers, from 0 to below 2^31 - 1, computed only once.

    XLA holds a remainder to be dear and keeps its result. This one changes nothing. For the
    inside of functions that are vectorised; `once` is surer where it can be had.
    """
    return (numbers.astype(jnp.uint32) % np.uint32(2**31 - 1)).astype(numbers.dtype)


def unknown_one(numbers: Array) -> Array:
    """A 1 of which XLA does not know that it is one, for `once`; numbers: some integers."""
    return 1 + jnp.minimum(lax.population_count(numbers.ravel()[0]), 0)


def columns(many: Callable) -> Callable:
    """f(*arrays [...]) -> arrays [...], given many(*arrays [..., N]) -> arrays [..., N].

    XLA on a CPU takes several numbers at a time only along the last axis. So what asks much of
    every position is best computed for many positions that lie side by side on that axis.
    """

    @custom_vmap
    def side_by_side(*args: Any) -> Any:
        one = unknown_one(jax.tree.leaves(args)[0])
        args = once(lambda: args, one)  # or XLA would turn the axes round again in every use
        out = many(*args)
        return once(lambda: out, one)

    @side_by_side.def_vmap
    def more(size: int, in_batched: Any, *args: Any) -> Any:
        def widen(x: Array, batched: bool) -> Array:
            x = x if batched else jnp.broadcast_to(x, (size, *x.shape))
            return jnp.moveaxis(x, 0, -2).reshape(*x.shape[1:-1], -1)

        def part(x: Array) -> Array:
            return jnp.moveaxis(x.reshape(*x.shape[:-1], size, -1), -2, 0)

        out = side_by_side(*jax.tree.map(widen, args, tuple(in_batched)))
        return jax.tree.map(part, out), jax.tree.map(lambda _: True, out)

    def single(*args: Any) -> Any:
        out = side_by_side(*jax.tree.map(lambda x: jnp.asarray(x)[..., None], args))
        return jax.tree.map(lambda x: x[..., 0], out)

    return single
