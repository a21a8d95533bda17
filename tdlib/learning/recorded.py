"""Training of which is known which games were played, by a number for each.

Self-play of a game without chance repeats itself unless something is random (Choi 2013,
section 5). `distinct` counts how many different games a learner met.
"""

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.learning import online
from tdlib.learning.networks import Network, Turn, network_for
from tdlib.types import Array, State
from tdlib.values import mlp

_PRIME = np.uint32(16777619)  # of FNV-1a
_START = np.uint32(2166136261)


class _Recorded(NamedTuple):
    net: Any
    moves: Array  # [B] uint32, a hash of the moves of this game so far
    games: Array  # [B, N] uint32, those of the games that ended
    ended: Array  # [B]


def distinct(
    task: online.Task, condition: online.Condition, weights: mlp.Weights, games: int
) -> np.ndarray:
    """How many of the first `games` games of each learner [B] differ from all the others.

    weights: [B, ...], from which they begin. The learner plays all seats.
    """
    lanes = online.begin(weights)
    network = _recording(network_for(task, weights, 0.0), games)
    seated = online.seated(task, network, condition, lanes)
    until = jnp.full(weights.output.shape[0], games, jnp.int32)
    while (seated.games < until).any():
        seated = online.advance(task, network, (), (), condition, seated, until)
    return np.array([len(np.unique(row)) for row in np.asarray(seated.net.games)])


def _recording(network: Network, games: int) -> Network:
    def opened(task: Any, weights: mlp.Weights, state: State) -> _Recorded:
        number = weights.output.shape[0]
        return _Recorded(
            network.open(task, weights, state),
            jnp.full(number, _START),
            jnp.zeros((number, games), jnp.uint32),
            jnp.zeros(number, jnp.int32),
        )

    def learn(task: Any, kept: _Recorded, turn: Turn) -> tuple[_Recorded, Array]:
        net, left = network.learn(task, kept.net, turn)
        moves = (kept.moves ^ turn.rank.astype(jnp.uint32)) * _PRIME
        ended = turn.stop & turn.active
        at = jnp.where(ended, kept.ended, games)  # out of range: not written
        lane = jnp.arange(at.shape[0])
        noted = kept.games.at[lane, at].set(moves, mode="drop")
        moves = jnp.where(ended, _START, moves)
        return _Recorded(net, moves, noted, kept.ended + ended), left

    def go_on(task: Any, kept: _Recorded, turn: Turn, state: State) -> _Recorded:
        return kept._replace(net=network.go_on(task, kept.net, turn, state))

    return network._replace(
        open=opened,
        weights=lambda kept: network.weights(kept.net),
        learn=learn,
        go_on=go_on,
        close=lambda kept: network.close(kept.net),
    )
