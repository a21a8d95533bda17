"""What training is given and what it hands on: the records of this folder.

    Schedule    a number that changes from game to game: alpha, lambda, epsilon
    Targets     what the end of a game is worth
    Task        what all learners of a batch have in common
    Condition   what each learner has of its own
    Learners    learners between two games
    Lesson      a turn of the game and what is to be learned from it
    Network     a way of keeping and teaching a network, see `online.network_for`

A schedule is data: four numbers, hashable, written with `_asdict`, read with `Schedule(**d)`.
Its value for game n = 0, 1, 2, ... is

    start * factor^n + step * n,  kept between start and end

Constant, exponential and linear schedules are all of this form, so one compiled function serves
lanes with different schedules: stack the four numbers into arrays [B].
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.play.loop import Turn
from tdlib.types import Array, Encoding, Game, Key, Player, State
from tdlib.values import mlp


class Schedule(NamedTuple):
    """A number that changes from game to game: see `constant`, `exponential`, `linear`."""

    start: float  # the value for game 0
    end: float  # reached, not passed
    factor: float  # multiplies once a game
    step: float  # adds once a game

    @property
    def least(self) -> Array:
        """The smallest value there will be."""
        return jnp.minimum(jnp.asarray(self.start), jnp.asarray(self.end))


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


Rewards = Callable[[State, State], Array]  # before, after -> [P] float32, see `rewards`


class Task(NamedTuple):
    """What all lanes have in common."""

    game: Game
    encoding: Encoding
    outputs: int  # one for each seat, or one in all
    targets: Targets
    rewards: Rewards | None = None  # what a turn earns each seat, in addition to the targets
    reevaluate: bool = False  # see `td`
    observe_end: bool = False  # see `td`; only where all seats have an output
    explores: bool = False  # whether any epsilon is above zero
    habits: tuple[tuple[str, Any], ...] = ()  # of the learner, see `players.habits`
    ties: str = "first"  # which of equally good plays the learner takes, see `players.greedy`


class Rates(NamedTuple):
    """The numbers of a step, as arguments of `td.td_step`, which explains them."""

    alpha: Array  # []
    lam: Array  # []
    gamma: Array  # []
    kappa: Array  # []
    penalty: Array  # []


class Condition(NamedTuple):
    """What each lane has of its own; everything with [B] in front."""

    key: Key
    seats: Array  # [P] int32, who sits where in game 0: 0 the learner, k the k-th other player
    rotates: Array  # [] bool, whether everybody moves on one seat from game to game
    max_plies: Array  # [] int32, a game is broken off after so many turns, and counted
    alpha: Schedule  # the step size, see `td.td_step` for this and what follows
    lam: Schedule
    epsilon: Schedule  # the probability that the learner plays at random
    gamma: Array  # []
    kappa: Array  # []
    penalty: Array  # []

    def rates(self, games: Array) -> Rates:
        """The numbers of a step in the games of these numbers [B], counted from 0."""
        alpha, lam = value(self.alpha, games), value(self.lam, games)
        return Rates(alpha, lam, self.gamma, self.kappa, self.penalty)


class Learners(NamedTuple):
    """Learners between two games; everything with [B] in front."""

    weights: mlp.Weights
    games: Array  # [] int32, finished so far
    plies: Array  # [] int32, taken in them
    capped: Array  # [] int32, games broken off among them


class Lesson(NamedTuple):
    """A turn of the game and what is to be learned from it; in lanes with [B] in front."""

    turn: Turn
    mine: Array  # [P] bool, the seats of the learner
    active: Array  # [] bool, whether this lane still plays; if not, nothing is learned
    reward: Array  # [P], rewards since each seat's latest position
    final: Array  # [P], what the game was worth, if it is over
    rates: Rates

    @property
    def stop(self) -> Array:
        """Whether nothing follows in this game: it is over, broken off, or not played."""
        return self.turn.ended | ~self.active


class Network(NamedTuple):
    """A way of keeping and teaching networks, as functions for all lanes at once.

    `net` is whatever this way keeps of B networks during a game.
    """

    open: Callable[[Task, mlp.Weights, State], Any]  # weights, first positions -> net
    player: Callable[[Task], Player]
    weights: Callable[[Any], Any]  # net -> weights [B, ...] of that player
    learn: Callable[[Task, Any, Lesson], tuple[Any, Array]]
    # net, lesson -> net, and the rewards [B, P] that no position was credited with yet
    go_on: Callable[[Task, Any, Lesson, State], Any]  # net, lesson, the positions that follow
    close: Callable[[Any], mlp.Weights]  # net -> weights between games


def constant(value: float) -> Schedule:
    """The same in every game."""
    return _checked(Schedule(value, value, 1.0, 0.0))


def exponential(start: float, factor: float, floor: float = 0.0) -> Schedule:
    """Multiplied by `factor` after each game, but never below `floor`.

    Lee & Noh, section 2.3: epsilon from 0.1, times 0.9 each game, down to 0.01. Campos &
    Langlois 2003, section 6, state the ends only: from 0.9 to about 0 after 100 games.
    """
    if not 0 < factor <= 1:
        raise ValueError(f"factor must be above 0 and at most 1, not {factor!r}")
    if not 0 <= floor <= start:
        raise ValueError(f"floor must be between 0 and start {start!r}, not {floor!r}")
    return _checked(Schedule(start, floor, factor, 0.0))


def linear(start: float, end: float, games: int) -> Schedule:
    """From `start` to `end` in equal steps over so many games, then `end` for ever."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games!r}")
    return _checked(Schedule(start, end, 1.0, (end - start) / games))


def value(schedule: Schedule, game: Array) -> Array:
    """The value for that game [] int32, counted from 0: [] float32; or for many, [B]."""
    start, end, factor, step = (jnp.asarray(x, jnp.float32) for x in schedule)
    n = jnp.asarray(game, jnp.float32)
    free = start * factor**n + step * n
    return jnp.clip(free, jnp.minimum(start, end), jnp.maximum(start, end))


def _checked(schedule: Schedule) -> Schedule:
    """The same as plain floats, so that equal schedules are written alike."""
    numbers = Schedule(*map(float, schedule))
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"a schedule is made of finite numbers, not {numbers}")
    return numbers
