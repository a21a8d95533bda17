"""The committed notebooks are executed, clean and of the house form, and run at smoke scale."""

import re
from pathlib import Path

import nbformat
import pytest

from tdlib import paths, reproduce

NOTEBOOKS = sorted(paths.NOTEBOOKS.glob("*.ipynb"))
LARGEST = 1_500_000  # bytes

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(path):
    return [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


def tags(cell):
    return cell.metadata.get("tags", [])


def test_there_are_notebooks():
    assert NOTEBOOKS


@every_notebook
def test_it_was_executed_from_top_to_bottom_without_error(path):
    cells = code_cells(path)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    assert not [output for output in outputs if output.get("name") == "stderr"]


@every_notebook
def test_it_was_executed_at_paper_scale(path):
    """And has one parameters cell: an injected one would overrule a reader's edit (F1)."""
    assert not [cell for cell in code_cells(path) if "injected-parameters" in tags(cell)]
    assert reproduce.read_parameters(path)["scale"].default == "paper"


@every_notebook
def test_it_has_the_house_form(path):
    cells = nbformat.read(path, 4).cells
    longest = max(len(cell.source.splitlines()) for cell in code_cells(path))
    prose = sum(cell.cell_type == "markdown" for cell in cells) / len(cells)
    assert 25 <= len(cells) <= 45
    assert longest <= 20
    assert 0.35 <= prose <= 0.65
    assert cells[0].source.startswith("# ")


@every_notebook
def test_it_knows_no_machine(path):
    text = path.read_text()
    notebook = nbformat.reads(text, 4)
    assert len(text.encode()) <= LARGEST
    for place in (paths.ROOT, Path.home()):
        assert f"{place}/" not in text
    assert not re.search(r"/(home|Users|tmp|usr|opt|var|site-packages)/", text)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.kernelspec.name == "python3"
    assert all(set(cell.metadata) <= {"jupyter", "tags"} for cell in notebook.cells)


@every_notebook
def test_its_figures_are_there_as_png_and_svg(path):
    text = "".join(cell.source for cell in code_cells(path))
    names = re.findall(rf'plots.publish\([^"]*"({path.stem[:2]}_\w+)"', text)
    assert names
    for name in names:
        for kind in ("png", "svg"):
            assert (paths.figure_dir("paper") / f"{name}.{kind}").is_file(), name


@every_notebook
@pytest.mark.parametrize("line", ['sclae = "smoke"', 'scale = "huge"', "scale = 3"])
def test_its_first_cell_refuses_what_papermill_lets_pass(path, line):
    refused(path, line)


@pytest.mark.parametrize(
    ("notebook", "line"),
    [
        ("00", "seed = -1"),
        ("01", "games_each = -1"),
        ("02", "run = 99"),
        ("02", 'seed = "abc"'),
        ("10", 'loop = "F-MAIN-1"'),
        ("20", "lam = 2.0"),
        ("20", 'encoding = "all"'),
        ("30", 'encoding = "clever"'),
        ("31", "lam = 1.5"),
    ],
)
def test_its_first_cell_knows_the_range_of_its_parameters(notebook, line):
    refused(next(path for path in NOTEBOOKS if path.name.startswith(notebook)), line)


def refused(path, line):
    """The cell after the parameters names the one that papermill was given wrongly."""
    declared, first, *_ = code_cells(path)
    assert tags(declared) == ["parameters"]
    given = f"# Parameters\n{line}\n"
    notebook = {"In": ["", declared.source, given, first.source]}
    exec(declared.source + "\n" + given, notebook)
    with pytest.raises(ValueError, match=f"parameter '{line.split()[0]}'"):
        exec(first.source, notebook)


def with_solutions(path):
    """The notebook with the code of its folded solutions as cells that run."""
    notebook = nbformat.read(path, 4)
    cells, notebook.cells = notebook.cells, []
    for cell in cells:
        notebook.cells.append(cell)
        if cell.cell_type == "markdown":
            notebook.cells += map(nbformat.v4.new_code_cell, solutions(cell.source))
    return notebook


def solutions(text):
    """The code in the folded parts of a text."""
    folded = re.findall(r"<details>(.*?)</details>", text, re.DOTALL)
    return [
        code for part in folded for code in re.findall(r"```python\n(.*?)```", part, re.DOTALL)
    ]


def test_the_code_of_a_solution_is_found_and_other_code_is_not():
    fold = "<details><summary>Solution</summary>\n\nSo:\n\n```python\nx = 1\n```\n\n</details>"
    assert solutions(f"```python\ny = 2\n```\n\n{fold}\n\n```sh\nls\n```") == ["x = 1\n"]


@every_notebook
def test_it_runs_at_smoke_scale_with_its_solutions(path, tmp_path):
    (tmp_path / "notebooks").mkdir()
    nbformat.write(with_solutions(path), tmp_path / "notebooks" / path.name)
    jobs = reproduce.plan(scale="smoke", root=tmp_path)
    assert reproduce.execute(jobs, scale="smoke", root=tmp_path) == []
    copy = paths.executed_dir("smoke", tmp_path) / path.name
    assert all(cell.execution_count for cell in code_cells(copy))
    assert f"{tmp_path}/" not in copy.read_text()
