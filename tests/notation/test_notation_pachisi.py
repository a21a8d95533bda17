"""Pachisi positions in text and JSON."""

import jax
import pytest

from tdlib.games import make
from tdlib.show import queries
from tdlib.show.notation import pachisi

NOBODY = [[0] * 4] * 3
QUERY = {"pieces": [[6, 0, 0, 0], *NOBODY], "entered": [True, False, False, False]}
QUERY |= {"player": 0, "throw": 10}


@pytest.mark.parametrize(
    "text",
    [
        "0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 3 to throw",
        "0 0 0 6+ | 0 0 0 0+ | 0 8 76 84+ | 84 84 84 84+ | 0 to throw",
        "0 0 0 6+ | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 to throw, 2 passes, last passed 1 3",
    ],
)
def test_text_reads_back(text):
    assert pachisi.format(pachisi.parse(text)) == text


def test_pieces_are_sorted_when_read():
    text = "6 0 2 0+ | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 to throw"
    assert pachisi.parse(text).pieces[0].tolist() == [0, 0, 2, 6]


def test_a_query_and_its_answer():
    game, state, roll = pachisi.read_query(QUERY)
    assert game.rolls[roll] == "10" and int(state.seat) == 0
    assert queries.plays("pachisi", QUERY) == [
        [[0, 0, 0, 6], *NOBODY],
        [[0, 0, 0, 16], *NOBODY],
        [[0, 0, 6, 10], *NOBODY],
    ]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"pieces": [[85, 0, 0, 0], *NOBODY]}, r"pieces\[0\]\[0\] must be .* from 0 to 84"),
        ({"pieces": [[6, 0, 0], *NOBODY]}, r"pieces\[0\] must be a list of 4 integers"),
        ({"pieces": NOBODY}, "pieces must be a list of 4 lists"),
        ({"entered": [False] * 4}, "player 0 has pieces out, so entered must be true"),
        ({"entered": [1, 0, 0, 0]}, r"entered\[0\] must be true or false, found 1"),
        ({"entered": True}, "entered must be a list of 4 booleans"),
        ({"throw": 3.0}, "throw must be one of 25, 10, 2, 3, 4, 5, 6, found 3.0"),
        ({"throw": True}, "throw must be one of 25, 10, 2, 3, 4, 5, 6, found True"),
        ({"throw": 7}, "throw must be one of 25, 10, 2, 3, 4, 5, 6, found 7"),
        ({"player": 4}, "player must be an integer from 0 to 3, found 4"),
        ({"dice": [1, 2]}, "unknown key 'dice'"),
        # player 1 on p = 59 + 2 stands on square 2, as player 0 does on p = 10
        (
            {"pieces": [[10, 0, 0, 0], [61, 0, 0, 0], *NOBODY[:2]], "entered": [True] * 4},
            "players 0 and 1 are enemies and cannot both stand on square 2",
        ),
    ],
)
def test_a_bad_query_is_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        pachisi.read_query({**QUERY, **change})


@pytest.mark.parametrize(
    "text, message",
    [
        ("0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 to throw", "the pieces of four players"),
        ("0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 4 to throw", "the pieces of four players"),
        (
            "0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 to throw",
            "player 0 must have 4 path numbers",
        ),
        ("0 0 0 x+ | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 to throw", "player 0 must have 4 path"),
        ("0 0 0 9 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 to throw", "entered must be true"),
        (" | ".join(["84 84 84 84+"] * 4) + " | 0 to throw", "players 0,2 and 1,3 all have"),
    ],
)
def test_impossible_text_is_refused_by_name(text, message):
    with pytest.raises(ValueError, match=message):
        pachisi.parse(text)


def test_two_players_of_one_team_may_be_home():
    text = "84 84 84 84+ | 0 0 0 0 | 84 84 84 84+ | 84 84 84 84+ | 1 to throw"
    assert pachisi.format(pachisi.parse(text)) == text


def test_an_error_about_a_long_text_is_short():
    with pytest.raises(ValueError, match=r"\.\.\. \(\d+ characters\)$") as error:
        pachisi.parse("9" * 1_000_000)
    assert len(str(error.value)) < 400


def test_the_start_in_text():
    game = make("pachisi")
    text = pachisi.format(game.init(jax.random.key(0)))
    assert text.startswith("0 0 0 0 | 0 0 0 0 | 0 0 0 0 | 0 0 0 0 | ")
