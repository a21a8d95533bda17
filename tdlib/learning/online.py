"""Exact online training: independent learners side by side, each in a game of its own.

The papers update after every move of one game at a time. Here the B lanes of a batch are B
learners (runs x conditions), each with weights, traces, random numbers and a game of its own;
nothing is shared, so a lane learns what it would learn alone.

Between two games a learner is its weights and the number of games it has played, nothing else,
so training can go on from any such moment. `loop` says what a turn is.

Where all seats have an output, the network sees every position of the game, whoever moved
(Matthews 2006, section 5.6). A network of one output speaks for a seat: each seat it plays has
its own chain of positions, those after its own moves, with the rewards collected in between
(Campos & Langlois 2003, section 4). A game that is broken off has no outcome, so it ends a
chain without a final target.

There are four ways of the same step (`network_for` chooses), the last two for float32 alone:

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
from jax import lax

from tdlib.learning import td
from tdlib.learning.deferred_lanes import DEFERRED
from tdlib.learning.records import Condition, Learners, Lesson, Network, Task, value
from tdlib.learning.side_by_side import SIDE_BY_SIDE
from tdlib.play import loop
from tdlib.players.greedy import greedy
from tdlib.players.habits import with_habits
from tdlib.players.simple import Exploring, exploring
from tdlib.types import Array, Player, State, assert_shape
from tdlib.values import mlp

PLIES = 256  # of every lane in one call, to hide the cost of the call


class Session(NamedTuple):
    """Learners at play; everything with [B] in front."""

    net: Any  # of the kind that `network_for` chose
    lanes: loop.Lanes
    plies: Array  # [] int32, taken in all games
    capped: Array  # [] int32, games broken off
    pending: Array  # [P], rewards since each seat's latest position

    @property
    def games(self) -> Array:
        """Finished so far: [B] int32."""
        return self.lanes.number


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
    watch: Callable[[Session], None] = lambda session: None,
) -> Learners:
    """Every lane plays on until it has finished exactly until [B] games.

    Args:
      task: what all lanes have in common.
      others: the other players, which `condition.seats` counts from 1.
      condition: what each lane has of its own.
      learners: where the lanes begin, see `begin`.
      until: [B], after how many games each lane stops.
      watch: called now and then; may read the `games` and `plies` [B] of the session.
    """
    seats, outputs = task.game.seats, task.outputs
    if outputs not in (1, seats):
        raise ValueError(f"{task.game.name} needs 1 output or {seats}, found {outputs}")
    until = jnp.asarray(until, jnp.int32)
    assert_shape("until", until, *learners.games.shape)
    assert_shape("seats", condition.seats, len(until), seats)
    network = network_for(task, learners.weights, float(jnp.min(condition.lam.least)))
    choosers = tuple(player.choose for player in others)
    weights = tuple(player.weights for player in others)
    session = start(task, network, condition, learners)
    while (session.games < until).any():
        session = advance(task, network, choosers, weights, condition, session, until)
        watch(session)
    return Learners(network.close(session.net), session.games, session.plies, session.capped)


@functools.partial(jax.jit, static_argnames=("task", "network"))
def start(task: Task, network: Network, condition: Condition, learners: Learners) -> Session:
    """All lanes at the beginning of their next game."""
    number = learners.games
    lanes = loop.open_games(task.game, condition.key, number, _players(condition, number))
    net = network.open(task, learners.weights, lanes.state)
    pending = jnp.zeros((learners.games.size, task.game.seats))
    return Session(net, lanes, learners.plies, learners.capped, pending)


def _players(condition: Condition, number: Array) -> Array:
    """Who sits where in the game of that number [B]: [B, P]."""
    return jax.vmap(loop.seating)(condition.seats, condition.rotates, number)


@functools.partial(
    jax.jit, static_argnames=("task", "network", "choosers"), donate_argnames="session"
)
def advance(
    task: Task,
    network: Network,
    choosers: tuple,
    weights: tuple,
    condition: Condition,
    session: Session,
    until: Array,
) -> Session:
    """At most PLIES plies of every lane that has not finished until [B] games."""

    def go_on(carry: tuple[Array, Session]) -> Array:
        return (carry[0] < PLIES) & (carry[1].games < until).any()

    def ply(carry: tuple[Array, Session]) -> tuple[Array, Session]:
        count, now = carry
        ask = _ask(task, network, choosers, weights, condition, now)
        lanes, turn = loop.ply(task.game, now.lanes, ask, condition.max_plies)
        lesson = _lesson(task, condition, now, turn, until)
        return count + 1, _learned(task, network, condition, now, lanes, lesson)

    return lax.while_loop(go_on, ply, (jnp.int32(0), session))[1]


def _ask(
    task: Task,
    network: Network,
    choosers: tuple,
    weights: tuple,
    condition: Condition,
    now: Session,
) -> loop.Ask:
    """Player 0 is the learner, whose weights differ from lane to lane; others follow."""
    player, own = network.player(task), network.weights(now.net)
    if task.explores:
        player = exploring(player)
        own = Exploring(own, value(condition.epsilon, now.games))
    player = with_habits(player, task.game, task.habits)
    everybody = [(own, 0), *((w, None) for w in weights)]
    return loop.ask_everybody((player.choose, *choosers), everybody)


def _lesson(
    task: Task, condition: Condition, now: Session, turn: loop.Turn, until: Array
) -> Lesson:
    pending = now.pending
    if task.rewards is not None:
        pending = pending + jax.vmap(task.rewards)(turn.before, turn.after)
    return Lesson(
        turn=turn,
        mine=now.lanes.players == 0,
        active=now.games < until,
        reward=pending,
        final=jax.vmap(task.targets.of)(turn.payoff) + pending,
        rates=condition.rates(now.games),
    )


def _learned(
    task: Task,
    network: Network,
    condition: Condition,
    now: Session,
    lanes: loop.Lanes,
    lesson: Lesson,
) -> Session:
    """The session after learning from a turn that led to `lanes`; new games where it stops."""
    net, pending = network.learn(task, now.net, lesson)
    stop, active = lesson.stop, lesson.active
    games = now.games + (stop & active)

    def refill(lanes: loop.Lanes) -> loop.Lanes:
        players = _players(condition, games)
        return loop.refill(task.game, lanes, stop, condition.key, games, players)

    lanes = lax.cond(stop.any(), refill, lambda lanes: lanes, lanes)
    return Session(
        net=network.go_on(task, net, lesson, lanes.state),
        lanes=lanes,
        plies=now.plies + active,
        capped=now.capped + (lesson.turn.capped & active),
        pending=jnp.where(stop[:, None], 0.0, pending),
    )


def network_for(task: Task, weights: mlp.Weights, lam: float) -> Network:
    """The way that suits a network; lam: the smallest lambda there will be."""
    layered = weights.hidden.shape[1] > 0
    fast = layered and weights.output.dtype == jnp.float32 and not task.reevaluate
    if task.outputs == 1:
        if task.observe_end:
            raise ValueError("observe_end needs one output for each seat, not 1 in all")
        return SIDE_BY_SIDE if fast else OWN_POSITIONS
    # Deferring costs reading 1 + O numbers for each weight that a play asks for, and saves
    # touching all of them at every ply: with two outputs that is no gain.
    if fast and task.outputs > 2 and task.encoding.changes and lam >= 0.5:
        return DEFERRED
    return EVERY_POSITION


class _Dense(NamedTuple):
    weights: mlp.Weights
    memory: td.Memory  # with [P] in front if the network has one output


def _open_every(task: Task, weights: mlp.Weights) -> _Dense:
    return _Dense(weights, td.forget(weights))


def _learn_every(task: Task, net: _Dense, lesson: Lesson) -> tuple[_Dense, Array]:
    turn = lesson.turn
    weights, memory, _ = td.td_step(
        net.weights,
        net.memory,
        task.encoding.encode(turn.after, turn.before.seat),
        over=turn.over,
        stop=lesson.stop,
        final=lesson.final,
        reward=lesson.reward,
        **lesson.rates._asdict(),
        reevaluate=task.reevaluate,
        observe_end=task.observe_end,
    )
    return _Dense(weights, memory), jnp.zeros_like(lesson.reward)


def _open_own(task: Task, weights: mlp.Weights) -> _Dense:
    chains = [td.forget(weights)] * task.game.seats
    return _Dense(weights, jax.tree.map(lambda *x: jnp.stack(x), *chains))


def _learn_own(task: Task, net: _Dense, lesson: Lesson) -> tuple[_Dense, Array]:
    """The mover's chain learns, and at the end of a game every chain of the learner."""
    weights, memory, left, turn = net.weights, net.memory, lesson.reward, lesson.turn
    for seat in range(task.game.seats):
        old = jax.tree.map(lambda x: x[seat], memory)  # noqa: B023
        taught, new, _ = td.td_step(
            weights,
            old,
            task.encoding.encode(turn.after, jnp.int32(seat)),
            over=turn.over,
            stop=lesson.stop,
            final=lesson.final[seat][None],
            reward=lesson.reward[seat][None],
            **lesson.rates._asdict(),
            reevaluate=task.reevaluate,
        )
        learns = lesson.mine[seat] & ((turn.before.seat == seat) | turn.over)
        moves_on = learns | (lesson.mine[seat] & lesson.stop)  # a broken-off game is forgotten
        weights = _either(learns, taught, weights)
        new = _either(moves_on, new, old)
        memory = jax.tree.map(lambda x, y: x.at[seat].set(y), memory, new)  # noqa: B023
        left = left.at[seat].set(jnp.where(moves_on, 0.0, left[seat]))
    return _Dense(weights, memory), left


def _either(condition: Array, new: Any, old: Any) -> Any:
    return jax.tree.map(lambda x, y: jnp.where(condition, x, y), new, old)


def _dense(open_one: Callable, learn_one: Callable) -> Network:
    """A way that is written for one lane."""

    def opened(task: Task, weights: mlp.Weights, state: State) -> _Dense:
        return jax.vmap(functools.partial(open_one, task))(weights)

    def learn(task: Task, net: _Dense, lesson: Lesson) -> tuple[_Dense, Array]:
        return jax.vmap(functools.partial(learn_one, task))(net, lesson)

    return Network(
        open=opened,
        player=lambda task: greedy(task.game, task.encoding, ties=task.ties),
        weights=lambda net: net.weights,
        learn=learn,
        go_on=lambda task, net, lesson, state: net,
        close=lambda net: net.weights,
    )


EVERY_POSITION = _dense(_open_every, _learn_every)
OWN_POSITIONS = _dense(_open_own, _learn_own)
