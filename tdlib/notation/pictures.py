"""Positions drawn with characters, for a terminal and for recorded games."""

import numpy as np

from tdlib.games import abalone as abalone_rules
from tdlib.types import State


def backgammon(state: State) -> str:
    """Seat 0 is X and moves to the lower right, seat 1 is O; point numbers are seat 0's."""
    men = np.asarray(state.men)

    def point(p: int) -> str:
        own, other = men[0, p], men[1, 25 - p]
        return f"{own}X" if own else f"{other}O" if other else "."

    def row(points: range) -> str:
        words = [f"{point(p):>3}" for p in points]
        return "".join(words[:6]) + " |" + "".join(words[6:])

    def numbers(points: range) -> str:
        words = [f"{p:>3}" for p in points]
        return "".join(words[:6]) + " |" + "".join(words[6:])

    upper, lower = range(13, 25), range(12, 0, -1)
    return "\n".join(
        [
            numbers(upper),
            row(upper) + f"   O bar {men[1, 25]} off {men[1, 0]}",
            row(lower) + f"   X bar {men[0, 25]} off {men[0, 0]}",
            numbers(lower) + f"   {'XO'[int(state.seat)]} to roll",
        ]
    )


def kalah(state: State) -> str:
    """North above, its pits from right to left; stores outside."""
    south, north = np.asarray(state.cups).reshape(2, -1)
    width = 3 * (len(south) - 1)
    mover = ("South", "North")[int(state.seat)]
    return "\n".join(
        [
            "    " + "".join(f"{n:>3}" for n in north[-2::-1]),
            f"{north[-1]:>4}" + " " * width + f"{south[-1]:>4}",
            "    " + "".join(f"{n:>3}" for n in south[:-1]) + f"     {mover} to move",
        ]
    )


def abalone(state: State) -> str:
    """Row I above, A below; @ black, O white."""
    cells = "".join(".@O"[c] for c in np.asarray(abalone_rules.cells(state)))
    lines, start = [], 0
    for i, width in enumerate([5, 6, 7, 8, 9, 8, 7, 6, 5]):
        indent = " " * (9 - width)
        lines.append(f"{indent}{'IHGFEDCBA'[i]} {' '.join(cells[start : start + width])}")
        start += width
    ejected = np.asarray(abalone_rules.score(state))
    lines[-1] += f"        {'@O'[int(state.seat)]} to move, ejected {ejected[0]}-{ejected[1]}"
    return "\n".join(lines)


def pachisi(state: State) -> str:
    """Path numbers of the pieces: 0 start, 84 home."""
    return _paths(np.asarray(state.pieces), int(state.seat), home=84, verb="throw")


def parcheesi(state: State) -> str:
    """Path numbers of the pieces: 0 start, 72 home."""
    return _paths(np.asarray(state.pieces), int(state.seat), home=72, verb="roll")


def _paths(pieces: np.ndarray, seat: int, *, home: int, verb: str) -> str:
    names = {0: "start", home: "home"}
    return "\n".join(
        f"{'>' if player == seat else ' '} seat {player} "
        + "".join(f"{names.get(int(p), int(p))!s:>6}" for p in row)
        + (f"   to {verb}" if player == seat else "")
        for player, row in enumerate(pieces)
    )
