"""Executed notebooks come into the repository without traces of the run."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tdlib import keep


def executed(tmp_path, *cells):
    notebook = new_notebook(cells=list(cells), metadata={"papermill": {"duration": 1.5}})
    (tmp_path / "notebooks").mkdir()
    path = tmp_path / "01_a.ipynb"
    nbformat.write(notebook, path)
    return path


def test_results_stay_and_traces_go(tmp_path):
    given = {"tags": ["injected-parameters"], "papermill": {"start_time": "now"}}
    path = executed(
        tmp_path,
        new_markdown_cell("# A", id="a"),
        new_code_cell("scale = 'paper'", metadata=given, id="random", execution_count=1),
        new_code_cell("1", id="b", execution_count=2, outputs=[new_output("stream", text="1")]),
    )
    kept = nbformat.read(keep.keep(path, tmp_path), 4)
    assert set(kept.metadata) == {"kernelspec", "language_info"}
    assert [cell.id for cell in kept.cells] == ["a", "b"]
    assert [cell.metadata for cell in kept.cells] == [{}, {}]
    assert kept.cells[1].outputs[0].text == "1"


def test_a_readers_edit_of_the_parameters_counts(tmp_path):
    """The injected cell stood behind the parameters and overruled them (F1)."""
    path = executed(
        tmp_path,
        new_code_cell(
            'scale: str = "quick"  # smoke | quick | paper\nruns: int = 0  # networks',
            metadata={"tags": ["parameters"]},
            execution_count=1,
        ),
        new_code_cell(
            '# Parameters\nscale = "paper"\n',
            metadata={"tags": ["injected-parameters"]},
            execution_count=2,
        ),
        new_code_cell("scale", execution_count=3),
    )
    kept = nbformat.read(keep.keep(path, tmp_path), 4)
    assert [cell.source for cell in kept.cells] == [
        'scale: str = "paper"  # smoke | quick | paper\nruns: int = 0  # networks',
        "scale",
    ]
    assert [cell.execution_count for cell in kept.cells] == [1, 2]


def test_a_folded_solution_stays_folded(tmp_path):
    written = {"tags": ["solution"], "jupyter": {"source_hidden": True, "outputs_hidden": True}}
    of_a_run = {"papermill": {"status": "completed"}, "jupyter": {"is_executing": False}}
    path = executed(
        tmp_path,
        new_code_cell("1", metadata={**of_a_run, **written}, execution_count=1),
        new_code_cell("2", metadata=of_a_run, execution_count=2),
    )
    kept = nbformat.read(keep.keep(path, tmp_path), 4)
    assert [cell.metadata for cell in kept.cells] == [written, {}]


@pytest.mark.parametrize(
    "cell",
    [
        new_code_cell("1"),
        new_code_cell(
            "1 // 0",
            execution_count=1,
            outputs=[new_output("error", ename="ZeroDivisionError", evalue="", traceback=[])],
        ),
    ],
    ids=["not run", "failed"],
)
def test_a_notebook_that_did_not_finish_is_refused(tmp_path, cell):
    path = executed(tmp_path, cell)
    with pytest.raises(ValueError, match=r"01_a.ipynb did not run to its end"):
        keep.keep(path, tmp_path)
    assert not (tmp_path / "notebooks" / "01_a.ipynb").exists()
