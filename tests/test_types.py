"""The helper that checks shapes."""

import jax
import jax.numpy as jnp
import pytest

from tdlib.types import assert_shape


def test_shapes_are_checked_axis_by_axis_and_none_is_any_size():
    assert_shape("scalar", 3.0)
    assert_shape("vector", jnp.zeros(5), None)
    assert_shape("matrix", jnp.zeros((2, 5)), 2, None)


@pytest.mark.parametrize(
    ("expected", "told"),
    [
        ((), r"features must have the shape \[\], not \[2, 5\]"),
        ((None,), r"features must have the shape \[any\], not \[2, 5\]"),
        ((2, 6), r"features must have the shape \[2, 6\], not \[2, 5\]"),
    ],
)
def test_a_wrong_shape_is_told_with_the_name_of_the_argument(expected, told):
    with pytest.raises(AssertionError, match=told):
        assert_shape("features", jnp.zeros((2, 5)), *expected)


def test_under_vmap_it_sees_one_position():
    def first(x):
        assert_shape("x", x, 3)
        return x[0]

    assert jax.vmap(first)(jnp.ones((4, 3))).shape == (4,)
