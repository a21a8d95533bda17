"""Exploring players and the first-legal player."""

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games import make
from tdlib.play import rollout
from tdlib.players.simple import FIRST, RANDOM, Exploring, exploring
from tdlib.types import Player

# Kalah's opening has six plays, ranks 0 to 5.
GAME = make("kalah")
DRAWS = 6000


def ranks(player, weights):
    state = GAME.init(jax.random.key(0))
    plays = GAME.plays(state, jnp.int32(0))
    assert int(plays.count) == 6
    keys = jax.random.split(jax.random.key(11), DRAWS)
    choose = jax.vmap(lambda key: player.choose(weights, key, state, plays))
    return np.asarray(jax.jit(choose)(keys))


def test_the_first_player_takes_the_first_play():
    assert (ranks(FIRST, ()) == 0).all()


def test_without_epsilon_it_is_the_inner_player():
    player = exploring(FIRST)
    assert player.weights == Exploring((), 0.0)
    assert (ranks(player, player.weights) == 0).all()


def test_with_epsilon_one_every_play_is_equally_likely():
    # Each count is within 1000 +- 4.4 standard deviations of 29: six of them fail together with
    # a chance below 1e-4.
    player = exploring(FIRST, 1.0)
    counts = np.bincount(ranks(player, player.weights), minlength=6)
    assert (abs(counts - 1000) < 127).all()


def test_epsilon_is_the_probability_of_a_random_play():
    # 0.3 * 5/6 of the plays are not the first: 1500 +- 4 standard deviations of 33.5.
    player = exploring(FIRST, 0.3)
    assert abs(int((ranks(player, player.weights) > 0).sum()) - 1500) < 134


def test_epsilon_is_read_when_choosing_and_may_differ_between_games():
    player = exploring(FIRST)
    state = GAME.init(jax.random.key(0))
    plays = GAME.plays(state, jnp.int32(0))

    def choose(epsilon, key):
        return player.choose(Exploring((), epsilon), key, state, plays)

    epsilon = jnp.repeat(jnp.array([0.0, 1.0]), 300)
    found = jax.vmap(choose)(epsilon, jax.random.split(jax.random.key(1), 600))
    assert (found[:300] == 0).all() and (found[300:] > 0).any()


def test_the_inner_player_gets_its_own_weights():
    wanted = Player("wanted", lambda weights, key, state, plays: weights, jnp.int32(4))
    player = exploring(wanted)
    assert (ranks(player, player.weights) == 4).all()
    assert (ranks(player, Exploring(jnp.int32(2), jnp.float32(0))) == 2).all()


def test_the_same_inner_player_is_compiled_once():
    assert exploring(FIRST, 0.1).choose is exploring(FIRST, 0.2).choose
    assert exploring(FIRST).choose is not exploring(RANDOM).choose


def test_it_plays_whole_games():
    players = (exploring(FIRST, 0.1), RANDOM)
    played = rollout.play_games(
        GAME, players, jax.random.key(2), count=20, lanes=20, max_plies=500
    )
    assert not played.capped.any()
