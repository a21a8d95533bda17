"""Kalah's endgames solved: every position with few seeds left in the pits.

    solve    compute all positions with up to so many seeds: a minute for 14
    solved   the same, kept in a file of the local store

Seeds in the stores have no influence on how a game goes on. So a position is its pits alone,
seen by the player to move, and its value is what that player will win from them: own seeds
minus the other's, if both play their best, extra moves included.

Positions are numbered by their seeds, and those with equally many seeds in lexicographic order
(the combinatorial number system). A move either takes seeds out of the pits or only brings
seeds nearer to their owner's store. So the values follow from those of positions with fewer
seeds, and among equally many seeds from those whose seeds are nearer to the stores.
"""

import functools
import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib import paths
from tdlib.exact.solutions import keep, kept, refused
from tdlib.files import now, sweep, version
from tdlib.games.kalah.columns import lead, sown, turned
from tdlib.kernels.compute_once import unknown_one

SEEDS = 14  # 9.7 million positions, a byte each
CHUNK = 1 << 15
_MOST = 40  # seeds that positions are numbered for
_ILLEGAL = -128


class Endgames(NamedTuple):
    """All positions with up to `seeds` in the pits."""

    pits: int  # of each side
    seeds: int
    empty_capture: bool
    values: np.ndarray  # [positions] int8
    seconds: float
    version: str
    date: str


_ABOUT = tuple(name for name in Endgames._fields if name != "values")


class Moves(NamedTuple):
    """All moves of N positions, by exact values."""

    legal: np.ndarray  # [N, m] bool
    final: np.ndarray  # [N, m] int, own store less the other's at the end of best play

    @property
    def best(self) -> np.ndarray:
        """[N, m] bool, the moves that win by most or lose by least."""
        return self.legal & (self.final == self.value[:, None])

    @property
    def sound(self) -> np.ndarray:
        """[N, m] bool, the moves that win if the game can be won, else draw if it can."""
        return self.legal & (np.sign(self.final) == np.sign(self.value)[:, None])

    @property
    def value(self) -> np.ndarray:
        """[N] int, of the best move."""
        return np.where(self.legal, self.final, _ILLEGAL).max(1)


def size(pits: int, seeds: int) -> int:
    """How many positions there are."""
    return math.comb(seeds + 2 * pits, 2 * pits)


def number(cups: Any, xp: Any = np) -> Any:
    """The numbers [...] of positions by their pits [2m, ...]; xp: numpy or jax.numpy.

    With r_i seeds from pit i on, k pits: C(r_0 + k, k) - 1 - sum_i>0 C(r_i + k - i - 1, k - i),
    the positions up to the last of as many seeds, less those that come after.
    """
    places = cups.shape[0]
    left = found = xp.zeros(cups.shape[1:], xp.int32)
    for i in range(places - 1, -1, -1):
        left = left + cups[i]
        column = xp.asarray(_column(places, i))[left]
        found = found - column if i else column + found
    return found


@functools.cache
def _column(places: int, i: int) -> np.ndarray:
    """By seeds from pit i on, the number in that place of the sum above."""
    rest = places - i
    counts = (
        math.comb(r + rest - 1, rest) if i else math.comb(r + places, places) - 1
        for r in range(_MOST + 1)
    )
    return np.array([min(n, 2**31 - 1) for n in counts], np.int32)


def boards(pits: int, seeds: int) -> np.ndarray:
    """All positions with exactly so many seeds, in order of their numbers: [2m, N] int8."""

    @functools.cache
    def listed(places: int, seeds: int) -> np.ndarray:
        if places == 1:
            return np.full((1, 1), seeds, np.int8)
        parts = []
        for first in range(seeds + 1):
            rest = listed(places - 1, seeds - first)
            parts.append(np.concatenate([np.full((1, rest.shape[1]), first, np.int8), rest]))
        return np.concatenate(parts, axis=1)

    return listed(2 * pits, seeds)


def solve(
    seeds: int = SEEDS,
    *,
    pits: int = 6,
    empty_capture: bool = False,
    tell: Any = lambda n: None,
) -> Endgames:
    """Compute all; `tell` is called after each number of seeds with the positions done."""
    if not (0 < seeds <= _MOST and pits > 0 and size(pits, seeds) < 2**31):
        raise ValueError(f"expected 1 to {_MOST} seeds and fewer positions, not {seeds}")
    began = time.monotonic()
    values = np.zeros(size(pits, seeds), np.int8)
    for count in range(1, seeds + 1):
        _solve_layer(values, pits, count, empty_capture)
        tell(size(pits, count))
    seconds = time.monotonic() - began
    return Endgames(pits, seeds, empty_capture, values, seconds, version(), now())


def _solve_layer(values: np.ndarray, pits: int, seeds: int, empty_capture: bool) -> None:
    """Fill in all positions with that many seeds; those with fewer are known."""
    cups = boards(pits, seeds)
    first = size(pits, seeds - 1)
    distance = np.arange(pits, 0, -1)
    way = np.concatenate([distance, distance]) @ cups.astype(np.int32)
    own, other = cups[:pits].max(0) > 0, cups[pits:].max(0) > 0
    rest = cups[:pits].sum(0, dtype=np.int8) - cups[pits:].sum(0, dtype=np.int8)
    values[first : first + cups.shape[1]] = np.where(own & other, 0, rest)
    order = np.argsort(way, kind="stable")
    order = order[(own & other)[order]]
    steps = np.flatnonzero(np.diff(way[order])) + 1
    for some in np.split(order, steps):  # equally far from the stores: none leads to another
        for start in range(0, len(some), CHUNK):
            part = some[start : start + CHUNK]
            worth = _worth(values, cups[:, part], empty_capture)
            values[first + part] = worth.max(0)


def _worth(values: np.ndarray, cups: np.ndarray, empty_capture: bool) -> np.ndarray:
    """What every move [m, N] wins, of pits [2m, N] whose moves lead to known positions."""
    pits, found = cups.shape[0] // 2, cups.shape[1]
    width = next(w for w in (256, 4096, CHUNK) if found <= w)
    padded = np.zeros((2 * pits, width), np.int8)
    padded[:, :found] = cups
    gain, following, again, over = (
        np.asarray(x)[:, :found] for x in _successors(padded, empty_capture)
    )
    later = values[following % len(values)]  # where the pit is empty, anything
    worth = gain + np.where(over, 0, np.where(again, later, -later))
    return np.where(cups[:pits] > 0, worth, _ILLEGAL)


@functools.partial(jax.jit, static_argnames="empty_capture")
def _successors(cups: jax.Array, empty_capture: bool) -> tuple[jax.Array, ...]:
    """Of each move [m, N]: seeds won, number of what follows, who moves, whether it is over."""
    pits, many = cups.shape[0] // 2, cups.shape[1]
    nothing = jnp.zeros((1, many), jnp.int8)
    board = jnp.concatenate([cups[:pits], nothing, cups[pits:], nothing])
    after = sown(board, unknown_one(cups.astype(jnp.int32)), empty_capture=empty_capture)
    following = jnp.where(after.again[None], after.boards, turned(after.boards))
    left = jnp.concatenate([following[:pits], following[pits + 1 : -1]]).astype(jnp.int32)
    left = jnp.clip(left, 0, _MOST)  # where the pit is empty
    found = lead(after.boards), number(left, jnp), after.again, after.over
    return tuple(x.reshape(pits, many) for x in found)


def moves(endgames: Endgames, cups: np.ndarray, seats: np.ndarray) -> Moves:
    """Exact values of all moves of positions [N, 2m+2] as in `kalah.State`."""
    cups, seats = np.asarray(cups), np.asarray(seats)
    side = endgames.pits + 1
    mine = np.where(seats[:, None] == 0, cups, np.roll(cups, side, 1)).T
    pits = np.concatenate([mine[: side - 1], mine[side:-1]]).astype(np.int8)
    if pits.sum(0).max(initial=0) > endgames.seeds:
        raise ValueError(f"only positions with up to {endgames.seeds} seeds in pits are solved")
    worth = np.zeros((side - 1, len(cups)), np.int64)
    for start in range(0, len(cups), CHUNK):
        part = slice(start, start + CHUNK)
        worth[:, part] = _worth(endgames.values, pits[:, part], endgames.empty_capture)
    stored = (mine[side - 1] - mine[-1]).astype(np.int64)
    return Moves((mine[: side - 1] > 0).T, (worth + stored).T)


def file(endgames: tuple[int, int, bool], folder: Path | None = None) -> Path:
    """Where the endgames of that many pits and seeds, under that rule, are kept."""
    pits, seeds, empty_capture = endgames
    rule = "-empty" if empty_capture else ""
    return (folder or paths.exact_dir()) / f"kalah-{pits}-{seeds}{rule}.npz"


def solved(
    seeds: int = SEEDS,
    *,
    pits: int = 6,
    empty_capture: bool = False,
    folder: Path | None = None,
) -> Endgames:
    """All positions: read from their file, or computed and kept there."""
    path = file((pits, seeds, empty_capture), folder)
    if path.exists():
        return _read(path, pits, seeds, empty_capture)
    print(
        f"solving Kalah with up to {seeds} seeds: {size(pits, seeds):,} positions", flush=True
    )
    found = solve(seeds, pits=pits, empty_capture=empty_capture)
    keep(path, found.values, {name: getattr(found, name) for name in _ABOUT})
    sweep(path.parent)
    return found


def _read(path: Path, pits: int, seeds: int, empty_capture: bool) -> Endgames:
    values, about = kept(path, _ABOUT)
    found = Endgames(values=values, **about)
    described = found.pits, found.seeds, found.empty_capture, values.shape
    expected = pits, seeds, empty_capture, (size(pits, seeds),)
    if described != expected or values.dtype != np.int8:
        raise refused(path, f"it should be of {expected}, found {described}")
    return found
