"""A network of one hidden layer, or none, with sigmoid units.

    hidden_h = s(sum_i W1[h, i] x_i + b1[h])        V_o = s(sum_h W2[o, h] hidden_h + b2[o])

Matthews 2006, section 2.2 (after Mitchell 1997, whose units have a bias); with no hidden layer
V_o = s(sum_i W2[o, i] x_i + b2[o]). A bias is one more column of weights, whose input is 1.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.kernels.rare import most
from tdlib.types import Array, Key, assert_shape

_TOGETHER = 7  # rows at a time; a plain roll of backgammon changes so many at the most


class Weights(NamedTuple):
    hidden: Array  # [H, F + 1] float32 or float64, or [H, F] without biases; H = 0: no layer
    output: Array  # [O, H + 1] or [O, H]; [O, F + 1] or [O, F] if there is no hidden layer


def init(
    key: Key, inputs: int, *, hidden: int, outputs: int, span: float, bias: bool = True
) -> Weights:
    """Weights uniform in [-span, span]."""
    key_hidden, key_output = jax.random.split(key)
    extra = int(bias)
    last = hidden or inputs

    def uniform(key: Key, shape: tuple[int, int]) -> Array:
        return jax.random.uniform(key, shape, jnp.float32, -span, span)

    return Weights(
        hidden=uniform(key_hidden, (hidden, inputs + extra)),
        output=uniform(key_output, (outputs, last + extra)),
    )


def value(weights: Weights, features: Array) -> Array:
    """features [F] -> V [O]."""
    return forward(weights, features)[1]


def forward(weights: Weights, features: Array) -> tuple[Array, Array]:
    """What the output units see, bias input included, and V [O]."""
    assert_shape("features", features, None)
    assert_shape("weights.output", weights.output, None, None)
    x = _with_bias(weights.hidden, features)
    if weights.hidden.shape[0]:
        x = _with_bias(weights.output, jax.nn.sigmoid(weights.hidden @ x))
    return x, jax.nn.sigmoid(weights.output @ x)


def sums(weights: Weights, features: Array) -> Array:
    """The sums that enter the first layer's units, biases included: [H], or [O] if H = 0.

    `sums` of a position, then `shift`, `units` and `logit` for each of its plays do the work of
    `value` where a play changes a few inputs only.
    """
    assert_shape("features", features, None)
    first = _first(weights)
    return first @ _with_bias(first, features)


def shift(weights: Weights, sums: Array, rows: Array, amounts: Array) -> Array:
    """The sums after `amounts` [K] were added to the inputs `rows` [K].

    Reads the weights by indexing alone.
    """
    first = _first(weights)
    assert_shape("sums", sums, first.shape[0])
    assert_shape("amounts", amounts, *rows.shape)
    unit = np.arange(first.shape[0])

    def add(row: Array, amount: Array, sums: Array) -> Array:
        return sums + first[unit, row] * amount

    return over_rows(add, rows, amounts, sums)


def over_rows(add: Callable, rows: Array, amounts: Array, sums: Array) -> Array:
    """add(row, amount, sums) -> sums, for every entry up to the last amount that is not zero.

    A few at a time, written out: XLA vectorises this, but not a sum over an axis of gathers.
    """
    number = rows.shape[0]
    if number <= _TOGETHER:
        for k in range(number):
            sums = add(rows[k], amounts[k], sums)
        return sums
    short = -number % _TOGETHER
    rows, amounts = jnp.pad(rows, (0, short)), jnp.pad(amounts, (0, short))
    used = jnp.where(amounts != 0, np.arange(number + short) + 1, 0).max()

    def some(i: Array, sums: Array) -> Array:
        for k in range(_TOGETHER):
            at = i * _TOGETHER + k
            sums = add(rows[at], amounts[at], sums)
        return sums

    return lax.fori_loop(0, most((used + _TOGETHER - 1) // _TOGETHER), some, sums)


def units(weights: Weights, sums: Array) -> Array:
    """The hidden units [H] of these sums; without hidden layer the sums themselves."""
    return jax.nn.sigmoid(sums) if weights.hidden.shape[0] else sums


def logit(weights: Weights, units: Array, output: Array) -> Array:
    """One output before its sigmoid: []. Reads the weights by indexing alone."""
    hidden = weights.hidden.shape[0]
    if not hidden:
        return units[output]
    return output_sum(weights.output[output, np.arange(weights.output.shape[1])], units)


def output_sum(row: Array, units: Array) -> Array:
    """The sum that enters an output unit: []. row [H + 1] or [H], its weights; units [H]."""
    hidden, columns = len(units), len(row)
    total = row[hidden] if columns > hidden else jnp.float32(0)
    for h in range(hidden):  # written out: XLA is slow at sums over so short an axis
        total = total + row[h] * units[h]
    return total


class Factors(NamedTuple):
    """dV_o / dw as products of two, which are small enough to be kept."""

    back: Array  # [O, H], dV_o / d(sum of a hidden unit)
    inputs: Array  # [F + 1] or [F], what the hidden units see
    slope: Array  # [O], dV_o / d(sum of output unit o)
    seen: Array  # what the output units see


def value_and_gradient(weights: Weights, features: Array) -> tuple[Array, Weights]:
    """V [O] and dV_o / dw, a Weights with [O] in front."""
    value, factors = value_and_factors(weights, features)
    return value, gradient(factors)


def value_and_factors(weights: Weights, features: Array) -> tuple[Array, Factors]:
    """V [O] and the factors of its gradient, by the chain rule written out.

    Matthews 2006, the new terms of equations 2.3 and 2.4:

    dV_o/dW2[o, h] = V_o (1 - V_o) hidden_h
    dV_o/dW1[h, i] = V_o (1 - V_o) W2[o, h] hidden_h (1 - hidden_h) x_i
    """
    seen, v = forward(weights, features)
    slope = v * (1 - v)  # [O]
    units = weights.hidden.shape[0]
    h = seen[:units]
    back = slope[:, None] * weights.output[:, :units] * (h * (1 - h))[None, :]  # [O, H]
    return v, Factors(back, _with_bias(weights.hidden, features), slope, seen)


def gradient(factors: Factors) -> Weights:
    """dV_o / dw, with [O] in front; an output's own weights are the only ones that move it."""
    back, inputs, slope, seen = factors
    own = jnp.eye(len(slope), dtype=slope.dtype)[:, :, None] * slope[:, None, None]
    return Weights(back[:, :, None] * inputs[None, None, :], own * seen[None, None, :])


def _first(weights: Weights) -> Array:
    return weights.hidden if weights.hidden.shape[0] else weights.output


def _with_bias(matrix: Array, x: Array) -> Array:
    """x as wide as the matrix, with a 1 behind it if the matrix has a column for it."""
    x, missing = x.astype(matrix.dtype), matrix.shape[-1] - x.shape[-1]
    if missing not in (0, 1):
        raise ValueError(
            f"the weights are for {matrix.shape[-1] - 1} or {matrix.shape[-1]} inputs,"
            f" found {x.shape[-1]}"
        )
    return jnp.concatenate([x, jnp.ones(1, x.dtype)]) if missing else x
