"""Lanes read in place, and results computed once, are what they would be otherwise."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.kernels.compute_once import kept, once
from tdlib.kernels.gather import Pick, copied, first_above, pick, running_totals


def test_a_pick_reads_what_a_copy_would_hold():
    table, few = jnp.arange(3 * 5 * 8.0).reshape(3, 5, 8), jnp.arange(12.0).reshape(3, 4)
    rows, columns = jnp.array([4, 0]), jnp.array([7, 3])

    def read(lane):
        long, short = pick((table, few), lane)
        assert isinstance(long, Pick) and not isinstance(short, Pick)
        return long[rows, columns], short + 1, copied(long), long[rows]

    found = jax.jit(jax.vmap(read))(jnp.array([2, 0]))
    for i, lane in enumerate((2, 0)):
        assert (found[0][i] == table[lane, rows, columns]).all()
        assert (found[1][i] == few[lane] + 1).all()
        assert (found[2][i] == table[lane]).all()
        assert (found[3][i] == table[lane, rows]).all()
    with pytest.raises(AssertionError, match="3 indices for"):
        Pick(table, jnp.int32(0))[rows, columns, rows]


@pytest.mark.parametrize("size", [1, 2, 7, 53, 64])
def test_the_first_above_is_found(size):
    upto = np.cumsum(np.random.default_rng(size).integers(0, 3, size))
    for rank in range(int(upto[-1])):
        assert int(first_above(jnp.asarray(upto), jnp.int32(rank))) == int(
            np.argmax(upto > rank)
        )


@pytest.mark.parametrize("size", [1, 2, 7, 53, 64, 400])
def test_running_totals(size):
    numbers = np.random.default_rng(size).integers(0, 30, size).astype(np.int32)
    assert running_totals(jnp.asarray(numbers)).tolist() == np.cumsum(numbers).tolist()


def test_once_and_kept_change_nothing():
    x = jnp.arange(10, dtype=jnp.int32)
    assert (kept(x * 3) == x * 3).all()
    tree = jax.jit(lambda one: once(lambda: {"a": x + 1, "b": x * 0.5}, one))(jnp.int32(1))
    assert (tree["a"] == x + 1).all() and (tree["b"] == x * 0.5).all()
