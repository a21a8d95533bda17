"""Take notebooks executed at paper scale into the repository: `python -m tdlib keep`.

`python -m tdlib reproduce --scale paper` leaves executed copies outside version control. This
replaces the committed ones with them, without what belongs to the run rather than its result:
times, paths, versions and names drawn at random. Tags stay, and folded cells stay folded.

Papermill injects the values it was given as a second cell behind the parameters. In a committed
notebook that cell would overrule whatever a reader writes into the first, so its values become
the defaults of the parameters cell, and it goes.
"""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat

from tdlib import files, paths

FOLDED = ("source_hidden", "outputs_hidden")  # JupyterLab's names, for folded solutions
GIVEN = "injected-parameters"  # papermill's tag of the cell with the values it was given


def command() -> list[str]:
    """Keep all notebooks that were executed at paper scale, unless one did not finish."""
    copies = sorted(paths.executed_dir("paper").glob("*.ipynb"))
    if not copies:
        raise ValueError(
            "there is nothing to keep; run `python -m tdlib reproduce --scale paper` first"
        )
    for copy in copies:
        print(keep(copy).relative_to(paths.ROOT))
    return []


def keep(executed: Path, root: Path = paths.ROOT) -> Path:
    """Copy one executed notebook, cleaned, to the notebooks; ValueError if unfinished."""
    notebook = nbformat.read(executed, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and _unfinished(cell):
            raise ValueError(f"{executed.name} did not run to its end; run it again first")
        cell.metadata = nbformat.from_dict(_of_the_author(cell.metadata))
    _one_parameters_cell(notebook)
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    kept = root / "notebooks" / executed.name
    files.write(kept, nbformat.writes(notebook).encode() + b"\n")
    return kept


def _one_parameters_cell(notebook: nbformat.NotebookNode) -> None:
    """The injected values become the defaults of the parameters; cells are numbered again."""
    given = [cell for cell in notebook.cells if _tagged(cell, GIVEN)]
    notebook.cells = [cell for cell in notebook.cells if not _tagged(cell, GIVEN)]
    values = {
        target.id: ast.unparse(line.value)
        for cell in given
        for line in ast.parse(cell.source).body
        if isinstance(line, ast.Assign)
        for target in line.targets
        if isinstance(target, ast.Name)
    }
    for cell in notebook.cells:
        if _tagged(cell, "parameters"):
            cell.source = "\n".join(_with_default(x, values) for x in cell.source.split("\n"))
    code = (cell for cell in notebook.cells if cell.cell_type == "code")
    for number, cell in enumerate(code, start=1):
        cell.execution_count = number
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = number


def _with_default(line: str, values: Mapping[str, str]) -> str:
    """A line `name: type = default  # help` with another default, if one was given."""
    head, equals, rest = line.partition(" = ")
    name = head.partition(":")[0]
    if not equals or name not in values:
        return line
    _, hash, help = rest.partition("  #")
    value = values[name]
    shown = value.replace("'", '"') if value.startswith("'") else value
    return f"{head} = {shown}{hash}{help}"


def _tagged(cell: nbformat.NotebookNode, tag: str) -> bool:
    return tag in cell.metadata.get("tags", [])


def _of_the_author(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What a cell's author wrote about it."""
    folded = {k: v for k, v in metadata.get("jupyter", {}).items() if k in FOLDED}
    written = {"jupyter": folded, "tags": list(metadata.get("tags", []))}
    return {name: value for name, value in written.items() if value}


def _unfinished(cell: nbformat.NotebookNode) -> bool:
    failed = any(output.output_type == "error" for output in cell.outputs)
    return cell.execution_count is None or failed
