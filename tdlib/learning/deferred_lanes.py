"""Deferred steps (`deferred`) of the networks of all lanes, as a `Network`."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.kernels.compute_once import once
from tdlib.learning import deferred
from tdlib.learning.deferred import Deferred, begin, nothing_deferred, true_table, weights
from tdlib.learning.records import Lesson, Network, Task
from tdlib.play.loop import Turn, select
from tdlib.players.greedy import greedy, used_first
from tdlib.types import Array, State
from tdlib.values import mlp

SMALLEST = 1 / 256  # of s, before a lane is settled


def _open(task: Task, weights: mlp.Weights, states: State) -> Deferred:
    def one(weights: mlp.Weights, state: State) -> Deferred:
        return begin(weights, task.encoding.encode(state, state.seat))

    return jax.vmap(one)(weights, states)


def _learn(task: Task, nets: Deferred, lesson: Lesson) -> tuple[Deferred, Array]:
    return jax.vmap(partial(_learn_one, task))(nets, lesson)


def _learn_one(task: Task, net: Deferred, lesson: Lesson) -> tuple[Deferred, Array]:
    rows, amounts = _changed(task, net, lesson.turn)
    net = deferred.step(
        net,
        rows,
        amounts,
        active=lesson.active,
        over=lesson.turn.over,
        final=lesson.final,
        reward=lesson.reward,
        **lesson.rates._asdict(),
        observe_end=task.observe_end,
    )
    return net, jnp.zeros_like(lesson.reward)


def _changed(task: Task, net: Deferred, turn: Turn) -> tuple[Array, Array]:
    """The inputs that the chosen play changed, and by how much: [K], [K]."""
    encoding, found = task.encoding, []
    for kind in encoding.changes:
        rows, amounts = kind.rows(turn.before, turn.plays, turn.rank)
        found.append((rows, jnp.where(kind.apply(turn.plays), amounts, 0.0)))
    if any(kind.sparse for kind in encoding.changes):
        found = [used_first(*changes) for changes in found]
    if encoding.tail is not None:
        fresh = encoding.tail(turn.after, turn.before.seat)
        last = np.arange(len(encoding.names) - len(fresh), len(encoding.names), dtype=np.int32)
        found.insert(0, (jnp.asarray(last), fresh - net.inputs[last]))
    rows, amounts = (jnp.concatenate(parts) for parts in zip(*found, strict=True))
    return rows, amounts


def _go_on(task: Task, nets: Deferred, lesson: Lesson, states: State) -> Deferred:
    def first(lane: Array) -> Array:
        mine = jax.tree.map(lambda x: x[lane], states)
        return task.encoding.encode(mine, mine.seat)

    stopped = lesson.stop & lesson.active
    needy = stopped | (due(nets, lesson.rates.lam) & lesson.active)
    return settle_some(nets, needy, stopped, first)


def settle_some(nets: Deferred, needy: Array, stopped: Array, first: Any) -> Deferred:
    """Settles the lanes that are `needy` [B]; those of them that `stopped` [B] begin a game.

    first(lane) -> [F], the inputs of that lane's first position. One lane after another, in
    place: settling touches all that `step` leaves alone.
    """
    hidden, one = nets.sums.shape[1], jnp.minimum(needy.sum(), 1)

    def read(nets: Deferred, lane: Array) -> Deferred:
        # once: read whole before it is written, or XLA copies all lanes to be safe
        return once(
            lambda: jax.tree.map(lambda x: lax.dynamic_index_in_dim(x, lane, 0, False), nets),
            one,
        )

    def make_true(lane: Array, table: Array) -> Array:
        w, e = true_table(read(nets._replace(table=table), lane))
        table = lax.dynamic_update_slice(table, w[None], (lane, 0, 0))
        return lax.dynamic_update_slice(table, e[None], (lane, 0, hidden))

    def start(lane: Array, nets: Deferred) -> Deferred:
        fresh = begin(weights(read(nets, lane)), first(lane))
        return jax.tree.map(
            lambda x, y: lax.dynamic_update_index_in_dim(x, y, lane, 0), nets, fresh
        )

    table = _for_each(needy, make_true, nets.table)
    nets = select(needy, nothing_deferred(nets), nets)
    return _for_each(stopped, start, nets._replace(table=table))


def _for_each(flags: Array, act: Callable[[Array, Any], Any], carry: Any) -> Any:
    """act(lane, carry) -> carry, for every lane whose flag [B] is set."""
    (lanes,) = jnp.nonzero(flags, size=flags.shape[0], fill_value=0)
    return lax.fori_loop(0, flags.sum(), lambda i, carry: act(lanes[i], carry), carry)


def due(nets: Deferred, lam: Array) -> Array:
    """Which lanes have to be settled before their next step: [B]."""
    return nets.scale * lam < SMALLEST


DEFERRED = Network(
    open=_open,
    player=lambda task: greedy(task.game, task.encoding, net=deferred, ties=task.ties),
    weights=lambda nets: nets,
    learn=_learn,
    go_on=_go_on,
    close=jax.vmap(weights),
)
