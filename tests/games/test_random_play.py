"""Averages of random play against figures of independent programs.

Means of the stated number of games with a fixed key. Each bound is at least four standard
errors away from the mean of 20,000 games, so another random stream fails a test with a chance
below 1e-4.
"""

import jax
import numpy as np
import pytest

from tdlib.games import make
from tdlib.play import rollout
from tdlib.players.simple import RANDOM


def averages(name, count):
    """Plies per game and plays per ply."""
    game = make(name)
    played = rollout.play_games(
        game, (RANDOM,) * game.seats, jax.random.key(11), count=count, lanes=250, max_plies=9000
    )
    assert not played.capped.any()
    return float(np.mean(played.plies)), float(played.choices.sum() / played.plies.sum())


def test_kalah_lasts_43_actions_with_4_pits_to_choose_from():
    # a plain program, 500 games: 43.2 actions and 4.18 legal pits, each within 3 %
    plies, width = averages("kalah", 4000)
    assert plies == pytest.approx(43.2, rel=0.035)
    assert width == pytest.approx(4.18, rel=0.03)


def test_pachisi_between_random_players_lasts_1126_throws():
    # an independent program, which like ours does not count turns of finished players
    plies, _ = averages("pachisi", 500)
    assert plies == pytest.approx(1126, rel=0.05)


def test_parcheesi_between_random_players_lasts_120_to_240_rolls():
    plies, width = averages("parcheesi", 500)
    assert 120 < plies < 240
    assert width == pytest.approx(8.4, rel=0.1)  # a plain program's final positions per roll
