"""What an experiment names: its game, inputs, players, network and random numbers."""

import hashlib

import jax
import jax.numpy as jnp
import numpy as np

from tdlib import encodings, games, players
from tdlib.experiments import Contest, Experiment
from tdlib.store import Saved, Shapes
from tdlib.types import Array, Encoding, Game, Key, Player
from tdlib.values import mlp


def game(e: Experiment) -> Game:
    return games.make(e.game, **dict(e.game_options))


def encoding(e: Experiment) -> Encoding:
    return encodings.make(e.game, e.encoding, **dict(e.encoding_options))


def player(e: Experiment, name: str) -> Player:
    return players.make(name, game(e))


def shapes(e: Experiment) -> Shapes:
    """Of the weights, by name."""
    inputs, extra = len(encoding(e).names), int(e.bias)
    return {
        "hidden": (e.hidden, inputs + extra),
        "output": (e.outputs, (e.hidden or inputs) + extra),
    }


def key(e: Experiment | Contest, run: int, purpose: str) -> Key:
    """Random numbers of one run for one purpose, whatever else is computed beside it."""
    digest = hashlib.sha256(f"{e.id} {e.seed} {run} {purpose}".encode()).digest()
    words = np.frombuffer(digest[:8], ">u4").astype(np.uint32)
    return jax.random.wrap_key_data(jnp.asarray(words))


def initial(e: Experiment, run: int) -> Saved:
    """A run before its first game."""
    weights = mlp.init(
        key(e, run, "weights"),
        len(encoding(e).names),
        hidden=e.hidden,
        outputs=e.outputs,
        span=e.span,
        bias=e.bias,
    )
    return Saved({k: np.asarray(x) for k, x in weights._asdict().items()}, 0, 0, 0, 0.0)


def stacked(learners: list[Saved]) -> mlp.Weights:
    """Weights with [B] in front."""

    def stack(name: str) -> Array:
        return jnp.asarray(np.stack([learner.weights[name] for learner in learners]))

    return mlp.Weights(*map(stack, mlp.Weights._fields))
