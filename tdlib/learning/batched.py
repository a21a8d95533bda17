"""Batched training: one learner plays many games at once. NOT what the papers did.

After every ply the learner moves by the mean of what each of its B games taught it, so a step
is less noisy and alpha may be larger. For stronger players beyond the papers; to reproduce
one, use `online`, where every lane is a learner of its own.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from tdlib.learning import online
from tdlib.learning.networks import EVERY_POSITION, OWN_POSITIONS, Turn
from tdlib.types import Array, Player, State
from tdlib.values import mlp


def train(
    task: online.Task,
    others: tuple[Player, ...],
    condition: online.Condition,
    weights: mlp.Weights,
    *,
    games: int,
    watch: Callable[[Any], None] = lambda lanes: None,
) -> tuple[mlp.Weights, int]:
    """Weights after at least that many games in all, and how many there were.

    condition: as in `online`, a lane being a game of the one learner; lanes differ by their
    keys, and by their seats if the learner is to meet different opponents.
    """
    lanes = condition.seats.shape[0]
    kind = OWN_POSITIONS if task.outputs == 1 else EVERY_POSITION
    network = kind._replace(go_on=_average)
    everybody = jax.tree.map(lambda w: jnp.broadcast_to(w, (lanes, *w.shape)), weights)
    seated = online.seated(task, network, condition, online.begin(everybody))
    forever = jnp.full(lanes, 2**30, jnp.int32)
    choosers = tuple(player.choose for player in others)
    given = tuple(player.weights for player in others)
    while int(seated.games.sum()) < games:
        seated = online.advance(task, network, choosers, given, condition, seated, forever)
        watch(seated)
    return jax.tree.map(lambda w: w[0], seated.net.weights), int(seated.games.sum())


def _average(task: online.Task, net: Any, turn: Turn, state: State) -> Any:
    """All games go on with the mean of the weights they would have alone."""

    def mean(w: Array) -> Array:
        return jnp.broadcast_to(w.mean(0), w.shape)

    return net._replace(weights=jax.tree.map(mean, net.weights))
