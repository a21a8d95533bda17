"""Random numbers of a game, by counter: Threefry-2x32 (Salmon et al. 2011), as in `jax.random`.

JAX runs its rounds as a loop on CPUs, which costs more than a whole turn of a game. Here they
are written out, so that XLA makes one short kernel of them.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.types import Array, Key

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = np.uint32(0x1BD11BDA)


def words(key: Key, counter: Array | int) -> tuple[Array, Array]:
    """Two random words, uint32, of a key [] and a counter [] int32."""
    data = jax.random.key_data(key)
    keys = data[..., 0], data[..., 1], data[..., 0] ^ data[..., 1] ^ _PARITY
    x, y = keys[0], jnp.asarray(counter).astype(jnp.uint32) + keys[1]
    for block in range(5):
        for turn in _ROTATIONS[block % 2]:
            x = x + y
            y = (lax.shift_left(y, np.uint32(turn)) | y >> np.uint32(32 - turn)) ^ x
        x = x + keys[(block + 1) % 3]
        y = y + keys[(block + 2) % 3] + np.uint32(block + 1)
    return x, y


def fold_in(key: Key, counter: Array | int) -> Key:
    """The key [] that belongs to a counter [] int32; the same as `jax.random.fold_in`."""
    return jax.random.wrap_key_data(jnp.stack(words(key, counter), -1))


def unit(key: Key, counter: Array | int) -> Array:
    """A number in [0, 1), float32."""
    return (words(key, counter)[0] >> np.uint32(8)).astype(jnp.float32) * np.float32(2**-24)


def below(key: Key, counter: Array | int, count: Array | int) -> Array:
    """A whole number from 0 to count - 1, int32."""
    return jnp.minimum((unit(key, counter) * count).astype(jnp.int32), count - 1)
