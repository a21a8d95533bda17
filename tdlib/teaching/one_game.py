"""One game of a learner in slow motion, keeping everything that the training loop forgets.

The same numbers as `online` (a test compares them), one ply at a time on the host, for reading
and drawing. The learner plays all seats and has an output for each of them.
"""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp

from tdlib.learning import td
from tdlib.learning.records import Condition, Task
from tdlib.play import loop
from tdlib.players.greedy import greedy
from tdlib.players.habits import with_habits
from tdlib.types import Array, Key, State
from tdlib.values import mlp


class Ply(NamedTuple):
    """A turn and what was learned from it. O outputs."""

    before: State
    roll: Array  # [] int32, an index into `game.rolls`
    after: State
    over: Array  # [] bool
    features: Array  # [F], of `after`
    prediction: Array  # [O], for `after`; once the game is over, what it was worth
    error: Array  # [O], of the prediction before; zero in the first ply
    trace: mlp.Weights  # with [O] in front, what the error was multiplied with
    weights: mlp.Weights  # after learning


def play(task: Task, condition: Condition, weights: mlp.Weights, number: int = 0) -> list[Ply]:
    """The game of that number of a lane, from these weights to its end.

    condition, weights: of one lane, without [B].
    """
    if task.outputs != task.game.seats:
        raise ValueError(
            f"expected an output for each of the {task.game.seats} seats, found {task.outputs}"
        )
    key, state = jax.jit(loop.open_game, static_argnums=0)(
        task.game, condition.key, jnp.int32(number)
    )
    memory, plies = td.forget(weights), []
    for ply in range(int(condition.max_plies)):
        done, memory = _ply(task, condition, weights, memory, key, number, ply, state)
        plies.append(jax.device_get(done))
        weights, state = done.weights, done.after
        if plies[-1].over:
            break
    return plies


@functools.partial(jax.jit, static_argnames="task")
def _ply(
    task: Task,
    condition: Condition,
    weights: mlp.Weights,
    memory: td.Memory,
    key: Key,
    number: Array,
    ply: Array,
    state: State,
) -> tuple[Ply, td.Memory]:
    roll, plays, key = loop.prepare(task.game, key, ply, state)
    player = greedy(task.game, task.encoding, ties=task.ties)
    player = with_habits(player, task.game, task.habits)
    rank = player.choose(weights, key, state, plays)
    after = task.game.play(state, plays, rank)
    over, payoff = task.game.outcome(after)
    features, final = task.encoding.encode(after, state.seat), task.targets.of(payoff)
    learned, following, error = td.td_step(
        weights,
        memory,
        features,
        over=over,
        stop=over,
        final=final,
        reward=jnp.zeros(task.outputs),
        **condition.rates(number)._asdict(),
        reevaluate=task.reevaluate,
    )
    prediction = jnp.where(over, final, mlp.value(weights, features))
    return Ply(
        state, roll, after, over, features, prediction, error, td.trace(memory), learned
    ), following
