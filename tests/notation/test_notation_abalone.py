"""Abalone positions as text, moves by name, and queries."""

from random import Random

import numpy as np
import pytest

from tdlib.games import abalone, every_play, make
from tdlib.games.abalone.layouts import LAYOUTS
from tdlib.show import queries
from tdlib.show.notation.abalone import format, move_name, parse, parse_move, read_query
from tests.reference import abalone as twin

START = "OOOOO OOOOOO ..OOO.. ........ ......... ........ ..@@@.. @@@@@@ @@@@@"
SIDES = ("black", "white")


def text_of(board, side):
    return f"{board} {twin.SYMBOL[side]}"


def test_the_start_as_text():
    state = make("abalone").init(None)
    assert format(state) == START.replace(" ", "") + " @"
    for text in (START + " @", START.replace(" ", "") + "@"):
        assert np.array_equal(parse(text).stones, state.stones)
        assert parse(text).seat == 0
    assert parse(START + " O").seat == 1


def test_text_and_position_are_the_same_thing():
    for board, side in twin.random_positions(Random(4), 200):
        state = parse(text_of(board, side))
        assert format(state) == text_of(board, side)
        assert SIDES[int(state.seat)] == side


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "as text, found None"),
        ("", "62 characters in all; found 0"),
        (START, "62 characters in all; found 61"),
        (START + " @O", "62 characters in all; found 63"),
        (START + " .", "side to move must be one of @, O, found '.'"),
        (START.replace("O", "0", 1) + " @", "found '0' on I5"),
        (START.replace("..", "@.", 1) + " @", "black must have 8 to 14 stones, found 15"),
        (START.replace("O", ".", 7) + "@", "white must have 8 to 14 stones, found 7"),
    ],
)
def test_mistakes_in_a_text_are_named(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse(text)


def test_both_sides_cannot_have_lost_six():
    with pytest.raises(ValueError, match="both sides have lost 6 stones"):
        parse("O" * 8 + "." * 45 + "@" * 8 + "@")


def test_moves_are_named_after_the_rear_stone_or_the_ends_of_the_line():
    start = parse(START + " @")
    single = parse_move(start, "C5-C6")
    assert format(single) == format(start).replace("..@@@..", "..@@.@.").replace(" @", " O")
    line = parse_move(start, "A1-B2")  # A1, B2 and C3 go to B2, C3 and D4
    assert move_name(start, line) == "A1-B2"
    assert np.flatnonzero(abalone.cells(line) != abalone.cells(start)).tolist() == [38, 56]
    side = parse_move(start, "C3C5-D3")
    assert format(side)[35:50] == "..@@@..." + "......."


def test_case_and_the_order_of_the_ends_do_not_matter_when_reading():
    start = parse(START + " @")
    expected = parse_move(start, "C3C5-D3").stones
    for text in ("c3c5-d3", " C5C3-D5 "):
        assert np.array_equal(parse_move(start, text).stones, expected)


def cases(n):
    rng = Random(11)
    found = twin.random_positions(rng, n)
    return found + [(board, side) for board in twin.LAYOUTS.values() for side in SIDES]


def test_every_move_has_a_name_of_its_own():
    for board, side in cases(40):
        state = parse(text_of(board, side))
        names = [move_name(state, after) for after in every_play(make("abalone"), state, 0)]
        assert len(names) == len(set(names))


def test_every_name_leads_to_its_move():
    for board, side in cases(3)[:6]:
        state = parse(text_of(board, side))
        for after in every_play(make("abalone"), state, 0):
            again = parse_move(state, move_name(state, after))
            assert format(again) == format(after)
            assert (int(again.plies), int(again.seat)) == (1, 1 - int(state.seat))


@pytest.mark.parametrize(
    ("move", "complaint"),
    [
        ("", "expected a move like 'A1-B2' or 'A1A3-B2', found ''"),
        (12, "expected a move like"),
        ("A1B2", "expected a move like"),
        ("A1-J2", "expected a move like"),
        ("A1A2A3-B2", "expected a move like"),
        ("A6-B6", "there is no cell A6 on the board"),
        ("A1-A2", "'A1-A2' is not legal .* legal are A1-B1, A1-B2,"),
        ("C3-E5", "is not legal"),
        ("C5C3-C2", "is not legal"),
        ("A5A4-I9", "is not legal"),
    ],
)
def test_mistakes_in_a_move_are_named(move, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse_move(parse(START + " @"), move)


def test_a_broadside_is_no_move_where_the_game_has_none():
    start, game = parse(START + " @"), make("abalone", broadside=False)
    assert parse_move(start, "C3-C4", game=game).plies == 1
    with pytest.raises(ValueError, match="'C3C5-D3' is not legal"):
        parse_move(start, "C3C5-D3", game=game)


def test_a_finished_game_has_no_moves():
    board = "O" * 8 + "." * 44 + "@" * 9
    with pytest.raises(ValueError, match="the game is over"):
        parse_move(parse(board + "@"), "A1-B2")
    assert ask({"board": board, "to_move": "black"}) == []


def test_positions_that_no_move_joins_have_no_name():
    standard, wall = (abalone.from_cells(LAYOUTS[name], 0) for name in ("standard", "the_wall"))
    for after in (standard, wall):
        with pytest.raises(ValueError, match="no move leads from"):
            move_name(standard, after)


def ask(record):
    return queries.plays("abalone", record)


@pytest.mark.parametrize("broadside", [True, False])
def test_a_query_is_answered_with_sorted_boards(broadside):
    for board, side in cases(8):
        record = {"board": board, "to_move": side}
        if not broadside:
            record["broadside"] = False
        assert ask(record) == sorted(twin.plays(board, side, broadside=broadside))


GOOD = {"board": START.replace(" ", ""), "to_move": "black"}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"board": "." * 60}, "board must be a text of 61 characters, found 60"),
        ({"board": START}, "board must be a text of 61 characters, found 69"),
        ({"board": ["."] * 61}, "board must be a text of 61 characters"),
        ({"board": "." * 60 + "x"}, r"board must be made of '\.@O', found 'x' on A5"),
        ({"board": "@" * 61}, "black must have 8 to 14 stones, found 61"),
        ({"to_move": "@"}, "to_move must be one of black, white, found '@'"),
        ({"to_move": True}, "to_move must be one of black, white, found True"),
        ({"broadside": "yes"}, "broadside must be true or false, found 'yes'"),
        ({"layout": "standard"}, "unknown key 'layout'"),
    ],
)
def test_mistakes_in_a_query_are_named(change, complaint):
    with pytest.raises(ValueError, match=complaint):
        read_query(GOOD | change)


def test_a_query_must_be_complete():
    with pytest.raises(ValueError, match="missing key 'board'"):
        read_query({"to_move": "black"})
