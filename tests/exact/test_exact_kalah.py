"""Kalah's endgames: known values of whole games, and a plain-Python solver."""

import functools

import numpy as np
import pytest

from tdlib.exact import kalah as exact
from tests.games.test_kalah_columns import random_play
from tests.reference import kalah as twin


@functools.cache
def solved(pits, seeds, empty_capture=False):
    return exact.solve(seeds, pits=pits, empty_capture=empty_capture)


def value_of(pits, seeds, empty_capture=False):
    """Of a whole game, for the first player."""
    start = np.array([([seeds] * pits + [0]) * 2])
    table = solved(pits, 2 * pits * seeds, empty_capture)
    return int(exact.moves(table, start, np.zeros(1, int)).value[0])


@pytest.mark.parametrize(
    "pits, values",  # Kalah(m, n) for n = 1, 2, ...: rules of the study, known values
    [(1, [0, -2, 6, -2, 2, 0]), (2, [2, -2, -2, -10]), (3, [0, 4])],
)
def test_whole_games_have_their_known_values(pits, values):
    assert [value_of(pits, n + 1) for n in range(len(values))] == values


def test_the_rule_of_empty_captures_counts():
    assert value_of(2, 4) == -10 and value_of(2, 4, empty_capture=True) == -12


def test_numbers_are_in_order_and_without_gaps():
    for pits, seeds in ((2, 5), (3, 4)):
        boards = [exact.boards(pits, count) for count in range(seeds + 1)]
        found = np.concatenate([exact.number(x) for x in boards])
        np.testing.assert_array_equal(found, np.arange(exact.size(pits, seeds)))


@functools.cache
def best_final(board, mover):
    """South's store less North's at the end of best play, in plain Python."""
    side = len(board) // 2
    south, north = board[:side], board[side:]
    if south[-1] or north[-1]:  # seeds in store stay there: look at the others once
        return south[-1] - north[-1] + best_final((*south[:-1], 0, *north[:-1], 0), mover)
    plays = twin.plays(board, mover)
    if not plays:
        return twin.difference(board)
    values = [best_final(b, m) for b, m, _ in plays.values()]
    return max(values) if mover == 0 else min(values)


def test_moves_in_endgames_of_random_play_agree_with_a_plain_solver():
    table = solved(6, 7)
    cases = [
        (board, mover)
        for board, mover in random_play(6, 4, 60)
        if sum(board[:6]) + sum(board[7:13]) <= 7
    ]
    assert len(cases) > 100
    boards, movers = (np.array(x) for x in zip(*cases, strict=True))
    found = exact.moves(table, boards, movers)
    for n, (board, mover) in enumerate(cases):
        sign = 1 - 2 * mover
        finals = {
            p: sign * best_final(b, m) for p, (b, m, _) in twin.plays(board, mover).items()
        }
        assert found.legal[n].tolist() == [pit in finals for pit in range(1, 7)]
        assert [int(found.final[n, pit - 1]) for pit in finals] == list(finals.values())
        assert found.value[n] == max(finals.values())
        best = [pit for pit, value in finals.items() if value == max(finals.values())]
        assert (np.flatnonzero(found.best[n]) + 1).tolist() == best


def test_sound_moves_keep_what_can_be_had():
    moves = exact.Moves(np.array([[True, True, True, False]]), np.array([[4, 2, -2, 9]]))
    assert moves.value.tolist() == [4]
    assert moves.best.tolist() == [[True, False, False, False]]
    assert moves.sound.tolist() == [[True, True, False, False]]


def test_a_file_is_kept_and_a_damaged_one_refused(tmp_path):
    first = exact.solved(3, pits=2, folder=tmp_path)
    again = exact.solved(3, pits=2, folder=tmp_path)
    np.testing.assert_array_equal(first.values, again.values)
    path = exact.file((2, 3, False), tmp_path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ValueError, match="Delete it to have it computed again"):
        exact.solved(3, pits=2, folder=tmp_path)


def test_too_many_seeds_are_refused():
    with pytest.raises(ValueError, match="up to 4 seeds"):
        exact.moves(solved(2, 4), np.array([[3, 3, 0, 0, 0, 0]]), np.zeros(1, int))
