"""TD(lambda) at the price of the inputs that change: the same step as `td`, put off.

A step of `td` touches every weight and every trace of the first layer. With F inputs, H hidden
units and O outputs that is F H (1 + O) numbers, 35,000 in pachisi, though a move changes two of
696 inputs. While input i stays x_i, its trace and its weights change like those of any other
constant input, but for a factor. So write, with s = lambda^(steps put off),

    e_o[i, h] = s f_o[i, h] + x_i E_o[h]
    W[i, h]   = V[i, h] + sum_o S_o f_o[i, h] + x_i B[h]

and a step changes only the small numbers (d the error, g_o[h] x_i the new gradient):

    S_o += alpha d_o s      B += alpha sum_o d_o E_o      s *= lambda      E = lambda E + g

When x_i changes by c, e and W must not, hence f_o[i] -= c E_o / s and V[i] -= c (B - sum_o S_o
E_o / s). What the hidden units add up, z = W x, and q_o = e_o x follow in the same way. Before
1 / s grows so large that rounding would tell, and at the end of a game, a lane is settled: V
and f become W and e again. All this is exact but for rounding; tests compare it with `td`.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.learning.td import risk
from tdlib.types import Array
from tdlib.values import mlp

SMALLEST = 1 / 32  # of s, before a lane is settled


class Deferred(NamedTuple):
    """A network with a hidden layer, amid a game. I inputs, that of the biases included."""

    table: Array  # [I, (1 + O) H]: V, then f_o
    inputs: Array  # [I], x
    output: Array  # [O, H] or [O, H + 1], weights of the output units as in `mlp.Weights`
    output_trace: Array  # the same shape: output o's own weights, others have no gradient
    sums: Array  # [H], z
    trace_sums: Array  # [O, H], q
    square: Array  # [], the sum of x_i^2
    scale: Array  # [], s
    shift_f: Array  # [O], S
    unit_trace: Array  # [O, H], E
    unit_shift: Array  # [H], B
    prediction: Array  # [O], of the latest position
    started: Array  # [] bool, whether there is a latest position


def begin(weights: mlp.Weights, features: Array) -> Deferred:
    """At the beginning of a game, whose first position has these inputs [F]."""
    units, outputs = weights.hidden.shape[0], weights.output.shape[0]
    extra = weights.hidden.shape[1] - features.shape[0]
    inputs = jnp.concatenate([features, jnp.ones(extra, features.dtype)])
    traces = jnp.zeros((inputs.shape[0], outputs * units))
    return Deferred(
        table=jnp.concatenate([weights.hidden.T, traces], axis=1),
        inputs=inputs,
        output=weights.output,
        output_trace=jnp.zeros_like(weights.output),
        sums=weights.hidden @ inputs,
        trace_sums=jnp.zeros((outputs, units)),
        square=(inputs**2).sum(),
        scale=jnp.float32(1),
        shift_f=jnp.zeros(outputs),
        unit_trace=jnp.zeros((outputs, units)),
        unit_shift=jnp.zeros(units),
        prediction=jnp.zeros(outputs),
        started=jnp.bool_(False),
    )


def weights(net: Deferred) -> mlp.Weights:
    """The network of a lane that is settled."""
    return mlp.Weights(net.table[:, : net.sums.shape[0]].T, net.output)


# How a player reads it, in place of the functions of the same names in `mlp`:


def sums(net: Deferred, features: Array) -> Array:
    return net.sums


def shift(net: Deferred, sums: Array, rows: Array, amounts: Array) -> Array:
    """The sums after `amounts` [K] were added to the inputs `rows` [K]; by indexing alone."""
    units, outputs = sums.shape[0], net.shift_f.shape[0]
    unit = np.arange(units)
    for k in range(len(rows)):
        weight = net.table[rows[k], unit] + net.inputs[rows[k]] * net.unit_shift
        for o in range(outputs):
            weight += net.shift_f[o] * net.table[rows[k], (1 + o) * units + unit]
        sums = sums + weight * amounts[k]
    return sums


def units(net: Deferred, sums: Array) -> Array:
    return jax.nn.sigmoid(sums)


def logit(net: Deferred, units: Array, output: Array) -> Array:
    row = net.output[output, np.arange(net.output.shape[1])]
    return (row[: units.shape[0]] * units).sum() + row[units.shape[0] :].sum()


def step(
    net: Deferred,
    rows: Array,
    amounts: Array,
    *,
    active: Array,
    over: Array,
    final: Array,
    reward: Array,
    alpha: Array,
    lam: Array,
    gamma: Array,
    kappa: Array,
    penalty: Array,
) -> Deferred:
    """`td_step` from having added `amounts` [K] to the inputs `rows` [K].

    active: [] bool; if not, nothing happens. Whoever is `over` has to be settled afterwards.
    """
    amounts = jnp.where(active, amounts, 0.0)
    outputs, hidden = net.unit_trace.shape
    changed = net.table[rows].reshape(-1, 1 + outputs, hidden)  # [K, 1 + O, H]
    x = net.inputs[rows]
    traces = net.scale * changed[:, 1:] + x[:, None, None] * net.unit_trace[None]
    true = changed[:, 0] + (net.shift_f[None, :, None] * changed[:, 1:]).sum(1)
    true += x[:, None] * net.unit_shift[None]
    sums = net.sums + (amounts[:, None] * true).sum(0)
    trace_sums = net.trace_sums + (amounts[:, None, None] * traces).sum(0)
    square = net.square + _added_square(x, rows, amounts)

    following, seen, gradient = _forward(net.output, sums)
    target = jnp.where(over, final, reward - penalty + gamma * following)
    error = risk(target - net.prediction, kappa)
    push = alpha * jnp.where(net.started & active, error, 0.0)  # [O]
    new_shift_f = net.shift_f + push * net.scale
    unit_shift = net.unit_shift + push @ net.unit_trace
    output = net.output + push[:, None] * net.output_trace
    sums = sums + push @ trace_sums

    scale, faded = lam * net.scale, lam * net.unit_trace
    ratio = faded / scale  # E / s
    row = jnp.concatenate([unit_shift - new_shift_f @ ratio, ratio.ravel()])
    slope = following * (1 - following)
    return Deferred(
        table=net.table.at[rows].add(-amounts[:, None] * row[None]),
        inputs=net.inputs.at[rows].add(amounts),
        output=output,
        output_trace=jnp.where(
            active, lam * net.output_trace + slope[:, None] * seen[None], net.output_trace
        ),
        sums=sums,
        trace_sums=lam * trace_sums + gradient * square,
        square=square,
        scale=scale,
        shift_f=new_shift_f,
        unit_trace=faded + gradient,
        unit_shift=unit_shift,
        prediction=following,
        started=active,
    )


def _forward(output: Array, sums: Array) -> tuple[Array, Array, Array]:
    """V [O], what the output units see, and g [O, H], see `mlp.value_and_gradient`."""
    hidden = jax.nn.sigmoid(sums)
    extra = output.shape[1] - hidden.shape[0]
    seen = jnp.concatenate([hidden, jnp.ones(extra, hidden.dtype)])
    v = jax.nn.sigmoid(output @ seen)
    slope = v * (1 - v)
    back = slope[:, None] * output[:, : hidden.shape[0]] * (hidden * (1 - hidden))[None]
    return v, seen, back


def _added_square(x: Array, rows: Array, amounts: Array) -> Array:
    """What the changes, one after another, add to the sum of squares; rows may repeat."""
    earlier = (rows[:, None] == rows[None, :]) & np.tri(len(rows), k=-1, dtype=bool)
    now = x + jnp.where(earlier, amounts[None, :], 0.0).sum(1)
    return (amounts * (2 * now + amounts)).sum()


def settle(net: Deferred) -> Deferred:
    """The same with nothing put off."""
    outputs, hidden = net.unit_trace.shape
    v, f = net.table[:, :hidden], net.table[:, hidden:].reshape(-1, outputs, hidden)
    x = net.inputs[:, None]
    w = v + (f * net.shift_f[None, :, None]).sum(1) + x * net.unit_shift[None]
    e = net.scale * f + x[..., None] * net.unit_trace[None]
    return net._replace(
        table=jnp.concatenate([w, e.reshape(len(w), -1)], axis=1),
        scale=jnp.float32(1),
        shift_f=jnp.zeros_like(net.shift_f),
        unit_trace=jnp.zeros_like(net.unit_trace),
        unit_shift=jnp.zeros_like(net.unit_shift),
    )


def settle_some(nets: Deferred, needy: Array, stopped: Array, first: Any) -> Deferred:
    """Settles the lanes that are `needy` [B]; those that `stopped` [B] begin a new game.

    first(lane) -> [F], the inputs of that lane's first position. One lane after another, in
    place: settling touches all that `step` leaves alone.
    """
    (lanes,) = jnp.nonzero(needy, size=needy.shape[0], fill_value=0)

    def one(i: Array, nets: Deferred) -> Deferred:
        lane = lanes[i]
        net = settle(jax.tree.map(lambda x: lax.dynamic_index_in_dim(x, lane, 0, False), nets))
        fresh = begin(weights(net), first(lane))
        net = jax.tree.map(lambda new, old: jnp.where(stopped[lane], new, old), fresh, net)
        return jax.tree.map(
            lambda x, y: lax.dynamic_update_index_in_dim(x, y, lane, 0), nets, net
        )

    return lax.fori_loop(0, needy.sum(), one, nets)


def due(nets: Deferred, lam: Array) -> Array:
    """Which lanes have to be settled before their next step: [B]."""
    return nets.scale * lam < SMALLEST
