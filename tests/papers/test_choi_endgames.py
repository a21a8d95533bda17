"""The published endgames are what their table says, by a plain-Python solver."""

import functools
from random import Random

import numpy as np
import pytest

from tdlib.papers.choi2013 import endgames, records
from tdlib.papers.choi2013.positions import POSITIONS
from tests.exact.test_exact_kalah import best_final
from tests.players.test_kalah_minimax import value_by_twin
from tests.reference import kalah as twin

TABLE = endgames.load()
CUPS = list(endgames.CUPS)


def test_the_sets_are_whole_and_the_experiments_learn_from_them():
    assert TABLE.groupby("set").size().to_dict() == endgames.SETS
    learned = TABLE[TABLE.set == "learned"][CUPS].to_numpy().tolist()
    assert tuple(map(tuple, learned)) == POSITIONS
    assert (TABLE[CUPS].sum(axis=1) == 48).all()
    assert (TABLE[TABLE.set != "any"].plies_needed == 6).all()
    assert not TABLE.duplicated(CUPS).any()


@pytest.mark.parametrize("number", [1, 10, 12, 20])
def test_margins_best_moves_and_lengths_are_right(number):
    row = TABLE[(TABLE.set == "learned") & (TABLE.number == number)].iloc[0]
    board = tuple(int(x) for x in row[CUPS])
    for seat, who in enumerate(("south", "north")):
        value = best_final(board, seat)
        assert value == row[f"{who}_first_margin"] > 0
        best = [
            p for p, (b, m, _) in twin.plays(board, seat).items() if best_final(b, m) == value
        ]
        assert "".join(map(str, best)) == row[f"{who}_first_best"]
        assert longest(board, seat) == row[f"{who}_first_moves"] <= endgames.LENGTH


@functools.cache
def longest(board, mover):
    """Moves of the longest game of best play."""
    value = best_final(board, mover)
    lengths = [
        1 + longest(b, m)
        for b, m, _ in twin.plays(board, mover).values()
        if best_final(b, m) == value
    ]
    return max(lengths, default=0)


def test_minimax_chooses_as_in_plain_python():
    row = TABLE[(TABLE.set == "learned") & (TABLE.number == 12)].iloc[0]
    board = tuple(int(x) for x in row[CUPS])
    for depth in (1, 3):
        found = endgames.minimax(np.array([board]), np.zeros(1, int), depth)[0]
        values = {
            pit: value_by_twin(b, m, depth - 1, 0)
            for pit, (b, m, _) in twin.plays(board, 0).items()
        }
        best = [pit for pit, value in values.items() if value == max(values.values())]
        assert (np.flatnonzero(found) + 1).tolist() == best


def test_boards_after_moves_and_captures_are_those_of_the_twin():
    random = Random(3)
    board, mover = twin.start(6, 4), 0
    while plays := twin.plays(board, mover):
        cups, seat = np.array([board]), np.array([mover])
        boards, movers, over = endgames.after(cups, seat)
        captures = records.captures(cups, seat)[0]
        for pit, (after, next_mover, ended) in plays.items():
            assert boards[0, pit - 1].tolist() == list(after)
            assert bool(over[0, pit - 1]) == ended
            if not ended:
                assert movers[0, pit - 1] == next_mover
                other = [c for i, c in enumerate(after) if i // 7 != mover and i % 7 < 6]
                before = [c for i, c in enumerate(board) if i // 7 != mover and i % 7 < 6]
                assert captures[pit - 1] == any(
                    a < b for a, b in zip(other, before, strict=True)
                )
        board, mover, _ = random.choice(list(plays.values()))


def test_records_hold_whole_games():
    rng = np.random.default_rng(0)
    record = records.play(records.random, records.searching(1), 12, rng)
    assert (np.bincount(record.game, minlength=12) > 10).all()
    assert (record.cups.sum(1) == 48).all() and (record.final.sum(1) == 48).all()
    south = record.final[:, :7].sum(1)
    np.testing.assert_array_equal(record.margin, 2 * south - 48)
    for game in range(12):
        mine = record.game == game
        assert record.ply[mine].tolist() == list(range(mine.sum()))
        np.testing.assert_array_equal(record.after[mine][:-1], record.cups[mine][1:])
