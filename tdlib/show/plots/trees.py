"""Small game trees: nested lists of numbers, drawn with what a search saw of them."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from matplotlib.axes import Axes

from tdlib.show.plots import INK, PALETTE

Path = tuple[int, ...]
CUT = "#B3272D"


class Visit(Protocol):
    """A node when the search leaves it."""

    @property
    def path(self) -> Path: ...
    @property
    def value(self) -> float: ...
    @property
    def cut(self) -> int: ...


def tree(ax: Axes, root: list, visits: Sequence[Visit], *, best: Path = ()) -> Axes:
    """A tree whose root maximises: triangles up maximise, triangles down minimise.

    Nodes that the search saw have their values (after a cut, the bound: ≤ or ≥); what it did
    not look at is pale and its line crossed out. best: the path of the moves chosen, drawn
    thick.
    """
    places = dict(_places(root))
    seen = {visit.path: visit for visit in visits}
    deepest = max(map(len, places))
    for path, (x, _) in places.items():
        if path:
            _line(ax, places[path[:-1]][0], x, path, seen, path == best[: len(path)])
    for path, (x, node) in places.items():
        _node(ax, x, -len(path), path, node, seen.get(path))
    for level in range(deepest):
        word = "max" if level % 2 == 0 else "min"
        ax.text(-0.9, -level, word, ha="right", va="center", color=INK.paper)
    ax.set(xlim=(-1.6, max(x for x, _ in places.values()) + 0.6), ylim=(-deepest - 0.35, 0.35))
    ax.axis("off")
    return ax


def _places(root: list) -> Iterator[tuple[Path, tuple[float, Any]]]:
    """Path -> x and node: leaves one after another, others in the middle of their children."""
    count = 0

    def walk(node: Any, path: Path) -> tuple[float, list]:
        nonlocal count
        if not isinstance(node, list):
            count += 1
            return count - 1, [(path, (float(count - 1), node))]
        found, middle = [], []
        for i, child in enumerate(node):
            x, below = walk(child, (*path, i))
            middle.append(x)
            found += below
        x = (middle[0] + middle[-1]) / 2
        return x, [(path, (x, node)), *found]

    yield from walk(root, ())[1]


def _line(ax: Axes, above: float, x: float, path: Path, seen: dict, chosen: bool) -> None:
    """From a node to its parent, crossed out where the search did not go."""
    y = -len(path)
    if path in seen:
        colour, width = (INK.ours, 2.6) if chosen else (INK.text, 1.0)
        ax.plot([above, x], [y + 1, y], color=colour, lw=width, zorder=1)
        return
    ax.plot([above, x], [y + 1, y], color=INK.grid, lw=1.0, zorder=1)
    if path[:-1] in seen:
        at = 0.5
        ax.plot(above + (x - above) * at, y + 1 - at, marker="x", ms=9, mew=2.2, color=CUT,
                zorder=3)  # fmt: skip


def _node(ax: Axes, x: float, y: int, path: Path, node: Any, visit: Visit | None) -> None:
    inner = isinstance(node, list)
    mark = ("^" if len(path) % 2 == 0 else "v") if inner else "s"
    fill = "white" if visit is None else PALETTE[4] if inner else "#F2EDE4"
    ax.plot(x, y, marker=mark, ms=27 if inner else 21, color=fill, zorder=2,
            mec=INK.grid if visit is None else INK.text)  # fmt: skip
    if visit is None:
        text = "" if inner else f"{node:g}"
    else:
        sign = ("≥" if len(path) % 2 == 0 else "≤") if visit.cut else ""
        text = f"{sign}{visit.value:g}"
    lift = {"^": -0.05, "v": 0.05, "s": 0.0}[mark]
    ax.text(x, y + lift, text, ha="center", va="center", zorder=4, size=9,
            color="#B9B2A6" if visit is None else INK.text)  # fmt: skip
