"""Words as sets, by hand."""

import jax.numpy as jnp
import pytest

from tdlib.kernels import bits


def test_pack_and_has():
    word = bits.pack(jnp.array([True, False, True, True]))
    assert int(word) == 0b1101
    assert [bool(bits.has(word, jnp.int32(i))) for i in range(5)] == [
        True,
        False,
        True,
        True,
        False,
    ]
    assert not bits.has(word, jnp.int32(-1))


@pytest.mark.parametrize("word, place", [(0, 0), (1, 1), (0b1101, 0b1000), (1 << 25, 1 << 25)])
def test_highest(word, place):
    assert int(bits.highest(jnp.int32(word))) == place


def test_nth_finds_every_set_bit_in_order():
    places = [0, 3, 4, 11, 16, 25, 30]
    word = jnp.int32(sum(1 << p for p in places))
    assert [int(bits.nth(word, jnp.int32(i))) for i in range(7)] == places
    assert int(bits.size(word)) == 7
