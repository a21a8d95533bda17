"""Sizes of games: counts by hand and by brute force, and the stream of sampled turns."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import games
from tdlib.games import abalone, every_play
from tdlib.play import complexity, loop
from tdlib.play.complexity import watch, widths
from tdlib.players.simple import RANDOM
from tdlib.show.notation import NOTATIONS

KEY = jax.random.key(5)
LIMITS = {"max_plies": 60, "no_capture_limit": 40}


def one(state):
    """A position as a batch of one."""
    return jax.tree.map(lambda x: jnp.asarray(x)[None], state)


def test_measures_by_hand():
    played = loop.Games(
        payoff=np.array([[1, -1], [-1, 1], [2, -2], [0, 0]]),
        first=np.array([0, 0, 1, 0]),
        plies=np.array([10, 20, 30, 40]),
        choices=np.array([20, 40, 60, 180]),
        capped=np.zeros(4, bool),
        pieces=np.zeros((4, 2), int),
    )
    found = complexity.measure(played, np.random.default_rng(0))
    assert found.width.value == 300 / 100
    assert found.plies.value == 25
    assert found.longest == 40
    assert found.first.value == 1 / 3  # won the first, lost the second and the third
    assert (found.even, found.drawn) == (1 / 2, 1 / 4)


@pytest.mark.parametrize(
    ("payoff", "even"), [([1, -1, 1, -1], 1 / 2), ([3, -1, -1, -1], 1 / 4)]
)
def test_an_even_share_is_that_of_the_winning_side(payoff, even):
    ones = np.ones(1, int)
    off = np.zeros(1, bool)
    played = loop.Games(np.array([payoff]), 0 * ones, ones, ones, off, np.zeros((1, 4)))
    assert complexity.measure(played, np.random.default_rng(0)).even == even


def test_widths_are_the_plays_of_every_roll():
    game, text = games.make("hypergammon"), NOTATIONS["hypergammon"]
    state = text.parse("20*1 17*1 6*1 | 24*1 13*1 1*1 | 0 to roll")
    counts, odds = widths(game, one(state))
    assert counts.tolist() == [[len(every_play(game, state, r)) for r in range(21)]]
    assert odds.sum() == pytest.approx(1)


def test_rolls_that_cannot_fall_have_no_plays():
    game = games.make("hypergammon")
    counts, odds = widths(game, one(game.init(KEY)))  # the opening roll is no double
    doubles = [roll[0] == roll[2] for roll in game.rolls]
    assert ((counts[0] == 0) == doubles).all() and ((odds[0] == 0) == doubles).all()


def test_widths_do_not_depend_on_the_chunks(monkeypatch):
    game = games.make("kalah")
    states = jax.tree.map(
        lambda x: x[:, 0], watch(game, RANDOM, KEY, lanes=1, warm_up=0, stride=1, samples=7)
    ).before
    whole = widths(game, states)[0]
    monkeypatch.setattr(complexity, "CHUNK", 3)
    assert whole.shape == (7, 1)
    assert (widths(game, states)[0] == whole).all()


def test_watching_more_rarely_sees_every_other_turn_of_the_same_games():
    game = games.make("kalah")
    dense = watch(game, RANDOM, KEY, lanes=3, warm_up=0, stride=1, samples=10)
    sparse = watch(game, RANDOM, KEY, lanes=3, warm_up=4, stride=2, samples=3)
    for all_turns, some in zip(jax.tree.leaves(dense), jax.tree.leaves(sparse), strict=True):
        assert (all_turns[5::2] == some).all()


def test_turns_follow_on_each_other_and_games_on_games():
    game = games.make("kalah", pits=2, seeds=1)  # over within a few turns
    turns = watch(game, RANDOM, KEY, lanes=4, warm_up=0, stride=1, samples=30)
    over, _ = jax.vmap(jax.vmap(game.outcome))(turns.after)
    start = game.init(KEY)
    assert over.sum() > 20
    for t, lane in itertools.product(range(29), range(4)):
        expected = start.cups if over[t, lane] else turns.after.cups[t, lane]
        assert (turns.before.cups[t + 1, lane] == expected).all()
    assert (turns.choices == (turns.before.cups.reshape(30, 4, 2, 3)[..., :2] > 0).sum(-1)[
        jnp.arange(30)[:, None], jnp.arange(4)[None], turns.before.seat]).all()  # fmt: skip


def test_a_sample_has_the_width_that_whole_games_have():
    # Means of some thousand positions each; they agree within 5 % unless the sampling is wrong,
    # for example by seeing the openings only.
    game = games.make("hypergammon")
    played = complexity.random_games(game, KEY, count=512, lanes=128)
    found = complexity.sample(game, KEY, length=23, lanes=128, samples=16)
    assert found.all_rolls.shape == found.per_roll.shape == (16, 128)
    assert found.per_roll.mean() == pytest.approx(
        played.choices.sum() / played.plies.sum(), rel=0.05
    )
    assert found.turns.choices.mean() == pytest.approx(found.per_roll.mean(), rel=0.05)


def test_endings_are_those_of_the_same_random_games():
    game = games.make("abalone", **LIMITS)
    codes, told = complexity.abalone_endings(KEY, count=32, **LIMITS)
    played = complexity.random_games(game, KEY, count=32)
    assert (told.plies == played.plies).all() and (told.choices == played.choices).all()
    # 40 plies without a capture unless there was one; then 60 plies in all, or later 40
    quiet, late = abalone.Ending.NO_CAPTURE, abalone.Ending.PLIES
    assert set(codes.tolist()) <= {quiet, late}
    assert (codes[played.plies < 60] == quiet).all()


def test_trees_by_hand():
    assert complexity.log10_tree(60, 87) == pytest.approx(154.7, abs=0.05)  # Lee & Noh's 154
    zeros = np.zeros(2, int)
    plies, choices = np.array([4, 6]), np.array([40, 60])
    played = loop.Games(zeros[:, None], zeros, plies, choices, zeros, zeros[:, None])
    rng = np.random.default_rng(0)
    assert complexity.tree(played, rng).value == pytest.approx(5)  # 10 plays, 5 plies
    every_roll = np.full((3, 2), 100)
    assert complexity.tree(played, rng, every_roll).value == pytest.approx(10)


def brute_force_backgammon(chequers):
    places = list(itertools.combinations_with_replacement(range(26), chequers))
    return sum(
        not ({25 - x for x in other} & set(own) & set(range(1, 25)))
        for own in places
        for other in places
    )


@pytest.mark.parametrize("chequers", [1, 2])
def test_backgammon_positions_by_brute_force(chequers):
    both_off = 1
    assert complexity.backgammon_positions(chequers) == (
        brute_force_backgammon(chequers) - both_off
    )


def test_known_numbers_of_positions():
    # Backgammon as often quoted, less the placement with everything borne off; hypergammon less
    # the 2 x 3276 - 2 finished positions is 7,953,353.
    assert complexity.backgammon_positions(15) == 18_528_584_051_601_162_496 - 1
    assert complexity.backgammon_positions(3) - (2 * 3276 - 2) == 7_953_353
    assert complexity.kalah_positions(1, 1) == 10  # two seeds in four cups


def test_abalone_positions_by_brute_force():
    # Four cells, two stones a side, one to eject: 1 or 2 stones each, but not 1 and 1.
    boards = list(itertools.product(".@O", repeat=4))
    legal = [b for b in boards if (b.count("@"), b.count("O")) in {(1, 2), (2, 1), (2, 2)}]
    assert complexity.abalone_positions(cells=4, stones=2, to_win=1) == len(legal)


def test_moved_pieces_of_backgammon_and_how_far():
    parse = NOTATIONS["hypergammon"].parse
    before = parse("24*1 13*1 6*1 | 24*1 23*1 22*1 | 0 to roll")
    after = parse("19*1 13*1 4*1 | 24*1 23*1 22*1 | 1 to roll")  # 24/19, 6/4
    assert complexity.moved(before, after) == (2, 7)


def test_moved_pieces_of_pachisi_and_how_far():
    game = games.make("pachisi")
    before = game.init(KEY)._replace(
        pieces=jnp.array([[0, 0, 9, 84]] * 4), seat=jnp.int32(1), entered=jnp.ones(4, bool)
    )
    for after in every_play(game, before, game.rolls.index("10")):
        men, distance = complexity.moved(before, after)
        assert (men, distance) in {(0, 0), (1, 10)}
