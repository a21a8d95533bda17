"""TD(lambda): hand numbers, automatic differentiation, and a plain loop over whole games."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.learning import td
from tdlib.values import mlp
from tests.reference.td import Learner

PLAIN = {"alpha": 0.3, "lam": 0.7, "gamma": 1.0, "kappa": 0.0, "penalty": 0.0}
NOTHING = {"over": False, "stop": False, "final": jnp.zeros(1), "reward": jnp.zeros(1)}


def test_two_steps_by_hand():
    # One input, no hidden layer, no bias, weight 0: V = 0.5 and dV/dw = 0.25 x.
    weights = mlp.Weights(jnp.zeros((0, 1)), jnp.zeros((1, 1)))
    memory = td.forget(weights)
    weights, memory, error = td.td_step(weights, memory, jnp.ones(1), **NOTHING, **PLAIN)
    assert float(error[0]) == 0 and float(memory.prediction[0]) == 0.5
    assert float(td.trace(memory).output[0, 0, 0]) == 0.25

    # x = 2 predicts 0.5 again: no error; the trace is 0.7 * 0.25 + 0.25 * 2
    weights, memory, error = td.td_step(weights, memory, jnp.full(1, 2.0), **NOTHING, **PLAIN)
    assert float(error[0]) == 0
    assert float(td.trace(memory).output[0, 0, 0]) == pytest.approx(0.675)

    # won: w = 0.3 * (1 - 0.5) * 0.675, and nothing is remembered
    end = {"over": True, "stop": True, "final": jnp.ones(1), "reward": jnp.zeros(1)}
    weights, memory, error = td.td_step(weights, memory, jnp.ones(1), **end, **PLAIN)
    assert float(error[0]) == 0.5
    assert float(weights.output[0, 0]) == pytest.approx(0.10125)
    assert not memory.started and not jnp.any(td.trace(memory).output)


def test_a_last_position_that_is_observed_by_hand():
    # As above, but the second position, x = 2, is won: predicted 0.5 like the first, it joins
    # the trace, 0.675, and only then is compared with the outcome. With z in its place the
    # first position alone would learn, 0.3 * (1 - 0.5) * 0.25.
    weights = mlp.Weights(jnp.zeros((0, 1)), jnp.zeros((1, 1)))
    _, memory, _ = td.td_step(
        weights, td.forget(weights), jnp.ones(1), **NOTHING, **PLAIN, observe_end=True
    )
    end = {"over": True, "stop": True, "final": jnp.ones(1), "reward": jnp.zeros(1)}
    seen, after, error = td.td_step(
        weights, memory, jnp.full(1, 2.0), **end, **PLAIN, observe_end=True
    )
    assert float(error[0]) == 0.5 and not after.started
    assert float(seen.output[0, 0]) == pytest.approx(0.3 * 0.5 * 0.675)
    unseen, _, _ = td.td_step(weights, memory, jnp.full(1, 2.0), **end, **PLAIN)
    assert float(unseen.output[0, 0]) == pytest.approx(0.3 * 0.5 * 0.25)


@pytest.mark.parametrize("kappa, gain, loss", [(0, 2, -2), (-1, 4, 0), (0.5, 1, -3)])
def test_risk_weighs_gains_and_losses(kappa, gain, loss):
    assert td.risk(jnp.array([2.0, -2.0, 0.0]), kappa).tolist() == [gain, loss, 0]


def test_reward_penalty_and_discount_enter_the_error():
    weights = mlp.Weights(jnp.zeros((0, 1)), jnp.zeros((1, 1)))
    settings = {**PLAIN, "gamma": 0.9, "penalty": 0.125}
    _, memory, _ = td.td_step(weights, td.forget(weights), jnp.ones(1), **NOTHING, **settings)
    rewarded = {**NOTHING, "reward": jnp.ones(1)}
    _, _, error = td.td_step(weights, memory, jnp.ones(1), **rewarded, **settings)
    assert float(error[0]) == pytest.approx(1 - 0.125 + 0.9 * 0.5 - 0.5)


def test_lambda_one_sums_the_gradients_of_all_positions():
    key_weights, key_features = jax.random.split(jax.random.key(4))
    weights = mlp.init(key_weights, 3, hidden=4, outputs=2, span=1.0)
    positions = jax.random.normal(key_features, (5, 3))
    nothing = {"over": False, "stop": False, "final": jnp.zeros(2), "reward": jnp.zeros(2)}
    settings = {**PLAIN, "lam": 1.0, "alpha": 0.0}  # weights stay, so gradients are comparable
    memory = td.forget(weights)
    for features in positions:
        _, memory, _ = td.td_step(weights, memory, features, **nothing, **settings)
    expected = jax.jacrev(lambda w: jax.vmap(mlp.value, (None, 0))(w, positions).sum(0))(
        weights
    )
    for ours, theirs in zip(td.trace(memory), expected, strict=True):
        assert np.allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize("outputs", [1, 2, 4])
@pytest.mark.parametrize(
    "settings",
    [
        PLAIN,
        {"alpha": 0.1, "lam": 0.5, "gamma": 0.9, "kappa": -0.5, "penalty": 0.01},
        {"alpha": 0.05, "lam": 1.0, "gamma": 0.5, "kappa": 1.0, "penalty": 0.0},
    ],
)
@pytest.mark.parametrize(
    "reevaluate, observe_end", [(False, False), (True, False), (False, True)]
)
def test_whole_games_equal_a_plain_loop(outputs, settings, reevaluate, observe_end):
    # 400 positions in games of 2 to 60; every third position brings a reward
    rng = np.random.default_rng(outputs)
    weights = mlp.init(jax.random.key(outputs), 6, hidden=5, outputs=outputs, span=1.0)
    twin = Learner(weights.hidden.tolist(), weights.output.tolist(), **settings,
                   reevaluate=reevaluate, observe_end=observe_end)  # fmt: skip
    step = jax.jit(td.td_step, static_argnames=("reevaluate", "observe_end"))
    memory, left = td.forget(weights), 7
    for t in range(400):
        left -= 1
        over = left == 0
        left = int(rng.integers(2, 60)) if over else left
        features = rng.integers(0, 2, 6).astype(np.float32)
        final = rng.choice([0.1, 0.9], outputs).astype(np.float32)
        reward = (rng.normal(size=outputs) * (t % 3 == 0) * 0.1).astype(np.float32)
        weights, memory, _ = step(weights, memory, features, over=over, stop=over, final=final,
                                  reward=reward, reevaluate=reevaluate, observe_end=observe_end,
                                  **settings)  # fmt: skip
        twin.reach(
            features.tolist(),
            over=over,
            final=final.tolist(),
            reward=reward.tolist(),
        )
    assert np.allclose(weights.hidden, twin.hidden, atol=1e-5)
    assert np.allclose(weights.output, twin.output, atol=1e-5)
