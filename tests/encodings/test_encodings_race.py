"""What the inputs of pachisi and Parcheesi share."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.encodings import race
from tdlib.kernels.compute_once import columns
from tdlib.types import Encoding


@columns
def products(table, number):
    """table [2, 3, N], number [N] -> [2, N], [N]."""
    return table.sum(1) * number[None], number + 1


def test_a_function_of_columns_is_one_of_single_positions():
    table, number = np.arange(120).reshape(4, 5, 2, 3), np.arange(20).reshape(4, 5)
    sums, following = products(table[1, 2], number[1, 2])
    assert sums.tolist() == (table[1, 2].sum(1) * 7).tolist() and following == 8
    sums, following = jax.jit(jax.vmap(jax.vmap(products)))(table, number)
    assert sums.tolist() == (table.sum(-1) * number[..., None]).tolist()
    assert following.tolist() == (number + 1).tolist()


def test_columns_share_what_is_the_same_for_all():
    table, number = np.arange(6).reshape(2, 3), np.arange(4)
    sums, _ = jax.jit(jax.vmap(products, (None, 0)))(table, number)
    assert sums.tolist() == [[3 * k, 12 * k] for k in range(4)]


@pytest.mark.parametrize("normalise, expected", [(True, [1, 2, 1.5, 2]), (False, [1, 2, 3, 4])])
def test_smart_inputs_are_divided_by_their_greatest_values(normalise, expected):
    greatest = {"a": 1, "b": 2}
    raw = np.repeat([1.0, 2.0, 3.0, 4.0], 2).astype(np.float32)
    smart = race.smart(lambda state: jnp.asarray(raw), greatest, normalise=normalise)
    assert smart.encode(None, 0).tolist() == np.repeat(expected, 2).tolist()
    assert smart.names == tuple(f"seat {k} {name}" for name in "ab" for k in range(4))


def test_combined_inputs_change_like_the_first_and_are_added_anew_like_the_second():
    one = Encoding("one", lambda state, seat: jnp.array([1.0]), ("x",), ("changes",))
    two = Encoding("two", lambda state, seat: jnp.array([2.0, seat]), ("y", "z"))
    both = race.combined(one, two)
    assert both.encode(None, 3).tolist() == [1, 2, 3] and both.names == ("x", "y", "z")
    assert both.changes == ("changes",) and both.tail is two.encode
