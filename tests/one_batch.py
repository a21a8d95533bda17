"""Training in batches of one size, so that only one shape is compiled; lanes are filled up.

Nothing that a lane computes depends on the others (`tests/study/test_train.py` holds that with
true batches), so tests of all else may use these.
"""

from types import SimpleNamespace

import jax
import jax.numpy as jnp

from tdlib.learning import online
from tdlib.players.simple import RANDOM

LANES = 4
_train = online.train


def train(task, others, condition, learners, until, *, watch):
    """As `online.train`: the last lane is repeated, and those repetitions play no games."""
    lanes = len(until)
    if lanes > LANES:
        raise ValueError(f"expected at most {LANES} lanes, not {lanes}")

    def filled(x):
        return jnp.concatenate([x, jnp.repeat(x[-1:], LANES - lanes, 0)])

    def shown(all_lanes):
        watch(SimpleNamespace(games=all_lanes.games[:lanes]))

    more = jnp.repeat(learners.games[-1:], LANES - lanes, 0)
    found = _train(
        task,
        others or (RANDOM,),
        jax.tree.map(filled, condition),
        jax.tree.map(filled, learners),
        jnp.concatenate([jnp.asarray(until, jnp.int32), more]),
        watch=shown,
    )
    return jax.tree.map(lambda x: x[:lanes], found)
