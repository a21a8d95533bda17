"""Search against plain Python: values, moves chosen, and node counts of each position."""

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import search
from tdlib.search import windows
from tdlib.search.windows import Windowed
from tests.reference import scrambled as trees
from tests.reference.search import search as plain


def positions(number, seed):
    rng = Random(seed)
    return [(rng.randrange(2**32), rng.randrange(2)) for _ in range(number)]


def reports(found, weights=(), **options):
    """Reports of scrambled positions, as NumPy."""
    numbers, seats = (np.array(x) for x in zip(*found, strict=True))
    states = trees.State(jnp.asarray(numbers, jnp.uint32), jnp.asarray(seats, jnp.int32))
    keys = jax.random.split(jax.random.key(1), len(found))
    look = search.look(trees.GAME, trees.value, **options)
    many = jax.jit(jax.vmap(look, (None, 0, 0)))
    return jax.tree.map(np.asarray, many(weights, keys, states))


def counts(one):
    return int(one.generated), int(one.evaluated), int(one.cut)


@pytest.mark.parametrize(
    ("method", "depth", "options"),
    [
        ("minimax", 1, {}),
        ("minimax", 3, {"ties": "random"}),
        ("alphabeta", 1, {"ties": "random"}),
        ("alphabeta", 2, {}),
        ("alphabeta", 4, {"ties": "random"}),
        ("alphabeta", 3, {"order": trees.key}),
        ("alphabeta", 4, {"ties": "bounds"}),
        ("alphabeta", 5, {"order": trees.key, "ties": "random", "quick_wins": True}),
    ],
)
def test_search_is_that_of_the_textbook(method, depth, options):
    roots = positions(600, seed=depth)
    found = reports(roots, depth=depth, method=method, **options)
    tree = trees.ORDERED if "order" in options else trees.TREE
    for i, root in enumerate(roots):
        wins = {"quick_wins": "quick_wins" in options}
        expected = plain(
            tree,
            root,
            depth,
            prunes=method == "alphabeta",
            keep_ties=options.get("ties") == "random",
            **wins,
        )
        full = plain(tree, root, depth, prunes=False, **wins)
        assert expected.value == full.value  # whatever is cut
        assert expected.generated <= full.generated and expected.evaluated <= full.evaluated
        one = jax.tree.map(lambda x: x[i], found)  # noqa: B023
        assert one.value == expected.value
        assert counts(one) == expected[2:]
        if expected.best:
            assert one.rank in (expected.best if "ties" in options else expected.best[:1])


def test_bounds_are_taken_for_values_only_where_asked():
    roots = positions(400, seed=5)
    best = [plain(trees.TREE, root, 4, prunes=False).best for root in roots]
    wrong = {
        ties: sum(
            bool(good) and rank not in good
            for rank, good in zip(reports(roots, depth=4, ties=ties).rank, best, strict=True)
        )
        for ties in search.TIES
    }
    assert wrong["first"] == wrong["random"] == 0 and wrong["bounds"] > 20


def test_the_first_of_equals_is_taken_as_often_as_asked():
    """With the same keys the other choices are those of random ties; sd of the share 0.02."""
    roots = positions(2_000, seed=3)
    first = reports(roots, depth=3).rank
    others = reports(roots, depth=3, ties="random").rank
    mostly = reports(roots, depth=3, ties="random", first=0.9, order="value").rank
    assert ((mostly == first) | (mostly == others)).all()
    differ = first != others
    assert differ.sum() > 150
    assert (mostly == first)[differ].mean() == pytest.approx(0.9, abs=0.05)
    with pytest.raises(ValueError, match="random ties only"):
        search.searching(trees.GAME, trees.value, depth=3, first=0.9)


def test_windows_drop_moves_by_their_keys():
    low, high = [2.0, 1.0, 2.0], [np.inf, 6.0, 5.0]
    weights = Windowed((), jnp.asarray(low), jnp.asarray(high))
    roots = positions(400, seed=8)
    found = reports(roots, weights, depth=3, order=trees.key, windows=True)
    wide = 0
    for i, root in enumerate(roots):
        expected = plain(
            trees.ORDERED, root, 3, prunes=True, windows=list(zip(low, high, strict=True))
        )
        one = jax.tree.map(lambda x: x[i], found)  # noqa: B023
        assert one.value == expected.value
        assert counts(one) == expected[2:]
        assert one.rank in expected.best[:1] or not expected.best
        wide += expected.value != plain(trees.ORDERED, root, 3, prunes=True).value
    assert wide > 50  # windows change what is found
    opened = reports(roots, windows.opened(()), depth=3, order=trees.key, windows=True)
    full = reports(roots, depth=3, order=trees.key)
    jax.tree.map(np.testing.assert_array_equal, opened, full)


def test_windows_are_percentiles_of_all_keys_seen():
    learned = windows.learned((), np.arange(201.0))
    assert learned.low.tolist() == [20.0, 30.0, 40.0]
    assert learned.high.tolist() == [np.inf, 180.0, 170.0]
    rules = search.searching(
        trees.GAME, trees.value, depth=2, order=trees.key, windows=True
    )._replace(slots=16)
    root = positions(60, seed=2)  # more than are expanded together at ply 2
    states = [trees.State(jnp.uint32(n), jnp.int32(seat)) for n, seat in root]
    expected = []
    for position in root:
        for after in trees.TREE.children(position):
            expected.append(trees.ORDERED.key(position, after))
            expected += [trees.ORDERED.key(after, x) for x in trees.TREE.children(after)]
    assert sorted(windows.gathered(rules, (), states).tolist()) == sorted(expected)
