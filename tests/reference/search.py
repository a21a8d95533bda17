"""Minimax and alpha-beta in plain Python, one position at a time, over any game.

A game is four functions: who moves at a position, the positions after its moves in order, and
what a position is worth to a seat; a position without moves is the end of the game.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple


class Tree(NamedTuple):
    mover: Callable[[Any], int]
    children: Callable[[Any], list]
    value: Callable[[Any, int], float]
    winner: Callable[[Any], int | None] = lambda position: None
    key: Callable[[Any, Any], float] | None = None  # before, after: highest first


class Found(NamedTuple):
    value: float
    best: list[int]  # the best moves of the root by number, in the order looked at
    generated: int
    evaluated: int
    cut: int


def search(
    tree: Tree,
    root: Any,
    depth: int,
    *,
    prunes: bool,
    keep_ties: bool = False,
    quick_wins: bool = False,
    windows: list[tuple[float, float]] | None = None,
) -> Found:
    """One search, as in a textbook.

    keep_ties: a window that leaves equal moves of the root exact.
    windows: of keys, for each ply; moves outside are dropped, but not the root's first.
    """
    seat = tree.mover(root)
    counts = {"generated": 0, "evaluated": 0, "cut": 0}

    def leaf(position: Any, left: int) -> float:
        counts["evaluated"] += 1
        winner = tree.winner(position) if quick_wins else None
        if winner is None:
            return tree.value(position, seat)
        return (2**20 + left) * (1 if winner == seat else -1)

    def moves(position: Any, left: int) -> list[tuple[int, Any]]:
        numbered = list(enumerate(tree.children(position)))
        if tree.key is not None and left > 1:
            numbered.sort(key=lambda move: -tree.key(position, move[1]))
        return numbered

    def dropped(position: Any, after: Any, left: int) -> bool:
        if windows is None:
            return False
        low, high = windows[depth - left]
        return not low <= tree.key(position, after) <= high

    def value(position: Any, left: int, alpha: float, beta: float) -> float:
        following = [] if left == 0 else moves(position, left)
        if not following:
            return leaf(position, left)
        own = tree.mover(position) == seat
        best = -math.inf if own else math.inf
        for done, (_, after) in enumerate(following, start=1):
            counts["generated"] += 1
            if dropped(position, after, left):
                continue
            found = value(after, left - 1, alpha, beta)
            if own:
                best, alpha = max(best, found), max(alpha, found)
            else:
                best, beta = min(best, found), min(beta, found)
            if prunes and alpha >= beta:
                counts["cut"] += len(following) - done
                break
        return leaf(position, left) if math.isinf(best) else best

    best, chosen = -math.inf, []
    for place, (number, after) in enumerate(moves(root, depth)):
        counts["generated"] += 1
        if place > 0 and dropped(root, after, depth):
            continue
        margin = max(abs(best), 1) * 2**-22 if keep_ties and chosen else 0
        found = value(after, depth - 1, best - margin, math.inf)
        if found > best:
            best, chosen = found, []
        if found == best:
            chosen.append(number)
    if not chosen:
        best = leaf(root, depth)
    return Found(best, chosen, **counts)
