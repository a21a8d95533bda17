"""The architecture: imports between the layers of tdlib go one way only.

The diagram in `tdlib/__init__.py` is the same order, with a phrase for each layer.
"""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "tdlib"

# A layer may import those of earlier lines, and those to its left on the same line.
LEVELS = [
    ["types", "stats", "paths", "files", "cache", "jax_settings"],
    ["kernels"],
    ["games"],
    ["exact"],
    ["encodings", "values", "search", "players"],
    ["play", "learning", "teaching"],
    ["study"],
    ["claims"],
    ["papers"],
    ["show"],
    ["parameters", "keep", "reproduce", "interrupts", "cli"],
    ["__main__"],
]
LAYERS = [layer for level in LEVELS for layer in level]
PAPERS = {path.name for path in (PACKAGE / "papers").iterdir() if path.is_dir()}

# Parts that may know less than their place allows: rules are pure, drawings show positions.
ONLY = {
    "games": {"types", "kernels", "cache"},
    "show.notation": {"types", "games"},
    "show.boards": {"types", "games"},
}


def imported(source: str, module: str) -> set[str]:
    """What of tdlib a module imports, dotted, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: write imports in full, from tdlib"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {name.removeprefix("tdlib.") for name in names if name.startswith("tdlib.")}
    return found


def may_import(importer: str, other: str) -> bool:
    """Whether a module may import another; both dotted, without tdlib."""
    here, there = importer.split("."), other.split(".")
    if here[0] == there[0]:
        papers = {part for part in (*here[1:2], *there[1:2]) if part in PAPERS}
        return len(papers) < 2  # papers never import each other
    for part, known in ONLY.items():
        if importer == part or importer.startswith(f"{part}."):
            return there[0] in known
    return there[0] in LAYERS and LAYERS.index(there[0]) < LAYERS.index(here[0])


def wrong_imports() -> set[tuple[str, str]]:
    """Modules, and the layers that they import but may not."""
    wrong = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        module = ".".join(part for part in parts if part != "__init__") or "__init__"
        for other in imported(path.read_text(), module):
            if module == "__init__" or not may_import(module, other):
                wrong.add((module, other.split(".")[0]))
    return wrong


def test_every_module_imports_only_from_layers_below_its_own():
    wrong = sorted(wrong_imports())
    assert not wrong, "; ".join(f"{module} must not import {layer}" for module, layer in wrong)


def test_every_module_belongs_to_a_layer():
    names = {
        path.stem
        for path in PACKAGE.iterdir()
        if path.name not in ("__init__.py", "__pycache__")
    }
    assert names == set(LAYERS)


def test_the_package_itself_is_only_the_diagram_which_fits_a_screen():
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    diagram = ast.get_docstring(tree)
    assert len(tree.body) == 1
    assert len(diagram.splitlines()) <= 30
    rows = [re.split(r" {3,}", line.strip())[0].split() for line in diagram.splitlines()]
    shown = [row for row in rows if row and row[0] in LAYERS]
    assert shown == LEVELS[:-1]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import tdlib.games.kalah", {"games.kalah"}),
        ("from tdlib import games, study", {"games", "study"}),
        ("from tdlib.games import kalah", {"games.kalah"}),
        ("def late():\n    from tdlib.stats import wilson", {"stats.wilson"}),
        ("import numpy", set()),
    ],
)
def test_every_way_of_importing_is_seen(line, names):
    assert imported(line, "example") == names


@pytest.mark.parametrize(
    ("importer", "other"),
    [
        ("games.kalah", "players.greedy"),
        ("games.kalah", "files.write"),
        ("values.mlp", "search"),
        ("study.train", "papers.choi2013.experiments"),
        ("claims.rules", "papers.matthews2006"),
        ("papers.choi2013.claims", "papers.matthews2006.tables"),
        ("show.boards.kalah", "stats"),
    ],
)
def test_looking_up_or_right_is_forbidden(importer, other):
    assert not may_import(importer, other)


@pytest.mark.parametrize(
    ("importer", "other"),
    [
        ("players.greedy", "values.mlp"),
        ("papers.choi2013.claims", "papers.choi2013.experiments"),
        ("papers.choi2013", "papers.register"),
        ("show.plots", "claims.scorecard"),
        ("files", "paths.ROOT"),
    ],
)
def test_looking_down_or_left_is_allowed(importer, other):
    assert may_import(importer, other)
