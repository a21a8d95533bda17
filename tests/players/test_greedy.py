"""Greedy players: the best play, first among equals, alone and side by side."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import encodings, rollout
from tdlib.games import every_play, make
from tdlib.players.greedy import best_play, greedy, player
from tdlib.players.uniform import RANDOM
from tdlib.values import mlp, pubeval
from tests.batches import stack
from tests.test_every_game import trajectory


@pytest.mark.parametrize("name", ["backgammon", "kalah"])
def test_vectorised_choice_is_the_best_of_all_plays(name):
    # a coarse score with many ties, so that "first among equals" matters
    def score(weights, before, after):
        board = after.men if name == "backgammon" else after.cups
        return ((board.reshape(-1) * weights).sum() % 7).astype(jnp.float32)

    game = make(name)
    positions = trajectory(name)
    states = [jax.tree.map(lambda x: x[lane, 2], positions) for lane in range(16)]  # noqa: B023
    rolls = np.arange(16) % len(game.rolls)
    size = np.asarray(jax.tree.leaves(states[0])[0]).size
    weights = jnp.arange(1, size + 1)

    plays = jax.jit(jax.vmap(game.plays))(stack(states), rolls)
    ranks = jax.jit(jax.vmap(best_play(game, score), (None, 0, 0)))(
        weights, stack(states), plays
    )

    for state, roll, rank in zip(states, rolls.tolist(), ranks.tolist(), strict=True):
        scores = [
            float(score(weights, state, after)) for after in every_play(game, state, roll)
        ]
        assert rank == int(np.argmax(scores))
        one = best_play(game, score)(weights, state, game.plays(state, jnp.int32(roll)))
        assert rank == int(one)


def test_every_game_may_have_weights_of_its_own():
    game = make("kalah")
    states = stack([game.init(jax.random.key(0))] * 6)
    plays = jax.vmap(game.plays, (0, None))(states, 0)

    def score(pit, before, after):
        return -jnp.abs(jnp.argmin(after.cups[:6]) - pit).astype(jnp.float32)

    ranks = jax.vmap(best_play(game, score))(jnp.arange(6), states, plays)
    assert ranks.tolist() == [0, 1, 2, 3, 4, 5]


def test_own_output_decides():
    # outputs: seat 0 likes its chequers on the 1 point, seat 1 is indifferent
    game, encoding = make("hypergammon"), encodings.make("hypergammon", "unary")
    weights = mlp.Weights(jnp.zeros((0, 197)), jnp.zeros((2, 197)).at[0, 0].set(5.0))
    state = game.init(jax.random.key(0))._replace(seat=jnp.int32(0))
    state = state._replace(men=state.men.at[0].set(0).at[0, jnp.array([2, 7, 9])].set(1))
    plays = game.plays(state, jnp.int32(game.rolls.index("6-1")))
    rank = greedy(game, encoding).choose(weights, jax.random.key(0), state, plays)
    assert int(game.play(state, plays, rank).men[0, 1]) >= 1


@pytest.mark.parametrize(
    "name, low, high", [("backgammon", 0.99, 1.0), ("hypergammon", 0.79, 0.87)]
)
def test_pubeval_beats_the_random_player(name, low, high):
    # An independent program: 99.8 % and 83 %. 1,000 games: three standard errors are 0.4 % and
    # 3.6 %, so a correct pubeval fails with a chance below 1e-3.
    game = make(name)
    pub = player(game, pubeval.score, name="pubeval", weights=pubeval.published_weights())
    won = 0
    for seat, players in enumerate([(pub, RANDOM), (RANDOM, pub)]):
        played = rollout.play_games(
            game, players, jax.random.key(5), count=500, lanes=250, max_plies=5000
        )
        won += int((played.payoff[:, seat] > 0).sum())
    assert low <= won / 1000 <= high
