"""One round of Bellman's equation over all positions at once.

    V(x, y) = sum of odds(roll) max of A(x', y')  over the legal plays,   A(x, y) = T - V(y, x)

x, y: the mover's and the opponent's configuration (`places`); x', y': after a play; T: what
both players' values add up to. Plays are not listed. Let A_d(x, y) be the best A that one step
with die d can reach, or minus infinity where no chequer can make that step. A plain roll a > b
is worth the larger of the best A_b after a step with a and the best A_a after a step with b. If
neither exists, at most one die can be used, and the roll is worth A_a, else A_b, else A itself,
a pass. A double takes up to four such steps. So a round reads 162 numbers for each position,
most of them from rows that are in the cache.
"""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.exact import places
from tdlib.types import Array


class Rules(NamedTuple):
    """Of the game with some number of chequers and one way to score; W = N + 1."""

    steps: places.Steps
    sharing: np.ndarray  # [W, W] bool
    won: np.ndarray  # [W] float64, what a finished game is worth to its winner, by the loser
    total: float  # what both players' values add up to

    @property
    def none(self) -> int:  # N
        return len(self.won) - 1


def start(rules: Rules) -> Array:
    """Values [W, W] to begin with: only finished games are known."""
    width = len(rules.won)
    return _with_ends(rules, jnp.full((width, width), rules.total / 2))


def sweep(rules: Rules, values: Array) -> Array:
    """The right side of the equation, [W, W] float64, from the left one."""
    hit = jnp.asarray(rules.steps.hit)
    dice = [tuple(map(jnp.asarray, die)) for die in zip(*rules.steps[:2], strict=True)]
    stay = _after(values, rules.total)
    once = [_step(stay, *die, hit) for die in dice]
    sums = jnp.zeros_like(values)
    for a in range(6):
        for b in range(a):
            sums = _add_plain(sums, stay, once[a], once[b], *dice[a], *dice[b], hit)
        twice = _step(once[a], *dice[a], hit)
        thrice = _step(twice, *dice[a], hit)
        sums = _add_double(sums, stay, once[a], twice, thrice, *dice[a], hit)
    return _with_ends(rules, sums)


def _with_ends(rules: Rules, values: Array) -> Array:
    return _finish(values, rules.won, rules.sharing, rules.total)


@jax.jit
def _finish(values: Array, won: Array, sharing: Array, total: float) -> Array:
    """The same with finished games in place, and nothing where no position is."""
    values = values.at[0].set(won).at[:, 0].set(total - won)
    return jnp.where(sharing, 0.0, values).at[-1].set(0.0).at[:, -1].set(0.0)


@jax.jit
def _after(values: Array, total: float) -> Array:
    """A: what positions are worth to the player that has just moved."""
    return (total - values.T).at[-1].set(-jnp.inf).at[:, -1].set(-jnp.inf)


def _best_step(after: Array, following: Array, target: Array, hit: Array) -> Array:
    """The best of `after` [W, W] that one step of a die can reach; following, target [K, W]."""
    width = len(after)
    flat = after.reshape(-1)

    def way(following: Array, target: Array) -> Array:
        place = following[:, None] * width + hit[target]
        return flat.at[place].get(mode="promise_in_bounds", wrap_negative_indices=False)

    return functools.reduce(jnp.maximum, map(way, following, target))


_step = jax.jit(_best_step)


@functools.partial(jax.jit, donate_argnums=0)
def _add_plain(sums, stay, with_a, with_b, next_a, target_a, next_b, target_b, hit) -> Array:
    both = jnp.maximum(
        _best_step(with_b, next_a, target_a, hit), _best_step(with_a, next_b, target_b, hit)
    )
    return sums + 2 / 36 * _first_possible(both, with_a, with_b, stay)


@functools.partial(jax.jit, donate_argnums=0)
def _add_double(sums, stay, once, twice, thrice, following, target, hit) -> Array:
    all_four = _best_step(thrice, following, target, hit)
    return sums + 1 / 36 * _first_possible(all_four, thrice, twice, once, stay)


def _first_possible(*wishes: Array) -> Array:
    """Of several arrays the first that is not minus infinity, place by place."""
    found = wishes[-1]
    for wish in wishes[-2::-1]:
        found = jnp.where(wish > -jnp.inf, wish, found)
    return found
