"""How to keep XLA from computing the same thing many times.

On a CPU, XLA fuses cheap arithmetic into each of its uses: an index that three hundred steps
compute is computed anew for every number read through it. It does not fuse across a loop. So a
loop of one round, whose number of rounds XLA cannot know, computes its result once and keeps it
(`lax.optimization_barrier` does not stop it; `make bench` would show if this no longer did).
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.types import Array


def once(compute: Callable[[], Any], one: Array) -> Any:
    """compute(), which may not be part of a `jax.vmap`; one [] int32: a 1 unknown to XLA."""
    shapes = jax.eval_shape(compute)
    blank = jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shapes)
    return lax.fori_loop(0, one, lambda _, __: compute(), blank)


def kept(numbers: Array) -> Array:
    """The same numbers, from 0 to below 2^31 - 1, computed only once.

    XLA holds a remainder to be dear and keeps its result. This one changes nothing. For the
    inside of functions that are vectorised; `once` is surer where it can be had.
    """
    return (numbers.astype(jnp.uint32) % np.uint32(2**31 - 1)).astype(numbers.dtype)
