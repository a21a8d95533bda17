"""Configurations and their numbers, and what dice do to them."""

import math
from random import Random

import numpy as np
import pytest

from tdlib.exact import places
from tdlib.play import complexity
from tests.reference import backgammon as rules
from tests.reference import hypergammon as twin


@pytest.mark.parametrize("chequers, size", [(1, 26), (2, 351), (3, 3276)])
def test_every_configuration_has_its_number(chequers, size):
    where = places.configurations(chequers)
    assert where.shape == (size, chequers) and size == math.comb(25 + chequers, chequers)
    assert (np.diff(where, axis=1) >= 0).all() and (where[0] == 0).all()
    assert places.index(where.T).tolist() == list(range(size))
    backwards = [places.number(row[::-1]) for row in where[-5:].tolist()]
    assert backwards == list(range(size - 5, size))


def test_numbers_by_hand():
    assert places.number([24]) == 24
    assert places.number([3, 5]) == 3 + 15  # C(3, 1) + C(6, 2)
    assert places.number([22, 24, 23]) == 22 + 276 + 2600  # C(22, 1) + C(24, 2) + C(26, 3)


# 651, 107,252 and 7,953,353 + 6,550 with finished games; three chequers, with a player to move
@pytest.mark.parametrize("chequers, positions", [(1, 651), (2, 107_252), (3, 7_959_903)])
def test_pairs_that_share_no_point_are_the_positions(chequers, positions):
    apart = ~places.sharing(chequers)[:-1, :-1]
    assert apart.sum() - 1 == positions == complexity.backgammon_positions(chequers)
    if chequers == 3:
        assert apart[1:, 1:].sum() == 7_953_353


@pytest.mark.parametrize("chequers", [1, 2, 3])
def test_steps_are_those_of_the_plain_rules(chequers):
    rng = Random(chequers)
    steps, where = places.steps(chequers), places.configurations(chequers)
    none = len(where)
    compared = 0
    while compared < 300:
        x, y, die = rng.randrange(none), rng.randrange(none), rng.randrange(6)
        found = twin.position(where[x], where[y])
        if found is None:
            continue
        reached = set()
        for own, target in zip(
            steps.following[die, :, x], steps.target[die, :, x], strict=True
        ):
            other = steps.hit[target, y]
            if none not in (own, other):
                reached.add((tuple(where[own].tolist()), tuple(where[other].tolist())))
        assert reached == {twin.places(after) for after in rules.moves(found, die + 1)}
        compared += 1


def test_bad_requests_are_refused():
    with pytest.raises(ValueError, match="chequers must be from 1 to 3, not 4"):
        places.configurations(4)
    with pytest.raises(ValueError, match=r"places must be from 0 .* not \[26\]"):
        places.number([26])
