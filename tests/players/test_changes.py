"""The fast paths: values of plays through what they change equal those of their afterstates."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import encodings
from tdlib.games import make
from tdlib.play import rollout
from tdlib.players.greedy import Blocks, best_play, dense, greedy, network
from tdlib.players.pubeval import JUDGE
from tdlib.players.simple import RANDOM
from tdlib.values import mlp, pubeval
from tests.test_every_game import trajectory


def turns(name):
    """Positions, rolls, Plays and one random rank each, from random play: [N]."""
    game = make(name)
    states = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), trajectory(name))
    going_on = ~jax.jit(jax.vmap(game.outcome))(states)[0]
    states = jax.tree.map(lambda x: x[going_on], states)
    number = int(going_on.sum())
    rolls = jnp.arange(number, dtype=jnp.int32) % len(game.rolls)
    plays = jax.jit(jax.vmap(game.plays))(states, rolls)
    rng = np.random.default_rng(5)
    ranks = jnp.asarray(rng.integers(0, plays.count), jnp.int32)
    return game, states, plays, ranks


@pytest.mark.parametrize(
    ("name", "encoding", "options"),
    [
        ("backgammon", "unary", {}),
        ("backgammon", "unary", {"extra": "count", "scaled": False}),
        ("hypergammon", "unary", {"extra": "over", "bar": "whole"}),
        ("hypergammon", "combined", {}),
    ],
)
def test_changes_are_the_difference_of_the_dense_inputs(name, encoding, options):
    game, states, plays, ranks = turns(name)
    seen = encodings.make(name, encoding, **options)

    def compare(state, plays, rank):
        before = seen.encode(state, state.seat)
        after = seen.encode(game.play(state, plays, rank), state.seat)
        kept = len(before) - (0 if seen.tail is None else len(seen.tail(state, state.seat)))
        worst = jnp.float32(0)
        for kind in seen.changes:
            rows, amounts = kind.rows(state, plays, rank)
            found = before.at[rows].add(amounts)[:kept]
            error = jnp.abs(found - after[:kept]).max()
            worst = jnp.maximum(worst, jnp.where(kind.apply(plays), error, 0.0))
        kinds = sum(kind.apply(plays).astype(jnp.int32) for kind in seen.changes)
        return worst, kinds, (after != before).any()

    worst, kinds, changed = jax.jit(jax.vmap(compare))(states, plays, ranks)
    assert len(ranks) > 200 and changed.mean() > 0.5
    assert (kinds == 1).all()
    assert worst.max() < 1e-6


@pytest.mark.parametrize("encoding, hidden", [("unary", 10), ("unary", 50), ("combined", 10)])
def test_a_network_chooses_the_same_play_either_way(encoding, hidden):
    game, states, plays, _ = turns("hypergammon")
    seen = encodings.make("hypergammon", encoding)
    weights = mlp.init(jax.random.key(1), len(seen.names), hidden=hidden, outputs=2, span=1.0)

    def value(weights, before, after):
        return mlp.value(weights, seen.encode(after, before.seat))[before.seat]

    fast = jax.jit(jax.vmap(best_play(network(game, seen)), (None, None, 0, 0)))
    slow = jax.jit(jax.vmap(best_play(dense(game, value)), (None, None, 0, 0)))
    key = jax.random.key(0)
    one, two = fast(weights, key, states, plays), slow(weights, key, states, plays)
    pick = jax.vmap(lambda s, p, r: value(weights, s, game.play(s, p, r)))
    # values equal to rounding may change places
    assert jnp.abs(pick(states, plays, one) - pick(states, plays, two)).max() < 1e-6
    assert (one == two).mean() > 0.99


def test_blocks_of_lanes_play_with_weights_of_their_own():
    game, states, plays, _ = turns("hypergammon")
    states, plays = jax.tree.map(lambda x: x[:30], (states, plays))
    seen = encodings.make("hypergammon", "unary")
    keys = jax.random.split(jax.random.key(2), 3)
    weights = jax.vmap(
        lambda key: mlp.init(key, len(seen.names), hidden=5, outputs=2, span=1.0)
    )(keys)
    choose = greedy(game, seen).choose
    together = jax.vmap(choose, (None, None, 0, 0))(Blocks(weights), keys[0], states, plays)
    each = jax.tree.map(lambda w: jnp.repeat(w, 10, axis=0), weights)
    apart = jax.vmap(choose, (0, None, 0, 0))(each, keys[0], states, plays)
    assert together.tolist() == apart.tolist()


def gain(state, plays, rank, kind):
    """What pubeval gains by a play, found through its changes."""
    weights = pubeval.published_weights()
    steps = pubeval.gains(
        weights, pubeval.basis(weights, state), kind.change(state, plays, rank)
    )
    return pubeval.gain(weights, pubeval.basis(weights, state), steps)


@pytest.mark.parametrize("name", ["backgammon", "hypergammon"])
def test_pubeval_gains_the_same_through_changes(name):
    game, states, plays, ranks = turns(name)
    weights = pubeval.published_weights()

    def compare(state, plays, rank):
        full = pubeval.score(weights, state, game.play(state, plays, rank))
        full -= pubeval.score(weights, state, state)
        plain, double = (gain(state, plays, rank, kind) for kind in JUDGE.kinds)
        return full, jnp.where(JUDGE.kinds[0].apply(plays), plain, double)

    full, quick = jax.jit(jax.vmap(compare))(states, plays, ranks)
    finite = jnp.isfinite(full)
    assert (finite == jnp.isfinite(quick)).all()
    assert jnp.abs(full - quick)[finite].max() < 1e-4


def test_pubeval_sees_a_win_through_changes():
    game = make("hypergammon")
    state = game.init(jax.random.key(0))._replace(seat=jnp.int32(1), opening=jnp.bool_(False))
    men = jnp.zeros((2, 26), jnp.int32).at[0, 20].set(3).at[1, 0].set(1).at[1, 1].set(2)
    state = state._replace(men=men)
    plays = game.plays(state, jnp.int32(game.rolls.index("6-5")))
    assert plays.count == 1
    assert gain(state, plays, jnp.int32(0), JUDGE.kinds[0]) == jnp.inf


def test_play_games_turns_the_seats_and_credits_the_players():
    # "first" always begins counting from the player order, whatever the seats
    game = make("hypergammon")
    played = rollout.play_games(
        game, (RANDOM, RANDOM._replace(name="other", weights=())), jax.random.key(1),
        count=40, lanes=8, max_plies=2000, rotate=True,
    )  # fmt: skip
    assert (np.asarray(played.payoff).sum(-1) == 0).all()
    won = np.asarray(played.payoff) > 0
    assert (np.asarray(played.pieces)[won] == 3).all()
    assert (np.asarray(played.pieces)[~won] < 3).all()
