"""Sutton's random walk (1988, section 3.2), on which he compared lambdas.

    A <- B <-> C <-> D <-> E <-> F -> G      begin in D; ending in A is worth 0, in G 1

Each step goes left or right with equal odds. What is to be predicted in each of the states B..F
is the outcome, whose true expectations are 1/6, 2/6, .. 5/6. Predictions are linear in a unit
vector for each state, so a weight is a prediction:

    P_t = w . x_t        e_t = lambda e_{t-1} + x_t        w <- w + alpha (P_{t+1} - P_t) e_t

with P_{t+1} = z, the outcome, at the end. `step` does that once. While a sequence of his
experiments lasts, the weights stay; the changes are added up (`change`) and made after each
sequence (`presented_once`) or after all sequences of a training set (`presented`).

Added up, the changes are linear in the weights: alpha (b - A w), with A = sum_t e_t (x_t -
x_{t+1}) and b = z e_m. So a training set is a few small matrices, and what endless repetition
leads to is the solution of A w = b (`limit`).

N sequences in a training set, T steps at most, 5 states.
"""

import functools
import itertools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.types import Array, Key

STATES = "BCDEF"
TRUE = np.arange(1, 6, dtype=np.float32) / 6
BEGIN = 0.5  # of all weights in his second experiment
_PLACES = f"A{STATES}G"
_START = _PLACES.index("D")
_LONGEST = 256  # steps: going on for so long has odds of about cos(pi / 6)^256, 10^-16


class Walk(NamedTuple):
    """One sequence; a training set has [N] in front."""

    x: Array  # [T, 5] float32, a unit vector for each state left; zero behind the end
    last: Array  # [T] bool, whether this state was left for A or G
    outcome: Array  # [] float32, 0 or 1


class Equations(NamedTuple):
    """The change b - A w that one sequence asks for; a training set has [N] in front."""

    matrix: Array  # [5, 5]
    vector: Array  # [5]


def walk(key: Key) -> Walk:
    """A random one."""
    right = jax.random.bernoulli(key, shape=(_LONGEST,))

    def go(place: Array, right: Array) -> tuple[Array, Array]:
        ended = (place == 0) | (place == len(_PLACES) - 1)
        return jnp.where(ended, place, place + 2 * right - 1), place

    end, places = lax.scan(go, jnp.int32(_START), right.astype(jnp.int32))
    return _walk(jnp.append(places, end))


def training_sets(key: Key, count: int, *, size: int = 10) -> Walk:
    """Walks with [count, size] in front; the paper has 100 sets of 10."""
    keys = jax.random.split(key, (count, size))
    return jax.jit(jax.vmap(jax.vmap(walk)))(keys)


def told(text: str) -> Walk:
    """The walk through these states, such as "DCDEFG"."""
    places = [_PLACES.find(letter) for letter in text]
    near = all(abs(a - b) == 1 for a, b in itertools.pairwise(places))
    inside = all(0 < place < len(_PLACES) - 1 for place in places[:-1])
    if len(text) < 2 or -1 in places or not near or not inside or text[-1] not in "AG":
        raise ValueError(
            f"expected neighbouring states of {_PLACES} that end in A or G, found {text!r}"
        )
    return _walk(jnp.asarray(np.array(places, np.int32)))


def step(
    weights: Array, trace: Array, x: Array, target: Array, *, alpha: float, lam: float
) -> tuple[Array, Array, Array]:
    """Learn at once from leaving x [F] for what is predicted, or known, to be worth `target`.

    Both predictions are to be made with the present weights.

    Returns:
      weights [F], trace [F] and the error [].
    """
    trace = lam * trace + x
    error = target - weights @ x
    return weights + alpha * error * trace, trace, error


def equations(walk: Walk, lam: Array) -> Equations:
    """What a sequence asks for with its weights held (Sutton 1988, equation 4)."""
    following = jnp.append(walk.x[1:], jnp.zeros_like(walk.x[:1]), axis=0)

    def add(carry: tuple[Array, Equations], seen: tuple) -> tuple[tuple, None]:
        trace, asked = carry
        x, following, worth = seen
        trace = lam * trace + x
        matrix = asked.matrix + jnp.outer(trace, x - following)
        return (trace, Equations(matrix, asked.vector + worth * trace)), None

    zero = jnp.zeros(len(STATES))
    begin = zero, Equations(jnp.outer(zero, zero), zero)
    (_, asked), _ = lax.scan(add, begin, (walk.x, following, walk.last * walk.outcome))
    return asked


def change(weights: Array, asked: Equations) -> Array:
    """The sum of (P_{t+1} - P_t) e_t over a sequence: [5]."""
    return asked.vector - asked.matrix @ weights


def presented_once(walks: Walk, alpha: Array, lam: Array) -> Array:
    """The weights [5] after one training set, changed after each of its sequences."""

    def learn(weights: Array, asked: Equations) -> tuple[Array, None]:
        return weights + alpha * change(weights, asked), None

    return lax.scan(learn, jnp.full(len(STATES), BEGIN), _all(walks, lam))[0]


def presented(walks: Walk, alpha: Array, lam: Array, *, times: int) -> Array:
    """The weights [5] after so many presentations of a training set, changed after each."""
    asked = jax.tree.map(lambda x: x.sum(0), _all(walks, lam))

    def learn(_: Array, weights: Array) -> Array:
        return weights + alpha * change(weights, asked)

    return lax.fori_loop(0, times, learn, jnp.full(len(STATES), BEGIN))


def limit(walks: Walk, lam: Array) -> Array:
    """The weights [5] that ever more presentations lead to, if alpha is small enough.

    A state that the training set never visits keeps the weight it began with.
    """
    matrix, vector = jax.tree.map(lambda x: x.sum(0), _all(walks, lam))
    unseen = walks.x.sum((0, 1)) == 0
    matrix = matrix + jnp.diag(unseen.astype(matrix.dtype))
    return jnp.linalg.solve(matrix, jnp.where(unseen, BEGIN, vector))


def rms(weights: Array) -> Array:
    """How far predictions [5] are from the true ones: the root of the mean squared error []."""
    return jnp.sqrt(jnp.mean((weights - TRUE) ** 2))


@jax.jit
def errors_once(walks: Walk, alphas: Array, lams: Array) -> Array:
    """His second experiment: [M sets, lambdas, alphas] errors after one presentation."""

    def error(lam: Array, alpha: Array, walks: Walk) -> Array:
        return rms(presented_once(walks, alpha, lam))

    return _table(error, walks, lams, alphas)


@functools.partial(jax.jit, static_argnames="times")
def errors_repeated(walks: Walk, alpha: Array, lams: Array, *, times: int) -> Array:
    """His first experiment: [M sets, lambdas] errors after so many presentations."""

    def error(lam: Array, walks: Walk) -> Array:
        return rms(presented(walks, alpha, lam, times=times))

    return _table(error, walks, lams)


@jax.jit
def errors_limit(walks: Walk, lams: Array) -> Array:
    """The same after endless presentations."""
    return _table(lambda lam, walks: rms(limit(walks, lam)), walks, lams)


def _walk(places: Array) -> Walk:
    """From places one after another [T + 1]; the last of them may be repeated."""
    x = places[:-1, None] == 1 + np.arange(len(STATES))[None]
    inside = x.any(1)
    last = inside & ~jnp.append(inside[1:], jnp.bool_(False))
    won = places[-1] == len(_PLACES) - 1
    return Walk(x.astype(jnp.float32), last, won.astype(jnp.float32))


def _all(walks: Walk, lam: Array) -> Equations:
    return jax.vmap(equations, (0, None))(walks, lam)


def _table(error: Callable, walks: Walk, *axes: Array) -> Array:
    """error(one of each axis, a training set) for all of them: [M, len(axis), ...]."""
    for used in reversed(range(len(axes))):
        place = [0 if i == used else None for i in range(len(axes) + 1)]
        error = jax.vmap(error, place)
    return jax.vmap(error, (*[None] * len(axes), 0))(*axes, walks)
