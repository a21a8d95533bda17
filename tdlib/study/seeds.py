"""Random numbers by name: the same words give the same numbers, whatever else is computed."""

import hashlib
import zlib

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.types import Key


def key(*words: object) -> Key:
    """For JAX, from words such as an experiment's id, its seed, the run and the purpose."""
    digest = hashlib.sha256(" ".join(map(str, words)).encode()).digest()
    numbers = np.frombuffer(digest[:8], ">u4").astype(np.uint32)
    return jax.random.wrap_key_data(jnp.asarray(numbers))


def rng(*words: object) -> np.random.Generator:
    """For NumPy."""
    return np.random.default_rng(zlib.crc32(" ".join(map(str, words)).encode()))
