"""Habits of pachisi's learners: which plays are left to them, by hand and by the twin."""

import functools
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games import make
from tdlib.players.habits import with_habits
from tdlib.players.simple import FIRST
from tdlib.types import Player
from tests.players.test_heuristic_pachisi import batch
from tests.reference import pachisi as twin
from tests.reference.race_positions import pachisi_positions
from tests.reference.test_twins_race_games import OUT, board

GAME = make("pachisi")
CHOOSERS = [
    Player(f"wants {n}", lambda *seen, n=n: jnp.minimum(n, seen[-1].count - 1))
    for n in range(9)
]
LAST_PIECE = board((80, 84, 84, 84), (), (84,) * 4)
TWO_LEFT = board((80, 80, 84, 84), (), (84,) * 4)
PARTNER_OUT = board((80, 84, 84, 84), (), (83, 84, 84, 84))


@functools.cache
def chooser(player, **habits):
    mine = with_habits(player, GAME, tuple(habits.items()))

    def choose(state, roll):
        return mine.choose((), jax.random.key(0), state, GAME.plays(state, roll))

    return jax.jit(jax.vmap(choose))


def moved(pieces, throw, **habits):
    """(from, to) of whoever would take the first play there is, which is the pass."""
    turn = twin.Turn(pieces, OUT, 0, throw, 0, twin.NOBODY)
    (rank,) = chooser(FIRST, **habits)(*batch(GAME, [turn])).tolist()
    return twin.choices(turn)[rank].moved


@pytest.mark.parametrize(
    "pieces, throw, habits, expected",
    [
        #  A . . >          the piece on 20 can always move; who likes to pass does so
        (board((20,)), 3, {"passes": "free"}, None),
        (board((20,)), 3, {"passes": "forced"}, (20, 23)),
        (board((20,)), 3, {"passes": "not_on_grace"}, None),
        (board((20,)), 10, {"passes": "not_on_grace"}, (0, 10)),
        (board((20,)), 10, {"passes": "free"}, None),
        #  all four in the Charkoni and no grace: nothing can move
        (board(), 3, {"passes": "forced"}, None),
        (board(), 10, {"passes": "forced"}, (0, 10)),
        #  the last of a team's eight pieces comes home with 4 or more
        (LAST_PIECE, 4, {"wins": "taken"}, (80, 84)),
        (LAST_PIECE, 25, {"wins": "taken"}, (80, 84)),
        (LAST_PIECE, 3, {"wins": "taken"}, None),
        (LAST_PIECE, 4, {"wins": "valued"}, None),
        #  seven would be home, or the partner is not: nothing is won, so it passes
        (TWO_LEFT, 4, {"wins": "taken"}, None),
        (PARTNER_OUT, 4, {"wins": "taken"}, None),
    ],
)
def test_what_is_left_to_somebody_who_likes_to_pass(pieces, throw, habits, expected):
    assert moved(pieces, throw, **habits) == expected


def left_over(turn, passes, wins):
    """The choices that remain, in plain Python."""
    found = twin.choices(turn)
    moves = [c for c in found if c.moved]
    winning = [c for c in found if twin.over(c.pieces)]
    if wins == "taken" and winning:
        return winning
    refrains = {"free": False, "forced": True, "not_on_grace": turn.throw in twin.GRACES}
    return moves if moves and refrains[passes] else found


@pytest.mark.parametrize("wins", ["valued", "taken"])
@pytest.mark.parametrize("passes", ["free", "forced", "not_on_grace"])
def test_plays_that_remain_are_the_twins(passes, wins):
    turns = pachisi_positions(Random(7), 300)
    turns += [twin.Turn(LAST_PIECE, OUT, 0, throw, 0, twin.NOBODY) for throw in twin.THROWS]
    given = batch(GAME, turns)
    ranks = np.stack([chooser(p, passes=passes, wins=wins)(*given) for p in CHOOSERS])
    narrowed = 0
    for turn, mine in zip(turns, ranks.T.tolist(), strict=True):
        found, expected = twin.choices(turn), left_over(turn, passes, wins)
        assert [found[r] for r in dict.fromkeys(mine)] == expected, turn
        narrowed += expected != found
    assert (narrowed > 5) == ((passes, wins) != ("free", "valued"))


def test_only_pachisi_has_habits():
    player = Player("nobody", lambda *_: jnp.int32(0))
    kalah = make("kalah")
    assert with_habits(player, kalah, ()) is player
    with pytest.raises(ValueError, match=r"only players of pachisi have habits, .* of kalah"):
        with_habits(player, kalah, (("passes", "forced"),))
    with pytest.raises(ValueError, match=r"passes must be one of free, .* not 'never'"):
        with_habits(player, GAME, (("passes", "never"),))
