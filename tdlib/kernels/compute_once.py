"""How to keep XLA from computing the same thing many times.

On a CPU, XLA fuses cheap arithmetic into each of its uses: an index that takes three hundred
steps to compute is computed again for every number read through it. But XLA does not fuse
across a branch. So a branch that is always taken, without XLA being able to know that, computes
its result once and keeps it. (`lax.optimization_barrier` does not stop the fusion. If this
trick ever stops working, `make bench` will show it.)
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
    """compute(), outside of any `jax.vmap`; one [] int32: a 1 that XLA does not know."""
    shapes = jax.eval_shape(compute)

    def blank() -> Any:
        return jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shapes)

    return lax.cond(one > 0, compute, blank)


def kept(numbers: Array) -> Array:
    """The same numbers, from 0 to below 2^31 - 1, computed only once.

    XLA considers a remainder expensive and keeps its result; this one changes nothing. It works
    inside functions that are vectorised. Elsewhere `once` is more reliable.
    """
    return (numbers.astype(jnp.uint32) % np.uint32(2**31 - 1)).astype(numbers.dtype)


def unknown_one(numbers: Array) -> Array:
    """A 1 that XLA does not know to be one, for `once`; numbers: any integers."""
    return 1 + jnp.minimum(lax.population_count(numbers.ravel()[0]), 0)


def columns(many: Callable) -> Callable:
    """f(*arrays [...]) -> arrays [...], given many(*arrays [..., N]) -> arrays [..., N].

    XLA on a CPU processes several numbers at a time only along the last axis. So a costly
    function of a position is best computed for many positions side by side on that axis.
    """

    @custom_vmap
    def side_by_side(*args: Any) -> Any:
        one = unknown_one(jax.tree.leaves(args)[0])
        args = once(lambda: args, one)  # or XLA would transpose them again in every use
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
