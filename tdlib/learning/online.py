"""Exact online training: independent learners side by side, each in a game of its own.

The papers update after every move of one game at a time. Here the B lanes of a batch are B
learners (runs x conditions), each with weights, traces, random numbers and a game of its own;
nothing is shared, so a lane learns what it would learn alone.

Game n of a lane draws all its random numbers from the lane's key and n. Between two games a
learner is its weights and n, nothing else, so training can go on from any such moment.

Where all seats have an output, the network sees every position of the game, whoever moved
(Matthews 2006, section 5.6). A network of one output speaks for a seat: each seat it plays has
its own chain of positions, those after its own moves, with the rewards collected in between
(Campos & Langlois 2003, section 4).
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib import rollout
from tdlib.fusion import once
from tdlib.learning.networks import Network, Turn, network_for
from tdlib.players.exploring import Exploring, exploring
from tdlib.schedules import Schedule, value
from tdlib.types import Array, Encoding, Game, Key, Player, State
from tdlib.values import mlp

PLIES = 256  # of every lane in one call, to hide the cost of the call


class Targets(NamedTuple):
    """What a game that is over was worth."""

    loss: float
    draw: float
    wins: tuple[float, ...]  # for 1, 2, ... points; more points count as the last

    def of(self, payoff: Array) -> Array:
        """payoff [P] -> [P] float32."""
        points = jnp.clip(payoff, 1, len(self.wins)) - 1
        won = jnp.asarray(np.array(self.wins, np.float32))[points]
        return jnp.where(payoff > 0, won, jnp.where(payoff < 0, self.loss, self.draw))


class Task(NamedTuple):
    """What all lanes have in common."""

    game: Game
    encoding: Encoding
    outputs: int  # one for each seat, or one in all
    targets: Targets
    rewards: Callable[[State, State], Array] | None = None  # before, after -> [P]
    reevaluate: bool = False  # see `td`
    observe_end: bool = False  # see `td`; only where all seats have an output
    explores: bool = False  # whether any epsilon is above zero


class Condition(NamedTuple):
    """What each lane has of its own; everything with [B] in front."""

    key: Key
    seats: Array  # [P] int32, who sits where in game 0: 0 the learner, k the k-th other player
    rotates: Array  # [] bool, whether everybody moves on one seat from game to game
    max_plies: Array  # [] int32, a game is broken off after so many, and counted
    alpha: Schedule
    lam: Schedule
    epsilon: Schedule
    gamma: Array  # []
    kappa: Array  # []
    penalty: Array  # []


class Learners(NamedTuple):
    """Learners between two games; everything with [B] in front."""

    weights: mlp.Weights
    games: Array  # [] int32, finished so far
    plies: Array  # [] int32, taken in them
    capped: Array  # [] int32, games broken off among them


class _Lanes(NamedTuple):
    """Learners at play; everything with [B] in front."""

    net: Any  # of the kind that `network_for` chose
    games: Array  # [] int32
    plies: Array  # [] int32
    capped: Array  # [] int32
    state: State
    key: Key  # of this game
    ply: Array  # []
    pending: Array  # [P], rewards since each seat's latest position


def begin(weights: mlp.Weights, games_played: Array | int = 0) -> Learners:
    """Learners with these weights [B, ...] that have played so many games [B]."""
    zero = jnp.zeros(weights.output.shape[0], jnp.int32)
    return Learners(weights, zero + games_played, zero, zero)


def train(
    task: Task,
    others: tuple[Player, ...],
    condition: Condition,
    learners: Learners,
    until: Array,
    *,
    watch: Callable[[Any], None] = lambda lanes: None,
) -> Learners:
    """Every lane plays on until it has finished exactly until [B] games.

    watch: called now and then with the lanes, of which `games` and `plies` [B] may be read.
    """
    if task.outputs not in (1, task.game.seats):
        raise ValueError(
            f"{task.game.name} needs 1 output or {task.game.seats}, found {task.outputs}"
        )
    network = network_for(task, learners.weights, float(jnp.min(_least(condition.lam))))
    choosers = tuple(player.choose for player in others)
    weights = tuple(player.weights for player in others)
    until = jnp.asarray(until, jnp.int32)
    lanes = seated(task, network, condition, learners)
    while (lanes.games < until).any():
        lanes = advance(task, network, choosers, weights, condition, lanes, until)
        watch(lanes)
    return Learners(network.close(lanes.net), lanes.games, lanes.plies, lanes.capped)


def _least(schedule: Schedule) -> Array:
    return jnp.minimum(jnp.asarray(schedule.start), jnp.asarray(schedule.end))


@functools.partial(jax.jit, static_argnames=("task", "network"))
def seated(task: Task, network: Network, condition: Condition, learners: Learners) -> _Lanes:
    """All lanes at the start of their next game."""
    key, state = jax.vmap(functools.partial(rollout.opened, task.game))(
        condition.key, learners.games
    )
    net = network.open(task, learners.weights, state)
    zero = jnp.zeros_like(learners.games)
    pending = jnp.zeros((zero.size, task.game.seats))
    return _Lanes(
        net, learners.games, learners.plies, learners.capped, state, key, zero, pending
    )


@functools.partial(
    jax.jit, static_argnames=("task", "network", "choosers"), donate_argnames="lanes"
)
def advance(
    task: Task,
    network: Network,
    choosers: tuple,
    weights: tuple,
    condition: Condition,
    lanes: _Lanes,
    until: Array,
) -> _Lanes:
    """Some plies of every lane that has not finished yet."""

    def go_on(carry: tuple[Array, _Lanes]) -> Array:
        return (carry[0] < PLIES) & (carry[1].games < until).any()

    def ply(carry: tuple[Array, _Lanes]) -> tuple[Array, _Lanes]:
        lanes = carry[1]
        turn = _turn(task, network, choosers, weights, condition, lanes, until)
        return carry[0] + 1, _learned(task, network, condition, lanes, turn)

    return lax.while_loop(go_on, ply, (jnp.int32(0), lanes))[1]


def _turn(
    task: Task,
    network: Network,
    choosers: tuple,
    weights: tuple,
    condition: Condition,
    lanes: _Lanes,
    until: Array,
) -> Turn:
    """One turn of every game."""
    game, before = task.game, lanes.state
    plays, key = jax.vmap(functools.partial(rollout.prepared, game))(
        lanes.key, lanes.ply, before
    )
    who = jax.vmap(rollout.occupants)(condition.seats, condition.rotates, lanes.games)
    mover = jnp.take_along_axis(who, before.seat[:, None], 1)[:, 0]
    player, own = network.player(task), network.weights(lanes.net)
    if task.explores:
        player = exploring(player)
        own = Exploring(own, jax.vmap(value)(condition.epsilon, lanes.games))
    everybody = [(own, 0), *((w, None) for w in weights)]
    rank = rollout.choices((player.choose, *choosers), everybody, mover, key, before, plays)
    after = once(
        lambda: jax.vmap(game.play)(before, plays, rank), jnp.minimum(plays.count.max(), 1)
    )

    over, payoff = jax.vmap(game.outcome)(after)
    capped = ~over & (lanes.ply + 1 >= condition.max_plies)
    pending = lanes.pending
    if task.rewards is not None:
        pending = pending + jax.vmap(task.rewards)(before, after)
    return Turn(
        before=before,
        plays=plays,
        rank=rank,
        after=after,
        mine=who == 0,
        active=lanes.games < until,
        over=over,
        capped=capped,
        reward=pending,
        final=jax.vmap(task.targets.of)(payoff) + pending,
        alpha=jax.vmap(value)(condition.alpha, lanes.games),
        lam=jax.vmap(value)(condition.lam, lanes.games),
        gamma=condition.gamma,
        kappa=condition.kappa,
        penalty=condition.penalty,
    )


def _learned(
    task: Task, network: Network, condition: Condition, lanes: _Lanes, turn: Turn
) -> _Lanes:
    """The lanes after learning from a turn; those that stopped are set up for a new game."""
    net, pending = network.learn(task, lanes.net, turn)
    stop, active = turn.stop, turn.active
    games = lanes.games + (stop & active)

    def set_up(old: tuple[Key, State]) -> tuple[Key, State]:
        new = jax.vmap(functools.partial(rollout.opened, task.game))(condition.key, games)
        return rollout.select(stop, new, old)

    key, state = lax.cond(stop.any(), set_up, lambda old: old, (lanes.key, turn.after))
    return _Lanes(
        net=network.go_on(task, net, turn, state),
        games=games,
        plies=lanes.plies + active,
        capped=lanes.capped + (turn.capped & active),
        state=state,
        key=key,
        ply=jnp.where(stop, 0, lanes.ply + 1),
        pending=jnp.where(stop[:, None], 0.0, pending),
    )
