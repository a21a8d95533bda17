"""How a network learns amid a game: four ways of the same step, chosen by its shape.

every position   one output for each seat: each position of the game is learned from
own positions    one output: each seat the learner plays has a chain of its own
side by side     the same for many learners with a hidden layer (`side_by_side`)
deferred         as the first, for many inputs and outputs (`deferred`)
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.learning import deferred, side_by_side, td
from tdlib.players.greedy import greedy, used_first
from tdlib.types import Array, Player, State
from tdlib.values import mlp


class Turn(NamedTuple):
    """What happened in a turn, for whoever learns from it; in lanes with [B] in front."""

    before: State
    plays: Any  # Plays
    rank: Array  # []
    after: State
    mine: Array  # [P] bool, the seats of the learner
    active: Array  # [] bool, whether this lane still plays; if not, nothing is learned
    over: Array  # [] bool, by the rules
    capped: Array  # [] bool, broken off
    reward: Array  # [P], rewards since each seat's latest position
    final: Array  # [P], what the game was worth, if it is over
    alpha: Array  # []
    lam: Array  # []
    gamma: Array  # []
    kappa: Array  # []
    penalty: Array  # []

    @property
    def stop(self) -> Array:
        """Whether a new game is to be set up: [] bool."""
        return self.over | self.capped | ~self.active

    @property
    def rates(self) -> dict[str, Array]:
        names = ("alpha", "lam", "gamma", "kappa", "penalty")
        return {name: getattr(self, name) for name in names}


class Network(NamedTuple):
    """Functions of a task and of what all lanes keep, their `net`."""

    open: Callable[[Any, mlp.Weights, State], Any]  # at the beginning of a game
    player: Callable[[Any], Player]
    weights: Callable[[Any], Any]  # net -> weights [B, ...] of that player
    learn: Callable[[Any, Any, Turn], tuple[Any, Array]]  # -> net, rewards left [B, P]
    go_on: Callable[[Any, Any, Turn, State], Any]  # with the positions that follow
    close: Callable[[Any], mlp.Weights]  # between games


def _each(of_one: Callable) -> Callable:
    """For all lanes what is given for one: f(task, *what a lane has)."""

    def of_all(task: Any, *args: Any) -> Any:
        return jax.vmap(functools.partial(of_one, task))(*args)

    return of_all


def network_for(task: Any, weights: mlp.Weights, lam: float) -> Network:
    """The way that suits; lam: the smallest lambda there will be."""
    if task.outputs == 1:
        if task.observe_end:
            raise ValueError("observe_end needs one output for each seat, not 1 in all")
        layered = weights.hidden.shape[1] > 0
        return OWN_POSITIONS if task.reevaluate or not layered else SIDE_BY_SIDE
    # Deferring costs reading 1 + O numbers for each weight that a play asks for, and saves
    # touching all of them at every ply: with two outputs that is no gain.
    wide = task.outputs > 2 and weights.hidden.shape[1] > 0
    plain = not (task.reevaluate or task.observe_end)
    if wide and task.encoding.changes and lam >= 0.5 and plain:
        return DEFERRED
    return EVERY_POSITION


class _Dense(NamedTuple):
    weights: mlp.Weights
    memory: td.Memory  # with [P] in front if the network has one output


def _plain_player(task: Any) -> Player:
    return greedy(task.game, task.encoding)


def _open_one(task: Any, weights: mlp.Weights, state: State) -> _Dense:
    return _Dense(weights, td.forget(weights))


def _learn_every(task: Any, net: _Dense, turn: Turn) -> tuple[_Dense, Array]:
    step = td.observing_step if task.observe_end else td.td_step
    weights, memory, _ = step(
        net.weights,
        net.memory,
        task.encoding.encode(turn.after, turn.before.seat),
        over=turn.over,
        stop=turn.stop,
        final=turn.final,
        reward=turn.reward,
        **turn.rates,
        reevaluate=task.reevaluate,
    )
    return _Dense(weights, memory), jnp.zeros_like(turn.reward)


def _as_it_is(task: Any, net: Any, turn: Turn, state: State) -> Any:
    return net


EVERY_POSITION = Network(
    open=_each(_open_one),
    player=_plain_player,
    weights=lambda net: net.weights,
    learn=_each(_learn_every),
    go_on=_as_it_is,
    close=lambda net: net.weights,
)


def _open_own(task: Any, weights: mlp.Weights, state: State) -> _Dense:
    memory = td.forget(weights)
    seats = task.game.seats
    return _Dense(weights, jax.tree.map(lambda x: jnp.stack([x] * seats), memory))


def _learn_own(task: Any, net: _Dense, turn: Turn) -> tuple[_Dense, Array]:
    """The mover's chain learns, if it is the learner's, and at the end of a game every one."""
    weights, memory, left = net.weights, net.memory, turn.reward
    for seat in range(task.game.seats):
        mine = jax.tree.map(lambda x: x[seat], memory)  # noqa: B023
        learned = td.td_step(
            weights,
            mine,
            task.encoding.encode(turn.after, jnp.int32(seat)),
            over=turn.over,
            stop=turn.stop,
            final=turn.final[seat][None],
            reward=turn.reward[seat][None],
            **turn.rates,
            reevaluate=task.reevaluate,
        )[:2]
        concerned = turn.mine[seat] & ((turn.before.seat == seat) | turn.stop)
        weights, mine = jax.tree.map(
            lambda new, old: jnp.where(concerned, new, old),  # noqa: B023
            learned,
            (weights, mine),
        )
        memory = jax.tree.map(lambda x, y: x.at[seat].set(y), memory, mine)  # noqa: B023
        left = left.at[seat].set(jnp.where(concerned, 0.0, left[seat]))
    return _Dense(weights, memory), left


OWN_POSITIONS = EVERY_POSITION._replace(open=_each(_open_own), learn=_each(_learn_own))

SIDE_BY_SIDE = Network(
    open=side_by_side.opened,
    player=_plain_player,
    weights=side_by_side.weights,
    learn=side_by_side.learned,
    go_on=_as_it_is,
    close=side_by_side.weights,
)


def _open_deferred(task: Any, weights: mlp.Weights, state: State) -> deferred.Deferred:
    return deferred.begin(weights, task.encoding.encode(state, state.seat))


def _learn_deferred(
    task: Any, net: deferred.Deferred, turn: Turn
) -> tuple[deferred.Deferred, Array]:
    rows, amounts = _changed(task, net, turn)
    net = deferred.step(
        net,
        rows,
        amounts,
        active=turn.active,
        over=turn.over,
        final=turn.final,
        reward=turn.reward,
        **turn.rates,
    )
    return net, jnp.zeros_like(turn.reward)


def _changed(task: Any, net: deferred.Deferred, turn: Turn) -> tuple[Array, Array]:
    """The inputs that the play made changed, and by how much: [K], [K]."""
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


def _go_on_deferred(
    task: Any, nets: deferred.Deferred, turn: Turn, state: State
) -> deferred.Deferred:
    def first(lane: Array) -> Array:
        mine = jax.tree.map(lambda x: x[lane], state)
        return task.encoding.encode(mine, mine.seat)

    stopped = turn.stop & turn.active
    needy = stopped | (deferred.due(nets, turn.lam) & turn.active)
    return deferred.settle_some(nets, needy, stopped, first)


DEFERRED = Network(
    open=_each(_open_deferred),
    player=lambda task: greedy(task.game, task.encoding, net=deferred),
    weights=lambda net: net,
    learn=_each(_learn_deferred),
    go_on=_go_on_deferred,
    close=jax.vmap(deferred.weights),
)
