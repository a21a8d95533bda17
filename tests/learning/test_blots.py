"""Blots that could be hit, and hits: by hand on drawn positions, and in games."""

import jax
import numpy as np

from tdlib import encodings, games, players
from tdlib.players.greedy import greedy
from tdlib.show.notation import NOTATIONS
from tdlib.teaching import blots
from tdlib.values import mlp


def position(text):
    return NOTATIONS["hypergammon"].parse(text)


def test_a_blot_counts_while_an_enemy_man_has_to_pass_it():
    # Black's man on its 24 (white's 1) has all of white's ahead; nobody passes black's 1 again.
    both = position("20*1 17*1 6*1 | 24*1 13*1 1*1 | 0 to roll")
    assert (blots.exposed(both.men, 0), blots.exposed(both.men, 1)) == (3, 2)
    # Two men hold a point; black's last man, on its 10 (white's 15), has passed the man on 6.
    passed = position("20*2 6*1 | 10*1 1*2 | 0 to roll")
    assert (blots.exposed(passed.men, 0), blots.exposed(passed.men, 1)) == (0, 1)
    # From the bar everything can be hit.
    on_bar = position("20*2 6*1 | bar*1 1*2 | 0 to roll")
    assert blots.exposed(on_bar.men, 0) == 1


def test_games_are_counted_for_each_network():
    game, seen = games.make("hypergammon"), encodings.make("hypergammon", "unary")
    keys = jax.random.split(jax.random.key(0), 2)
    init = jax.vmap(lambda key: mlp.init(key, 196, hidden=3, outputs=2, span=1.0))
    found = blots.care(
        game, greedy(game, seen), init(keys), players.make("random", game),
        jax.random.key(1), count=20,
    )  # fmt: skip
    assert all(x.shape == (2,) for x in found)
    assert ((found.left > 0) & (found.left <= 3)).all()
    assert (found.hit > 0).all() and (found.hit < 20).all()
    assert np.isin(found.won * 20, range(21)).all()
