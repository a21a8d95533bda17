"""The house style of the boards: one palette, a few shapes, and the marks of the last move.

All lengths, line widths and letter heights are in board units, so a board looks the same at
any size. Letters are drawn as outlines, so a drawing needs no installed font.

A mark of the last move is always in the one accent colour: a ring where something arrived, a
dashed ring where something left, a cross on a man that was taken.

Artists carry a tag, the label "_<tag>" (legends ignore it), by which they can be found again.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

XY = tuple[float, float]

INK = "#2B2926"  # lines, letters, black men
IVORY = "#FFFDF6"  # white men, letters on dark ground
FRAME = "#5A5148"  # rims
SURFACE = "#F5F0E6"  # playing surface
SHADE = "#E2D8C5"  # hollows, second tone of the surface
DEEP = "#BFAF94"  # third tone
LINE = "#9A8F7D"  # ruling
FADED = "#6F675B"  # coordinates
ACCENT = "#D55E00"  # the last move, and nothing else

# Blue, amber, green and wine: as distinct in grey (lightness 43, 80, 64, 29) as in colour, so
# also under every common colour deficiency; none is the accent.
SEATS = ("#1768B0", "#F5BE41", "#1FAE88", "#7A1F50")
TINTS = ("#C3D8EC", "#FCEBC6", "#C3E9DF", "#E6CFDB")

CAP_HEIGHT = 0.729  # of DejaVu Sans, which comes with matplotlib, per unit of font size
DASH = (0.0, (1.6, 1.1))  # in line widths


class Shape(PathPatch):
    """A patch whose line is `stroke` board units wide at every size of the figure."""

    def __init__(self, path: Path, *, stroke: float = 0.0, **style) -> None:
        super().__init__(path, **style)
        self.stroke = stroke

    def draw(self, renderer) -> None:
        pixels = self.get_data_transform().get_matrix()[0, 0]
        self.set_linewidth(self.stroke * pixels / renderer.points_to_pixels(1.0))
        super().draw(renderer)


def shape(
    ax: Axes,
    path: Path,
    *,
    fill: str = "none",
    edge: str = "none",
    stroke: float = 0.0,
    dashed: bool = False,
    z: float = 1.0,
    tag: str = "",
) -> Shape:
    """Add one outline to the axes."""
    patch = Shape(
        path,
        facecolor=fill,
        edgecolor=edge,
        stroke=stroke if edge != "none" else 0.0,
        linestyle=DASH if dashed else "solid",
        joinstyle="round",
        capstyle="butt" if dashed else "round",
        zorder=z,
        label=f"_{tag}",
    )
    ax.add_artist(patch)
    return patch


def disc(ax: Axes, xy: XY, radius: float, **style) -> Shape:
    """A disc; an edge lies inside `radius`, so touching discs do not overlap."""
    inner = radius - style.get("stroke", 0.0) / 2
    return shape(ax, Path.circle(xy, inner), **style)


def polygon(ax: Axes, corners: Sequence[XY], **style) -> Shape:
    return shape(ax, Path([*corners, corners[0]], closed=True), **style)


def line(ax: Axes, ends: Sequence[XY], **style) -> Shape:
    return shape(ax, Path(ends), **style)


def box(
    ax: Axes,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    *,
    corner: float = 0.0,
    **style,
) -> Shape:
    """An upright rectangle with corners rounded to the radius `corner`."""
    if corner == 0.0:
        return polygon(ax, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], **style)
    middles = [
        (x1 - corner, y1 - corner),
        (x0 + corner, y1 - corner),
        (x0 + corner, y0 + corner),
        (x1 - corner, y0 + corner),
    ]
    bends = [
        Path.arc(90 * turn, 90 * turn + 90).transformed(
            Affine2D().scale(corner).translate(*middle)
        )
        for turn, middle in enumerate(middles)
    ]
    vertices = np.concatenate([np.asarray(bend.vertices) for bend in bends])
    codes = np.concatenate([np.asarray(bend.codes) for bend in bends])
    codes[1:][codes[1:] == Path.MOVETO] = Path.LINETO
    closed = np.append(vertices, vertices[:1], axis=0), np.append(codes, Path.CLOSEPOLY)
    return shape(ax, Path(*closed), **style)


def square(ax: Axes, xy: XY, half: float, **style) -> Shape:
    """A square round xy, whose sides are twice `half`."""
    x, y = xy
    return box(ax, x - half, y - half, x + half, y + half, **style)


@lru_cache(maxsize=512)
def _letters(text: str, bold: bool) -> Path:
    """The outline of `text`: capitals one unit high, centred on the origin."""
    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    path = TextPath((0, 0), text, size=1.0 / CAP_HEIGHT, prop=font)
    middle = path.get_extents().intervalx.mean()
    return path.transformed(Affine2D().translate(-middle, -0.5))


def text(
    ax: Axes,
    xy: XY,
    string: str,
    height: float,
    *,
    color: str = INK,
    bold: bool = False,
    z: float = 6.0,
    tag: str = "text",
) -> Shape:
    """Write `string` centred on xy, digits `height` high."""
    path = _letters(string, bold).transformed(Affine2D().scale(height).translate(*xy))
    return shape(ax, path, fill=color, z=z, tag=f"{tag} {string}")


def chequer(ax: Axes, xy: XY, radius: float, colour: str, *, tag: str = "man") -> None:
    """A flat man with a groove, ivory or black."""
    disc(ax, xy, radius, fill=colour, edge=INK, stroke=0.09 * radius, z=4, tag=tag)
    groove = FADED if colour == INK else DEEP
    disc(ax, xy, 0.66 * radius, edge=groove, stroke=0.07 * radius, z=4.1)


def arrived(ax: Axes, xy: XY, radius: float) -> None:
    """Ring something that the last play brought here."""
    disc(ax, xy, radius, edge=ACCENT, stroke=0.2 * radius, z=5, tag="arrived")


def left(ax: Axes, xy: XY, radius: float) -> None:
    """The outline of something that the last play took away from here."""
    disc(ax, xy, radius, edge=ACCENT, stroke=0.13 * radius, dashed=True, z=3, tag="left")


def taken(ax: Axes, xy: XY, radius: float) -> None:
    """Cross out a man that the last play hit, captured or ejected."""
    x, y = xy
    arm = 0.5 * radius
    strokes = Path(
        [(x - arm, y - arm), (x + arm, y + arm), (x - arm, y + arm), (x + arm, y - arm)],
        [Path.MOVETO, Path.LINETO, Path.MOVETO, Path.LINETO],
    )
    shape(ax, strokes, edge=IVORY, stroke=0.5 * radius, z=5.1)
    shape(ax, strokes, edge=ACCENT, stroke=0.3 * radius, z=5.2, tag="taken")


def mover(ax: Axes, xy: XY, size: float, degrees: float, colour: str) -> None:
    """A wedge at the side of the player who moves next, its tip towards `degrees`."""
    tip = Affine2D().rotate_deg(degrees).scale(size).translate(*xy)
    corners = tip.transform([(0.8, 0.0), (-0.6, 0.55), (-0.6, -0.55)])
    polygon(
        ax,
        [(x, y) for x, y in corners],
        fill=colour,
        edge=INK,
        stroke=0.14 * size,
        z=5,
        tag="mover",
    )


def fit(ax: Axes, x0: float, y0: float, x1: float, y1: float) -> Axes:
    """Show exactly this part of the plane, undistorted, without axes."""
    ax.set(xlim=(x0, x1), ylim=(y0, y1), aspect="equal")
    ax.set_axis_off()
    return ax
