"""A game in slow motion is the game that training plays."""

import itertools

import jax
import numpy as np
import pytest

from tdlib import games
from tdlib.learning import online
from tdlib.teaching import one_game
from tdlib.values import mlp
from tests.learning.test_online import condition, lane, task, weights


def test_it_learns_what_training_learns():
    here, start, many = task(), weights(3, 196, outputs=2), condition(3, [0, 0])
    two = online.train(here, (), many, online.begin(start), [2, 2, 2])
    three = online.train(here, (), many, online.begin(two.weights, two.games), [3, 3, 3])
    plies = one_game.play(here, lane(many, 1), lane(two.weights, 1), 2)
    assert len(plies) == three.plies[1]
    for ours, theirs in zip(plies[-1].weights, lane(three.weights, 1), strict=True):
        assert np.allclose(ours, theirs, atol=1e-6)


def test_its_record_fits_together():
    here, start = task(), lane(weights(3, 196, outputs=2), 0)
    plies = one_game.play(here, lane(condition(3, [0, 0]), 0), start)
    assert not plies[0].error.any() and not plies[0].trace.hidden.any()
    used = start
    for last, now in itertools.pairwise(plies):
        _, gradient = mlp.value_and_gradient(used, last.features)
        assert np.allclose(
            now.trace.hidden, 0.7 * last.trace.hidden + gradient.hidden, atol=1e-5
        )
        assert np.allclose(now.error, now.prediction - last.prediction, atol=1e-6)
        assert jax.tree.all(jax.tree.map(np.array_equal, last.after, now.before))
        after = games.every_play(here.game, now.before, int(now.roll))
        assert any(np.array_equal(now.after.men, play.men) for play in after)
        used = last.weights
    assert [bool(ply.over) for ply in plies] == [False] * (len(plies) - 1) + [True]
    assert min(plies[-1].prediction) == pytest.approx(0.1)


def test_a_game_is_broken_off_at_the_cap():
    here, start = task(), lane(weights(3, 196, outputs=2), 0)
    plies = one_game.play(here, lane(condition(3, [0, 0], max_plies=4), 0), start)
    assert len(plies) == 4 and not plies[-1].over


def test_a_network_of_one_output_is_refused():
    here = task("kalah", "raw", outputs=1)
    with pytest.raises(ValueError, match="an output for each of the 2 seats, found 1"):
        one_game.play(here, None, None)
