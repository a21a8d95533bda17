"""Kalah by columns against the plain-Python twin: every sowing of positions of random play."""

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games.kalah import columns
from tdlib.kernels.compute_once import unknown_one
from tests.reference import kalah as twin


def random_play(pits, seeds, games, *, empty_capture=False):
    """Positions (board, mover) of games played at random."""
    random, found = Random(1), []
    for _ in range(games):
        board, mover = twin.start(pits, seeds), 0
        while plays := twin.plays(board, mover, empty_capture=empty_capture):
            found.append((board, mover))
            board, mover, _ = random.choice(list(plays.values()))
    return found


@pytest.mark.parametrize(
    "pits, seeds, empty_capture", [(6, 4, False), (6, 6, True), (3, 9, False)]
)
def test_all_sowings_are_those_of_the_twin(pits, seeds, empty_capture):
    cases = random_play(pits, seeds, 40, empty_capture=empty_capture)
    boards, movers = (jnp.asarray(np.array(x)) for x in zip(*cases, strict=True))

    @jax.jit
    def all_moves(boards, movers):
        seen = columns.seen(boards.T, movers)
        return columns.sown(seen, unknown_one(movers), empty_capture=empty_capture)

    found = jax.device_get(all_moves(boards, movers))
    cups = found.boards.T.reshape(pits, len(cases), -1)
    again, over = (x.reshape(pits, -1) for x in (found.again, found.over))
    compared = 0
    for n, (board, mover) in enumerate(cases):
        plays = twin.plays(board, mover, empty_capture=empty_capture)
        for pit, (after, next_mover, ended) in plays.items():
            mine = np.roll(after, -mover * (pits + 1)).tolist()
            assert cups[pit - 1, n].tolist() == mine, (board, mover, pit)
            assert over[pit - 1, n] == ended
            assert again[pit - 1, n] == (next_mover == mover)
            compared += 1
    assert compared > 2_000
