"""The solutions in `notebooks/02_td_lambda_by_hand.ipynb` are right, on other numbers too.

`tests/test_notebooks.py` runs the notebook, and with it what the solutions assert about its own
numbers. Here the functions of the solutions are taken out and compared with what was worked out
by hand, or in another way.
"""

import ast

import jax
import jax.numpy as jnp
import nbformat
import numpy as np
import pytest

from tdlib import paths
from tdlib.learning import td
from tdlib.teaching import random_walk
from tdlib.values import mlp
from tests.test_notebooks import solutions

PATH = paths.NOTEBOOKS / "02_td_lambda_by_hand.ipynb"
CELLS = nbformat.read(PATH, 4).cells
limit, td_step = jax.jit(random_walk.limit), jax.jit(td.td_step)
TEXTS = [cell.source for cell in CELLS if "### Exercise" in cell.source]
SOLUTIONS = [code for text in TEXTS for code in solutions(text)]


def functions(source, *names):
    """The functions of that name in some code, without running the rest of it."""
    body = [node for node in ast.parse(source).body if getattr(node, "name", None) in names]
    assert [node.name for node in body] == list(names)
    known = {"np": np, "random_walk": random_walk}
    exec(compile(ast.Module(body, []), PATH.name, "exec"), known)
    return [known[name] for name in names]


def test_there_are_three_exercises_with_folded_solutions():
    assert len(SOLUTIONS) == len(TEXTS) == 3
    for number, (text, code) in enumerate(zip(TEXTS, SOLUTIONS, strict=True), 1):
        assert f"### Exercise {number}" in text and "assert " in code


@pytest.mark.parametrize("lam", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("walk", ["DCDCBA", "DEDCDEFEFG"])
def test_exercise_1_the_trace_of_the_visits_is_the_whole_change(walk, lam):
    (after_one_walk,) = functions(SOLUTIONS[0], "after_one_walk")
    weights, trace, told = jnp.full(5, 0.5), jnp.zeros(5), random_walk.told(walk)
    for t, x in enumerate(told.x):
        target = told.outcome if told.last[t] else weights @ told.x[t + 1]
        weights, trace, _ = random_walk.step(weights, trace, x, target, alpha=0.3, lam=lam)
    found = after_one_walk(walk, alpha=0.3, lam=lam)
    assert np.allclose([found[s] for s in "BCDEF"], weights, atol=1e-6)


def test_exercise_2_counts_explain_where_repetition_ends():
    (from_counts,) = functions(SOLUTIONS[1], "from_counts")
    walks = jax.device_get(random_walk.training_sets(jax.random.key(7), 20, size=4))
    assert (walks.x.sum((1, 2)) == 0).any()  # some states were never visited
    for i in range(20):
        one_set = jax.tree.map(lambda x: x[i], walks)  # noqa: B023
        chain, means = from_counts(one_set)
        assert np.allclose(chain, limit(one_set, 0.0), atol=1e-3)
        assert np.allclose(means, limit(one_set, 1.0), atol=1e-3)


def test_exercise_2_by_hand():
    # D -> C, C -> B, B -> A, and D -> E, E -> F, F -> G: each half is certain, D is in between
    (from_counts,) = functions(SOLUTIONS[1], "from_counts")
    pair = jax.tree.map(
        lambda *x: jnp.stack(x), random_walk.told("DCBA"), random_walk.told("DEFG")
    )
    chain, means = from_counts(pair)
    assert chain.tolist() == means.tolist() == [0, 0, 0.5, 1, 1]


def test_exercise_3_by_hand():
    # G_3 = z = 1; G_2 = 0.5 * 0.4 + 0.5 * 1; G_1 = 0.5 * 0.6 + 0.5 * 0.7
    (lambda_returns,) = functions(SOLUTIONS[2], "lambda_returns")
    values = np.array([0.5, 0.6, 0.4])
    assert np.allclose(lambda_returns(values, 1.0, 0.5), [0.65, 0.7, 1.0])
    assert lambda_returns(values, 1.0, 0.0).tolist() == [0.6, 0.4, 1.0]
    assert lambda_returns(values, 1.0, 1.0).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("lam", [0.0, 0.7, 1.0])
def test_exercise_3_returns_give_the_change_that_traces_give(lam):
    # a step size so small that the weights are as good as held
    (lambda_returns,) = functions(SOLUTIONS[2], "lambda_returns")
    key_weights, key_game = jax.random.split(jax.random.key(3))
    start = mlp.init(key_weights, 4, hidden=3, outputs=1, span=1.0)
    game = jax.random.normal(key_game, (12, 4))
    weights, memory = start, td.forget(start)
    rates = {"alpha": 1e-3, "lam": lam, "gamma": 1.0, "kappa": 0.0, "penalty": 0.0}
    for x, over in [*((x, False) for x in game), (game[0], True)]:
        weights, memory, _ = td_step(
            weights, memory, x, over=over, stop=over, final=jnp.full(1, 0.9),
            reward=jnp.zeros(1), **rates,
        )  # fmt: skip
    seen = jax.jit(jax.vmap(mlp.value_and_gradient, (None, 0)))(start, game)
    values, gradients = jax.device_get(seen)
    aims = lambda_returns(values[:, 0], 0.9, lam) - values[:, 0]
    for new, old, gradient in zip(weights, start, gradients, strict=True):
        expected = np.tensordot(aims, gradient[:, 0], axes=1)
        assert np.allclose((new - old) / 1e-3, expected, atol=0.01 * np.abs(expected).max())
