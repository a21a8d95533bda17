"""The inputs of Matthews 2006 for pachisi (section 5.4).

All are objective: seats 0..3 keep their places, whoever moves or asks.

    unary     696  for each seat and each of its places 1..83 [n >= 1, n >= 2], then start and
                   home [n >= 1 .. n >= 4]
    smart      32  turn, pip, worst, best, contact, exposure, hit, blockade, each of four seats
    combined  728  unary, then smart

Where the thesis is silent we chose: smart features are divided by the greatest value they could
take; pieces at start have the whole track before them, and enemies off the track are met by
nobody; a hit is a legal move, with one throw and none after a grace, that captures a piece of
this player, in the mean of its two opponents; a blockade is a throw with which only passing is
legal. Both are asked for all players, whoever is to throw, by the default rules.
"""

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.encodings import race
from tdlib.games import pachisi
from tdlib.games.pachisi import (
    CASTLES,
    HOME,
    ODDS,
    OUT,
    QUARTER,
    ROUND,
    SEATS,
    SLOTS,
    TRACK,
    State,
)
from tdlib.types import Array, Encoding

GREATEST = {
    "turn": 1,
    "pip": 4 * HOME,
    "worst": HOME,
    "best": HOME,
    "contact": 4 * 8,
    "exposure": 4,
    "hit": 1,
    "blockade": 1,
}
_GAME = pachisi.game()


def unary() -> Encoding:
    """Truncated unary counts, the places in the order of each player's path."""

    def locate(pieces: Array) -> Array:
        return jnp.where(pieces < HOME, pieces - 1, -1)

    return race.unary(tuple(f"place {p}" for p in range(1, HOME)), locate, HOME)


def smart(*, normalise: bool = True) -> Encoding:
    """Features a player would name. normalise: divide each by its greatest possible value."""
    return race.smart(raw_features, GREATEST, normalise=normalise)


def combined(*, normalise: bool = True) -> Encoding:
    """Unary, then smart."""
    return race.combined(unary(), smart(normalise=normalise))


def raw_features(state: State) -> Array:
    """The smart features before division: [32] float32."""
    pieces = state.pieces
    on_track = (pieces >= OUT) & (pieces <= ROUND)
    square = (pieces + QUARTER * np.arange(SEATS)[:, None] - OUT) % TRACK
    castle = (square[..., None] % QUARTER == np.array(CASTLES)[None, None]).any(-1)
    contact = race.contact(pieces, _ahead(square, on_track))
    exposure = (on_track & ~castle).sum(-1)
    hit, blockade = _chances(state)
    rest = jnp.stack([contact, exposure, hit, blockade]).astype(jnp.float32)
    return jnp.concatenate([race.progress(state, HOME).astype(jnp.float32), rest]).ravel()


def _ahead(square: Array, on_track: Array) -> Array:
    """For each seat, where its path meets the enemies' pieces: [4, 4, 4], 0 if nowhere.

    The own end square counts as 76, the later of its two places, which lies before any piece
    that has not completed its circuit.
    """
    seats = np.arange(SEATS)
    steps = (square[None] - QUARTER * seats[:, None, None] - 1) % TRACK + 1  # 1..68 from OUT
    enemy = (seats[:, None] - seats[None]) % 2 == 1
    return jnp.where(enemy[..., None] & on_track[None], OUT + steps, 0)


def _chances(state: State) -> tuple[Array, Array]:
    """Hit [4] and blockade [4], probabilities of one throw."""

    def one(seat: Array, roll: Array) -> tuple[Array, Array]:
        """Whether this throw can capture something of each seat [4], and only passes []."""
        asked = state._replace(seat=seat)
        plays = _GAME.plays(asked, roll)
        ranks = np.arange(SLOTS)
        after = jax.vmap(lambda rank: _GAME.play(asked, plays, rank))(ranks).pieces
        lost = (after == 0).sum(-1) > (state.pieces == 0).sum(-1)[None]  # [9, 4]
        return (lost & (ranks < plays.count)[:, None]).any(0), plays.count == 1

    rolls = jax.vmap(one, (None, 0))
    seats = jnp.arange(SEATS, dtype=jnp.int32)
    hits, stuck = jax.vmap(rolls, (0, None))(seats, jnp.arange(len(ODDS), dtype=jnp.int32))
    by_seat = (hits * ODDS[None, :, None]).sum(1)  # [4 movers, 4 victims]; 0 for partners
    return by_seat.sum(0) / 2, (stuck * ODDS[None]).sum(1)
