"""Backgammon positions in text, as GNU Backgammon ids, and as 28 numbers."""

import jax
import pytest

from tdlib.games import make
from tdlib.show.notation import backgammon

OPENING = "24*2 13*5 8*3 6*5 | 24*2 13*5 8*3 6*5 | 0 to roll"
VECTOR = [
    -2,
    0,
    0,
    0,
    0,
    5,
    0,
    3,
    0,
    0,
    0,
    -5,
    5,
    0,
    0,
    0,
    -3,
    0,
    -5,
    0,
    0,
    0,
    0,
    2,
    0,
    0,
    0,
    0,
]
# each id shown by GNU Backgammon 1.07 for the position, the player on roll being seat 0
IDS = {
    "4HPwATDgc/ABMA": OPENING,
    "4HPwATDgc+RBIA": "24*1 18*1 13*4 11*1 8*3 6*5 | 24*2 13*5 8*3 6*5 | 0 to roll",
    "4HPwATDgHHkQEA": "bar*1 18*1 13*4 11*1 8*3 6*3 off*2 | 24*2 13*5 8*3 6*5 | 0 to roll",
}


@pytest.mark.parametrize(
    "text",
    [OPENING, OPENING.replace("0 to roll", "1 to roll"), OPENING.replace("roll", "open")],
)
def test_text_reads_back(text):
    assert backgammon.format(backgammon.parse(text)) == text


@pytest.mark.parametrize("identity, text", IDS.items())
def test_gnubg_ids_both_ways(identity, text):
    assert backgammon.to_gnubg_id(backgammon.parse(text)) == identity
    assert backgammon.format(backgammon.parse(identity)) == text


def test_a_gnubg_id_is_seen_by_the_player_on_roll():
    text = "24*2 13*5 8*3 6*5 | bar*1 18*1 13*4 11*1 8*3 6*3 off*2 | 1 to roll"
    assert backgammon.to_gnubg_id(backgammon.parse(text)) == "4HPwATDgHHkQEA"


def test_28_numbers_of_the_opening():
    state = backgammon.from_vector(VECTOR)
    assert backgammon.format(state) == OPENING
    assert backgammon.to_vector(state, 0) == VECTOR == backgammon.to_vector(state, 1)


def test_bar_and_off_in_28_numbers():
    state = backgammon.parse("bar*2 3*1 | bar*1 1*1 off*1 | 0 to roll", name="hypergammon")
    vector = backgammon.to_vector(state, 0)
    assert vector[2] == 1 and vector[23] == -1 and vector[24:] == [2, 1, 0, 1]
    again = backgammon.from_vector(vector, name="hypergammon")
    assert backgammon.format(again) == backgammon.format(state)


def test_the_start_in_text():
    state = make("hypergammon").init(jax.random.key(0))
    assert backgammon.format(state).startswith("24*1 23*1 22*1 | 24*1 23*1 22*1 | ")
    assert backgammon.format(state).endswith(" to open")


@pytest.mark.parametrize(
    "text, message",
    [
        ("24*2 13*5 8*3 6*4 | 24*2 13*5 8*3 6*5 | 0 to roll", "15 chequers in backgammon"),
        ("24*2 13*5 8*3 6*5 | 24*2 13*5 8*3 6*5 | 2 to roll", "0 to roll"),
        ("24*2 13*5 8*3 6*5 | 0 to roll", "men of seat 0 | men of seat 1"),
        ("26*2 13*5 8*3 6*5 | 24*2 13*5 8*3 6*5 | 0 to roll", "a place 1..24, bar or off"),
        ("24*2 13*5 8*3 6*5 | 19*15 | 0 to roll", "seat 0's point 6"),
        ("off*15 | off*15 | 0 to roll", "borne off everything"),
        ("bar*15 | bar*15 | 0 to roll", "both sides have all 15 chequers on the bar"),
        ("24*2 13*5 8*3 6*5 | 24*2 13*5 8*2 7*1 6*5 | 0 to open", "only at the start"),
        ("1*15 | 1*15 | 1 to open", "'to open' is only at the start"),
        ("AAAAAAAAAAAAAA", "each side|both sides"),
        ("//////////////", "no GNU Backgammon id"),
    ],
)
def test_impossible_text_is_refused_by_name(text, message):
    with pytest.raises(ValueError, match=message):
        backgammon.parse(text)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"position": VECTOR[:27]}, "position must be a list of 28 integers"),
        ({"position": [3, *VECTOR[1:]]}, "each side must have 15 chequers"),
        ({"position": [*VECTOR[:24], -1, 0, 1, 0]}, r"position\[24\] \(bar and off\)"),
        ({"position": [*VECTOR[:27], 0.5]}, r"position\[27\] must be an integer"),
        ({"dice": [0, 3]}, r"dice\[0\] must be an integer from 1 to 6, found 0"),
        ({"dice": [True, 3]}, r"dice\[0\] must be an integer from 1 to 6, found True"),
        ({"dice": 3}, "dice must be a list of 2 integers"),
        ({"cube": 2}, "unknown key 'cube'; expected position, dice"),
    ],
)
def test_a_bad_query_is_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        backgammon.read_query({"position": VECTOR, "dice": [3, 1], **change})


def test_a_missing_key_is_named():
    with pytest.raises(ValueError, match="missing key 'dice'"):
        backgammon.read_query({"position": VECTOR})
