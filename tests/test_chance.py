"""Random numbers by counter are those of JAX, and as evenly spread as they should be."""

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.kernels import random_numbers


def test_keys_are_those_of_jax():
    key = jax.random.key(7)
    for counter in (0, 1, 5, 10**6, 2**31 - 1):
        ours = jax.random.key_data(random_numbers.fold_in(key, counter))
        assert (ours == jax.random.key_data(jax.random.fold_in(key, counter))).all()


def test_whole_numbers_are_evenly_spread():
    # 60,000 throws of a die: each face 10,000 times, standard deviation 91; six of them leave
    # four standard deviations with a chance below 1e-3
    keys = jax.random.split(jax.random.key(3), 60_000)
    faces = jax.vmap(lambda key: random_numbers.below(key, 0, jnp.int32(6)))(keys)
    assert abs(np.bincount(faces, minlength=6) - 10_000).max() < 365
    units = jax.vmap(lambda key: random_numbers.unit(key, 1))(keys)
    assert units.min() >= 0 and units.max() < 1 and abs(float(units.mean()) - 0.5) < 0.005
