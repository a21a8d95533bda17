"""The textbook search on a tree that can be checked by hand, and on Abalone."""

import jax
import numpy as np
import pytest

from tdlib import games, search
from tdlib.games import every_play
from tdlib.teaching import plain_search
from tdlib.teaching.plain_search import Tree, abalone
from tdlib.values import abalone as values

#             max                 Russell & Norvig (2003), figure 6.2: the middle node is cut
#     3        2        2         after its first leaf, 2; the right one not before its last
#  3 12 8    2 4 6   14 5 2
NODES = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
BOOK = Tree(
    children=lambda node: node if isinstance(node, list) else [],
    value=lambda node: node,
    maximises=lambda node: node is NODES,
)


def test_the_tree_of_the_book():
    full, pruned = (f(BOOK, NODES, 2) for f in (plain_search.minimax, plain_search.alphabeta))
    assert full == (3, 0, 12, 9, 0)
    assert pruned == (3, 0, 10, 7, 2)


def test_visits_tell_what_was_seen_and_where_it_was_cut():
    visits = []
    plain_search.alphabeta(BOOK, NODES, 2, visits)
    assert [v.path for v in visits] == [
        (0, 0), (0, 1), (0, 2), (0,), (1, 0), (1,), (2, 0), (2, 1), (2, 2), (2,), ()
    ]  # fmt: skip
    assert {v.path: v.cut for v in visits if v.cut} == {(1,): 2}
    assert visits[5].value == 2 and visits[5].low == 3


def test_a_leaf_has_no_move_and_a_negative_depth_is_refused():
    assert plain_search.minimax(BOOK, NODES[0][1], 0) == (12, None, 0, 1, 0)
    with pytest.raises(ValueError, match="depth of 0 or more, not -1"):
        plain_search.alphabeta(BOOK, NODES, -1)


def random_tree(rng, depth):
    if depth == 0:
        return int(rng.integers(5))
    return [random_tree(rng, depth - 1) for _ in range(rng.integers(1, 5))]


def test_alphabeta_finds_what_minimax_finds_and_looks_at_no_more():
    rng = np.random.default_rng(0)
    for _ in range(300):
        top = [random_tree(rng, 3) for _ in range(4)]
        level = {id(top): 0}

        def children(node, level=level):
            for child in node:
                level[id(child)] = level[id(node)] + 1
            return node

        tree = Tree(children, lambda n: n, lambda n, level=level: level[id(n)] % 2 == 0)
        full, pruned = (f(tree, top, 4) for f in (plain_search.minimax, plain_search.alphabeta))
        assert (full.value, full.best) == (pruned.value, pruned.best)
        assert pruned.generated <= full.generated and full.cut == 0


GAME = games.make("abalone", broadside=False)


@pytest.fixture(scope="module")
def positions():
    """A random game of 60 moves, every tenth position."""
    rng = np.random.default_rng(1)
    step = jax.jit(lambda state, rank: GAME.play(state, GAME.plays(state, 0), rank))
    state, found = GAME.init(jax.random.key(0)), []
    for ply in range(60):
        after = every_play(GAME, state, 0)
        if ply % 10 == 0:
            found.append((state, after))
        state = step(state, int(rng.integers(len(after))))
    return found


def test_moves_are_those_of_the_game_in_the_same_order(positions):
    for state, after in positions:
        assert abalone.children(abalone.told(state)) == [abalone.told(x) for x in after]


@pytest.mark.parametrize("weights", [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 1, 1, 1)])
def test_values_are_those_of_the_library(positions, weights):
    friedman = jax.jit(values.friedman)
    for state, _ in positions:
        theirs = friedman(values.Friedman(*map(float, weights)), state, 0)
        assert abalone.value(abalone.told(state), weights) == theirs


def test_a_won_game_is_a_leaf_worth_more_than_anything():
    won = abalone.Position(abalone.BOARD & ((1 << 45) - 1), 0b11111111, 1)
    assert abalone.over(won) and abalone.value(won, (1, 1, 1, 1)) == abalone.WON
    assert plain_search.minimax(abalone.tree(), won, 3).generated == 0


def test_counts_are_those_of_the_library_search(positions):
    for method in ("minimax", "alphabeta"):
        look = jax.jit(search.look(GAME, values.friedman, depth=2, method=method))
        weights = values.Friedman(1.0, 0.0, 0.0, 0.0)
        for state, _ in positions:
            theirs = look(weights, jax.random.key(0), state)
            here = abalone.told(state)
            mine = getattr(plain_search, method)(abalone.tree(), here, 2)
            assert abs(mine.value) == abs(theirs.value)
            counts = int(theirs.generated), int(theirs.evaluated), int(theirs.cut)
            assert (mine.generated, mine.evaluated, mine.cut) == counts
