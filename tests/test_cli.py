"""The command line, as a user meets it."""

import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
from random import Random

import pytest

from tdlib import cli, interrupts, jax_settings, paths
from tdlib.cli import commands
from tdlib.show import queries
from tdlib.study import registry
from tests.reference import kalah as twin
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


@pytest.fixture
def ask(monkeypatch, capsys, tmp_path):
    """Ask `plays`: the answers, after checking the exit status."""

    def ask(game, *lines, status=0):
        file = tmp_path / "lines"
        texts = [line if isinstance(line, bytes) else line.encode() for line in lines]
        file.write_bytes(b"".join(text + b"\n" for text in texts))
        with file.open() as opened, monkeypatch.context() as patch:
            patch.setattr("sys.stdin", opened)
            assert cli.main(["plays", game]) == status
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return ask


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
def test_plays_answers_with_all_positions(ask, game, record, count):
    (answer,) = ask(game, json.dumps(record))
    assert list(answer) == ["plays"] and len(answer["plays"]) == count
    if game != "kalah":  # whose answers are objects, by pit
        assert answer["plays"] == sorted(answer["plays"])


def test_the_formats_of_the_answers(ask):
    (kalah,) = ask("kalah", json.dumps(KALAH))
    assert kalah["plays"][2] == {
        "pit": 3, "board": [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0], "to_move": "south",
    }  # fmt: skip
    (pachisi,) = ask("pachisi", json.dumps(PACHISI))
    rest = [[0] * 4] * 3
    assert pachisi["plays"] == [
        [[0, 0, 0, 6], *rest], [[0, 0, 0, 16], *rest], [[0, 0, 6, 10], *rest],
    ]  # fmt: skip
    (abalone,) = ask("abalone", json.dumps(ABALONE))
    assert all(len(board) == 61 for board in abalone["plays"])


def test_no_legal_play_returns_the_position_itself(ask):
    position = [0] * 28
    position[18:24] = [-2] * 6
    position[24], position[26], position[27] = 1, 14, 3
    (answer,) = ask("backgammon", json.dumps({"position": position, "dice": [6, 5]}))
    assert answer == {"plays": [position]}


def test_a_bad_line_is_answered_and_the_next_one_too(ask):
    bad = json.dumps({**BACKGAMMON, "dice": [7, 1]})
    answers = ask(
        "backgammon", "no json", "[1]", bad, "", json.dumps(BACKGAMMON), status=cli.FAILED
    )
    assert [list(a) for a in answers] == [["error"], ["error"], ["error"], ["plays"]]
    assert "expected one JSON object" in answers[0]["error"]
    assert "expected an object with position, dice" in answers[1]["error"]
    assert answers[2]["error"] == "dice[0] must be an integer from 1 to 6, found 7"


@pytest.mark.parametrize(
    ("game", "line", "message"),
    [
        ("kalah", "[" * 3_000, "too many brackets"),
        ("kalah", b'{"board": "\xff\xfe"}', "expected UTF-8 text, found b'"),
        ("kalah", '{"board": [' + "4, " * 200_000, "at most 100,000 bytes in a line"),
        ("kalah", "x" * 10_000_000, "at most 100,000 bytes in a line"),
        ("kalah", json.dumps({**KALAH, "board": [1] * 5_000}), "a list of 14 integers"),
        ("kalah", json.dumps({**KALAH, "board": [10**6] * 14}), "integer from 0 to 10000"),
        (
            "kalah",
            json.dumps({**KALAH, "board": [900] * 14}),
            "at most 10000 seeds, found 12600",
        ),
        ("kalah", '{"board": [], "board": []}', "key 'board' is given twice"),
        ("kalah", '{"board": NaN, "to_move": "south"}', "board must be a list"),
        ("pachisi", json.dumps({**PACHISI, "throw": 10.0}), "throw must be one of .* 10.0"),
        ("parcheesi", json.dumps({**PARCHEESI, "player": "1" * 9_999}), "player must be"),
    ],
)
def test_a_strange_line_gets_a_short_error_and_the_next_an_answer(ask, game, line, message):
    good = {"kalah": KALAH, "pachisi": PACHISI, "parcheesi": PARCHEESI}[game]
    bad, answer = ask(game, line, json.dumps(good), status=cli.FAILED)
    assert re.search(message, bad["error"]) and len(bad["error"]) < 500
    assert answer["plays"]


def test_many_lines_are_answered_in_order_as_one_by_one(ask):
    draw = Random(5)
    lines = []
    for board, mover in twin.random_positions(draw, 40, empty_capture=False):
        side = ["south", "north"][mover]
        for record in ({"board": list(board), "to_move": side}, KALAH, {"board": 1}):
            lines.append(json.dumps({**record, "empty_capture": draw.random() < 0.5}))
    together = ask("kalah", *lines, status=cli.FAILED)
    assert len(together) == len(lines)
    assert together == [
        json.loads(queries.answer_lines("kalah", [x.encode()])[0]) for x in lines
    ]


def test_the_last_line_needs_no_end(tmp_path, monkeypatch, capsys):
    file = tmp_path / "line"
    file.write_text(json.dumps(KALAH))
    with file.open() as opened:
        monkeypatch.setattr("sys.stdin", opened)
        assert cli.main(["plays", "kalah"]) == cli.OK
    assert len(json.loads(capsys.readouterr().out)["plays"]) == 6


def test_closed_input_is_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", None)
    assert cli.main(["plays", "kalah"]) == cli.REFUSED
    assert "standard input is closed" in capsys.readouterr().err


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
        monkeypatch.setitem(registry._KNOWN.experiments, e.id, short)


def test_run_status_and_plan_of_an_experiment(tiny, tmp_path, capsys):
    place = ["--store", str(tmp_path)]
    rest = ["T-*", "--scale", "paper", *place]
    assert cli.main(["status", "T-*", *place]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["experiment", "scale", "runs", "tests", "games", "wins"]
    assert lines[1].split() == ["T-SELF", "-", "0", "of", "2", "0", "-", "-"]

    assert cli.main(["plan", *rest, "--seconds", "0.1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:2] == ["T-SELF", "40"] and lines[2].startswith("T-RANDOM")
    assert "core hours: " in lines[3] and lines[3].endswith(" hours on 2 cores")

    assert cli.main(["run", *rest, "--workers", "1"]) == 0
    assert "\n0 tests loaded, 8 computed in 0" in capsys.readouterr().out
    assert cli.main(["run", *rest, "--workers", "1"]) == 0
    assert capsys.readouterr().out == f"8 tests loaded, 0 computed, in {tmp_path}\n"

    assert cli.main(["status", "T-*", *place]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    line = next(line for line in lines if line[:2] == ["T-SELF", "paper"])
    assert line[2:9] == ["2", "of", "2", "4", "of", "4", "20"] and line[9].endswith("%")

    damaged = next(path for path in tmp_path.rglob("*.csv"))
    damaged.write_text(damaged.read_text()[:-3])
    for command in (["status", "T-*", *place], ["run", *rest, "--workers", "1"]):
        assert cli.main(command) == cli.FAILED
        assert f"{damaged}: its first line should be" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, message",
    [
        (
            ["run", "M-A99"],
            "unknown experiment 'M-A99'; expected a pattern, one of matthews2006, ",
        ),
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


@pytest.mark.parametrize(
    "arguments, message",
    [
        (
            "perft abalone --depth 0",
            "--depth: expected a whole number from 1 to 100",
        ),
        ("perft abalone --depth 999999999999", "from 1 to 100, found '999999999999'"),
        ("perft kalah --depth 1 --seeds 99999999999999999999", "from 1 to 1,000, found"),
        ("perft kalah --depth 1 --pits 1e3", "from 1 to 100, found '1e3'"),
        ("match kalah random first --seed 9223372036854775808", "from 0 to 4,294,967,295"),
        ("match kalah random first --seed -1", "from 0 to 4,294,967,295, found '-1'"),
        ("match kalah random first --games " + "9" * 5_000, "from 1 to 10,000,000, found '999"),
        ("match kalah random first --games 0", "from 1 to 10,000,000, found '0'"),
        ("solve hypergammon --chequers 4", "from 1 to 3, found '4'"),
        ("run M-A1 --runs many", "a number of runs like 5, or a range like 3-4, found 'many'"),
        ("run M-A1 --runs 4-3", "a range like 3-4, found '4-3'"),
        ("run M-A1 --runs 0", "a range like 3-4, found '0'"),
        ("run M-A1 --runs 99999999999999999999", "a range like 3-4, found '999"),
        ("run M-A1 --workers 0", "--workers: expected a whole number from 1 to 1,000"),
        ("plan M-A1 --workers -1", "from 1 to 1,000, found '-1'"),
        ("plan M-A1 --seconds -1", "--seconds: expected a number from 0.01 to 3,600"),
        ("plan M-A1 --seconds nan", "from 0.01 to 3,600, found 'nan'"),
        ("plan M-A1 --seconds inf", "from 0.01 to 3,600, found 'inf'"),
        (f"status --store {__file__}", "--store: expected a folder, found"),
    ],
)
def test_what_is_out_of_range_is_refused_with_the_usage(capsys, arguments, message):
    with pytest.raises(SystemExit, match="2"):
        cli.main(arguments.split())
    shown = capsys.readouterr().err
    assert message in shown and "usage: python -m tdlib" in shown and len(shown) < 1_500


# What goes wrong is one sentence.


@pytest.fixture
def failing(monkeypatch):
    """Let the command `pack` raise an error."""

    def failing(error):
        def function(**options):
            raise error

        monkeypatch.setattr(cli, "_imported", lambda command: function)
        return cli.main(["pack"])

    return failing


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (
            OSError(28, "No space left on device", "x.csv"),
            1,
            "No space left on device (x.csv);",
        ),
        (
            PermissionError(13, "Permission denied", "s"),
            1,
            "Permission denied (s); what was sto",
        ),
        (OverflowError("too large"), 1, "this is more than the machine can hold: too large"),
        (MemoryError(), 1, "this is more than the machine can hold: MemoryError"),
        (ValueError("no such thing"), 2, "no such thing"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (interrupts.Interrupted(signal.SIGINT), 130, "interrupted"),
        (interrupts.Interrupted(signal.SIGTERM), 143, "terminated"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_is_one_line(failing, capsys, error, status, message):
    assert failing(error) == status
    shown = capsys.readouterr().err
    assert shown.startswith(f"tdlib: {message}") and shown.count("\n") == 1


def test_a_drawing_into_a_missing_folder_is_one_line(capsys, tmp_path):
    assert cli.main(["show", "kalah", "--svg", str(tmp_path / "no" / "x.svg")]) == cli.FAILED
    assert "No such file or directory" in capsys.readouterr().err


def test_a_mistyped_switch_of_the_cache_is_refused(monkeypatch, capsys):
    monkeypatch.setenv("TDLIB_COMPILATION_CACHE", "yes")
    assert cli.main(["plays", "kalah"]) == cli.REFUSED
    assert "TDLIB_COMPILATION_CACHE is 'yes'; expected on or off" in capsys.readouterr().err


@pytest.mark.parametrize("name", commands.COMMANDS)
def test_every_command_has_its_function(name):
    assert callable(cli._imported(commands.COMMANDS[name]))


def run(code, *, stdin="", **environment):
    """Run Python code in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=paths.ROOT,
        env=os.environ | environment,
        input=stdin,
        capture_output=True,
        text=True,
    )


def test_help_imports_nothing_that_is_heavy():
    code = """if True:
        import sys
        from tdlib import cli
        try:
            cli.main(["--help"])
        except SystemExit:
            heavy = {"jax", "numpy", "pandas", "matplotlib", "papermill", "tqdm"}
            sys.exit(", ".join(heavy & set(sys.modules)) or 0)
    """
    done = run(code)
    assert done.returncode == 0 and "reproduce" in done.stdout and done.stderr == ""


def test_interrupted_while_importing():
    """Where a KeyboardInterrupt is a traceback, or swallowed by whoever is being imported."""
    code = """if True:
        from tdlib import interrupts
        interrupts.install()
        import os, sys
        from tdlib import cli
        def import_something(command):
            try:
                os.kill(os.getpid(), {number})
            except BaseException:
                pass
        cli._imported = import_something
        sys.exit(cli.main(["pack"]))
    """
    for number, status, message in ((2, 130, "interrupted"), (15, 143, "terminated")):
        done = run(code.replace("{number}", str(number)))
        assert (done.returncode, done.stderr) == (status, f"\ntdlib: {message}\n")


def test_interrupted_where_python_drops_exceptions():
    code = """if True:
        from tdlib import interrupts
        interrupts.install()
        import os, signal, sys
        from tdlib import cli
        class Fragile:
            def __del__(self):
                os.kill(os.getpid(), 2)
        def function(**options):
            Fragile()
            signal.pause()
        cli._imported = lambda command: function
        sys.exit(cli.main(["pack"]))
    """
    done = run(code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "tdlib: interrupted\n")


def test_nobody_reads_the_answers():
    code = """if True:
        import os, sys
        from tdlib import cli
        reader, writer = os.pipe()
        os.close(reader)
        os.dup2(writer, 1)
        cli._imported = lambda command: lambda **options: print("x" * 10**6)
        sys.exit(cli.main(["pack"]))
    """
    done = run(code)
    assert (done.returncode, done.stderr) == (cli.NOBODY_READS, "")


# Settings of JAX that results depend on.


def test_settings_of_jax_are_the_same_for_everyone():
    code = """if True:
        from tdlib import jax_settings
        jax_settings.prepare()
        import jax
        found = {k: jax.config.values[k] for k in jax_settings.PINNED}
        found = {k: str(getattr(v, "name", v)).lower() for k, v in found.items()}
        print([k for k, v in jax_settings.PINNED.items() if found[k] != str(v).lower()])
        jax.config.update("jax_threefry_partitionable", False)
        jax_settings.prepare()
        print(jax.random.bits(jax.random.key(1), (3,)).tolist())
    """
    plain = run(code)
    assert plain.stdout.startswith("[]\n["), plain.stderr
    others = {
        "JAX_THREEFRY_PARTITIONABLE": "0",
        "JAX_ENABLE_X64": "1",
        "JAX_EXPLICIT_X64_DTYPES": "error",
        "JAX_DEFAULT_PRNG_IMPL": "rbg",
        "JAX_RANDOM_SEED_OFFSET": "7",
        "JAX_DISABLE_JIT": "1",
        "JAX_NUMPY_DTYPE_PROMOTION": "strict",
    }
    assert run(code, **others).stdout == plain.stdout


@pytest.mark.parametrize(
    ("name", "value"),
    [("JAX_PLATFORMS", "cuda"), ("XLA_FLAGS", "--xla_cpu_enable_fast_math=true")],
)
def test_settings_that_cannot_be_pinned_are_refused(monkeypatch, capsys, name, value):
    monkeypatch.setenv(name, value)
    assert cli.main(["plays", "kalah"]) == cli.REFUSED
    assert f"{name} " in capsys.readouterr().err


def test_harmless_flags_pass(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "--xla_dump_to=build/xla")
    before = dict(os.environ)
    jax_settings.prepare()
    assert os.environ["JAX_ENABLE_X64"] == "0"
    os.environ.clear()
    os.environ.update(before)
