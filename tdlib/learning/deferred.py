"""TD(lambda) at the cost of the inputs that change: the step of `td`, most of it put off.

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
1 / s grows so large that rounding errors would matter, and at the end of a game, a network is
settled: V and f become W and e again. All this is exact but for rounding; tests compare it with
`td`. One network is taught here, those of all lanes in `deferred_lanes`.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.kernels.rare import most
from tdlib.learning.td import risk
from tdlib.types import Array
from tdlib.values import mlp

_TOGETHER = 8  # changes at a time


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


def shift(net: Deferred, sums: Array, rows: Array, amounts: Array) -> tuple[Array, Array]:
    """What `amounts` [K] added to the inputs `rows` [K] add to V and f_o times x, and to x.

    Reads a row of the table at a time, which XLA vectorises, and leaves it to `units` to put V
    and f_o together.
    """
    number = rows.shape[0]

    def add(at: Array | int, found: tuple[Array, Array]) -> tuple[Array, Array]:
        row, amount = rows[at], amounts[at]
        return found[0] + amount * net.table[row], found[1] + amount * net.inputs[row]

    found = jnp.zeros(net.table.shape[1]), jnp.float32(0)
    for k in range(min(number, _TOGETHER)):
        found = add(k, found)
    if number <= _TOGETHER:
        return found
    rows, amounts = _even(rows, amounts)

    def some(i: Array, found: tuple[Array, Array]) -> tuple[Array, Array]:
        for k in range(_TOGETHER):
            found = add(i * _TOGETHER + k, found)
        return found

    return lax.fori_loop(1, _blocks(amounts), some, found)


def units(net: Deferred, shifted: tuple[Array, Array]) -> Array:
    added, x = shifted
    hidden = net.sums.shape[0]
    unit = np.arange(hidden)  # by indexing alone, as everything of the net
    sums = net.sums[unit] + added[:hidden] + x * net.unit_shift[unit]
    for o in range(net.shift_f.shape[0]):
        sums += net.shift_f[o] * added[(1 + o) * hidden : (2 + o) * hidden]
    return jax.nn.sigmoid(sums)


def logit(net: Deferred, units: Array, output: Array) -> Array:
    return mlp.output_sum(net.output[output, np.arange(net.output.shape[1])], units)


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
    observe_end: bool = False,
) -> Deferred:
    """`td_step` from having added `amounts` [K] to the inputs `rows` [K].

    active: [] bool; if not, nothing happens. Whoever is `over` has to be settled afterwards.
    With `observe_end` the second step of the end of a game is made as well, after which only
    the weights count.
    """
    rows, amounts = _even(rows, jnp.where(active, amounts, 0.0))
    outputs, hidden = net.unit_trace.shape
    blocks = _blocks(amounts)

    def read(i: Array, found: tuple[Array, Array]) -> tuple[Array, Array]:
        """What some of the changes add to z and q."""
        row, amount = _block(rows, i), _block(amounts, i)
        changed, x = net.table[row], net.inputs[row]  # [N, (1 + O) H], [N]
        true = changed[:, :hidden] + x[:, None] * net.unit_shift[None]
        for o in range(outputs):  # written out: XLA is slow at sums over so short an axis
            true += net.shift_f[o] * changed[:, (1 + o) * hidden : (2 + o) * hidden]
        traces = net.scale * changed[:, hidden:] + x[:, None] * net.unit_trace.ravel()[None]
        return found[0] + amount @ true, found[1] + (amount @ traces).reshape(outputs, hidden)

    sums, trace_sums = lax.fori_loop(0, blocks, read, (net.sums, net.trace_sums))
    x = net.inputs[rows]
    square = net.square + _added_square(x, rows, amounts)

    following, seen, gradient = _forward(net.output, sums)
    lam, gradient = jnp.where(active, lam, 1.0), jnp.where(active, gradient, 0.0)
    target = reward - penalty + gamma * following
    if not observe_end:
        target = jnp.where(over, final, target)
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

    def write(i: Array, table: Array) -> Array:
        return table.at[_block(rows, i)].add(-_block(amounts, i)[:, None] * row[None])

    after = Deferred(
        table=lax.fori_loop(0, blocks, write, net.table),
        inputs=net.inputs.at[rows].add(amounts),
        output=output,
        output_trace=lam * net.output_trace
        + jnp.where(active, slope[:, None] * seen[None], 0.0),
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
    if not observe_end:
        return after
    error = risk(final - reward - following, kappa)
    return _pushed(after, alpha * jnp.where(over & active, error, 0.0))


def _pushed(net: Deferred, push: Array) -> Deferred:
    """The weights moved along the traces by push [O]; the sums are left as they were."""
    return net._replace(
        shift_f=net.shift_f + push * net.scale,
        unit_shift=net.unit_shift + push @ net.unit_trace,
        output=net.output + push[:, None] * net.output_trace,
    )


def _even(rows: Array, amounts: Array) -> tuple[Array, Array]:
    """The same, unused entries behind them, to a multiple of _TOGETHER."""
    short = -rows.shape[0] % _TOGETHER
    return jnp.pad(rows, (0, short)), jnp.pad(amounts, (0, short))


def _blocks(amounts: Array) -> Array:
    """How many blocks of _TOGETHER have changes in them, counted to the last: [] int32."""
    order = np.arange(amounts.shape[0], dtype=np.int32)
    return most(jnp.where(amounts != 0, order // _TOGETHER + 1, 0).max())


def _block(x: Array, i: Array) -> Array:
    return lax.dynamic_slice_in_dim(x, i * _TOGETHER, _TOGETHER)


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


def true_table(net: Deferred) -> tuple[Array, Array]:
    """W [I, H] and e [I, O H]."""
    outputs, hidden = net.unit_trace.shape
    x = net.inputs[:, None]
    w = net.table[:, :hidden] + x * net.unit_shift[None]
    for o in range(outputs):
        w += net.shift_f[o] * net.table[:, (1 + o) * hidden : (2 + o) * hidden]
    return w, net.scale * net.table[:, hidden:] + x * net.unit_trace.ravel()[None]


def nothing_deferred(net: Deferred) -> Deferred:
    """The small numbers of a lane, or of all, whose table holds W and e."""
    return net._replace(
        scale=jnp.ones_like(net.scale),
        shift_f=jnp.zeros_like(net.shift_f),
        unit_trace=jnp.zeros_like(net.unit_trace),
        unit_shift=jnp.zeros_like(net.unit_shift),
    )
