"""Numbers that change from game to game while a learner trains: alpha, lambda, epsilon.

A schedule is data: four numbers, hashable, written with `_asdict`, read with `Schedule(**d)`.
The value for game n = 0, 1, 2, ... is

    start * factor^n + step * n,  kept between start and end

Constant, exponential and linear schedules are all of this form, so one compiled function serves
lanes with different schedules: stack the four numbers into arrays [R].
"""

import math
from typing import NamedTuple

import jax.numpy as jnp

from tdlib.types import Array


class Schedule(NamedTuple):
    """Made by `constant`, `exponential` or `linear`."""

    start: float  # the value for game 0
    end: float  # reached, not passed
    factor: float  # multiplies once a game
    step: float  # adds once a game


def constant(value: float) -> Schedule:
    """The same in every game."""
    return _checked(Schedule(value, value, 1.0, 0.0))


def exponential(start: float, factor: float, floor: float = 0.0) -> Schedule:
    """`factor` times as much each game, but not below `floor`.

    Lee & Noh, section 2.3: epsilon from 0.1, times 0.9 each game, down to 0.01. Campos &
    Langlois 2003, section 6, state the ends only: from 0.9 to about 0 after 100 games.
    """
    if not 0 < factor <= 1:
        raise ValueError(f"factor must be above 0 and at most 1, not {factor!r}")
    if not 0 <= floor <= start:
        raise ValueError(f"floor must be between 0 and start {start!r}, not {floor!r}")
    return _checked(Schedule(start, floor, factor, 0.0))


def linear(start: float, end: float, games: int) -> Schedule:
    """From `start` to `end` in equal steps over so many games, then `end`."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games!r}")
    return _checked(Schedule(start, end, 1.0, (end - start) / games))


def value(schedule: Schedule, game: Array) -> Array:
    """The value for that game [] int32, counted from 0: [] float32."""
    start, end, factor, step = (jnp.asarray(x, jnp.float32) for x in schedule)
    n = jnp.asarray(game, jnp.float32)
    free = start * factor**n + step * n
    return jnp.clip(free, jnp.minimum(start, end), jnp.maximum(start, end))


def _checked(schedule: Schedule) -> Schedule:
    """The same as plain floats, so that equal schedules are written alike."""
    numbers = Schedule(*map(float, schedule))
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"a schedule is made of finite numbers, not {numbers}")
    return numbers
