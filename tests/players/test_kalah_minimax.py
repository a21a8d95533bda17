"""Full-width search of Kalah against a plain-Python minimax."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import encodings, games, players, search
from tdlib.games import kalah
from tdlib.games.kalah.columns import lead, seen
from tdlib.kernels.compute_once import unknown_one
from tdlib.players import kalah_minimax
from tdlib.players.greedy import Blocks, greedy
from tdlib.values import mlp
from tdlib.values.kalah import store_lead
from tests.games.test_kalah_columns import random_play
from tests.reference import kalah as twin

GAME = games.make("kalah")
TURN = {"turn": True}


def value_by_twin(board, mover, depth, who):
    """Own store less other's for `who` after so many plies of best play."""
    plays = twin.plays(board, mover)
    if depth == 0 or not plays:
        return twin.difference(board) * (1 if who == 0 else -1)
    below = [value_by_twin(b, m, depth - 1, who) for b, m, _ in plays.values()]
    return max(below) if mover == who else min(below)


@functools.partial(jax.jit, static_argnames="depth")
def values(boards, movers, depth):
    board, one = seen(boards.T, movers), unknown_one(movers)
    return kalah_minimax.values(board, depth, lambda board, *_: lead(board), one)


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_values_of_all_moves_are_those_of_plain_minimax(depth):
    cases = random_play(6, 4, 30)[:: 150 if depth == 5 else 12]
    boards, movers = (jnp.asarray(np.array(x)) for x in zip(*cases, strict=True))
    found = np.asarray(values(boards, movers, depth))
    for n, (board, mover) in enumerate(cases):
        for pit, (after, next_mover, _) in twin.plays(board, mover).items():
            expected = value_by_twin(after, next_mover, depth - 1, mover)
            assert found[pit - 1, n] == expected, (board, mover, pit)


def positions(count):
    cases = random_play(6, 4, 30)[5::17][:count]
    assert len(cases) == count
    cups, seats = (jnp.asarray(np.array(x, np.int32)) for x in zip(*cases, strict=True))
    states = kalah.State(cups, seats)
    return states, jax.vmap(GAME.plays, (0, None))(states, jnp.int32(0))


def test_equal_moves_are_taken_equally_often():
    # South's pits 1, 3 and 4 gain one seed each and no extra move follows; 2 gains nothing
    state = kalah.State(
        jnp.array([6, 1, 4, 3, 0, 0, 0, 0, 0, 9, 9, 0, 9, 0], jnp.int32), jnp.int32(0)
    )
    plays = GAME.plays(state, jnp.int32(0))
    choose = players.make("minimax1", GAME).choose
    keys = jax.random.split(jax.random.key(0), 3_000)
    ranks = jax.jit(jax.vmap(choose, (None, 0, None, None)))((), keys, state, plays)
    share = np.bincount(np.asarray(ranks), minlength=4) / 3_000
    best = np.asarray(values(state.cups[None], state.seat[None], 1))[[0, 1, 2, 3], 0]
    ties = best == best.max()
    assert ties.sum() > 1
    # four standard errors: wrong once in 5,000 keys
    np.testing.assert_allclose(share, ties / ties.sum(), atol=4 * np.sqrt(0.25 / 3_000))


@pytest.mark.parametrize("depth", [2, 3])
def test_it_chooses_among_the_best_moves_of_the_other_search(depth):
    states, plays = positions(60)
    keys = jax.random.split(jax.random.key(1), 60)
    look = search.look(GAME, store_lead, depth=depth, ties="random")
    found = jax.jit(jax.vmap(look, (None, 0, 0)))((), keys, states)
    choose = kalah_minimax.minimax(GAME, depth).choose
    ranks = jax.jit(jax.vmap(choose, (None, 0, 0, 0)))((), keys, states, plays)
    worth = np.asarray(values(states.cups, states.seat, depth)).T  # [60, 6]
    for n, legal in enumerate(np.asarray(plays.legal)):
        of_rank = worth[n, legal]
        assert of_rank[found.rank[n]] == of_rank[ranks[n]] == of_rank.max() == found.value[n]


@pytest.mark.parametrize("inputs, more", [("raw", {}), ("raw", TURN), ("handcrafted", {})])
def test_a_network_searching_one_ply_plays_like_the_greedy_one(inputs, more):
    states, plays = positions(60)
    encoding = encodings.make("kalah", inputs, **more)
    key = jax.random.key(3)
    several = jax.vmap(
        lambda key: mlp.init(key, len(encoding.names), hidden=7, outputs=1, span=1.0)
    )(jax.random.split(key, 2))
    keys = jax.random.split(key, 60)

    def ranks(player):
        return jax.jit(jax.vmap(player.choose, (None, 0, 0, 0)))(
            Blocks(several), keys, states, plays
        )

    ends = jax.vmap(
        lambda s, p: jax.vmap(lambda r: GAME.outcome(GAME.play(s, p, r))[0])(
            jnp.arange(6)
        ).any()
    )(states, plays)  # where searching knows the outcome and greedy does not
    one, two = (
        np.asarray(ranks(player))
        for player in (greedy(GAME, encoding), kalah_minimax.searching(GAME, encoding, 1))
    )
    same = np.asarray(~ends)
    assert same.sum() > 40
    np.testing.assert_array_equal(one[same], two[same])


def test_who_is_not_asked_does_not_count():
    states, plays = positions(60)
    keys = jax.random.split(jax.random.key(0), 60)
    choose = jax.jit(jax.vmap(players.make("minimax2", GAME).choose, (None, 0, 0, 0)))
    everybody = np.asarray(choose((), keys, states, plays))
    some = np.arange(60) % 3 == 0
    asked = plays._replace(count=jnp.where(some, plays.count, 0))
    np.testing.assert_array_equal(
        np.asarray(choose((), keys, states, asked))[some], everybody[some]
    )


def test_other_games_and_depths_are_refused():
    with pytest.raises(ValueError, match="depth must be from 1 to 7, not 8"):
        kalah_minimax.minimax(GAME, 8)
    with pytest.raises(ValueError, match="expected Kalah without early_stop"):
        kalah_minimax.minimax(games.make("kalah", early_stop=True), 2)
    with pytest.raises(ValueError, match="hold at most 127 seeds, this game has 132"):
        kalah_minimax.minimax(games.make("kalah", seeds=11), 2)


def test_a_store_beyond_what_a_byte_holds_is_not_taken_for_a_loss():
    # South's fourth pit captures: 128 of the 132 seeds in the store, which as a byte are -128
    game = games.make("kalah", seeds=11)
    cups = jnp.array([1, 0, 0, 1, 0, 0, 122, 3, 5, 0, 0, 0, 0, 0], jnp.int32)
    state = kalah.State(cups, jnp.int32(0))
    plays = game.plays(state, jnp.int32(0))
    best = [value_by_twin(b, m, 0, 0) for b, m, _ in twin.plays(cups.tolist(), 0).values()]
    chosen = jax.jit(players.make("minimax1", game).choose)((), jax.random.key(0), state, plays)
    assert best == [122, 128]
    assert int(chosen) == 1


@pytest.mark.parametrize("options", [{"seeds": 11}, {"early_stop": True}])
def test_games_that_bytes_cannot_hold_are_searched_in_the_general_way(options):
    game = games.make("kalah", **options)
    assert players.make("minimax2", game).name == "minimax2"
    assert kalah_minimax.either(GAME, 2) is kalah_minimax.minimax(GAME, 2)
