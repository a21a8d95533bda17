"""Take notebooks executed at paper scale into the repository: `python -m tdlib.keep`.

`python -m tdlib reproduce --scale paper` leaves executed copies outside version control. This
puts them in place of the committed ones, without what tells of a run and not of its result:
times, paths, versions and names drawn at random. Tags stay, and so does which cells are folded.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat

from tdlib import paths

FOLDED = ("source_hidden", "outputs_hidden")  # JupyterLab's, of solutions not yet looked at
GIVEN = "injected-parameters"  # papermill's tag of the cell with the values it was given


def keep(executed: Path, root: Path = paths.ROOT) -> Path:
    """Copy one executed notebook, cleaned, to the notebooks; ValueError if unfinished."""
    notebook = nbformat.read(executed, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and _unfinished(cell):
            raise ValueError(f"{executed.name} did not run to its end; run it again first")
        tags = cell.metadata.get("tags", [])
        cell.metadata = nbformat.from_dict(_of_the_author(cell.metadata))
        if GIVEN in tags:
            cell.id, cell.source = GIVEN, cell.source.strip()  # as ruff formats it
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    kept = root / "notebooks" / executed.name
    nbformat.write(notebook, kept)
    return kept


def _of_the_author(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What a cell's author wrote about it."""
    folded = {k: v for k, v in metadata.get("jupyter", {}).items() if k in FOLDED}
    written = {"jupyter": folded, "tags": list(metadata.get("tags", []))}
    return {name: value for name, value in written.items() if value}


def _unfinished(cell: nbformat.NotebookNode) -> bool:
    failed = any(output.output_type == "error" for output in cell.outputs)
    return cell.execution_count is None or failed


if __name__ == "__main__":
    copies = sorted(paths.executed_dir("paper").glob("*.ipynb"))
    if not copies:
        sys.exit("nothing to keep; run `python -m tdlib reproduce --scale paper` first")
    for copy in copies:
        print(keep(copy).relative_to(paths.ROOT))
