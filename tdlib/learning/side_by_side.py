"""TD(lambda) of many learners with one output and a hidden layer: the step of `td`, faster.

XLA on a CPU takes several numbers at a time only along the last axis. The 14 inputs of Kalah
make that axis short where each learner has its own arrays; here the B learners lie on it. All
arrays are those of `td` and `mlp` with [B] last, and steps are written for all learners.

Each seat the learner plays has a chain of positions of its own, as in `online.OWN_POSITIONS`:
this is the same arithmetic (a test compares it with `td.td_step`, position by position).
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.kernels.compute_once import once, unknown_one
from tdlib.kernels.written_out import total
from tdlib.learning.records import Lesson, Network, Task
from tdlib.learning.td import risk
from tdlib.players.greedy import greedy
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


def _open(task: Task, weights: mlp.Weights, state: State) -> Net:
    """Learners with weights [B, ...] at the beginning of a game."""
    hidden, output = jnp.moveaxis(weights.hidden, 0, -1), weights.output[:, 0].T
    nothing = jnp.zeros(output.shape[-1])
    chain = Chain(jnp.zeros_like(hidden), jnp.zeros_like(output), nothing, nothing > 0)
    return Net(hidden, output, (chain,) * task.game.seats)


def _weights(net: Net) -> mlp.Weights:
    """With [B] in front, turned round once and not in each of their uses."""
    one = unknown_one(net.chains[0].started.astype(jnp.int32))
    turned = once(lambda: (jnp.moveaxis(net.hidden, -1, 0), net.output.T[:, None]), one)
    return mlp.Weights(*turned)


def _learn(task: Task, net: Net, lesson: Lesson) -> tuple[Net, Array]:
    """The mover's chain learns, and at the end of a game every chain of the learner."""
    turn, left, chains = lesson.turn, lesson.reward, []
    one = unknown_one(turn.rank)
    for seat, chain in enumerate(net.chains):
        encode = jax.vmap(task.encoding.encode, (0, None), 1)
        features = once(lambda: encode(turn.after, jnp.int32(seat)), one)  # noqa: B023
        learns = lesson.mine[:, seat] & ((turn.before.seat == seat) | turn.over)
        net, chain = _step(net, chain, features, lesson, seat, learns, one)
        chains.append(chain)
        moves_on = learns | (lesson.mine[:, seat] & lesson.stop)
        left = left.at[:, seat].set(jnp.where(moves_on, 0.0, left[:, seat]))
    return net._replace(chains=tuple(chains)), left


def _step(
    net: Net,
    chain: Chain,
    features: Array,
    lesson: Lesson,
    seat: int,
    learns: Array,
    one: Array,
) -> tuple[Net, Chain]:
    """`td.td_step` of one seat's chain, in the lanes where it learns [B]."""
    rates, stop = lesson.rates, lesson.mine[:, seat] & lesson.stop
    seen = once(lambda: _seen(net, features, one), one)
    following = lesson.reward[:, seat] - rates.penalty + rates.gamma * seen.value
    target = jnp.where(lesson.turn.over, lesson.final[:, seat], following)
    error = risk(target - chain.prediction, rates.kappa)
    push = jnp.where(learns & chain.started, rates.alpha * error, 0.0)
    goes_on = learns & ~stop
    fade = jnp.where(goes_on, rates.lam, jnp.where(stop, 0.0, 1.0))
    back = jnp.where(goes_on[None], seen.back, 0.0)
    slope = jnp.where(goes_on, seen.value * (1 - seen.value), 0.0)
    net = net._replace(
        hidden=net.hidden + push[None, None] * chain.hidden,
        output=net.output + push[None] * chain.output,
    )
    return net, Chain(
        hidden=fade[None, None] * chain.hidden + back[:, None] * seen.inputs[None],
        output=fade[None] * chain.output + slope[None] * seen.units,
        prediction=jnp.where(learns, seen.value, chain.prediction),
        started=jnp.where(learns | stop, goes_on, chain.started),
    )


def _seen(net: Net, features: Array, one: Array) -> Seen:
    """features [F, B]."""
    inputs = _with_bias(features, net.hidden.shape[1])
    hidden = net.hidden.shape[0]
    sums = once(lambda: total([net.hidden[:, i] * x[None] for i, x in enumerate(inputs)]), one)
    units = once(lambda: _with_bias(jax.nn.sigmoid(sums), net.output.shape[0]), one)
    value = jax.nn.sigmoid(total([w * x for w, x in zip(net.output, units, strict=True)]))
    h = units[:hidden]
    back = (value * (1 - value))[None] * net.output[:hidden] * (h * (1 - h))
    return Seen(inputs, units, value, back)


def _with_bias(x: Array, size: int) -> Array:
    """x [N, B], with a row of ones behind it if there should be one more."""
    assert size - x.shape[0] in (0, 1), f"the weights are for {size} inputs, not {x.shape[0]}"
    return jnp.concatenate([x, np.ones((size - x.shape[0], x.shape[1]), np.float32)])


SIDE_BY_SIDE = Network(
    open=_open,
    player=lambda task: greedy(task.game, task.encoding, ties=task.ties),
    weights=_weights,
    learn=_learn,
    go_on=lambda task, net, lesson, state: net,
    close=_weights,
)
