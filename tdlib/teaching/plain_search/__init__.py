"""Minimax and alpha-beta as the textbooks have them: plain Python, one node after another.

`tdlib.search` plays with these algorithms many games at a time. Here they are for reading, for
drawing (`Visit`s tell what was looked at, in order) and for timing: the saving of alpha-beta is
a saving of nodes that a program looks at one by one, as that of Friedman & Ibarra (2004) did.
Notebook 10 explains them; Russell & Norvig (2003), chapter 6, has both.

Counts are of one search: positions made (`generated`, the root left out), leaves valued
(`evaluated`), and moves that were listed and never made (`cut`).
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Node = Any


class Tree(NamedTuple):
    """What a search needs to know of a game."""

    children: Callable[[Node], Sequence[Node]]  # after each move, in the order looked at
    value: Callable[[Node], float]  # for the side that maximises
    maximises: Callable[[Node], bool]  # whether that side is to move
    over: Callable[[Node], bool] = lambda node: False  # a leaf, whatever the depth


class Found(NamedTuple):
    """The result of a search."""

    value: float
    best: int | None  # which child, the first of equals; None at a leaf
    generated: int
    evaluated: int
    cut: int


class Visit(NamedTuple):
    """A node when the search leaves it."""

    path: tuple[int, ...]  # which child of which child of the root
    value: float  # what it reports to its parent; after a cut only a bound
    low: float  # alpha, when the node was entered: the maximiser has this already
    high: float  # beta: the minimiser will not allow more
    cut: int  # children that were not looked at


def minimax(tree: Tree, root: Node, depth: int, visits: list[Visit] | None = None) -> Found:
    """Everything to that depth is looked at. visits: a list that the nodes are noted in."""
    return _Search(tree, False, visits).run(root, depth)


def alphabeta(tree: Tree, root: Node, depth: int, visits: list[Visit] | None = None) -> Found:
    """The same value and the same first-best move, without looking at what cannot matter."""
    return _Search(tree, True, visits).run(root, depth)


class _Search:
    """One search, counting as it goes."""

    def __init__(self, tree: Tree, cuts: bool, visits: list[Visit] | None) -> None:
        self.tree, self.cuts, self.visits = tree, cuts, visits
        self.generated = self.evaluated = self.cut = 0

    def run(self, root: Node, depth: int) -> Found:
        if depth < 0:
            raise ValueError(f"expected a depth of 0 or more, not {depth}")
        value, best = self._look(root, depth, -math.inf, math.inf, ())
        return Found(value, best, self.generated, self.evaluated, self.cut)

    def _look(
        self, node: Node, depth: int, low: float, high: float, path: tuple[int, ...]
    ) -> tuple[float, int | None]:
        if depth == 0 or self.tree.over(node):
            self.evaluated += 1
            value, best, skipped = self.tree.value(node), None, 0
        else:
            value, best, skipped = self._inner(node, depth, low, high, path)
        if self.visits is not None:
            self.visits.append(Visit(path, value, low, high, skipped))
        return value, best

    def _inner(
        self, node: Node, depth: int, low: float, high: float, path: tuple[int, ...]
    ) -> tuple[float, int | None, int]:
        maximises = self.tree.maximises(node)
        children = self.tree.children(node)
        value, best = (-math.inf if maximises else math.inf), None
        for i, child in enumerate(children):
            self.generated += 1
            below = path if self.visits is None else (*path, i)
            found, _ = self._look(child, depth - 1, low, high, below)
            if best is None or (found > value if maximises else found < value):
                value, best = found, i
            if self.cuts:
                if maximises:
                    low = max(low, value)
                else:
                    high = min(high, value)
                if low >= high:
                    self.cut += len(children) - i - 1
                    return value, best, len(children) - i - 1
        return value, best, 0
