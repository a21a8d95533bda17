"""One TD(lambda) step of one learner, after each position of a game.

With V_t the prediction for the t-th position, e_t the trace of its gradients, and per output o

    d_t = target - V_t        target = r - penalty + gamma V_{t+1}, or z once the game is over
    w  <- w + alpha sum_o chi(d_t)[o] e_t[o]
    e_{t+1} = lambda e_t + dV_{t+1}/dw

Matthews 2006, equations 2.3-2.5, with one trace for each output; Campos & Langlois 2003,
equations 2-4, for rewards and chi. Traces fade by lambda alone, as both print it; where gamma
is below 1 and the textbook's gamma lambda is wanted, pass the product as `lam`.

The error compares V_{t+1} with V_t as it was when that position was played. With `reevaluate`
the newest weights predict and differentiate V_{t+1} once more before it is remembered.

The last position of a game is not predicted: z stands in its place. `observing_step` reads the
papers otherwise, as a learner that is shown the last position first and the outcome afterwards.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from tdlib.types import Array
from tdlib.values import mlp


class Memory(NamedTuple):
    """What a learner carries from one position of a game to the next. O outputs.

    The latest gradient joins the trace only when the trace is used, in the next step. So a step
    changes the trace first and then reads it once, which XLA does in place.
    """

    earlier: mlp.Weights  # the trace of all positions but the latest, with [O] in front
    fade: Array  # [], by how much that trace fades: lambda, or 0 if it is of an earlier game
    latest: mlp.Factors  # of the gradient of the latest position
    prediction: Array  # [O], V of the latest position
    started: Array  # [] bool, whether there is a latest position


def forget(weights: mlp.Weights) -> Memory:
    """The memory at the beginning of a game."""
    outputs, columns = weights.output.shape
    hidden, inputs = weights.hidden.shape
    earlier = jax.tree.map(lambda w: jnp.zeros((outputs, *w.shape), w.dtype), weights)
    nothing = mlp.Factors(
        jnp.zeros((outputs, hidden)), jnp.zeros(inputs), jnp.zeros(outputs), jnp.zeros(columns)
    )
    return Memory(earlier, jnp.float32(0), nothing, jnp.zeros(outputs), jnp.bool_(False))


def trace(memory: Memory) -> mlp.Weights:
    """e, the gradients of all positions of the game so far, with [O] in front."""
    latest = mlp.gradient(memory.latest)
    return jax.tree.map(lambda e, g: memory.fade * e + g, memory.earlier, latest)


def td_step(
    weights: mlp.Weights,
    memory: Memory,
    features: Array,
    *,
    over: Array,
    stop: Array,
    final: Array,
    reward: Array,
    alpha: Array,
    lam: Array,
    gamma: Array,
    kappa: Array,
    penalty: Array,
    reevaluate: bool = False,
) -> tuple[mlp.Weights, Memory, Array]:
    """Learn from having reached a position; forget everything if the game stops there.

    Args:
      features: [F], of the position just reached.
      over: [] bool, whether it ends the game by the rules.
      stop: [] bool, whether nothing follows: the game is over, or broken off.
      final: [O], the target z of the position before it, if it does.
      reward: [O], r on reaching it, if it does not.
      kappa: [] in [-1, 1], see `risk`; 0 weighs all errors alike.
    Returns:
      weights, memory, and the error d [O], zero for the first position of a game.
    """
    following, factors = mlp.value_and_factors(weights, features)
    target = jnp.where(over, final, reward - penalty + gamma * following)
    error = jnp.where(memory.started, risk(target - memory.prediction, kappa), 0.0)
    gradients = trace(memory)
    step = alpha * error

    def moved(w: Array, e: Array) -> Array:
        for o in range(len(step)):  # written out, XLA adds it all in one pass over the weights
            w = w + step[o] * e[o]
        return w

    weights = jax.tree.map(moved, weights, gradients)
    if reevaluate:
        following, factors = mlp.value_and_factors(weights, features)
    factors = jax.tree.map(lambda g: jnp.where(stop, 0.0, g), factors)
    fade = jnp.where(stop, 0.0, lam)
    return weights, Memory(gradients, fade, factors, following, jnp.logical_not(stop)), error


def observing_step(
    weights: mlp.Weights,
    memory: Memory,
    features: Array,
    *,
    over: Array,
    stop: Array,
    final: Array,
    reward: Array,
    **settings: Any,
) -> tuple[mlp.Weights, Memory, Array]:
    """`td_step`, but a last position is reached like any other, then compared with z.

    So the end of a game makes two steps: d_{T-1} = V_T - V_{T-1}, and d_T = z - V_T, which it
    returns. Rewards belong to the first.
    """
    settings |= {"reward": reward}
    no, yes, broken_off = jnp.bool_(False), jnp.bool_(True), stop & jnp.logical_not(over)
    weights, memory, error = td_step(
        weights, memory, features, over=no, stop=broken_off, final=final, **settings
    )
    ended = td_step(
        weights, memory, features, over=yes, stop=yes, final=final - reward, **settings
    )
    return jax.tree.map(
        lambda new, old: jnp.where(over, new, old), ended, (weights, memory, error)
    )


def risk(error: Array, kappa: Array) -> Array:
    """chi, Campos & Langlois 2003, equation 2 (after Mihatsch & Neuneier 2002).

    Gains count (1 - kappa) and losses (1 + kappa): kappa < 0 seeks risk, kappa > 0 avoids it.
    """
    return jnp.where(error > 0, (1 - kappa) * error, (1 + kappa) * error)
