"""The command line, as a user meets it."""

import io
import json

import pytest

from tdlib import cli, queries

OPENING = [-2, *[0] * 4, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, *[0] * 4, 2, *[0] * 4]
BACKGAMMON = {
    "position": OPENING,
    "dice": [1, 3],
}
KALAH = {"board": [4, 4, 4, 4, 4, 4, 0] * 2, "to_move": "south", "empty_capture": False}
ABALONE = {
    "board": "O" * 11 + "..OOO.." + "." * 25 + "..@@@.." + "@" * 11,
    "to_move": "black",
    "broadside": True,
}
PACHISI = {
    "pieces": [[6, 0, 0, 0], *[[0] * 4] * 3],
    "entered": [True, False, False, False],
    "player": 0,
    "throw": 10,
}
PARCHEESI = {"pieces": [[0] * 4] * 4, "player": 0, "dice": [5, 5], "must_enter": False}


def ask(monkeypatch, capsys, game, *lines):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert cli.main(["plays", game]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    "game, record, count",
    [
        ("backgammon", BACKGAMMON, 16),
        ("kalah", KALAH, 6),
        ("abalone", ABALONE, 44),
        ("abalone", {**ABALONE, "broadside": False}, 34),
        ("pachisi", PACHISI, 3),
        ("parcheesi", PARCHEESI, 2),
        ("parcheesi", {**PARCHEESI, "must_enter": True}, 1),
    ],
)
def test_plays_answers_with_all_positions(monkeypatch, capsys, game, record, count):
    (answer,) = ask(monkeypatch, capsys, game, json.dumps(record))
    assert list(answer) == ["plays"] and len(answer["plays"]) == count
    if game != "kalah":  # whose answers are objects, by pit
        assert answer["plays"] == sorted(answer["plays"])


def test_the_formats_of_the_answers(monkeypatch, capsys):
    (kalah,) = ask(monkeypatch, capsys, "kalah", json.dumps(KALAH))
    assert kalah["plays"][2] == {
        "pit": 3, "board": [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0], "to_move": "south",
    }  # fmt: skip
    (pachisi,) = ask(monkeypatch, capsys, "pachisi", json.dumps(PACHISI))
    rest = [[0] * 4] * 3
    assert pachisi["plays"] == [
        [[0, 0, 0, 6], *rest], [[0, 0, 0, 16], *rest], [[0, 0, 6, 10], *rest],
    ]  # fmt: skip
    (abalone,) = ask(monkeypatch, capsys, "abalone", json.dumps(ABALONE))
    assert all(len(board) == 61 for board in abalone["plays"])


def test_no_legal_play_returns_the_position_itself(monkeypatch, capsys):
    position = [0] * 28
    position[18:24] = [-2] * 6
    position[24], position[26], position[27] = 1, 14, 3
    (answer,) = ask(
        monkeypatch, capsys, "backgammon", json.dumps({"position": position, "dice": [6, 5]})
    )
    assert answer == {"plays": [position]}


def test_a_bad_line_is_answered_and_the_next_one_too(monkeypatch, capsys):
    bad = {**BACKGAMMON, "dice": [7, 1]}
    answers = ask(
        monkeypatch, capsys, "backgammon", "no json", "[1]", json.dumps(bad), "",
        json.dumps(BACKGAMMON),
    )  # fmt: skip
    assert [list(a) for a in answers] == [["error"], ["error"], ["error"], ["plays"]]
    assert "expected one JSON object" in answers[0]["error"]
    assert "expected an object with position, dice" in answers[1]["error"]
    assert answers[2]["error"] == "dice[0] must be an integer from 1 to 6, found 7"


def test_a_finished_game_has_no_plays():
    over = [0] * 28
    over[0], over[26], over[27] = -1, 15, 14
    assert queries.plays("backgammon", {"position": over, "dice": [1, 2]}) == []


def test_an_unknown_game_is_refused(capsys):
    assert cli.main(["plays", "chess"]) == cli.REFUSED
    assert "unknown game 'chess'; expected one of backgammon" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, last",
    [
        (["kalah", "--depth", "4"], "942"),
        (["kalah", "--depth", "5", "--empty-capture"], "4685"),
        (["kalah", "--depth", "3", "--pits", "3", "--seeds", "3"], "19"),
        (["abalone", "--depth", "2"], "1936"),
        (["abalone", "--depth", "2", "--no-broadside"], "1156"),
        (["abalone", "--depth", "2", "--layout", "snakes", "--to-move", "white"], "6153"),
    ],
)
def test_perft_prints_leaves_and_speed(capsys, arguments, last):
    assert cli.main(["perft", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[int(arguments[2]) - 1].endswith(f": {last} leaves")
    assert "nodes/s" in lines[-1]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["abalone", "--depth", "0"], "depth must be an integer of at least 1"),
        (["abalone", "--depth", "1", "--layout", "round"], "layout must be one of standard"),
        (["kalah", "--depth", "1", "--to-move", "white"], "kalah has no option 'to_move'"),
        (["abalone", "--depth", "1", "--seeds", "3"], "abalone has no option 'seeds'"),
    ],
)
def test_perft_refuses_what_it_does_not_know(capsys, arguments, message):
    assert cli.main(["perft", *arguments]) == cli.REFUSED
    assert message in capsys.readouterr().err


def test_show_draws_a_position(capsys, tmp_path):
    file = tmp_path / "board.svg"
    assert cli.main(["show", "kalah", "--svg", str(file)]) == 0
    out = capsys.readouterr().out
    assert "South to move" in out and "S 4,4,4,4,4,4/0 N 4,4,4,4,4,4/0 south" in out
    assert file.read_text().lstrip().startswith("<?xml")


def test_show_refuses_an_impossible_position(capsys):
    assert cli.main(["show", "backgammon", "--position", "24*2 | 1*2 | 0 to roll"]) == 2
    assert "each side must have 15 chequers" in capsys.readouterr().err
