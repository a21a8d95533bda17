"""The network, by hand numbers and against automatic differentiation."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.values import mlp


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_value_by_hand():
    weights = mlp.Weights(
        hidden=jnp.array([[1.0, -1.0, 0.5], [0.0, 2.0, -1.0]]),  # two inputs and a bias
        output=jnp.array([[1.0, 1.0, 0.0], [-1.0, 0.5, 0.25]]),
    )
    h = sigmoid(np.array([1 * 1 - 1 * 2 + 0.5, 2 * 2 - 1]))
    expected = sigmoid(np.array([h[0] + h[1], -h[0] + 0.5 * h[1] + 0.25]))
    assert np.allclose(mlp.value(weights, jnp.array([1.0, 2.0])), expected, atol=1e-6)


def test_no_hidden_layer_by_hand():
    weights = mlp.Weights(jnp.zeros((0, 3)), jnp.array([[1.0, -1.0, 0.5]]))
    assert np.allclose(
        mlp.value(weights, jnp.array([1.0, 2.0])), sigmoid(1 - 2 + 0.5), atol=1e-6
    )


@pytest.mark.parametrize("hidden", [0, 1, 7])
@pytest.mark.parametrize("outputs", [1, 2, 4])
@pytest.mark.parametrize("bias", [True, False])
def test_gradient_is_that_of_automatic_differentiation(hidden, outputs, bias):
    key_weights, key_features = jax.random.split(jax.random.key(hidden + 10 * outputs))
    weights = mlp.init(key_weights, 5, hidden=hidden, outputs=outputs, span=1.0, bias=bias)
    features = jax.random.normal(key_features, (5,))

    value, gradient = jax.jit(mlp.value_and_gradient)(weights, features)

    assert np.allclose(value, mlp.value(weights, features), atol=1e-6)
    expected = jax.jacrev(mlp.value)(weights, features)
    for ours, theirs in zip(gradient, expected, strict=True):
        assert ours.shape == theirs.shape
        assert np.allclose(ours, theirs, atol=1e-6)


def test_initial_weights_fill_the_span():
    weights = mlp.init(jax.random.key(0), 196, hidden=10, outputs=2, span=0.5)
    assert weights.hidden.shape == (10, 197) and weights.output.shape == (2, 11)
    assert float(jnp.abs(weights.hidden).max()) <= 0.5
    assert float(weights.hidden.min()) < -0.48 and float(weights.hidden.max()) > 0.48


def test_features_of_the_wrong_length_are_refused():
    weights = mlp.init(jax.random.key(0), 4, hidden=3, outputs=1, span=1.0)
    with pytest.raises(ValueError, match="weights are for 4 or 5 inputs, found 6"):
        mlp.value(weights, jnp.zeros(6))
