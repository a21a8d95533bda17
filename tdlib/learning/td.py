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

The last position of a game is not predicted: z stands in its place. With `observe_end` we read
the papers otherwise: the learner is shown the last position first, then the outcome.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from tdlib.learning.records import Rates
from tdlib.types import Array, assert_shape
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


Step = tuple[mlp.Weights, Memory, Array]  # new weights and memory, and the error [O]


def forget(weights: mlp.Weights) -> Memory:
    """The memory at the beginning of a game."""
    outputs, columns = weights.output.shape
    hidden, inputs = weights.hidden.shape

    def zeros(*shape: int) -> Array:
        return jnp.zeros(shape, weights.output.dtype)

    earlier = jax.tree.map(lambda w: zeros(outputs, *w.shape), weights)
    nothing = mlp.Factors(zeros(outputs, hidden), zeros(inputs), zeros(outputs), zeros(columns))
    return Memory(earlier, jnp.float32(0), nothing, zeros(outputs), jnp.bool_(False))


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
    observe_end: bool = False,
) -> Step:
    """Learn from having reached a position; forget everything if the game stops there.

    One learner in one game; vmap over learners at the call site.

    Args:
      weights: of the network, which predicts O outputs.
      memory: of the positions before, see `forget` for the first.
      features: [F], of the position just reached.
      over: [] bool, whether it ends the game by the rules.
      stop: [] bool, whether nothing follows: the game is over, or broken off.
      final: [O], z, the target of the position before it if the game is over.
      reward: [O], r on reaching it, if the game is not over. (Where the game is over, `final`
        contains what was earned by the last turn.)
      alpha: [], the step size.
      lam: [] in [0, 1], lambda, by how much older gradients fade with each position.
      gamma: [] in [0, 1], the discount: how much the next prediction counts in a target.
      kappa: [] in [-1, 1], see `risk`; 0 weighs all errors alike.
      penalty: [], taken off every target but the final one: what a move costs.
      reevaluate: whether the new weights predict the position again before it is remembered.
      observe_end: whether a last position is reached like any other and then compared with z.
        So the end of a game makes two steps: d_{T-1} = r - penalty + gamma V_T - V_{T-1}, and
        d_T = z - r - V_T, which is returned.
    Returns:
      weights, memory, and the error d [O], zero for the first position of a game.
    """
    _check(weights, memory, features, final=final, reward=reward)
    rates = Rates(alpha, lam, gamma, kappa, penalty)
    scalars = {"over": over, "stop": stop, **rates._asdict()}
    for name, x in scalars.items():
        assert_shape(name, x)

    def step(
        weights: mlp.Weights, memory: Memory, over: Array, stop: Array, final: Array
    ) -> Step:
        return _step(weights, memory, features, over, stop, final, reward, rates, reevaluate)

    if not observe_end:
        return step(weights, memory, over, stop, final)
    no, yes, broken_off = jnp.bool_(False), jnp.bool_(True), stop & jnp.logical_not(over)
    reached = step(weights, memory, no, broken_off, final)
    ended = step(reached[0], reached[1], yes, yes, final - reward)
    return jax.tree.map(lambda new, old: jnp.where(over, new, old), ended, reached)


def _step(
    weights: mlp.Weights,
    memory: Memory,
    features: Array,
    over: Array,
    stop: Array,
    final: Array,
    reward: Array,
    rates: Rates,
    reevaluate: bool,
) -> Step:
    following, factors = mlp.value_and_factors(weights, features)
    target = jnp.where(over, final, reward - rates.penalty + rates.gamma * following)
    error = jnp.where(memory.started, risk(target - memory.prediction, rates.kappa), 0.0)
    gradients = trace(memory)
    push = rates.alpha * error

    def moved(w: Array, e: Array) -> Array:
        for o in range(len(push)):  # written out, XLA adds it all in one pass over the weights
            w = w + push[o] * e[o]
        return w

    weights = jax.tree.map(moved, weights, gradients)
    if reevaluate:
        following, factors = mlp.value_and_factors(weights, features)
    factors = jax.tree.map(lambda g: jnp.where(stop, 0.0, g), factors)
    fade = jnp.where(stop, 0.0, rates.lam)
    return weights, Memory(gradients, fade, factors, following, jnp.logical_not(stop)), error


def _check(weights: mlp.Weights, memory: Memory, features: Array, **of_outputs: Array) -> None:
    """Shapes, at trace time; biases make one column more than there are inputs."""
    outputs = weights.output.shape[0]
    assert_shape("features", features, None)
    assert_shape("trace", memory.earlier.hidden, outputs, *weights.hidden.shape)
    for name, x in {"prediction": memory.prediction, **of_outputs}.items():
        assert_shape(name, x, outputs)


def risk(error: Array, kappa: Array) -> Array:
    """chi, Campos & Langlois 2003, equation 2 (after Mihatsch & Neuneier 2002).

    Gains count (1 - kappa) and losses (1 + kappa): kappa < 0 seeks risk, kappa > 0 avoids it.
    """
    return jnp.where(error > 0, (1 - kappa) * error, (1 + kappa) * error)
