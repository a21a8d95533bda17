"""Schedules: the three kinds, their ends, and many of them in one compiled function."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.learning.records import Schedule, constant, exponential, linear, value


def values(schedule, games):
    games = jnp.arange(games, dtype=jnp.int32)
    return np.asarray(jax.jit(jax.vmap(value, (None, 0)))(schedule, games))


def test_constant_is_the_same_in_every_game():
    assert (values(constant(0.7), 1000) == np.float32(0.7)).all()
    assert (values(constant(0.0), 10) == 0).all()


def test_exponential_falls_by_a_factor_down_to_the_floor():
    found = values(exponential(0.1, 0.9, 0.01), 100)
    expected = [max(0.1 * 0.9**n, 0.01) for n in range(100)]
    assert np.allclose(found, expected, rtol=1e-5)
    assert found[0] == np.float32(0.1)
    assert (found[22:] == np.float32(0.01)).all()  # 0.1 * 0.9^22 < 0.01


def test_exponential_without_a_floor_falls_towards_zero():
    found = values(exponential(0.9, 0.95), 101)
    assert found[100] == pytest.approx(0.9 * 0.95**100, rel=1e-4)


def test_linear_reaches_its_end_and_stays_there():
    found = values(linear(0.9, 0.0, 100), 1000)
    assert np.allclose(found[:101], [0.9 * (1 - n / 100) for n in range(101)], atol=1e-6)
    assert (found[101:] == 0).all()
    rising = values(linear(0.2, 0.6, 4), 8)
    assert np.allclose(rising, [0.2, 0.3, 0.4, 0.5, 0.6, 0.6, 0.6, 0.6], atol=1e-6)


def test_late_games_keep_the_end_exactly():
    late = jnp.int32(100_000)
    assert value(exponential(0.1, 0.9, 0.01), late) == np.float32(0.01)
    assert value(linear(0.9, 0.1, 7), late) == np.float32(0.1)


def test_lanes_with_different_schedules_share_one_function():
    kinds = [constant(0.3), exponential(0.1, 0.9, 0.01), linear(0.9, 0.0, 100)]
    stacked = jax.tree.map(lambda *numbers: jnp.array(numbers), *kinds)
    games = jnp.array([5, 5, 50])
    together = jax.jit(jax.vmap(value))(stacked, games)
    one_by_one = [float(value(s, n)) for s, n in zip(kinds, games, strict=True)]
    assert together.dtype == jnp.float32
    assert np.allclose(together, one_by_one, rtol=1e-6)


def test_a_schedule_is_plain_data():
    schedule = exponential(np.float64(0.1), 0.9, 0)
    written = json.dumps(schedule._asdict())
    assert written == '{"start": 0.1, "end": 0.0, "factor": 0.9, "step": 0.0}'
    assert Schedule(**json.loads(written)) == schedule
    assert hash(constant(1)) == hash(constant(1.0))
    assert json.dumps(constant(1)) == json.dumps(constant(1.0))


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: exponential(0.1, 1.1, 0.0), "factor must be above 0 and at most 1, not 1.1"),
        (lambda: exponential(0.1, 0.0, 0.0), "factor must be above 0 and at most 1, not 0.0"),
        (lambda: exponential(0.1, 0.9, 0.2), "floor must be between 0 and start 0.1, not 0.2"),
        (lambda: linear(0.9, 0.0, 0), "games must be at least 1, not 0"),
        (lambda: constant(float("nan")), "a schedule is made of finite numbers"),
    ],
)
def test_impossible_schedules_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
