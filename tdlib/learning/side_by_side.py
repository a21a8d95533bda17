"""TD(lambda) of many learners with one output and a hidden layer: the step of `td`, faster.

XLA on a CPU takes several numbers at a time only along the last axis. The 14 inputs of Kalah
make that axis short where each learner has its own arrays; here the B learners lie on it. All
arrays are those of `td` and `mlp` with [B] behind, and steps are written for all learners.

Each seat the learner plays has a chain of positions of its own, as in `networks.OWN_POSITIONS`,
of which this is the same arithmetic (a test compares it with `td.td_step`, one position after
another).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.fusion import once, unknown_one
from tdlib.learning.td import risk
from tdlib.types import Array, State
from tdlib.values import mlp


class Chain(NamedTuple):
    """What one seat has seen of a game: the trace of its gradients, and its last prediction."""

    hidden: Array  # [H, I, B], the trace; I inputs, that of the biases included
    output: Array  # [H + 1, B] or [H, B]
    prediction: Array  # [B]
    started: Array  # [B] bool


class Net(NamedTuple):
    hidden: Array  # [H, I, B]
    output: Array  # [H + 1, B] or [H, B]
    chains: tuple[Chain, ...]  # P


class Seen(NamedTuple):
    """A position through the network: its value, and the factors of the gradient."""

    inputs: Array  # [I, B]
    units: Array  # what the output sees
    value: Array  # [B]
    back: Array  # [H, B]


def opened(task: Any, weights: mlp.Weights, state: State) -> Net:
    """Learners with weights [B, ...] at the beginning of a game."""
    hidden, output = jnp.moveaxis(weights.hidden, 0, -1), weights.output[:, 0].T
    nothing = jnp.zeros(output.shape[-1])
    chain = Chain(jnp.zeros_like(hidden), jnp.zeros_like(output), nothing, nothing > 0)
    return Net(hidden, output, (chain,) * task.game.seats)


def weights(net: Net) -> mlp.Weights:
    """With [B] in front, turned round once and not in each of their uses."""
    one = unknown_one(net.chains[0].started.astype(jnp.int32))
    turned = once(lambda: (jnp.moveaxis(net.hidden, -1, 0), net.output.T[:, None]), one)
    return mlp.Weights(*turned)


def learned(task: Any, net: Net, turn: Any) -> tuple[Net, Array]:
    """The mover's chain learns, if it is the learner's, and at the end of a game every one."""
    one, left, chains = unknown_one(turn.rank), turn.reward, []
    for seat, chain in enumerate(net.chains):
        encode = jax.vmap(task.encoding.encode, (0, None), 1)
        features = once(lambda: encode(turn.after, jnp.int32(seat)), one)  # noqa: B023
        concerned = turn.mine[:, seat] & ((turn.before.seat == seat) | turn.stop)
        net, chain = _step(net, chain, features, turn, seat, concerned, one)
        chains.append(chain)
        left = left.at[:, seat].set(jnp.where(concerned, 0.0, left[:, seat]))
    return net._replace(chains=tuple(chains)), left


def _step(
    net: Net, chain: Chain, features: Array, turn: Any, seat: int, concerned: Array, one: Array
) -> tuple[Net, Chain]:
    """`td.td_step` of one seat's chain, for those whom it concerns [B]."""
    seen = once(lambda: _seen(net, features, one), one)
    following = turn.reward[:, seat] - turn.penalty + turn.gamma * seen.value
    target = jnp.where(turn.over, turn.final[:, seat], following)
    error = risk(target - chain.prediction, turn.kappa)
    push = jnp.where(concerned & chain.started, turn.alpha * error, 0.0)
    goes_on = concerned & ~turn.stop
    fade = jnp.where(goes_on, turn.lam, jnp.where(concerned, 0.0, 1.0))
    back = jnp.where(goes_on[None], seen.back, 0.0)
    slope = jnp.where(goes_on, seen.value * (1 - seen.value), 0.0)
    net = net._replace(
        hidden=net.hidden + push[None, None] * chain.hidden,
        output=net.output + push[None] * chain.output,
    )
    return net, Chain(
        hidden=fade[None, None] * chain.hidden + back[:, None] * seen.inputs[None],
        output=fade[None] * chain.output + slope[None] * seen.units,
        prediction=jnp.where(concerned, seen.value, chain.prediction),
        started=jnp.where(concerned, goes_on, chain.started),
    )


def _seen(net: Net, features: Array, one: Array) -> Seen:
    """features [F, B]."""
    inputs = _with_bias(features, net.hidden.shape[1])
    hidden = net.hidden.shape[0]
    sums = once(lambda: _sum([net.hidden[:, i] * x[None] for i, x in enumerate(inputs)]), one)
    units = once(lambda: _with_bias(jax.nn.sigmoid(sums), net.output.shape[0]), one)
    value = jax.nn.sigmoid(_sum([w * x for w, x in zip(net.output, units, strict=True)]))
    h = units[:hidden]
    back = (value * (1 - value))[None] * net.output[:hidden] * (h * (1 - h))
    return Seen(inputs, units, value, back)


def _with_bias(x: Array, size: int) -> Array:
    """x [N, B], with a row of ones behind it if there should be one more."""
    assert size - x.shape[0] in (0, 1), f"the weights are for {size} inputs, not {x.shape[0]}"
    return jnp.concatenate([x, np.ones((size - x.shape[0], x.shape[1]), np.float32)])


def _sum(arrays: Sequence[Array]) -> Array:
    total = arrays[0]
    for x in arrays[1:]:  # written out: XLA is slow at sums over so short an axis
        total = total + x
    return total
