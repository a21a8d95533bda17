"""Kalah against the plain-Python twin, sowing for sowing."""

import functools
from random import Random

import hypothesis.strategies as st
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings

from tdlib.games import afterstates, kalah, make
from tests.reference import kalah as twin


@functools.cache
def _compiled(pits, empty_capture):
    game = make("kalah", pits=pits, empty_capture=empty_capture)

    def every_pit(cups, seat):
        after, legal = afterstates(game, kalah.State(cups, seat), jnp.int32(0), pits)
        return after, legal, jax.vmap(game.outcome)(after)

    return jax.jit(jax.vmap(every_pit))


def plays(cases, *, empty_capture):
    """For each (board, mover) what each pit leads to, as the twin tells it."""
    pits = len(cases[0][0]) // 2 - 1
    boards, movers = (np.array(column, np.int32) for column in zip(*cases, strict=True))
    result = _compiled(pits, empty_capture)(boards, movers)
    after, legal, (over, payoff) = jax.tree.map(np.asarray, result)
    listed = []
    for i, (board, mover) in enumerate(cases):
        own = [j + 1 for j in range(pits) if board[mover * (pits + 1) + j]]
        assert legal[i].sum() == len(own)
        found = {}
        for j, pit in enumerate(own):
            cups = tuple(after.cups[i, j].tolist())
            found[pit] = (cups, int(after.seat[i, j]), bool(over[i, j]))
            lead = twin.difference(cups) if over[i, j] else 0
            assert payoff[i, j].tolist() == [lead, -lead]
        listed.append(found)
    return listed


def assert_equal_plays(cases, *, empty_capture):
    """All plays equal; how often each kind of sowing occurred."""
    seen = dict.fromkeys(
        ["extra move", "capture", "lap", "end", "end by capture", "lone seed"], 0
    )
    ours = plays(cases, empty_capture=empty_capture)
    for (board, mover), found in zip(cases, ours, strict=True):
        assert found == twin.plays(board, mover, empty_capture=empty_capture), (board, mover)
        for pit, (_, next_mover, ended) in found.items():
            count(seen, board, mover, pit, next_mover, ended)
    return seen


def count(seen, board, mover, pit, next_mover, ended):
    side = len(board) // 2
    ring = [*board[mover * side :], *board[: mover * side]][:-1]  # the mover's places
    seeds = ring[pit - 1]
    last = (pit - 1 + seeds) % len(ring)
    alone = last < side - 1 and seeds <= len(ring) and (ring[last] == 0 or last == pit - 1)
    facing = ring[2 * side - 2 - last] + (seeds > 2 * side - 1 - last - pit) if alone else 0
    seen["lap"] += seeds >= len(ring)
    seen["extra move"] += next_mover == mover
    seen["capture"] += alone and facing > 0
    seen["lone seed"] += alone and facing == 0
    seen["end"] += ended
    seen["end by capture"] += ended and alone and facing > 0


@pytest.mark.parametrize("empty_capture", [False, True])
def test_every_play_of_random_games_is_the_twins(empty_capture):
    cases = twin.random_positions(Random(2013), 4000, empty_capture=empty_capture)
    seen = assert_equal_plays(cases, empty_capture=empty_capture)
    assert min(seen.values()) >= 20, seen


@pytest.mark.parametrize("pits, seeds", [(1, 5), (4, 3)])
def test_every_play_of_other_sizes_is_the_twins(pits, seeds):
    cases = twin.random_positions(Random(pits), 300, pits=pits, seeds=seeds)
    assert_equal_plays(cases, empty_capture=False)


@pytest.mark.parametrize("empty_capture", [False, True])
def test_every_play_of_boards_full_of_laps_and_near_ends_is_the_twins(empty_capture):
    rng = Random(1234)
    cases = []
    while len(cases) < 4000:
        most = rng.choice([1, 2, 5, 13, 14, 30, 60])
        filled = rng.random()
        board = tuple(rng.randint(0, most) if rng.random() < filled else 0 for _ in range(14))
        if not twin.over(board):
            cases.append((board, rng.randint(0, 1)))
    seen = assert_equal_plays(cases, empty_capture=empty_capture)
    assert min(seen.values()) >= 100, seen


cup = st.one_of(st.just(0), st.integers(0, 3), st.integers(0, 40))


@pytest.mark.parametrize("empty_capture", [False, True])
@settings(max_examples=100)
@given(board=st.tuples(*[cup] * 14), mover=st.integers(0, 1))
def test_every_play_of_any_board_is_the_twins(empty_capture, board, mover):
    if not twin.over(board):
        assert_equal_plays([(board, mover)], empty_capture=empty_capture)
