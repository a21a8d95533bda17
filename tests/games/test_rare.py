"""The rare branch computes what `lax.cond` would, however it is vectorised."""

import jax
import jax.numpy as jnp
import pytest

from tdlib.kernels.rare import rarely

choose = rarely(lambda x, y: (x * 2, y + 1), lambda x, y: (-x, y), chunk=4)


def expected(flag, x, y):
    return jnp.where(flag, x * 2, -x).tolist(), jnp.where(flag, y + 1, y).tolist()


@pytest.mark.parametrize("every", [1, 2, 3, 7, 100])
def test_vectorised_equals_elementwise(every):
    x, y = jnp.arange(10.0), jnp.arange(10.0) * 3
    flag = (jnp.arange(10) + 1) % every == 0
    doubled, raised = jax.jit(jax.vmap(choose))(flag, x, y)
    assert (doubled.tolist(), raised.tolist()) == expected(flag, x, y)


def test_operands_shared_by_all_are_broadcast():
    x, flag = jnp.arange(6.0), jnp.arange(6) > 3
    _, raised = jax.vmap(choose, (0, 0, None))(flag, x, jnp.float32(5))
    assert raised.tolist() == [5, 5, 5, 5, 6, 6]


def test_vectorised_twice():
    x = jnp.arange(12.0).reshape(3, 4)
    flag = x % 3 == 1
    doubled, raised = jax.jit(jax.vmap(jax.vmap(choose)))(flag, x, x)
    assert (doubled.tolist(), raised.tolist()) == expected(flag, x, x)


def test_one_position_alone():
    assert [float(v) for v in choose(jnp.bool_(True), jnp.float32(3), jnp.float32(1))] == [6, 2]
