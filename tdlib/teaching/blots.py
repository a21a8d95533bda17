"""How many men a backgammon player leaves alone, and how often they are hit."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games.backgammon import State
from tdlib.games.backgammon.plays import BAR
from tdlib.kernels.gather import Blocks
from tdlib.play import loop, rollout
from tdlib.types import Array, Game, Key, Player

POINTS = np.arange(1, BAR)


class Care(NamedTuple):
    """Of N networks, in all of their games: arrays [N]."""

    left: np.ndarray  # blots that could be hit, mean over the positions after its turns
    hit: np.ndarray  # how often in a game its men were hit
    won: np.ndarray  # share of games


def care(
    game: Game, player: Player, weights: Any, opponent: Player, key: Key, *, count: int
) -> Care:
    """`count` games of each network against an opponent, who change seats; weights [N, ...]."""
    number = len(jax.tree.leaves(weights)[0])
    seats = (player._replace(weights=Blocks(weights)), opponent)
    lanes = min(count, 50)
    played = rollout.play_blocks(
        game, seats, jax.random.split(key, number), count=count, lanes=lanes, max_plies=10_000,
        rotate=True, watch=loop.Watch(_look(game), 3),
    )  # fmt: skip
    turns, left, _ = np.moveaxis(np.asarray(played.notes[:, :, 0], float).sum(1), -1, 0)
    hits = np.asarray(played.notes[:, :, 1, 2], float)
    return Care(left / turns, hits.mean(1), (np.asarray(played.payoff)[:, :, 0] > 0).mean(1))


def exposed(men: Array, seat: Array) -> Array:
    """A seat's blots that an enemy man has still to pass: []; men [2, 26]."""
    enemy = jnp.max(jnp.where(men[1 - seat] > 0, np.arange(BAR + 1), 0))  # its last man
    alone = men[seat, 1:BAR] == 1
    return (alone & (enemy > BAR - POINTS)).sum()


@functools.cache  # one function for a game, which is then compiled once
def _look(game: Game) -> Callable:
    def look(_: tuple, state: State, plays: Any, rank: Array) -> Array:
        """A turn, the blots it leaves, and the enemy men that it hits."""
        after, enemy = game.play(state, plays, rank), 1 - state.seat
        hits = after.men[enemy, BAR] - state.men[enemy, BAR]
        return jnp.stack([1, exposed(after.men, state.seat), hits]).astype(jnp.float32)

    return look
