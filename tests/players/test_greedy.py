"""Greedy players: the best play, first among equals, alone and side by side."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import encodings
from tdlib.games import every_play, make
from tdlib.players.greedy import best_play, dense, greedy, player
from tdlib.values import mlp
from tests.batches import stack
from tests.test_every_game import trajectory

KEY = jax.random.key(0)


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
    ranks = jax.jit(jax.vmap(best_play(dense(game, score)), (None, None, 0, 0)))(
        weights, KEY, stack(states), plays
    )

    for state, roll, rank in zip(states, rolls.tolist(), ranks.tolist(), strict=True):
        scores = [
            float(score(weights, state, after)) for after in every_play(game, state, roll)
        ]
        assert rank == int(np.argmax(scores))
        one = best_play(dense(game, score))(
            weights, KEY, state, game.plays(state, jnp.int32(roll))
        )
        assert rank == int(one)


def test_every_game_may_have_weights_of_its_own():
    game = make("kalah")
    states = stack([game.init(jax.random.key(0))] * 6)
    plays = jax.vmap(game.plays, (0, None))(states, 0)

    def score(pit, before, after):
        return -jnp.abs(jnp.argmin(after.cups[:6]) - pit).astype(jnp.float32)

    choose = best_play(dense(game, score))
    ranks = jax.vmap(choose, (0, None, 0, 0))(jnp.arange(6), KEY, states, plays)
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


def test_ties_are_broken_at_random_if_asked_for():
    # 5,000 choices among the six opening pits, valued alike: each is taken 833 times, standard
    # deviation 26; six of them leave four standard deviations with a chance below 1e-3
    game = make("kalah")
    indifferent = player(game, lambda w, b, a: jnp.float32(1), name="any", ties="random")
    state = game.init(jax.random.key(0))
    plays = game.plays(state, jnp.int32(0))
    keys = jax.random.split(jax.random.key(1), 5000)
    ranks = jax.vmap(indifferent.choose, (None, 0, None, None))((), keys, state, plays)
    assert abs(np.bincount(ranks, minlength=6) - 833).max() < 105


@pytest.mark.parametrize(("ties", "rank"), [("first", 0), ("last", 5)])
def test_the_first_or_the_last_of_equals(ties, rank):
    game = make("kalah")
    indifferent = player(game, lambda w, b, a: jnp.float32(1), name="any", ties=ties)
    state = game.init(KEY)
    plays = game.plays(state, jnp.int32(0))
    two = stack([state, state]), stack([plays, plays])
    many = jax.vmap(indifferent.choose, (None, None, 0, 0))((), KEY, *two)
    assert [*many.tolist(), int(indifferent.choose((), KEY, state, plays))] == [rank] * 3
    with pytest.raises(ValueError, match="ties"):
        player(game, lambda w, b, a: jnp.float32(1), name="any", ties="middle")
