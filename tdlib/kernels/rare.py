"""Conditionals and loops whose vectorised form costs no more than the games need.

`jax.vmap` of `lax.cond` runs both branches for every game. Where one branch is rare and costly
(doubles in backgammon: one roll in six, many times the plays) that wastes most of the work.
`rarely` means the same as `lax.cond` for one position; its batching rule gathers the games that
need the costly branch, runs them in chunks of fixed size, and scatters the results back.

`jax.vmap` of a loop whose number of rounds differs between games copies everything that the
loop carries in every round, so that finished games stay as they are. `most` gives all games the
same number of rounds, for loops in which additional rounds do no harm.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_batching import custom_vmap

from tdlib.kernels.gather import in_all_lanes
from tdlib.types import Array


def rarely(costly: Callable, cheap: Callable, *, chunk: int = 8) -> Callable:
    """`f(flag [], *operands)`: costly(*operands) where flag, else cheap(*operands)."""

    @custom_vmap
    def choose(flag: Array, *operands: Any) -> Any:
        return lax.cond(flag, costly, cheap, *operands)

    @choose.def_vmap
    def choose_batched(axis_size: int, in_batched: Any, flag: Array, *operands: Any) -> Any:
        flag, *operands = in_all_lanes((flag, *operands), tuple(in_batched), axis_size)
        size = min(chunk, axis_size)
        padded = -(-axis_size // size) * size
        (needy,) = jnp.nonzero(flag, size=padded, fill_value=axis_size)

        def some(i: Array, out: Any) -> Any:
            index = lax.dynamic_slice_in_dim(needy, i * size, size)
            picked = jax.tree.map(lambda x: x.at[index].get(mode="clip"), operands)
            result = jax.vmap(costly)(*picked)
            return jax.tree.map(lambda o, r: o.at[index].set(r, mode="drop"), out, result)

        chunks = (flag.sum() + size - 1) // size
        out = lax.fori_loop(0, chunks, some, jax.vmap(cheap)(*operands))
        return out, jax.tree.map(lambda _: True, out)

    return choose


@custom_vmap
def most(number: Array) -> Array:
    """The number [] itself; in a `jax.vmap`, the largest of all games' numbers."""
    return number


@most.def_vmap
def _most_of_all(axis_size: int, in_batched: Any, number: Array) -> tuple[Array, bool]:
    return most(number.max(0)), False
