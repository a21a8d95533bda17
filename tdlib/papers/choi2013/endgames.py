"""Endgames of Kalah as Choi (2013, section 6.2) had one: found by chance, solved exactly.

His position is in a figure that is lost. He says of it: best play of both ends the game within
10 moves, South wins whoever is to move, and minimax needs 6 plies or more for the right moves.
Here random play is searched for positions of that kind. `python -m tdlib.endgames` writes

    data/kalah_endgames.csv

with three sets: `learned` and `unseen`, for which minimax (piece advantage) needs 6 plies, and
`any`, chosen without regard to that.

Best play: every move that keeps the exact difference, of both players. Minimax needs d plies if
searching d or more (up to 7) it takes, in South's positions of every such game, moves that win;
with fewer some move of its choice would throw the win away.
"""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import jax
import numpy as np
import pandas as pd

from tdlib import paths
from tdlib.exact import kalah as exact
from tdlib.games.kalah.columns import lead, seen, sown
from tdlib.kernels.compute_once import unknown_one
from tdlib.players import kalah_minimax

FILE = paths.ROOT / "data" / "kalah_endgames.csv"
LENGTH = 10  # moves of best play
PLIES = 6  # needed
DEEPEST = 7  # that is tried; one more means that none was enough
SETS = {"learned": 20, "unseen": 20, "any": 200}
CUPS = tuple(f"{side}{cup}" for side in "SN" for cup in (1, 2, 3, 4, 5, 6, "store"))
_GAMES = 6_000  # of random play
_WIDTHS = (64, 1024)


class Positions(NamedTuple):
    """N positions, each on the way from some root."""

    cups: np.ndarray  # [N, 14]
    seats: np.ndarray  # [N]
    roots: np.ndarray  # [N]

    def take(self, which: np.ndarray) -> "Positions":
        return Positions(*(x[which] for x in self))


def after(cups: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What each of the six moves leads to: cups [N, 6, 14], seats and over [N, 6]."""
    boards, again, over = padded(_sown, cups, seats)
    turned = np.roll(boards, 7, axis=-1)
    following = np.where(seats[:, None, None] == 0, boards, turned)
    return following, np.where(again, seats[:, None], 1 - seats[:, None]), over


def minimax(cups: np.ndarray, seats: np.ndarray, depth: int) -> np.ndarray:
    """[N, 6] bool, the moves among which minimax of that depth chooses."""
    mine = np.where(seats[:, None] == 0, cups, np.roll(cups, 7, axis=1))[:, :6]
    (values,) = padded(functools.partial(_searched, depth=depth), cups, seats)
    values = np.where(mine > 0, values.astype(int), -999)
    return values == values.max(1, keepdims=True)


def best_play(solved: exact.Endgames, roots: Positions) -> tuple[Positions, np.ndarray]:
    """All positions of all games of best play from these, and the moves of the longest [roots].

    Games longer than `LENGTH` are not followed to their end.
    """
    there, found, longest = roots, [roots], np.zeros(len(roots.roots), int)
    for move in range(1, LENGTH + 2):
        best = exact.moves(solved, there.cups, there.seats).best
        cups, seats, over = after(there.cups, there.seats)
        n, pit = np.nonzero(best)
        longest[there.roots[n]] = move
        go_on = ~over[n, pit]
        n, pit = n[go_on], pit[go_on]
        there = _distinct(Positions(cups[n, pit], seats[n, pit], there.roots[n]))
        if not len(there.roots):
            break
        found.append(there)
    return Positions(*map(np.concatenate, zip(*found, strict=True))), longest


def plies_needed(
    solved: exact.Endgames, positions: Positions, roots: int, depths: tuple[int, ...]
) -> np.ndarray:
    """[roots, depths] bool, whether minimax of each depth takes only winning moves of South."""
    moves = exact.moves(solved, positions.cups, positions.seats)
    matters = (positions.seats == 0) & (moves.sound != moves.legal).any(1) & (moves.value > 0)
    some, sound = positions.take(matters), moves.sound[matters]
    enough = np.ones((roots, len(depths)), bool)
    for k, depth in enumerate(depths):
        wrong = (minimax(some.cups, some.seats, depth) & ~sound).any(1)
        enough[some.roots[wrong], k] = False
    return enough


def generated(solved: exact.Endgames, seed: int = 0, games: int = _GAMES) -> pd.DataFrame:
    """The three sets, one line for each position."""
    rng = np.random.default_rng(seed)
    cups = _candidates(solved, rng, games)
    both = Positions(
        np.repeat(cups, 2, axis=0), np.tile([0, 1], len(cups)), np.arange(2 * len(cups))
    )
    positions, longest = best_play(solved, both)
    length: np.ndarray = longest.reshape(-1, 2)
    short = np.flatnonzero((length.max(1) <= LENGTH) & (length.max(1) >= PLIES))
    positions = positions.take(np.isin(positions.roots // 2, short))
    positions = positions._replace(roots=positions.roots // 2)
    # those for which 5 plies are too few; only these are worth a deeper look
    shallow = plies_needed(solved, positions, len(cups), (PLIES - 1,))[:, 0]
    hard = np.setdiff1d(short, np.flatnonzero(shallow))
    deep = plies_needed(
        solved, positions.take(np.isin(positions.roots, hard)), len(cups), (PLIES, DEEPEST)
    )
    chosen = hard[deep[hard].all(1)]
    wanted = SETS["learned"] + SETS["unseen"]
    if len(chosen) < wanted:
        raise ValueError(f"found {len(chosen)} of {wanted} endgames; play more games")
    rows = {"learned": chosen[: SETS["learned"]], "unseen": chosen[SETS["learned"] : wanted]}
    rows["any"] = np.setdiff1d(short, chosen[:wanted])[: SETS["any"]]
    return _table(solved, cups, length, positions, rows)


def _candidates(solved: exact.Endgames, rng: np.random.Generator, games: int) -> np.ndarray:
    """Positions of random play that South wins whoever moves: [N, 14], in random order."""
    cups = np.tile([4] * 6 + [0], (games, 2))
    seats, found = np.zeros(games, int), []
    while len(cups):
        pits = cups.reshape(-1, 2, 7)[:, :, :6]
        few = (pits.sum((1, 2)) <= solved.seeds) & (pits.sum(2).min(1) > 0)
        found.append(cups[few])
        legal = np.where(seats[:, None] == 0, pits[:, 0], pits[:, 1]) > 0
        pit = np.argmax(np.where(legal, rng.random(legal.shape), -1), axis=1)
        boards, movers, over = after(cups, seats)
        n = np.arange(len(cups))
        go_on = ~over[n, pit]
        cups, seats = boards[n, pit][go_on], movers[n, pit][go_on]
    distinct = np.unique(np.concatenate(found), axis=0)
    south, north = (
        exact.moves(solved, distinct, np.full(len(distinct), seat)).value for seat in (0, 1)
    )
    return rng.permutation(distinct[(south > 0) & (north < 0)])


def _table(
    solved: exact.Endgames,
    cups: np.ndarray,
    length: np.ndarray,
    positions: Positions,
    rows: dict[str, np.ndarray],
) -> pd.DataFrame:
    listed = np.concatenate(list(rows.values()))
    depths = tuple(range(1, DEEPEST + 1))
    some = positions.take(np.isin(positions.roots, listed))
    enough = plies_needed(solved, some, len(cups), depths)[listed]
    # the smallest depth from which on all are enough
    too_few = np.where(enough, 0, np.array(depths)[None]).max(1)
    names = [(name, i + 1) for name, some in rows.items() for i in range(len(some))]
    table = pd.DataFrame(names, columns=["set", "number"])
    table[list(CUPS)] = cups[listed]
    for seat, who in enumerate(("south", "north")):
        moves = exact.moves(solved, cups[listed], np.full(len(listed), seat))
        table[f"{who}_first_margin"] = moves.value * (1 - 2 * seat)
        table[f"{who}_first_moves"] = length[listed, seat]
        pits = ["".join(str(i + 1) for i in np.flatnonzero(x)) for x in moves.best]
        table[f"{who}_first_best"] = pits
    return table.assign(plies_needed=too_few + 1)


def load(path: Path = FILE) -> pd.DataFrame:
    """The published table; margins are South's."""
    best = {f"{who}_first_best": str for who in ("south", "north")}
    return pd.read_csv(path, dtype=best)


def positions(table: pd.DataFrame) -> Positions:
    """Each line with South to move, then with North."""
    cups = np.repeat(table[list(CUPS)].to_numpy(), 2, axis=0)
    return Positions(cups, np.tile([0, 1], len(table)), np.repeat(np.arange(len(table)), 2))


def _distinct(there: Positions) -> Positions:
    rows = np.column_stack([there.roots, there.seats, there.cups])
    rows = np.unique(rows, axis=0)
    return Positions(rows[:, 2:], rows[:, 1], rows[:, 0])


def padded(
    compute: Callable, cups: np.ndarray, seats: np.ndarray, widths: tuple[int, ...] = _WIDTHS
) -> list[np.ndarray]:
    """compute(cups [14, W], seats [W]) -> arrays [..., W], for any number of positions."""
    parts: list[list[np.ndarray]] = []
    start = 0
    while start < len(cups) or not parts:
        width = next((w for w in widths if len(cups) - start <= w), widths[-1])
        some = slice(start, start + width)
        full = np.zeros((width, cups.shape[1]), np.int32)
        full[: len(cups[some])] = cups[some]
        seat = np.zeros(width, np.int32)
        seat[: len(cups[some])] = seats[some]
        found = jax.device_get(compute(full.T, seat))
        parts.append([np.moveaxis(x, -1, 0)[: len(cups[some])] for x in found])
        start += width
    return [np.concatenate(x) for x in zip(*parts, strict=True)]


@jax.jit
def _sown(cups: jax.Array, seats: jax.Array) -> tuple[jax.Array, ...]:
    made = sown(seen(cups, seats), unknown_one(seats))
    boards = made.boards.reshape(14, 6, -1).swapaxes(0, 1)  # [6, 14, W]
    again, over = (x.reshape(6, -1) for x in (made.again, made.over))
    return boards, again, over


@functools.partial(jax.jit, static_argnames="depth")
def _searched(cups: jax.Array, seats: jax.Array, depth: int) -> tuple[jax.Array]:
    boards, one = seen(cups, seats), unknown_one(seats)
    return (kalah_minimax.values(boards, depth, lambda boards, *_: lead(boards), one),)


if __name__ == "__main__":
    generated(exact.solved()).to_csv(FILE, index=False, lineterminator="\n")
    print(FILE.relative_to(paths.ROOT))
