"""Fixed points of a slow contraction, by Anderson's mixing.

Repeating V <- g(V) removes only a tenth of the error each time here, because a few games are
long. Instead we look for weights, adding up to one, with which the latest changes g(V) - V
nearly cancel, and continue from the mixture of the latest g(V) with these weights (Anderson
1965; Walker & Ni 2011, algorithm AA). This needs about a third of the rounds.
"""

from collections import deque
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.types import Array

LATEST = 5  # rounds that are mixed


def improve(
    g: Callable[[Array], Array],
    values: Array,
    *,
    rounds: int,
    tolerance: float,
    tell: Callable[[float], None],
) -> tuple[Array, float, int]:
    """A better V, the largest |g(V) - V| in the last round, and rounds taken.

    Stops when that is within the tolerance; V is then the latest g(V), for which it is no
    larger. `tell` is called with it after every round.
    """
    changes: deque[Array] = deque(maxlen=LATEST)
    results: deque[Array] = deque(maxlen=LATEST)
    for taken in range(1, rounds + 1):
        result = g(values)
        change = result - values
        residual = float(jnp.abs(change).max())
        tell(residual)
        if residual <= tolerance:
            return result, residual, taken
        changes.append(change)
        results.append(result)
        values = _mixed(mixture(np.asarray(_products(tuple(changes)))), tuple(results))
    return values, residual, rounds


def mixture(products: np.ndarray) -> np.ndarray:
    """Weights [M] of the shortest sum of vectors, given the products [M, M] of all pairs."""
    scale = 1 / np.sqrt(np.diag(products))
    found, *_ = np.linalg.lstsq(products * np.outer(scale, scale), scale, rcond=1e-12)
    return found * scale / (found * scale).sum()


@jax.jit
def _products(vectors: Sequence[Array]) -> Array:
    return jnp.array([[jnp.vdot(x, y) for x in vectors] for y in vectors])


@jax.jit
def _mixed(weights: Array, vectors: Sequence[Array]) -> Array:
    return sum((w * x for w, x in zip(weights, vectors, strict=True)), jnp.zeros(()))
