"""Kalah positions as text and as queries."""

from random import Random

import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games import kalah, make
from tdlib.show import queries
from tdlib.show.notation.kalah import format, parse, read_query
from tests.reference import kalah as twin

START = "S 4,4,4,4,4,4/0 N 4,4,4,4,4,4/0 south"


def test_the_start_as_text():
    state = make("kalah").init(None)
    assert format(state) == START
    assert np.array_equal(parse(START).cups, state.cups)


def test_every_pit_and_store_has_its_place():
    state = parse("S 1,2,3/10 N 4,5,6/20 north")
    assert state.cups.tolist() == [1, 2, 3, 10, 4, 5, 6, 20]
    assert state.seat == 1


@pytest.mark.parametrize("pits", [1, 3, 6])
def test_text_and_position_are_the_same_thing(pits):
    for board, mover in twin.random_positions(Random(pits), 100, pits=pits, seeds=5):
        state = kalah.State(jnp.array(board, jnp.int32), jnp.int32(mover))
        again = parse(format(state))
        assert (again.cups.tolist(), int(again.seat)) == (list(board), mover)
        assert format(again) == format(state)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a position like 'S 4,4"),
        (None, "found None"),
        ("S 4,4/0 N 4,4/0", "expected a position like"),
        (
            "S 4,4/0 N 4,4/0 east",
            "the player to move must be one of south, north, found 'east'",
        ),
        ("S 4,4/0 N 4,4,4/0 south", "South has 2 and North 3"),
        ("S 4,,4/0 N 4,4,4/0 south", "South's pits must be numbers with commas"),
        ("S 4,4,/0 N 4,4,4/0 south", "South's pits must be numbers with commas"),
        ("S 4,-4/0 N 4,4/0 south", "expected a position like"),
        ("S 4,4/0 N 4,4/0 south north", "expected a position like"),
        ("S 0,0/0 N 0,0/0 south", "must hold seeds"),
        ("S 4,4/0 N 4,9999999/0 south", r"board\[4\] must be an integer from 0 to 10000"),
    ],
)
def test_mistakes_in_a_text_are_named(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse(text)


def ask(record):
    return queries.plays("kalah", record)


@pytest.mark.parametrize("empty_capture", [False, True])
def test_a_query_is_answered_pit_by_pit(empty_capture):
    for board, mover in twin.random_positions(Random(9), 40, empty_capture=empty_capture):
        record = {"board": list(board), "to_move": ["south", "north"][mover]}
        if empty_capture:
            record["empty_capture"] = True
        theirs = twin.plays(board, mover, empty_capture=empty_capture)
        assert ask(record) == [
            {"pit": pit, "board": list(after), "to_move": ["south", "north"][next_mover]}
            for pit, (after, next_mover, _) in sorted(theirs.items())
        ]


def test_a_query_may_be_about_another_size():
    assert ask({"board": [1, 0, 2, 0], "to_move": "south", "pits": 1}) == [
        {"pit": 1, "board": [0, 1, 0, 2], "to_move": "south"}
    ]


def test_a_finished_game_has_no_plays():
    assert ask({"board": [0] * 6 + [20] + [0] * 6 + [28], "to_move": "south"}) == []
    assert ask({"board": [0] * 6 + [20] + [1] * 6 + [22], "to_move": "north"}) == []


GOOD = {"board": [4, 4, 4, 4, 4, 4, 0] * 2, "to_move": "south"}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"board": [4] * 13}, "board must be a list of 14 integers"),
        ({"board": "4" * 14}, "board must be a list of 14 integers"),
        ({"board": [4] * 13 + [-1]}, r"board\[13\] must be an integer from 0"),
        ({"board": [4] * 13 + [1.0]}, r"board\[13\] must be an integer"),
        ({"board": [True] + [4] * 13}, r"board\[0\] must be an integer"),
        ({"board": [0] * 14}, "must hold seeds"),
        ({"board": [10**6] + [4] * 13}, r"board\[0\] must be an integer from 0 to 10000"),
        ({"board": [5_000] * 3 + [0] * 11}, "holds at most 10000 seeds, found 15000"),
        ({"to_move": "South"}, "to_move must be one of south, north, found 'South'"),
        ({"to_move": 0}, "to_move must be one of south, north, found 0"),
        ({"to_move": ["south"]}, "to_move must be one of south, north"),
        ({"empty_capture": 1}, "empty_capture must be true or false, found 1"),
        ({"pits": 0}, "pits must be an integer from 1"),
        ({"pits": 5}, "board must be a list of 12 integers"),
        ({"pit": 3}, "unknown key 'pit'; expected board, to_move"),
    ],
)
def test_mistakes_in_a_query_are_named(change, complaint):
    with pytest.raises(ValueError, match=complaint):
        read_query(GOOD | change)


def test_a_query_must_be_complete():
    with pytest.raises(ValueError, match="missing key 'to_move'"):
        read_query({"board": GOOD["board"]})
    with pytest.raises(ValueError, match="expected an object"):
        read_query([GOOD])
