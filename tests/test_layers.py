"""Imports between the layers of tdlib go one way only (the diagram in `tdlib/__init__.py`)."""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "tdlib"

# Layers of one line know nothing of each other.
ORDER = [
    ["types", "paths", "compilation_cache"],
    ["picks", "fusion", "chance", "schedules"],
    ["files"],
    ["games"],
    ["notation", "perft"],
    ["exact"],
    ["queries"],
    ["encodings"],
    ["values"],
    ["search", "classical"],
    ["players"],
    ["endgames"],
    ["kalah_records"],
    ["rollout"],
    ["learning", "arena", "mistakes"],
    ["bench", "bench_search"],
    ["experiments"],
    ["store", "published"],
    ["run"],
    ["trained"],
    ["stats"],
    ["complexity"],
    ["curves", "matches"],
    ["plots", "boards"],
    ["attributes"],
    ["claims"],
    ["effects"],
    ["reproduce", "keep"],
    ["cli"],
    ["__main__"],
]
RANK = {layer: rank for rank, layers in enumerate(ORDER) for layer in layers}

# Layers that may know less than their place allows: drawings show positions, and nothing else.
ONLY = {
    "games": {"types", "picks", "fusion", "chance"},
    "notation": {"types", "games"},
    "boards": {"types", "games", "notation"},
}


def imported_layers(source: str, module: str) -> set[str]:
    """Layers of tdlib that a module imports, also inside functions; `module` is dotted."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: write imports in full, from tdlib"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("tdlib.")}
    return found


def allowed(importer: str, imported: str) -> bool:
    if importer == imported:
        return True
    if importer in ONLY:
        return imported in ONLY[importer]
    return RANK.get(imported, len(ORDER)) < RANK[importer]


def modules() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


@pytest.mark.parametrize("path", modules(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_earlier_layers(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    assert parts[0] in RANK, f"{parts[0]} has no place in the order of layers"
    imported = imported_layers(path.read_text(), ".".join(parts))
    wrong = sorted(layer for layer in imported if not allowed(parts[0], layer))
    assert not wrong, f"{parts[0]} must not import {', '.join(wrong)}"


def test_the_package_itself_is_only_the_diagram():
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    diagram = ast.get_docstring(tree)
    assert len(tree.body) == 1
    assert RANK.keys() - {"__main__"} <= set(re.findall(r"\w+", diagram))


@pytest.mark.parametrize(
    ("line", "layers"),
    [
        ("import tdlib.games.kalah", {"games"}),
        ("from tdlib import games, run", {"games", "run"}),
        ("from tdlib.games import kalah", {"games"}),
        ("def late():\n    from tdlib.stats import wilson", {"stats"}),
        ("import numpy", set()),
    ],
)
def test_every_way_of_importing_is_seen(line, layers):
    assert imported_layers(line, "example") == layers


def test_the_order_forbids_looking_back_and_sideways():
    assert allowed("players", "games")
    assert not allowed("games", "players")
    assert not allowed("learning", "arena")
    assert not allowed("boards", "stats")
