"""Losses of moves by exact values."""

import jax
import numpy as np
import pytest

from tdlib.play import losses, rollout
from tdlib.players.perfect import playing
from tdlib.players.simple import RANDOM


def test_losses_by_hand():
    # three games: moves, loss, best moves
    notes = np.array([[2, 0.1, 1], [1, 0.0, 1], [3, 0.2, 0]])
    found = losses.losses(notes)
    assert (found.games, found.moves) == (3, 6)
    assert found.mean == pytest.approx(0.05) and found.best == pytest.approx(2 / 6)
    assert found.per_game == pytest.approx(0.1)
    assert found.per_game_error == pytest.approx(0.1 / np.sqrt(3))
    # residuals 0, -0.05, 0.05: sqrt(0.005 * 3 / 2) / 6
    assert found.error == pytest.approx(np.sqrt(0.0075) / 6)
    twice = losses.losses(np.stack([notes, notes]))
    assert twice.mean.tolist() == [found.mean] * 2


def test_the_perfect_player_loses_nothing_and_others_what_they_do_not_win(game, two_left):
    perfect, count = playing(two_left[0]), 2000
    played = rollout.play_games(
        game,
        (RANDOM, perfect),
        jax.random.key(1),
        count=count,
        lanes=500,
        max_plies=2000,
        rotate=True,
        watch=losses.watch(game, two_left),
    )
    random, best = (np.asarray(played.notes)[:, player] for player in (0, 1))
    for number in (0, 1):  # by wins and by money, which agree where there are no gammons
        flawless = losses.losses(best, number)
        assert flawless.mean == 0 and flawless.best == 1 and flawless.moves > count
    lost, points = losses.losses(random, 0), losses.losses(random, 1)
    assert points.mean == pytest.approx(2 * lost.mean, rel=1e-4)
    assert 0.2 < lost.best < 0.6 and lost.mean > 0.01
    # What it does not win it has given away: four standard errors, so a correct program fails
    # with a chance below 1e-4.
    won = (np.asarray(played.payoff)[:, 0] > 0).mean()
    allowed = 4 * np.sqrt(0.25 / count + lost.per_game_error**2)
    assert abs(won - (0.5 - lost.per_game)) < allowed < 0.06
