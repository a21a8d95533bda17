"""The attributes of the race games, read off the code."""

import jax
import numpy as np
import pytest

from tdlib import games
from tdlib.claims import published
from tdlib.papers.matthews2006 import attributes
from tdlib.play import complexity
from tdlib.players.simple import RANDOM

KEY = jax.random.key(2)


@pytest.mark.parametrize(("name", "winners"), [("hypergammon", 1), ("pachisi", 2)])
def test_the_column_of_a_game_is_that_of_the_thesis(name, winners):
    turns = complexity.watch(
        games.make(name), RANDOM, KEY, lanes=64, warm_up=40, stride=5, samples=40
    )
    found = attributes.column(games.make(name), turns, winners=winners)
    thesis = published.table("matthews2006_table3_1").set_index("attribute")[name]
    assert found == thesis.to_dict()


@pytest.mark.parametrize(
    ("name", "seats", "private"),
    [("backgammon", 2, 2), ("pachisi", 4, 16), ("parcheesi", 4, 9)],
)
def test_every_seat_walks_the_shared_track(name, seats, private):
    tracks, found = attributes.tracks_and_private(games.make(name))
    assert (len(tracks), found) == (seats, private)
    assert len({len(track) for track in tracks}) == 1


def test_direction_is_seen_on_two_neighbouring_places():
    assert attributes.direction([[1, 2, 3, 4], [3, 4, 1, 2]]) == "same direction"
    assert attributes.direction([[1, 2, 3, 4], [4, 3, 2, 1]]) == "opposite directions"


def test_moves_are_counted_on_doubles():
    game = games.make("backgammon")
    rolls = np.array([game.rolls.index("3-3"), game.rolls.index("6-1")])
    moves, farthest = attributes.most_moves(game, rolls, np.array([1, 1]), np.array([12, 7]))
    assert moves == 4
    assert farthest.tolist() == [12, 7]


def test_two_twos_and_a_bonus_are_not_four_moves():
    game = games.make("parcheesi")
    for roll, moves in (("2-2", 2), ("3-3", 4)):
        rolls = np.array([game.rolls.index(roll)])
        found, _ = attributes.most_moves(game, rolls, np.array([2]), np.array([14]))
        assert found == moves


def test_loaded_dice_are_something_else():
    game = games.make("kalah")
    turns = complexity.watch(game, RANDOM, KEY, lanes=1, warm_up=0, stride=1, samples=1)
    assert attributes.randomizer(game, turns.before) == "something else"
