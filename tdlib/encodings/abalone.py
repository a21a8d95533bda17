"""The inputs of Abalearn (Campos & Langlois 2003) and of Lee & Noh for Abalone.

`own` is the seat that the network speaks for; all lists give own first, then other.

    abalearn10  63  one input a cell, 1 own, -1 other, 0 empty; own and other stones off
    abalearn11   8  stones in the centre, in the middle, on the border, off
    abalearn12  13  centre, middle, border; material advantage; protection, mean distance to
                    the centre, threatened stones
    leenoh      14  distances to the centre (sum), border, distances between all pairs (sum),
                    protected, threatened, near centre, in between

Cells are in reading order, row I first. Ring r is all cells r steps from the centre E5; the
rings 0 to 4 have 1, 6, 12, 18 and 24 cells.

Where the papers are silent or unreadable we chose, options in brackets:
  - centre is rings 0-2, middle ring 3, border ring 4, the only regions stated by either paper
    (centre01: rings 0-1, 2-3, 4);
  - protected: all six neighbours are own stones; threatened: more enemy than own neighbours,
    both as in Lee & Noh (edge: stones that the enemy could eject if it moved now);
  - stones off are a side's own that the other has ejected; network 1.2 has no such input
    (`off` adds it);
  - scale: counts are divided by 14, stones off and the material advantage by 6, the mean
    distance by 4, the sum of distances to the centre by 56, that over pairs by 546.
"""

import jax.numpy as jnp
import numpy as np

from tdlib.games import abalone
from tdlib.games.abalone.bits import CELL_NAMES, CELLS
from tdlib.games.options import flag, one_of
from tdlib.types import Array, Encoding, assert_shape

RINGS = {"centre012": (2, 3), "centre01": (1, 3)}  # last ring of the centre, of the middle
REGIONS = ("centre", "middle", "border")
THREATS = ("neighbours", "edge")
STEPS = np.array([(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)])  # [6, 2] (row, column)
OFF = len(CELLS)  # stands for everything beyond the rim


def _walk(start: np.ndarray) -> np.ndarray:
    """The cell numbers [...] of (row, column) pairs [..., 2], OFF where there is none."""
    number = {(int(r), int(c)): i for i, (r, c) in enumerate(CELLS)}
    flat = [number.get((int(r), int(c)), OFF) for r, c in start.reshape(-1, 2)]
    return np.array(flat).reshape(start.shape[:-1])


_GAP = CELLS[:, None] - CELLS[None]  # [61, 61, 2]
DISTANCE = np.maximum(np.abs(_GAP).max(-1), np.abs(_GAP[..., 0] - _GAP[..., 1]))  # [61, 61]
RING = DISTANCE[CELL_NAMES.index("E5")]  # [61]
NEIGHBOURS = _walk(CELLS[:, None] + STEPS[None])  # [61, 6]
# Every way over the rim: the cell before it, then the next four inwards. [54, 5]
_EXITS = np.array(
    [
        _walk(CELLS[cell] - np.arange(5)[:, None] * STEPS[direction])
        for cell, direction in np.argwhere(NEIGHBOURS == OFF)
    ]
)
_EXIT_OF = (_EXITS[:, :1] == np.arange(OFF)).astype(np.float32)  # [54, 61]


def abalearn10(*, scaled: bool = True) -> Encoding:
    """Every cell. scaled: stones off divided by 6, else counted."""
    flag("scaled", scaled)

    def encode(state: abalone.State, seat: Array) -> Array:
        sides = _sides(state, seat)
        off = _off(sides) / (abalone.TO_WIN if scaled else 1)
        return jnp.concatenate([sides[0] - sides[1], off])

    return Encoding("abalearn10", encode, (*CELL_NAMES, *_both("off")))


def abalearn11(*, rings: str = "centre012", scaled: bool = True) -> Encoding:
    """Stones by region. rings: one of `RINGS`; scaled: else plain counts."""
    one_of("rings", rings, RINGS)
    flag("scaled", scaled)
    scale = np.array([14, 14, 14, 6] * 2 if scaled else [1] * 8, np.float32)

    def encode(state: abalone.State, seat: Array) -> Array:
        sides = _sides(state, seat)
        counts = jnp.concatenate([_regions(sides, rings), _off(sides)[:, None]], axis=-1)
        return counts.reshape(-1) / scale

    features = (*REGIONS, "off")
    names = tuple(f"{side} {feature}" for side in ("own", "other") for feature in features)
    return Encoding("abalearn11", encode, names)


def abalearn12(
    *,
    rings: str = "centre012",
    threat: str = "neighbours",
    off: bool = False,
    scaled: bool = True,
) -> Encoding:
    """Regions, and features that a human player would name.

    Args:
      rings: one of `RINGS`.
      threat: a stone is threatened by its "neighbours" or by ejection over the "edge".
      off: two more inputs, the stones off.
      scaled: else plain counts, and the mean distance in steps.
    """
    one_of("rings", rings, RINGS)
    one_of("threat", threat, THREATS)
    flag("off", off)
    flag("scaled", scaled)
    scale = [14] * 6 + [6] + [14] * 2 + [4] * 2 + [14] * 2 + [6] * 2 * off
    divisor = np.array(scale if scaled else [1] * len(scale), np.float32)

    def encode(state: abalone.State, seat: Array) -> Array:
        sides = _sides(state, seat)
        number = sides.sum(-1)
        protected, threatened = _neighbourly(sides)
        parts = [
            _regions(sides, rings).reshape(-1),
            number[:1] - number[1:],
            protected,
            _to_centre(sides) / jnp.maximum(number, 1),
            threatened if threat == "neighbours" else _ejectable(sides),
            *([_off(sides)] if off else []),
        ]
        return jnp.concatenate(parts) / divisor

    regions = (f"{s} {region}" for s in ("own", "other") for region in REGIONS)
    pairs = ["protection", "mean distance", "threatened"] + ["off"] * off
    names = (*regions, "material advantage", *(name for pair in pairs for name in _both(pair)))
    return Encoding("abalearn12", encode, names)


def leenoh(*, pair_scale: float = 546, scaled: bool = True) -> Encoding:
    """The seven features of Lee & Noh for both. pair_scale: divisor of the sum over pairs."""
    flag("scaled", scaled)
    if isinstance(pair_scale, bool) or not pair_scale > 0:
        raise ValueError(f"pair_scale must be a number above 0, not {pair_scale!r}")
    one = [56, 14, pair_scale, 14, 14, 14, 14]
    divisor = np.array(one * 2 if scaled else [1] * 14, np.float32)

    def encode(state: abalone.State, seat: Array) -> Array:
        sides = _sides(state, seat)
        centre, middle, border = _regions(sides, "centre012").T
        pairs = ((sides @ DISTANCE.astype(np.float32)) * sides).sum(-1) / 2
        protected, threatened = _neighbourly(sides)
        columns = [_to_centre(sides), border, pairs, protected, threatened, centre, middle]
        return jnp.stack(columns, axis=-1).reshape(-1) / divisor

    features = "distance to centre, border, distance of pairs, protected, threatened"
    features += ", near centre, in between"
    names = (f"{side} {name}" for side in ("own", "other") for name in features.split(", "))
    return Encoding("leenoh", encode, tuple(names))


ENCODINGS = {
    "abalearn10": abalearn10,
    "abalearn11": abalearn11,
    "abalearn12": abalearn12,
    "leenoh": leenoh,
}


def _sides(state: abalone.State, seat: Array) -> Array:
    """[2, 61] float32, 1 where own and where other stones stand."""
    assert_shape("state.stones", state.stones, 2, 3)
    cells = abalone.cells(state)
    return jnp.stack([cells == 1 + seat, cells == 2 - seat]).astype(jnp.float32)


def _off(sides: Array) -> Array:
    """[2], stones of each side that are off the board."""
    return abalone.STONES - sides.sum(-1)


def _regions(sides: Array, rings: str) -> Array:
    """[2, 3], stones of each side in the centre, in the middle and on the border."""
    centre, middle = RINGS[rings]
    region = (centre < RING).astype(int) + (middle < RING)
    return sides @ (region[:, None] == np.arange(3)).astype(np.float32)


def _to_centre(sides: Array) -> Array:
    """[2], the sum of distances to E5."""
    return sides @ RING.astype(np.float32)


def _neighbourly(sides: Array) -> tuple[Array, Array]:
    """protected, threatened [2]: stones among six of their own, and among more enemies."""
    friends = sides @ (DISTANCE == 1).astype(np.float32)  # [2, 61], a border cell has no six
    enemies = friends[::-1]
    return (sides * (friends == 6)).sum(-1), (sides * (enemies > friends)).sum(-1)


def _ejectable(sides: Array) -> Array:
    """[2], stones of each side that the other could eject: by two, or a pair by three."""
    padded = jnp.pad(sides > 0, ((0, 0), (0, 1)))  # nobody stands on OFF
    a, b, c, d, e = jnp.moveaxis(padded[:, _EXITS], -1, 0)  # each [2, 54], a next to the rim
    _, by_b, by_c, by_d, by_e = (line[::-1] for line in (a, b, c, d, e))
    falls = a & ((by_b & by_c) | (b & by_c & by_d & by_e))
    return (falls.astype(jnp.float32) @ _EXIT_OF > 0).sum(-1).astype(jnp.float32)


def _both(feature: str) -> tuple[str, str]:
    return f"own {feature}", f"other {feature}"
