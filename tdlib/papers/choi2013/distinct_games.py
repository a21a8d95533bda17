"""How many different games a learner meets while it trains.

Self-play of a game without chance repeats itself unless something is random (Choi 2013,
section 5). Games are told apart by a hash of their moves.
"""

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.learning import online
from tdlib.learning.records import Condition, Lesson, Network, Task
from tdlib.types import Array, State
from tdlib.values import mlp

_PRIME = np.uint32(16777619)  # of FNV-1a
_START = np.uint32(2166136261)


class _Recorded(NamedTuple):
    net: Any
    moves: Array  # [B] uint32, a hash of the moves of this game so far
    games: Array  # [B, N] uint32, those of the games that ended
    ended: Array  # [B]


def distinct(task: Task, condition: Condition, weights: mlp.Weights, games: int) -> np.ndarray:
    """How many of the first `games` games of each learner [B] differ from all the others.

    weights: [B, ...], from which they begin. The learner plays all seats.
    """
    lanes = online.begin(weights)
    network = _recording(online.network_for(task, weights, 0.0), games)
    session = online.start(task, network, condition, lanes)
    until = jnp.full(weights.output.shape[0], games, jnp.int32)
    while (session.games < until).any():
        session = online.advance(task, network, (), (), condition, session, until)
    return np.array([len(np.unique(row)) for row in np.asarray(session.net.games)])


def _recording(network: Network, games: int) -> Network:
    def opened(task: Task, weights: mlp.Weights, state: State) -> _Recorded:
        number = weights.output.shape[0]
        return _Recorded(
            network.open(task, weights, state),
            jnp.full(number, _START),
            jnp.zeros((number, games), jnp.uint32),
            jnp.zeros(number, jnp.int32),
        )

    def learn(task: Task, kept: _Recorded, lesson: Lesson) -> tuple[_Recorded, Array]:
        net, left = network.learn(task, kept.net, lesson)
        moves = (kept.moves ^ lesson.turn.rank.astype(jnp.uint32)) * _PRIME
        ended = lesson.stop & lesson.active
        at = jnp.where(ended, kept.ended, games)  # out of range: not written
        lane = jnp.arange(at.shape[0])
        noted = kept.games.at[lane, at].set(moves, mode="drop")
        moves = jnp.where(ended, _START, moves)
        return _Recorded(net, moves, noted, kept.ended + ended), left

    def go_on(task: Task, kept: _Recorded, lesson: Lesson, state: State) -> _Recorded:
        return kept._replace(net=network.go_on(task, kept.net, lesson, state))

    return network._replace(
        open=opened,
        weights=lambda kept: network.weights(kept.net),
        learn=learn,
        go_on=go_on,
        close=lambda kept: network.close(kept.net),
    )
