"""The notebook runner refuses before it runs, and keeps what it ran."""

import json

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tdlib import cli, parameters, paths, reproduce
from tdlib.claims import scorecard as verdicts
from tdlib.show import scorecard
from tdlib.study.progress import Lines

DECLARED = """\
scale: str = "quick"  # smoke | quick | paper
games: int = -1  # how many
alpha: float = 1
plain: bool = False
"""


@pytest.fixture
def write(tmp_path):
    """Write a notebook of a parameters cell (if any) and further code cells."""

    def write(name, parameters, *cells):
        tagged = [new_code_cell(parameters, metadata={"tags": ["parameters"]})]
        notebook = new_notebook(
            cells=tagged * bool(parameters) + list(map(new_code_cell, cells))
        )
        path = tmp_path / "notebooks" / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        nbformat.write(notebook, path)
        return path

    return write


def test_parameters_are_read_with_type_default_and_help(write):
    found = reproduce.read_parameters(write("01_a", DECLARED))
    assert [str(parameter) for parameter in found.values()] == [
        "scale: str = 'quick'  # smoke | quick | paper",
        "games: int = -1  # how many",
        "alpha: float = 1",
        "plain: bool = False",
    ]


@pytest.mark.parametrize(
    "line",
    ["games = 1", "games: int", "games: int = 1.5", "games: int = True", "games: list = []",
     "games: int = 2 * 3", "import numpy", "x.games: int = 1"],
)  # fmt: skip
def test_a_parameters_cell_holds_typed_literals_only(write, line):
    with pytest.raises(
        ValueError, match=r"01_a.ipynb, parameters cell, line 1: expected `name"
    ):
        reproduce.read_parameters(write("01_a", line))


def test_a_parameters_cell_that_is_no_python_is_named(write):
    with pytest.raises(ValueError, match=r"01_a.ipynb, parameters cell: invalid syntax"):
        reproduce.read_parameters(write("01_a", "games: int = = 1"))


def test_a_damaged_notebook_is_named(write):
    path = write("01_a", DECLARED)
    path.write_text("{")
    with pytest.raises(ValueError, match=r"01_a.ipynb is not a readable notebook"):
        reproduce.read_parameters(path)


def test_values_go_to_the_notebooks_that_declare_them(write, tmp_path):
    a = write("01_a", DECLARED)
    b = write("02_b", "scale: str = 'quick'\nfresh: bool = False")
    c = write("03_c", "")
    asked = ["games=1_000", "alpha=1e-3", "plain=true"]
    jobs = reproduce.plan(scale="smoke", assignments=asked, fresh=True, root=tmp_path)
    assert jobs == [
        (a, {"games": 1000, "alpha": 0.001, "plain": True, "scale": "smoke"}),
        (b, {"scale": "smoke", "fresh": True}),
        (c, {}),
    ]


def test_only_chooses_by_the_beginning_of_the_name(write, tmp_path):
    write("01_a", DECLARED)
    b = write("02_b", DECLARED)
    assert [job.notebook for job in reproduce.plan(only=["02"], root=tmp_path)] == [b]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"assignments": ["game=3"]}, r"no notebook has a parameter 'game'.*games: int = -1"),
        ({"assignments": ["games=3.5"]}, r"'games' of 01_a.ipynb: expected int, found '3.5'"),
        ({"assignments": ["alpha=much"]}, r"'alpha' of 01_a.ipynb: expected float, found"),
        ({"assignments": ["plain=1"]}, r"'plain' of 01_a.ipynb: expected true or false, found"),
        ({"assignments": ["games"]}, r"'games': expected name=value"),
        ({"assignments": ["scale=paper"]}, r"'scale' has an option of its own: --scale"),
        ({"only": ["7"]}, r"no notebook begins with '7'; there are: 01_a"),
        ({"scale": "huge"}, r"unknown scale 'huge'; expected one of smoke, quick, paper"),
    ],
)
def test_what_no_notebook_can_take_is_refused(write, tmp_path, options, message):
    write("01_a", DECLARED)
    with pytest.raises(ValueError, match=r"(?s)" + message):
        reproduce.plan(root=tmp_path, **options)


def test_a_failed_notebook_keeps_its_copy_and_the_others_run(write, tmp_path, capsys):
    write("01_bad", DECLARED, "print('before')", "1 // 0", "print('never')")
    write(
        "02_good", DECLARED, "from tdlib import paths", "print(scale, games, paths.SCALES[0])"
    )
    jobs = reproduce.plan(scale="smoke", assignments=["games=7"], root=tmp_path)

    failed = reproduce.execute(jobs, scale="smoke", root=tmp_path)

    shown = capsys.readouterr().out
    assert failed == ["01_bad.ipynb"]
    assert "ZeroDivisionError" in shown and "In [4] of build/notebooks/smoke/01_bad" in shown
    assert "    before\n" in shown and "never" not in shown
    assert "    smoke 7 smoke\n" in shown
    assert "build/notebooks/smoke/  1 of 2 ran" in shown and "figures/smoke/  0 files" in shown
    copies = paths.executed_dir("smoke", tmp_path)
    bad, good = (nbformat.read(copies / name, 4) for name in ("01_bad.ipynb", "02_good.ipynb"))
    assert any(cell.get("outputs") for cell in bad.cells)
    assert good.cells[-1].outputs[0].text == "smoke 7 smoke\n"
    assert str(tmp_path) not in json.dumps(good)
    left = sorted(file.name for file in (tmp_path / "notebooks").iterdir())
    assert left == ["01_bad.ipynb", "02_good.ipynb"]  # no sockets, no checkpoints


def test_a_bar_that_redraws_itself_is_shown_once(capsys):
    echo = Lines()
    for text in ("one\ntw", "o\n", "\r 10%", "\r 50%", "\r100%", "\n", "last"):
        echo.write(text)
    echo.write("\n")
    assert capsys.readouterr().out == "    one\n    two\n    100%\n    last\n"


@pytest.mark.parametrize(
    ("scale", "folder"),
    [("quick", "figures/quick"), ("smoke", "figures/smoke"), ("paper", "figures")],
)
def test_only_figures_of_paper_scale_go_to_the_committed_folder(tmp_path, scale, folder):
    assert paths.figure_dir(scale, tmp_path) == tmp_path / folder


def test_the_command_line_refuses_with_status_2_and_runs_nothing(capsys):
    assert cli.main(["reproduce", "-p", "no_such_parameter=1"]) == cli.REFUSED
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "no notebook has a parameter 'no_such_parameter'" in shown.err


def test_the_command_ends_with_the_scorecard(monkeypatch, capsys):
    table = pd.DataFrame([{"id": "x-1"}])
    written = []
    monkeypatch.setattr(reproduce, "plan", lambda **options: [])
    monkeypatch.setattr(reproduce, "execute", lambda jobs, scale: [])
    monkeypatch.setattr(
        verdicts, "of_store", lambda scale, **options: (table, ["run-0: damaged"])
    )
    monkeypatch.setattr(scorecard, "show", lambda table: print("all verdicts"))
    monkeypatch.setattr(
        scorecard, "publish", lambda t, scale: written.append(scale) or paths.ROOT / "figures"
    )
    assert cli.main(["reproduce", "--scale", "smoke"]) == cli.FAILED
    shown = capsys.readouterr()
    assert "all verdicts\nscorecard  figures/scorecard.png" in shown.out
    assert written == ["smoke"] and "run-0: damaged" in shown.err


# What the first code cell of a notebook checks, however the notebook is run.

CELL = 'scale: str = "quick"  # how much\nrun: int = 0  # 0 to 4\nalpha: float = 1\n'
INJECTED = "# Parameters\n"


def notebook(*cells):
    """The globals of a notebook that has run these cells."""
    names = {"In": ["", *cells, "parameters.check(globals(), run=range(5))"]}
    for cell in cells:
        exec(cell, names)
    return names


@pytest.mark.parametrize(
    "injected", [[], [INJECTED + 'scale = "smoke"\nrun = 4\nalpha = 0.5\n']]
)
def test_good_parameters_pass(injected):
    assert parameters.check(notebook(CELL, *injected), run=range(5)) is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('sclae = "smoke"', "no parameter 'sclae'; expected one of scale, run, alpha"),
        ('scale = "huge"', "'scale': expected one of smoke, quick, paper, found 'huge'"),
        ("run = 99", "'run': expected a whole number from 0 to 4, found 99"),
        ("run = -1", "'run': expected a whole number from 0 to 4, found -1"),
        ('run = "abc"', "'run': expected int, found 'abc'"),
        ("run = True", "'run': expected int, found True"),
        ("run = 1.0", "'run': expected int, found 1.0"),
        ("alpha = None", "'alpha': expected float, found None"),
    ],
)
def test_bad_parameters_are_refused(line, message):
    with pytest.raises(ValueError, match=message):
        parameters.check(notebook(CELL, INJECTED + line), run=range(5))


def test_a_readers_edit_is_checked_too():
    with pytest.raises(ValueError, match=r"'seed': expected a whole number from 0 to 4,294,"):
        parameters.check(notebook("seed: int = -7"))
    again = notebook(CELL, INJECTED + "sclae = 1", "1 + 1", CELL.replace("quick", "paper"))
    assert parameters.check(again, run=range(5)) is None  # run again without papermill


def test_a_number_may_have_two_ends():
    allowed = {"lam": parameters.Between(0, 1)}
    for right in ("lam: float = 0.7", "lam: float = 0", "lam: float = 1.0"):
        assert parameters.check(notebook(right), **allowed) is None
    with pytest.raises(ValueError, match=r"'lam': expected a number from 0 to 1, found 1.5"):
        parameters.check(notebook("lam: float = 1.5"), **allowed)


def test_a_notebook_without_its_parameters_is_told_what_to_do():
    with pytest.raises(ValueError, match="run the parameters cell first"):
        parameters.check(notebook("1 + 1"))
    with pytest.raises(ValueError, match="no parameter 'depth'; expected one of scale"):
        parameters.check(notebook(CELL), depth=range(3))


def test_the_users_start_up_files_do_not_run(write, tmp_path, monkeypatch):
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("started = True\n")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    check = "from tdlib import parameters\nparameters.check(globals())"
    write("01_a", DECLARED, check, "assert 'started' not in globals()")
    jobs = reproduce.plan(scale="smoke", assignments=["games=3"], root=tmp_path)
    assert reproduce.execute(jobs, scale="smoke", root=tmp_path) == []
