"""What holds for every game, whatever its rules."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import games
from tdlib.games import GAMES, afterstates, every_play, make
from tdlib.play import complexity, loop, rollout
from tdlib.players.simple import RANDOM
from tdlib.show.notation import NOTATIONS

# Abalone has no end of its own between random players; the limits are Lee & Noh's, section 2.3.
# Notebook 01 plays as many games under the same limits: what it compiled serves here too.
OPTIONS = {"abalone": {"max_plies": 1000, "no_capture_limit": 200}}
RANDOM_GAMES = 64
PIECES = {  # what is conserved, from one position
    "backgammon": lambda s: s.men.sum(-1),
    "hypergammon": lambda s: s.men.sum(-1),
    "kalah": lambda s: s.cups.sum(),
    "pachisi": lambda s: jnp.int32(s.pieces.size),
    "parcheesi": lambda s: jnp.int32(s.pieces.size),
    "abalone": lambda s: jax.lax.population_count(s.stones).sum(-1),
}
LANES, TURNS = 16, 60

every_game = pytest.mark.parametrize("name", list(GAMES))


def game_of(name):
    return make(name, **OPTIONS.get(name, {}))


def trajectory(name):
    """Positions [T, B] of random play; a finished game stays as it ended."""
    game = game_of(name)

    def turn(state, key):
        _, plays, key = loop.prepare(game, key, jnp.int32(0), state)
        after = game.play(state, plays, RANDOM.choose((), key, state, plays))
        over, _ = game.outcome(state)
        after = jax.tree.map(lambda old, new: jnp.where(over, old, new), state, after)
        return after, state

    def lane(key):
        key_init, key_play = jax.random.split(key)
        keys = jax.random.split(key_play, TURNS)
        return jax.lax.scan(turn, game.init(key_init), keys)[1]

    return jax.jit(jax.vmap(lane))(jax.random.split(jax.random.key(7), LANES))


@pytest.fixture(scope="module")
def positions():
    return {name: trajectory(name) for name in GAMES}


def some_of(positions):
    """Every sixth position of all lanes, in one row."""
    return jax.tree.map(lambda x: x[:, ::6].reshape(-1, *x.shape[2:]), positions)


@functools.cache
def plays_of_all(game):
    """The plays of many positions under one roll, compiled once for all tests."""
    return jax.jit(jax.vmap(game.plays, (0, None)))


@every_game
def test_pieces_are_conserved(name, positions):
    pieces = np.asarray(jax.vmap(jax.vmap(PIECES[name]))(positions[name]))
    if name == "abalone":  # stones leave the board and do not come back
        assert (np.diff(pieces, axis=1) <= 0).all() and (pieces[:, 0] == 14).all()
    else:
        assert (pieces == pieces[:, :1]).all()


@every_game
def test_somebody_can_always_play_or_pass(name, positions):
    game = game_of(name)
    states = some_of(positions[name])
    over, payoff = jax.jit(jax.vmap(game.outcome))(states)
    for roll in range(len(game.rolls)):
        count = plays_of_all(game)(states, jnp.int32(roll)).count
        assert (np.asarray(count)[~np.asarray(over)] >= 1).all()
    assert (np.asarray(payoff).sum(-1) == 0).all()
    assert (np.asarray(payoff)[~np.asarray(over)] == 0).all()


@every_game
def test_odds_are_probabilities_of_the_named_rolls(name, positions):
    game = game_of(name)
    states = jax.tree.map(lambda x: x[:, 0], positions[name])
    odds = np.asarray(jax.vmap(game.odds)(states))
    assert odds.shape[-1] == len(game.rolls) == len(set(game.rolls))
    assert (odds >= 0).all() and np.allclose(odds.sum(-1), 1)


@every_game
def test_games_end_and_somebody_wins_or_they_draw(name):
    game = game_of(name)
    played = complexity.random_games(game, jax.random.key(3), count=RANDOM_GAMES)
    assert not played.capped.any()
    assert (played.payoff.sum(-1) == 0).all()
    assert (played.plies > 5).all() and (played.choices >= played.plies).all()
    assert set(played.first.tolist()) <= set(range(game.seats))


@every_game
def test_games_repeat_with_the_key_and_change_with_it(name):
    game = game_of(name)

    def play(seed):
        key = jax.random.key(seed)
        return complexity.random_games(game, key, count=RANDOM_GAMES).choices.tolist()

    assert play(3) == play(3) != play(4)


@every_game
def test_jitted_and_vectorised_agree_with_neither(name, positions):
    game = game_of(name)
    states = some_of(positions[name])
    roll = jnp.int32(len(game.rolls) - 1)  # a double in the dice games
    many = plays_of_all(game)(states, roll)
    last = jax.jit(jax.vmap(game.play))(states, many, many.count - 1)
    state = jax.tree.map(lambda x: x[2], states)  # after twelve turns of lane 0
    plain = jax.disable_jit(name != "parcheesi")  # whose search takes minutes step by step
    with plain:
        plays = game.plays(state, roll)
        one = game.play(state, plays, plays.count - 1)
    assert int(plays.count) == int(many.count[2])
    for single, batched in zip(jax.tree.leaves(one), jax.tree.leaves(last), strict=True):
        assert (np.asarray(single) == np.asarray(batched)[2]).all()


@every_game
def test_plays_are_distinct_positions(name, positions):
    game, format = game_of(name), NOTATIONS[name].format
    for lane in range(3):
        state = jax.tree.map(lambda x: x[lane, 4], positions[name])  # noqa: B023
        texts = [format(after) for after in every_play(game, state, len(game.rolls) - 1)]
        assert len(texts) == len(set(texts)) >= 1


@every_game
def test_text_reads_back_as_the_same_position(name, positions):
    for lane in range(4):
        state = jax.tree.map(lambda x: x[lane, 20], positions[name])  # noqa: B023
        text = NOTATIONS[name].format(state)
        again = NOTATIONS[name].parse(text)
        assert NOTATIONS[name].format(again) == text
        assert PIECES[name](again).tolist() == PIECES[name](state).tolist()


@every_game
def test_padded_list_marks_what_is_legal(name, positions):
    game = game_of(name)
    state = jax.tree.map(lambda x: x[0, 5], positions[name])
    count = len(every_play(game, state, 0))
    after, legal = jax.jit(lambda s: afterstates(game, s, jnp.int32(0), count + 3))(state)
    assert legal.tolist() == [True] * count + [False] * 3
    assert all(len(leaf) == count + 3 for leaf in jax.tree.leaves(after))


def test_rolls_follow_the_odds():
    # 7,200 backgammon rolls: each count within 4.5 standard deviations, but for 1.5e-4
    game = make("backgammon", start="coin")
    state = game.init(jax.random.key(0))
    keys = jax.random.split(jax.random.key(1), 7200)
    rolls = np.asarray(jax.vmap(lambda k: games.roll(game, k, state))(keys))
    seen = np.bincount(rolls, minlength=21)
    odds = np.asarray(game.odds(state))
    assert (abs(seen - 7200 * odds) < 4.5 * np.sqrt(7200 * odds * (1 - odds))).all()


def test_unknown_games_and_options_are_refused_with_what_was_expected():
    with pytest.raises(ValueError, match="unknown game 'chess'; expected one of backgammon"):
        make("chess")
    with pytest.raises(ValueError, match="kalah has no option 'stones'; its options are: pits"):
        make("kalah", stones=4)


def test_the_number_of_players_must_be_the_number_of_seats():
    with pytest.raises(ValueError, match="pachisi has 4 seats, found 2 players"):
        rollout.play_games(
            make("pachisi"), (RANDOM,) * 2, jax.random.key(0), count=1, lanes=1, max_plies=10
        )
