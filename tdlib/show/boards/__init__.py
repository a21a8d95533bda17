"""Drawings of positions, one module per game, all in the style of `ink`.

Each module has `draw(ax, state, *, before=None, coordinates=False)`, which fills one axes with
one position. If `before`, the position before the last play, is given, that play is marked. In
each module geometry (which place is where) stands apart from painting. Games know nothing of
boards.
"""

from collections.abc import Callable, Sequence
from io import StringIO
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tdlib.show.boards import abalone, backgammon, ink, kalah, pachisi, parcheesi
from tdlib.types import State

BOARDS: dict[str, Callable[..., Axes]] = {
    "backgammon": backgammon.draw,
    "hypergammon": backgammon.draw,
    "pachisi": pachisi.draw,
    "parcheesi": parcheesi.draw,
    "kalah": kalah.draw,
    "abalone": abalone.draw,
}
TITLE = 0.4  # inches above a board of a strip
GAP = 0.15  # inches between boards


def draw(
    game_name: str,
    ax: Axes,
    state: State,
    *,
    before: State | None = None,
    coordinates: bool = False,
) -> Axes:
    """Fill `ax` with a position of the game; with `before`, mark the play since then."""
    if game_name not in BOARDS:
        raise ValueError(f"no board for {game_name!r}; expected one of {', '.join(BOARDS)}")
    return BOARDS[game_name](ax, state, before=before, coordinates=coordinates)


def figure(game_name: str, state: State, *, size: float = 4.0, **marks: Any) -> Figure:
    """One position filling a figure whose longer side is `size` inches; marks: see `draw`."""
    picture = _page()
    width, height = _extent(draw(game_name, picture.add_axes((0, 0, 1, 1)), state, **marks))
    scale = size / max(width, height)
    picture.set_size_inches(width * scale, height * scale)
    return picture


def svg(game_name: str, state: State, **marks: Any) -> str:
    """One position as SVG text, the same bytes every time: no date, random names or fonts."""
    picture, text = figure(game_name, state, **marks), StringIO()
    with rc_context({"svg.hashsalt": "tdlib", "svg.fonttype": "path"}):
        picture.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


def strip(
    game_name: str,
    states: Sequence[State],
    titles: Sequence[str],
    *,
    moves: bool = False,
    coordinates: bool = False,
    size: float = 3.0,
) -> Figure:
    """Positions in a row, each `size` inches wide under its title.

    With `moves` the positions are successive, and every board but the first marks the play
    that led to it.
    """
    if len(titles) != len(states) or not states:
        raise ValueError(
            f"expected one title per state and at least one state, not {len(titles)} titles "
            f"for {len(states)} states"
        )
    picture = _page()
    axes = [picture.add_axes((0, 0, 1, 1), label=str(i)) for i in range(len(states))]
    earlier = [None, *states] if moves else [None] * len(states)
    for ax, state, before in zip(axes, states, earlier, strict=False):
        draw(game_name, ax, state, before=before, coordinates=coordinates)
    width, height = _extent(axes[0])
    tall = size * height / width
    total = len(axes) * (size + GAP) - GAP
    picture.set_size_inches(total, tall + TITLE)
    for i, (ax, title) in enumerate(zip(axes, titles, strict=True)):
        ax.set_position((i * (size + GAP) / total, 0, size / total, tall / (tall + TITLE)))
        ax.set_title(title, fontsize=10, color=ink.INK, pad=6)
    return picture


def _page() -> Figure:
    """An empty figure whose boards stay where they are put, whatever the style in use."""
    picture = Figure(facecolor="white")
    picture.set_layout_engine("none")
    return picture


def _extent(ax: Axes) -> tuple[float, float]:
    """Width and height of the drawing, in board units."""
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    return x1 - x0, y1 - y0
