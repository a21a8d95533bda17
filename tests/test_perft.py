"""Counting sequences of plays."""

import jax
import pytest

from tdlib.games import make
from tdlib.games.perft import perft


@pytest.mark.parametrize("chunk", [2, 50])
def test_the_chunk_size_does_not_matter(chunk):
    game = make("kalah", pits=3, seeds=3)
    start = game.init(jax.random.key(0))
    assert perft(game, start, 5, chunk=chunk) == [3, 8, 19, 48, 120]


def test_a_finished_game_has_no_continuation():
    game = make("kalah", pits=1, seeds=1)  # the first sowing ends it
    start = game.init(jax.random.key(0))
    assert perft(game, start, 3, chunk=4) == [1, 0, 0]


def test_games_of_chance_and_senseless_depths_are_refused():
    with pytest.raises(ValueError, match="without chance; backgammon has 21 rolls"):
        perft(make("backgammon"), make("backgammon").init(jax.random.key(0)), 1)
    game = make("kalah")
    with pytest.raises(ValueError, match="depth must be an integer of at least 1, not 0"):
        perft(game, game.init(jax.random.key(0)), 0)
