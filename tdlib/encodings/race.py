"""What the inputs of pachisi and Parcheesi share (Matthews 2006, section 5.4).

Both games have four seats of four pieces, each piece on its own path from 0 to home. All inputs
are objective: seats 0..3 keep their places, whoever moves or asks.
"""

from collections.abc import Callable

import jax.numpy as jnp
import numpy as np

from tdlib.types import Array, Encoding, State

SEATS = PIECES = 4


def unary(spaces: tuple[str, ...], locate: Callable[[Array], Array], home: int) -> Encoding:
    """For each seat: spaces [n >= 1, n >= 2], then start and home [n >= 1 .. n >= 4].

    locate: pieces [4, 4] -> the index in `spaces` of each [4, 4], -1 at start and at home.
    """

    def encode(state: State, seat: Array) -> Array:
        pieces = state.pieces
        assert pieces.shape == (SEATS, PIECES)
        there = locate(pieces)[..., None] == np.arange(len(spaces))[None, None]
        on = _at_least(there.sum(1), 2)  # [4, 2 * spaces]
        start = _at_least((pieces == 0).sum(-1, keepdims=True), PIECES)  # [4, 4]
        finish = _at_least((pieces == home).sum(-1, keepdims=True), PIECES)
        return jnp.concatenate([on, start, finish], axis=-1).astype(jnp.float32).ravel()

    names = tuple(
        f"seat {seat} {name} >={n}"
        for seat in range(SEATS)
        for group, most in ((spaces, 2), (("start", "home"), PIECES))
        for name in group
        for n in range(1, most + 1)
    )
    return Encoding("unary", encode, names)


def smart(
    raw: Callable[[State], Array], greatest: dict[str, int], *, normalise: bool
) -> Encoding:
    """raw: state -> [4 * features], feature by feature. greatest: by what to divide each."""
    names = tuple(f"seat {seat} {name}" for name in greatest for seat in range(SEATS))
    divisors = np.repeat(list(greatest.values()), SEATS).astype(np.float32)

    def encode(state: State, seat: Array) -> Array:
        return raw(state) / divisors if normalise else raw(state)

    return Encoding("smart", encode, names)


def combined(one: Encoding, two: Encoding) -> Encoding:
    """The inputs of `one`, then those of `two`."""

    def encode(state: State, seat: Array) -> Array:
        return jnp.concatenate([one.encode(state, seat), two.encode(state, seat)])

    return Encoding("combined", encode, one.names + two.names)


def progress(state: State, home: int) -> Array:
    """Turn, pip, worst and best of each seat: [4, 4], feature by feature."""
    left = home - state.pieces
    turn = jnp.arange(SEATS) == state.seat
    return jnp.stack([turn, left.sum(-1), left.max(-1), left.min(-1)])


def contact(pieces: Array, ahead: Array) -> Array:
    """Pairs of an own piece and an enemy's that it has still to pass or to reach: [4].

    ahead [4, 4, 4]: for each seat, where on its own path the pieces [4, 4] stand, 0 if nowhere
    or not an enemy's.
    """
    assert ahead.shape == (SEATS, SEATS, PIECES)
    enemies = ahead.reshape(SEATS, 1, SEATS * PIECES)
    return (pieces[:, :, None] < enemies).sum((1, 2))


def _at_least(counts: Array, most: int) -> Array:
    """counts [4, n] -> whether each is >= 1, .., >= most: [4, n * most] bool."""
    units = counts[..., None] >= np.arange(1, most + 1)[None, None]
    return units.reshape(SEATS, -1)
