"""The random walk of Sutton 1988: hand numbers, a plain loop, and what theory knows."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.teaching import random_walk
from tests.reference import random_walk as plain

SOME = ("DCDEFG", "DCBA", "DEDCDEFEFG", "DEFG", "DCBCBA")
LAMBDAS = (0.0, 0.3, 0.7, 1.0)

# Compiled once for all lambdas.
once = jax.jit(random_walk.presented_once)
repeated = jax.jit(random_walk.presented, static_argnames="times")
limit = jax.jit(random_walk.limit)


def told(walks):
    """Walks of different lengths as one training set."""
    found = [random_walk.told(text) for text in walks]
    longest = max(len(walk.last) for walk in found)

    def padded(walk):
        short = longest - len(walk.last)
        return walk._replace(
            x=jnp.pad(walk.x, ((0, short), (0, 0))), last=jnp.pad(walk.last, (0, short))
        )

    return jax.tree.map(lambda *parts: jnp.stack(parts), *map(padded, found))


def letters(walks):
    """Walks [N] as text again."""
    x, _, outcome = jax.device_get(walks)
    texts = []
    for steps, z in zip(x, outcome, strict=True):
        states = "".join("BCDEF"[i] for i in np.nonzero(steps)[1])
        texts.append(states + "AG"[int(z)])
    return texts


def chosen(walks, i):
    """One of some training sets."""
    return jax.tree.map(lambda x: x[i], walks)


def values(weights):
    return [weights[state] for state in "BCDEF"]


@pytest.mark.parametrize(
    ("lam", "expected"),
    [
        # DCDEFG with alpha 1/2; errors -0.2, 0.1, 0.3, 0.1, 0.2 by TD(0)
        (0.0, [0.2, 0.35, 0.55, 0.75, 0.9]),
        # C -> D: 0.1 with e = C 1, D 1/2; D -> E: 0.7 - 0.425 with e = C 1/2, D 5/4; then
        # 0.1 with E 1, D 5/8, C 1/4; and 0.2 with F 1, E 1/2, D 5/16, C 1/8
        (0.5, [0.2, 0.44375, 0.659375, 0.8, 0.9]),
    ],
)
def test_one_walk_by_hand(lam, expected):
    weights, trace = jnp.array([0.2, 0.3, 0.5, 0.7, 0.8]), jnp.zeros(5)
    walk = random_walk.told("DCDEFG")
    following = [*walk.x[1:], None]
    for x, y in zip(walk.x, following, strict=True):
        target = walk.outcome if y is None else weights @ y
        weights, trace, _ = random_walk.step(weights, trace, x, target, alpha=0.5, lam=lam)
    assert np.allclose(weights, expected, atol=1e-6)


def test_a_walk_is_told_by_its_states():
    walk = random_walk.told("DCBA")
    assert walk.x.tolist() == [[0, 0, 1, 0, 0], [0, 1, 0, 0, 0], [1, 0, 0, 0, 0]]
    assert walk.last.tolist() == [False, False, True] and walk.outcome == 0
    assert random_walk.told("DEFG").outcome == 1


@pytest.mark.parametrize("text", ["", "G", "DE", "DFG", "DEFGF", "DXG", "GFG"])
def test_what_is_no_walk_is_refused(text):
    with pytest.raises(ValueError, match="neighbouring states of ABCDEFG that end in A or G"):
        random_walk.told(text)


def test_random_walks_follow_the_rules():
    # 2,000 walks: the mean length is 9 steps (3 x 3), its standard deviation about 7;
    # both bounds are five standard errors, missed by chance once in a million
    walks = jax.device_get(random_walk.training_sets(jax.random.key(1), 200))
    texts = [text for some in range(200) for text in letters(chosen(walks, some))]
    for text in texts:
        assert text[0] == "D" and text[-1] in "AG" and not set(text[:-1]) & set("AG")
        assert all(abs(ord(a) - ord(b)) == 1 for a, b in itertools.pairwise(text))
    assert (np.asarray(walks.last).sum(-1) == 1).all()
    assert abs(np.mean([len(text) - 1 for text in texts]) - 9) < 5 * 7 / 2000**0.5
    assert abs(np.asarray(walks.outcome).mean() - 0.5) < 5 * 0.5 / 2000**0.5


@pytest.mark.parametrize("lam", LAMBDAS)
def test_training_equals_a_plain_loop(lam):
    walks = told(SOME)
    weights = once(walks, 0.15, lam)
    assert np.allclose(weights, values(plain.once(SOME, 0.15, lam)), atol=1e-5)
    often = repeated(walks, 0.02, lam, times=50)
    assert np.allclose(often, values(plain.repeated(SOME, 0.02, lam, 50)), atol=1e-5)


@pytest.mark.parametrize("lam", LAMBDAS)
def test_endless_repetition_comes_to_the_limit(lam):
    walks = told(SOME)
    often = repeated(walks, 0.05, lam, times=5_000)
    assert np.allclose(often, limit(walks, lam), atol=1e-4)


def test_a_state_never_seen_keeps_its_weight():
    weights = limit(told(("DEFG", "DEDEFG")), 0.3)
    assert np.allclose(weights, [0.5, 0.5, 1, 1, 1], atol=1e-5)


def test_lambda_one_is_the_mean_outcome_after_each_state():
    # Widrow-Hoff: C was visited in DCDEFG (1), DCBA (0), DEDCDEFEFG (1), DCBCBA (0, 0)
    assert np.allclose(limit(told(SOME), 1.0)[1], 2 / 5, atol=1e-5)


def test_lambda_zero_is_exact_for_the_observed_chain():
    some = ("DCBA", "DEFG", "DCBCDEFEFG", "DEDCBA")
    pairs = ("BA", "BC", "CB", "CD", "DC", "DE", "ED", "EF", "FE", "FG")
    counts = [sum(walk.count(pair) for walk in some) for pair in pairs]
    odds = np.array(counts).reshape(5, 2)
    left, right = (odds / odds.sum(1, keepdims=True)).T
    model = np.eye(5) - np.diag(left[1:], -1) - np.diag(right[:-1], 1)
    expected = np.linalg.solve(model, [0, 0, 0, 0, right[4]])
    assert np.allclose(limit(told(some), 0.0), expected, atol=1e-5)


def test_the_true_predictions_solve_the_true_chain():
    true = random_walk.TRUE
    ends = np.concatenate([[0], true, [1]])
    assert np.allclose(true, (ends[:-2] + ends[2:]) / 2)
    assert random_walk.rms(jnp.asarray(true)) == 0
    assert random_walk.rms(jnp.asarray(true) + 0.1) == pytest.approx(0.1)


def test_tables_hold_one_error_for_each_set_lambda_and_alpha():
    walks = random_walk.training_sets(jax.random.key(2), 3)
    lams, alphas = jnp.array([0.0, 0.8]), jnp.array([0.0, 0.1, 0.2])
    singles = random_walk.errors_once(walks, alphas, lams)
    often = random_walk.errors_repeated(walks, 0.01, lams, times=20)
    limits = random_walk.errors_limit(walks, lams)
    assert singles.shape == (3, 2, 3) and often.shape == limits.shape == (3, 2)
    second = chosen(walks, 1)
    text = letters(second)
    learned = jnp.array(values(plain.once(text, 0.2, 0.8)))
    assert singles[1, 1, 2] == pytest.approx(float(random_walk.rms(learned)), abs=1e-5)
    learned = jnp.array(values(plain.repeated(text, 0.01, 0.8, 20)))
    assert often[1, 1] == pytest.approx(float(random_walk.rms(learned)), abs=1e-5)
    rest = random_walk.rms(limit(second, 0.8))
    assert limits[1, 1] == pytest.approx(float(rest), abs=1e-5)
