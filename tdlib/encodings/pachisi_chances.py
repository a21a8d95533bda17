"""What a pachisi player could do with each throw: capture something, move at all.

Nothing stands in the way of a piece, so it captures what is as far ahead of it as was thrown,
on the way home or in another circuit, and not on a castle. Only a castle held by an enemy
refuses a piece, which can then go nowhere else, unless it turns in. A set of throws is a word
in which bit d stands for the distance d.
"""

import jax.numpy as jnp
import numpy as np

from tdlib.encodings.race import any_of
from tdlib.games.pachisi import DISTANCE, GRACE, HOME, ODDS, OUT, ROUND, SEATS, TRACK
from tdlib.types import Array

_THROWS = sum(1 << int(d) for d in DISTANCE)
_GRACES = sum(1 << int(d) for d in DISTANCE[GRACE])
_COWRIES = np.rint(ODDS * 64).astype(int)  # [7] of 64


def chances(pieces: Array, entered: Array, ahead: Array, castle: Array) -> tuple[Array, Array]:
    """Hit [4, N] and blockade [4, N], probabilities of one throw, by the default rules.

    pieces [4, 4, N], entered [4, N]: of the state; ahead [4, 4, 4, N]: as in `race.contact`;
    castle [4, 4, N]: which pieces stand on one.
    """
    hit, blockade = [jnp.zeros_like(pieces[0, 0])] * SEATS, []
    for mover in range(SEATS):
        own = pieces[mover]
        refused = jnp.zeros_like(own)
        for enemy in ((mover + 1) % SEATS, (mover + 3) % SEATS):
            throws, inward = _reaching(own[:, None], ahead[mover, enemy][None])
            safe = castle[enemy][None]
            hit[enemy] += _odds(any_of(any_of(jnp.where(safe, 0, throws))))
            refused |= any_of(jnp.where(safe & inward, throws, 0).swapaxes(0, 1))
        start = jnp.where(entered[mover], _GRACES, _THROWS)[None]
        moving = jnp.where(own == 0, start, jnp.where(own < HOME, _THROWS, 0)) & ~refused
        blockade.append(_odds(_THROWS & ~any_of(moving)))
    return jnp.stack(hit) / 128, jnp.stack(blockade) / 64  # a hit: the mean of two opponents


def _reaching(own: Array, ahead: Array) -> tuple[Array, Array]:
    """With which throws pieces get where enemies are, and whether in the present circuit.

    own [4, 1, N]: places; ahead [1, 4, N]: places of the enemies on the same path, 0 nowhere.
    """
    # the own end square, which counts as the later of its two places, may also be the earlier
    ahead = jnp.where((ahead == ROUND) & (own < OUT), OUT, ahead)
    distance = ahead - own
    inward = distance > 0
    distance = jnp.where(inward, distance, distance + TRACK)
    there = (ahead > 0) & (own <= ROUND) & (distance < 32)
    return jnp.where(there, 1 << (distance & 31), 0) & _THROWS, inward


def _odds(throws: Array) -> Array:
    """How many of 64 throws are in the set."""
    odds = jnp.zeros_like(throws)
    for distance, cowries in zip(DISTANCE, _COWRIES, strict=True):
        odds += (throws >> int(distance) & 1) * int(cowries)
    return odds
