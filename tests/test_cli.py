"""The command line, as a user meets it."""

import dataclasses
import io
import json

import pytest

from tdlib import cli, experiments, queries
from tests.tiny_experiments import RANDOM, SELF

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


@pytest.fixture
def tiny(monkeypatch):
    """Experiments of seconds, known to the command line."""
    for e in (SELF, RANDOM):
        short = dataclasses.replace(e, games=20, checkpoints=(0, 20))
        monkeypatch.setitem(experiments.EXPERIMENTS, e.id, short)


def test_run_status_and_plan_of_an_experiment(tiny, tmp_path, capsys):
    rest = ["T-*", "--scale", "paper", "--store", str(tmp_path)]
    assert cli.main(["status", *rest]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["experiment", "runs", "records", "games", "wins", "size"]
    assert lines[1].split() == ["T-SELF", "0", "of", "2", "0", "of", "4", *"---"]

    assert cli.main(["plan", *rest, "--seconds", "0.1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:2] == ["T-SELF", "40"] and lines[2].startswith("T-RANDOM")
    assert "core hours: " in lines[3] and lines[3].endswith(" hours on 2 cores")

    assert cli.main(["run", *rest, "--workers", "1"]) == 0
    assert "\n0 results loaded, 8 computed in 0" in capsys.readouterr().out
    assert cli.main(["run", *rest, "--workers", "1"]) == 0
    assert capsys.readouterr().out == f"8 results loaded, 0 computed, in {tmp_path}\n"

    assert cli.main(["status", *rest]) == 0
    line = capsys.readouterr().out.splitlines()[1].split()
    assert line[:8] == ["T-SELF", "2", "of", "2", "4", "of", "4", "20"]
    assert line[8].endswith("%") and line[10] == "MB"

    damaged = next(tmp_path.rglob("run-0.csv"))
    damaged.write_text(damaged.read_text()[:-3])
    for command in (["status", *rest], ["run", *rest, "--workers", "1"]):
        assert cli.main(command) == cli.FAILED
        assert f"{damaged}, line 3: it has no end" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, message",
    [
        (
            ["run", "M-A99"],
            "unknown experiment 'M-A99'; expected a paper (matthews2006, choi2013, sensit",
        ),
        (["run", "M-A1", "--runs", "many"], "runs must be a number like 5 or a range like 3-4"),
        (["run", "M-A1", "--runs", "4-3"], "a range like 3-4, not '4-3'"),
        (["run", "M-A1", "--runs", "0"], "a range like 3-4, not '0'"),
        (["run", "M-A1", "--workers", "0"], "workers must be 1 or more, not 0"),
        (["plan", "M-A1", "--workers", "-1"], "workers must be 1 or more, not -1"),
        (["status", "chess"], "unknown experiment 'chess'"),
    ],
)
def test_experiments_that_make_no_sense_are_refused(capsys, arguments, message):
    assert cli.main(arguments) == cli.REFUSED
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["run"], ["run", "M-A1", "--scale", "huge"]])
def test_a_command_that_is_incomplete_or_misspelt_shows_its_usage(capsys, arguments):
    with pytest.raises(SystemExit, match="2"):
        cli.main(arguments)
    assert "usage: python -m tdlib run" in capsys.readouterr().err
