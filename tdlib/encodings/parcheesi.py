"""The inputs of Matthews 2006 for Parcheesi (section 5.4).

All are objective: seats 0..3 keep their places, whoever moves or asks.

    unary     632  for each seat, each square 0..67 of the track and each place 65..71 of its
                   home path [n >= 1, n >= 2], then start and home [n >= 1 .. n >= 4]
    smart      32  turn, pip, worst, best, contact, exposure, hit, blockade, each of four seats
    combined  664  unary, then smart

Where the thesis is silent we chose: smart features are divided by the greatest value they could
take; a piece at start is 72 from home and has the whole track before it; only pieces alone on
a square that is no castle are exposed. A hit is a legal play, bonus moves left out, that
captures a piece of this player, in the mean of the three opponents; doubles of four numbers
count as such. A blockade is a roll of which not both dice can be used, bonus moves left out and
doubles taken as two dice. Both are asked for all players, whoever is to roll.
"""

import functools

import jax.numpy as jnp
import numpy as np

from tdlib.encodings import race
from tdlib.encodings.parcheesi_chances import chances
from tdlib.fusion import columns, kept, once, unknown_one
from tdlib.games import bits, parcheesi
from tdlib.games.parcheesi import Plays, State
from tdlib.games.parcheesi_finals import captured
from tdlib.games.parcheesi_steps import (
    HOME,
    IS_CASTLE,
    LAST,
    PIECES,
    QUARTER,
    SEATS,
    TRACK,
    place,
)
from tdlib.picks import copied
from tdlib.types import Array, Changes, Encoding

GREATEST = {
    "turn": 1,
    "pip": 4 * HOME,
    "worst": HOME,
    "best": HOME,
    "contact": 4 * 12,
    "exposure": 4,
    "hit": 1,
    "blockade": 1,
}
_SPACES = tuple(f"square {s}" for s in range(TRACK)) + tuple(
    f"home path {p}" for p in range(LAST + 1, HOME)
)
_CASTLES = tuple(int(p) for p in np.flatnonzero(IS_CASTLE[0, : LAST + 1]))


def unary(*, must_enter: bool = True) -> Encoding:
    """Truncated unary counts, the squares of the track in the same order for all players.

    must_enter: as in `parcheesi.game`, the default rules otherwise. Only `changes` asks, and
    only for plays beyond the list.
    """
    found = functools.partial(
        parcheesi.found, parcheesi.DEFAULT._replace(must_enter=jnp.bool_(must_enter))
    )

    def rows(state: State, plays: Plays, rank: Array) -> tuple[Array, Array]:
        state = copied(state)
        return _rows(state, *found(state, plays, rank))

    return race.unary(_SPACES, _locate, HOME, Changes(race.any_plays, rows))


def _rows(state: State, own: Array, foes: Array) -> tuple[Array, Array]:
    """Rows [32] and amounts [32]: what a play, given as two words, adds to the unary inputs.

    In pairs, less and more: first the mover's pieces that moved, then those captured, each from
    a square where it stood alone to the start.
    """
    pair = jnp.arange(SEATS * PIECES, dtype=jnp.int32)  # more can never change
    before, after = state.pieces[state.seat], place(own, np.arange(PIECES))
    old, new = (race.rows_of(_unit, state.seat, pieces) for pieces in (before, after))
    same = old[:, None] == new[None, :]
    less, more = bits.pack(~same.any(1)), bits.pack(~same.any(0))
    moved = bits.size(less)
    lost = bits.pack(captured(foes).ravel())
    words = kept(less | more << 4 | moved << 8 | lost << 12)  # once, for all pairs
    less, more, moved, lost = words & 15, words >> 4 & 15, words >> 8 & 15, words >> 12

    piece = bits.nth(lost, jnp.maximum(pair - moved, 0)) % (PIECES * (SEATS - 1))
    foe = piece // PIECES
    seat = foe + (foe >= state.seat)
    their = state.pieces[seat, piece % PIECES]
    earlier = bits.size(lost & (1 << piece) - 1 & (15 << PIECES * foe))
    waiting = (state.pieces == 0).sum(-1)[seat] + earlier + 1
    own_pair = pair < moved
    first = jnp.where(
        own_pair, old[bits.nth(less, pair) % PIECES], _unit(seat, their, jnp.int32(1))
    )
    second = jnp.where(
        own_pair, new[bits.nth(more, pair) % PIECES], _unit(seat, jnp.zeros_like(seat), waiting)
    )
    there = pair < moved + bits.size(lost)
    rows = jnp.where(there[:, None], jnp.stack([first, second], 1), 0).ravel()
    return rows, jnp.where(there[:, None], np.array([-1.0, 1.0], np.float32)[None], 0.0).ravel()


def _unit(seat: Array, where: Array, n: Array) -> Array:
    """The unary input that says n pieces or more are there. Two at the most share a square."""
    square = (QUARTER * seat + 4 + where) % TRACK
    space = jnp.where(where <= LAST, square, TRACK + where - LAST - 1)
    return race.unit(len(_SPACES), HOME, seat, where, space, n)[0]


def smart(*, normalise: bool = True, must_enter: bool = True) -> Encoding:
    """Features a player would name.

    normalise: divide each by its greatest possible value. must_enter: as in `parcheesi.game`.
    """
    raw = functools.partial(raw_features, must_enter=must_enter)
    return race.smart(raw, GREATEST, normalise=normalise)


def combined(*, normalise: bool = True, must_enter: bool = True) -> Encoding:
    """Unary, then smart."""
    one = unary(must_enter=must_enter)
    return race.combined(one, smart(normalise=normalise, must_enter=must_enter))


def raw_features(state: State, *, must_enter: bool = True) -> Array:
    """The smart features before division: [32] float32."""
    return _FEATURES[must_enter](state.pieces, state.seat)


def _features(pieces: Array, seat: Array, *, must_enter: bool) -> Array:
    """[32, N] float32. pieces [4, 4, N], seat [N]."""
    one = unknown_one(pieces)
    on_track = (pieces >= 1) & (pieces <= LAST)
    alone = ~race.any_of(pieces == jnp.roll(pieces, k, axis=1) for k in (1, 2, 3))
    castle = race.any_of(pieces == p for p in _CASTLES)
    exposure = (on_track & alone & ~castle).sum(1)
    ahead = once(lambda: _ahead(pieces, on_track), one)
    own, foes = once(lambda: _players(pieces), one)
    could_hit, blockade = chances(own, foes, must_enter=must_enter)
    could_hit = could_hit.reshape(SEATS - 1, *pieces.shape[1:])
    hit = sum(jnp.roll(could_hit[k - 1], k, axis=0) for k in range(1, SEATS))
    chance = hit / (36 * (SEATS - 1)), blockade.reshape(SEATS, -1) / 36
    rest = race.contact(pieces, ahead), exposure, *chance
    features = *race.progress(pieces, seat, HOME), *rest
    return jnp.concatenate([x.astype(jnp.float32) for x in features])


def _players(pieces: Array) -> tuple[Array, Array]:
    """The pieces of all players [4, 4 * N], and of their opponents in turn [3, 4, 4 * N]."""
    foes = jnp.stack([jnp.roll(pieces, -k, axis=0) for k in range(1, SEATS)])
    own, foes = pieces.swapaxes(0, 1), foes.swapaxes(1, 2)
    return own.reshape(PIECES, -1), foes.reshape(SEATS - 1, PIECES, -1)


_FEATURES = {
    must_enter: columns(functools.partial(_features, must_enter=must_enter))
    for must_enter in (False, True)
}


def _locate(pieces: Array) -> Array:
    square = (QUARTER * np.arange(SEATS)[:, None] + 4 + pieces) % TRACK
    place = jnp.where(pieces <= LAST, square, TRACK + pieces - LAST - 1)
    return jnp.where((pieces > 0) & (pieces < HOME), place, -1)


def _ahead(pieces: Array, on_track: Array) -> Array:
    """For each seat, where its path meets the enemies' pieces: [4, 4, 4, N], 0 if nowhere."""
    seats = np.arange(SEATS)
    after = (seats[None] - seats[:, None]) % SEATS  # how many seats the other comes after
    ahead = pieces[None] + (QUARTER * after)[..., None, None]
    ahead = jnp.where(ahead > TRACK, ahead - TRACK, ahead)
    enemy = (after > 0)[..., None, None]
    return jnp.where(enemy & on_track[None] & (ahead <= LAST), ahead, 0)
