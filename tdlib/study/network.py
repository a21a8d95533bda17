"""A network at some point of its training, and what its experiment says it is made of."""

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib import encodings, games, players
from tdlib.players.greedy import greedy
from tdlib.players.habits import with_habits
from tdlib.study import seeds
from tdlib.study.experiment import Experiment
from tdlib.types import Array, Encoding, Game, Player, State
from tdlib.values import mlp


class Network(NamedTuple):
    """A learner between two games."""

    experiment: Experiment
    run: int
    weights: mlp.Weights  # NumPy arrays, of the type that the experiment names
    games: int = 0  # it was trained for
    plies: int = 0  # of all these games
    capped: int = 0  # games broken off among them
    seconds: float = 0.0  # its share of the computing

    def __str__(self) -> str:
        return f"{self.experiment.id}, run {self.run}, after {self.games:,} games"

    def features(self, state: State) -> np.ndarray:
        """What it sees of a position, as the player about to move: [F]."""
        return np.asarray(encoding(self.experiment).encode(state, state.seat))

    def value(self, state: State, seat: int | None = None) -> np.ndarray:
        """What it makes of a position: [O], a number for each seat, or one for `seat`.

        A network of one output speaks for the player that has just moved (it learned the
        positions after its own moves), so it must be told who that is.
        """
        if self.experiment.outputs == 1 and seat is None:
            raise ValueError("a network of one output values a position for a seat: say which")
        view = jnp.asarray(state.seat if seat is None else seat)
        features = encoding(self.experiment).encode(state, view)
        return np.asarray(mlp.value(self.weights, features))

    def player(self) -> Player:
        """As somebody to play with."""
        weights = jax.tree.map(_as_they_are, self.weights)
        return player(self.experiment)._replace(name=str(self), weights=weights)


def game(e: Experiment) -> Game:
    return games.make(e.game, **dict(e.game_options))


def encoding(e: Experiment) -> Encoding:
    return encodings.make(e.game, e.encoding, **dict(e.encoding_options))


def player(e: Experiment) -> Player:
    """Who plays by a network of this experiment when it is tested; lacks the weights."""
    return with_habits(greedy(game(e), encoding(e), ties=e.ties), game(e), e.eval_habits)


def opponent(e: Experiment, name: str) -> Player:
    """A player of the experiment's game that needs no training."""
    return players.make(name, game(e))


def shapes(e: Experiment) -> mlp.Weights:
    """The shapes of its weights."""
    inputs, extra = len(encoding(e).names), int(e.bias)
    return mlp.Weights._make(
        ((e.hidden, inputs + extra), (e.outputs, (e.hidden or inputs) + extra))
    )


def untrained(e: Experiment, run: int) -> Network:
    """A run before its first game."""
    weights = mlp.init(
        seeds.key(e.id, e.seed, run, "weights"),
        len(encoding(e).names),
        hidden=e.hidden,
        outputs=e.outputs,
        span=e.span,
        bias=e.bias,
    )
    return Network(e, run, mlp.Weights._make(np.asarray(w, e.floats) for w in weights))


def stacked(networks: Sequence[Network]) -> mlp.Weights:
    """The weights of networks of one shape, with [B] in front."""

    def stack(name: str) -> Array:
        return _as_they_are(np.stack([getattr(x.weights, name) for x in networks]))

    return mlp.Weights(*map(stack, mlp.Weights._fields))


def _as_they_are(weights: np.ndarray) -> Array:
    """For JAX, which makes float32 of everything that is not float64 by name."""
    return jnp.asarray(weights, weights.dtype)
