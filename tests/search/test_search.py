"""Search against plain Python: values, moves chosen, and node counts of each position."""

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import search
from tests.reference import scrambled as trees
from tests.reference.search import search as plain


def positions(number, seed):
    rng = Random(seed)
    return [(rng.randrange(2**32), rng.randrange(2)) for _ in range(number)]


def reports(found, **options):
    """Reports of scrambled positions, as NumPy."""
    numbers, seats = (np.array(x) for x in zip(*found, strict=True))
    states = trees.State(jnp.asarray(numbers, jnp.uint32), jnp.asarray(seats, jnp.int32))
    keys = jax.random.split(jax.random.key(1), len(found))
    look = search.look(trees.GAME, trees.value, **options)
    return jax.tree.map(np.asarray, jax.jit(jax.vmap(look, (None, 0, 0)))((), keys, states))


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
        ("alphabeta", 5, {"order": trees.key, "ties": "random", "quick_wins": True}),
    ],
)
def test_search_is_that_of_the_textbook(method, depth, options):
    roots = positions(600, seed=depth)
    found = reports(roots, depth=depth, method=method, **options)
    tree = trees.ORDERED if "order" in options else trees.TREE
    for i, root in enumerate(roots):
        expected = plain(
            tree,
            root,
            depth,
            prunes=method == "alphabeta",
            keep_ties="ties" in options,
            quick_wins="quick_wins" in options,
        )
        one = jax.tree.map(lambda x: x[i], found)  # noqa: B023
        assert one.value == expected.value
        assert counts(one) == expected[2:]
        if expected.best:
            assert one.rank in (expected.best if "ties" in options else expected.best[:1])
