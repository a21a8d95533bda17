"""Parcheesi positions in text and JSON."""

import pytest

from tdlib.show import queries
from tdlib.show.notation import parcheesi

NOBODY = [[0] * 4] * 3
QUERY = {"pieces": [[10, 0, 0, 0], *NOBODY], "player": 0, "dice": [3, 6]}


@pytest.mark.parametrize(
    "text",
    [
        "0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 3 to roll",
        "0 0 6 6 | 0 0 0 0 | 0 8 71 72 | 72 72 72 72 | 1 to roll, 2 doubles",
    ],
)
def test_text_reads_back(text):
    assert parcheesi.format(parcheesi.parse(text)) == text


def test_a_query_and_its_answer():
    game, _, roll = parcheesi.read_query({**QUERY, "must_enter": False})
    assert game.rolls[roll] == "6-3"
    answer = queries.plays("parcheesi", {**QUERY, "must_enter": False})
    assert answer == [[[0, 0, 0, 19], *NOBODY]]


def test_must_enter_is_the_default():
    entering = {"pieces": [[0] * 4, *NOBODY], "player": 0, "dice": [5, 5]}
    default, _, _ = parcheesi.read_query(entering)
    assert default is parcheesi.read_query({**entering, "must_enter": True})[0]
    assert default is not parcheesi.read_query({**entering, "must_enter": False})[0]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"pieces": [[73, 0, 0, 0], *NOBODY]}, r"pieces\[0\]\[0\] must be .* from 0 to 72"),
        ({"pieces": [[3, 3, 3, 0], *NOBODY]}, "player 0 has 3 pieces on p = 3, at most 2"),
        # player 1 on p = 61 stands on square 82 - 68 = 14, as player 0 does on p = 10
        (
            {"pieces": [[10, 0, 0, 0], [61, 0, 0, 0], *NOBODY[:2]]},
            "players 0 and 1 cannot both stand on square 14",
        ),
        ({"pieces": [[72] * 4, [72] * 4, *NOBODY[:2]]}, "players 0 and 1 all have"),
        ({"pieces": [[72] * 4] * 4}, "players 0 and 1 and 2 and 3 all have their pieces on 72"),
        ({"dice": [7, 1]}, r"dice\[0\] must be an integer from 1 to 6"),
        ({"must_enter": 1}, "must_enter must be true or false, found 1"),
        ({"throw": 3}, "unknown key 'throw'"),
    ],
)
def test_a_bad_query_is_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        parcheesi.read_query({**QUERY, **change})


@pytest.mark.parametrize(
    "text",
    [
        "0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 to roll",
        "0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 to roll, 3 doubles",
        "0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 to throw",
    ],
)
def test_impossible_text_is_refused_by_name(text):
    with pytest.raises(ValueError, match="expected the pieces of four players and who rolls"):
        parcheesi.parse(text)
