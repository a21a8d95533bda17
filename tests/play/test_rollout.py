"""Games as they are played: what somebody who looks on takes down."""

import jax
import jax.numpy as jnp
import numpy as np

from tdlib import games
from tdlib.play import loop, rollout
from tdlib.players.simple import FIRST, RANDOM


def test_a_watch_adds_up_each_players_turns():
    def look(weights, state, plays, rank):
        return jnp.array([1.0, weights * plays.count, state.seat])

    played = rollout.play_games(
        games.make("kalah"),
        (RANDOM, FIRST),
        jax.random.key(1),
        count=9,
        lanes=4,
        max_plies=200,
        rotate=True,
        watch=loop.Watch(look, 3, jnp.float32(2)),
    )
    turns, choices, seats = np.moveaxis(np.asarray(played.notes), -1, 0)  # [N, P]
    assert (turns.sum(1) == played.plies).all() and (turns > 0).all()
    assert (choices.sum(1) == 2 * played.choices).all()
    # a player sits in one seat for a whole game, in the other one in the next
    assert ((seats == 0) | (seats == turns)).all()
    assert (seats[:4] == 0).any(0).all() and (seats[:4] > 0).any(0).all()


def test_nobody_looks_on_unless_asked():
    played = rollout.play_games(
        games.make("kalah"), (RANDOM, FIRST), jax.random.key(1), count=2, lanes=2, max_plies=200
    )
    assert played.notes.shape == (2, 2, 0)
