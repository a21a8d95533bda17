"""Links from the README and between notebooks lead somewhere."""

import re

import nbformat
import pytest

from tdlib import paths

NOTEBOOKS = sorted(paths.NOTEBOOKS.glob("*.ipynb"))
LINK = re.compile(r"\]\(([^)#\s]+)\)")  # to a file, not within a page


def text_of(path):
    if path.suffix != ".ipynb":
        return path.read_text()
    cells = nbformat.read(path, 4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@pytest.mark.parametrize(
    "path", [paths.ROOT / "README.md", *NOTEBOOKS], ids=lambda path: path.stem
)
def test_every_link_names_a_file(path):
    links = LINK.findall(text_of(path))
    assert links
    assert [link for link in links if not (path.parent / link).is_file()] == []


def test_the_readme_links_to_every_notebook():
    links = set(LINK.findall(text_of(paths.ROOT / "README.md")))
    assert {f"notebooks/{path.name}" for path in NOTEBOOKS} <= links
