"""What the inputs of pachisi and Parcheesi share (Matthews 2006, section 5.4).

Both games have four seats of four pieces, each piece on its own path from 0 to home. All inputs
are objective: seats 0..3 keep their places, whoever is to move.

Smart features are costly, and XLA on a CPU takes several numbers at a time only along the last
axis. So they are computed for many positions that lie side by side on that axis, `[..., N]`;
`compute_once.columns` turns such a function into one of a single position.
"""

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from tdlib.types import Array, Changes, Encoding, State, assert_shape

SEATS = PIECES = 4
TRUNCATED = 2  # units of a space, usually; start and home have one for each piece


def unary(
    spaces: tuple[str, ...],
    locate: Callable[[Array], Array],
    home: int,
    changes: Changes,
    *,
    most: int = TRUNCATED,
) -> Encoding:
    """For each seat: spaces [n >= 1 .. n >= most], then start and home [n >= 1 .. n >= 4].

    locate: pieces [4, 4] -> the index in `spaces` of each [4, 4], -1 at start and at home.
    changes: what plays change.
    """

    def encode(state: State, seat: Array) -> Array:
        pieces = state.pieces
        assert_shape("state.pieces", pieces, SEATS, PIECES)
        there = locate(pieces)[..., None] == np.arange(len(spaces))[None, None]
        on = _at_least(there.sum(1), most)  # [4, most * spaces]
        start = _at_least((pieces == 0).sum(-1, keepdims=True), PIECES)  # [4, 4]
        finish = _at_least((pieces == home).sum(-1, keepdims=True), PIECES)
        return jnp.concatenate([on, start, finish], axis=-1).astype(jnp.float32).ravel()

    names = tuple(
        f"seat {seat} {name} >={n}"
        for seat in range(SEATS)
        for group, units in ((spaces, most), (("start", "home"), PIECES))
        for name in group
        for n in range(1, units + 1)
    )
    return Encoding("unary", encode, names, (changes,))


def any_plays(plays: Any) -> Array:
    """For `Changes`: all plays are of one kind."""
    return jnp.bool_(True)


def unit(
    spaces: int,
    home: int,
    seat: Array,
    place: Array,
    space: Array,
    n: Array,
    *,
    most: int = TRUNCATED,
) -> tuple[Array, Array]:
    """The input of `unary` for n pieces or more, and whether there is one.

    seat, place: whose piece it is, and where on its path; space: the index of that place in
    `spaces`, without meaning at start and at home.
    """
    start, finish = place == 0, place == home
    end = most * spaces + jnp.where(start, 0, PIECES)
    row = (most * spaces + 2 * PIECES) * seat
    row += jnp.where(start | finish, end, most * space) + n - 1
    there = n <= jnp.where(start | finish, PIECES, most)
    return jnp.where(there, row, 0), there


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
    """The inputs of `one`, then those of `two`, which every play changes."""

    def encode(state: State, seat: Array) -> Array:
        return jnp.concatenate([one.encode(state, seat), two.encode(state, seat)])

    return Encoding(
        "combined", encode, one.names + two.names, one.changes, one.encode, two.encode
    )


def progress(pieces: Array, seat: Array, home: int) -> Array:
    """Turn, pip, worst and best of each seat: [4, 4, N]. pieces [4, 4, N], seat [N]."""
    left = home - pieces
    turn = (np.arange(SEATS)[:, None] == seat[None]).astype(jnp.int32)
    return jnp.stack([turn, left.sum(1), left.max(1), left.min(1)])


def contact(pieces: Array, ahead: Array) -> Array:
    """Pairs of an own piece and an enemy's that it has still to pass or to reach: [4, N].

    ahead [4, 4, 4, N]: for each seat, where on its own path the pieces [4, 4, N] stand, 0 if
    nowhere or not an enemy's.
    """
    assert ahead.shape == (SEATS, *pieces.shape)
    return (pieces[:, :, None, None] < ahead[:, None]).sum((1, 2, 3))


def _at_least(counts: Array, most: int) -> Array:
    """counts [4, n] -> whether each is >= 1, .., >= most: [4, n * most] bool."""
    units = counts[..., None] >= np.arange(1, most + 1)[None, None]
    return units.reshape(SEATS, -1)
