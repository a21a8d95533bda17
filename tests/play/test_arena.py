"""Matches: seats change, everybody gets what is theirs, capped games are counted apart."""

import jax
import pytest

from tdlib import encodings, games, players
from tdlib.play import arena, rollout
from tdlib.players.greedy import greedy
from tdlib.players.simple import FIRST, RANDOM
from tdlib.values import mlp

GAME = games.make("hypergammon")
KEY = jax.random.key(4)


def networks(number):
    seen = encodings.make("hypergammon", "unary")
    keys = jax.random.split(jax.random.key(8), number)
    return greedy(GAME, seen), jax.vmap(
        lambda key: mlp.init(key, len(seen.names), hidden=4, outputs=2, span=1.0)
    )(keys)


def test_what_one_wins_the_other_loses():
    one, two = arena.match(GAME, (RANDOM, FIRST), KEY, count=64, max_plies=2000)
    assert one.games == two.games == one.wins + two.wins == 64
    assert one.points == -two.points and one.plies == two.plies > 64 * 5
    assert one.draws == one.capped == 0
    # the winner has its three chequers off, the loser fewer
    assert 3 * 64 <= one.pieces + two.pieces < 6 * 64


def test_capped_games_are_counted_and_credited_to_nobody():
    for player in arena.match(GAME, (RANDOM, FIRST), KEY, count=64, max_plies=3):
        assert (player.games, player.capped, player.plies) == (64, 64, 3 * 64)
        assert player.wins == player.draws == player.points == 0


def test_seats_change_from_game_to_game():
    # kalah's first player has an advantage when both play the first pit they can; with seats
    # changing, both win equally often, as the game has no dice
    kalah = games.make("kalah")
    twin = FIRST._replace(name="twin", weights=(0,))
    options = {"count": 8, "max_plies": 500}
    fixed = arena.tally(rollout.play_games(kalah, (FIRST, twin), KEY, lanes=8, **options), 0)
    turned = arena.match(kalah, (FIRST, twin), KEY, **options)
    assert abs(int(fixed.points)) == 8 * abs(int(fixed.points) // 8) > 0
    assert turned[0].points == turned[1].points == 0


@pytest.mark.parametrize("lanes", [20, 5])  # an odd number must not shift the others' seats
def test_many_networks_in_one_batch_do_what_each_does_alone(lanes):
    player, weights = networks(3)
    keys = jax.random.split(KEY, 3)
    against = (None, players.make("pubeval", GAME))
    settings = {"count": 40, "max_plies": 2000}
    together = arena.evaluate(GAME, player, weights, against, keys, **settings, lanes=3 * lanes)
    for i in range(3):
        mine = jax.tree.map(lambda w, i=i: w[i : i + 1], weights)
        alone = arena.evaluate(
            GAME, player, mine, against, keys[i : i + 1], **settings, lanes=lanes
        )
        assert [int(x[i]) for x in together] == [int(x[0]) for x in alone]
    assert (together.games == 40).all() and len(set(together.wins.tolist())) > 1


def test_the_one_to_be_evaluated_has_to_be_there():
    player, weights = networks(1)
    with pytest.raises(ValueError, match="nobody in these seats"):
        arena.evaluate(GAME, player, weights, (RANDOM, RANDOM), KEY[None], count=2, max_plies=9)


def test_lanes_share_the_games_evenly():
    assert arena.lanes_for_each(35, 5000) == 25
    assert arena.lanes_for_each(1, 5000) == 1000
    assert arena.lanes_for_each(5000, 7) == 1
