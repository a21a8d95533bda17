"""Solutions of small games, computed once."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import exact, games
from tdlib.exact import places
from tdlib.games.backgammon import State


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """small(objective, chequers): a solution for one or two chequers a side."""
    folder = tmp_path_factory.mktemp("exact")
    return functools.cache(lambda *which: exact.solve(*which, folder=folder))


@pytest.fixture(scope="session")
def two_left(small):
    """Hypergammon where each side has one chequer off: the game of two, without gammons.

    Values of all other positions are no numbers.
    """
    two = small("wins", 2)
    where = [places.number([0, *men]) for men in places.configurations(2).tolist()]
    values = np.full((3276, 3276), np.nan)
    values[np.ix_(where, where)] = two.values
    wins = two._replace(chequers=3, values=values)
    return wins, wins._replace(objective="money", values=2 * values - 1)


@pytest.fixture(scope="session")
def game():
    """Hypergammon begun with one chequer of each side off."""
    men = np.zeros((2, 26), np.int32)
    men[:, [0, 23, 24]] = 1

    def init(key):
        seat = jax.random.bernoulli(key).astype(jnp.int32)
        return State(jnp.asarray(men), seat, jnp.bool_(False))

    return games.make("hypergammon")._replace(init=init)
