"""The inputs of Matthews 2006 for Parcheesi (section 5.4).

All are objective: seats 0..3 keep their places, whoever is to move.

    unary     632  for each seat, each square 0..67 of the track and each place 65..71 of its
                   home path [n >= 1, n >= 2], then start and home [n >= 1 .. n >= 4]
    smart      32  turn, pip, worst, best, contact, exposure, hit, blockade, each of four seats
    combined  664  unary, then smart

Where the thesis is silent we chose: smart features are divided by the greatest value they could
take; a piece at start is 72 from home and has the whole track before it; only pieces alone on
a square that is no castle are exposed. Hit is the chance that an opponent's roll has a legal
play that captures a piece of this player, averaged over the three opponents; bonus moves are
left out, and doubles of four numbers count as such. Blockade is the chance of a roll of which
not both dice can be used, bonus moves left out and doubles taken as two dice. Both are computed
for all players, whoever is to roll.
"""

import functools
from collections.abc import Callable

import jax.numpy as jnp
import numpy as np

from tdlib.encodings import race
from tdlib.encodings.parcheesi_chances import chances
from tdlib.games import parcheesi
from tdlib.games.parcheesi import Plays, State
from tdlib.games.parcheesi.steps import HOME, IS_CASTLE, LAST, PIECES, QUARTER, SEATS, TRACK
from tdlib.kernels import bits
from tdlib.kernels.compute_once import columns, kept, once, unknown_one
from tdlib.kernels.gather import copied
from tdlib.kernels.written_out import any_of
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

    must_enter: as in `parcheesi.game`, with the default rules otherwise. Only `changes` depends
    on it, and only for plays beyond the list.
    """
    found = functools.partial(
        parcheesi.found, parcheesi.DEFAULT._replace(must_enter=jnp.bool_(must_enter))
    )

    def rows(state: State, plays: Plays, rank: Array) -> tuple[Array, Array]:
        state = copied(state)
        return _ROWS(state.pieces, state.seat, *found(state, plays, rank))

    return race.unary(_SPACES, _locate, HOME, Changes(race.any_plays, rows, typical=10))


def _rows(pieces: Array, seat: Array, own: Array, foes: Array) -> tuple[Array, Array]:
    """Rows [32, N] and amounts [32, N]: what plays, given as two words, add to the inputs.

    pieces [4, 4, N], seat [N], own [N], foes [N]. First the mover's four pieces as they were,
    then as they are, with 0 for what is in both. Behind them in pairs, less and more, those
    captured, each from a square where it stood alone to the start.
    """
    one = unknown_one(own)
    mine = pieces[0]
    for k in range(1, SEATS):
        mine = jnp.where(seat[None] == k, pieces[k], mine)
    after = own[None] >> (7 * np.arange(PIECES)[::-1])[:, None] & 127
    old, new = once(lambda: (_own_rows(seat, mine), _own_rows(seat, after)), one)
    less = ~any_of(old == new[k][None] for k in range(PIECES))
    more = ~any_of(new == old[k][None] for k in range(PIECES))
    rows, amounts = once(lambda: _captured_rows(pieces, seat, foes), one)
    moved = jnp.where(less, old, 0), jnp.where(more, new, 0)
    by = jnp.where(less, -1.0, 0.0), jnp.where(more, 1.0, 0.0)
    return jnp.concatenate([*moved, rows]), jnp.concatenate([*by, amounts])


def _own_rows(seat: Array, pieces: Array) -> Array:
    """The inputs of a player's pieces [4, N]; of equal ones the n-th says n or more."""
    n = jnp.ones_like(pieces)
    for k in range(1, PIECES):
        behind = (np.arange(PIECES) >= k)[:, None]
        n += behind & (pieces == jnp.roll(pieces, k, axis=0))
    return _unit(seat[None], pieces, n)


def _captured_rows(pieces: Array, seat: Array, foes: Array) -> tuple[Array, Array]:
    """Rows [24, N] and amounts [24, N] of the pieces captured, those that exist in front."""
    lost = (foes >> 7 * 2 & 15) << 8 | (foes >> 7 & 15) << 4 | foes & 15  # the last one lowest
    left = jnp.broadcast_to(lost[None], (PIECES * (SEATS - 1), *lost.shape))
    pair = np.arange(len(left))[:, None]
    for k in range(len(left) - 1):
        left = jnp.where(pair > k, left & left - 1, left)
    left = kept(left)
    lowest = left & -left
    bit = bits.size(lowest - 1)
    foe = SEATS - 2 - (bit >> 2)
    owner = foe + (foe >= seat[None])
    waiting = (pieces == 0).sum(1)
    words = pieces | waiting[:, None] << 8
    word = jnp.zeros_like(bit)  # of the piece captured
    for k in range(SEATS * PIECES):
        who, which = divmod(k, PIECES)
        found = (owner == who) & (bit & 3 == PIECES - 1 - which)
        word = jnp.where(found, words[who, which][None], word)
    before = bits.size(lost[None] & lowest - 1 & (15 << (bit & 12)))
    word = kept(word + (before << 8))
    from_, to = (
        _unit(owner, word & 127, jnp.int32(1)),
        _unit(owner, jnp.zeros_like(word), 1 + (word >> 8)),
    )
    there = left > 0
    less = np.array([True, False])[None, :, None]
    rows = jnp.where(there[:, None], jnp.where(less, from_[:, None], to[:, None]), 0)
    amounts = jnp.where(there[:, None], np.where(less, -1.0, 1.0).astype(np.float32), 0.0)
    return rows.reshape(-1, lost.size), amounts.reshape(-1, lost.size)


_ROWS = columns(_rows)


def _unit(seat: Array, where: Array, n: Array) -> Array:
    """The unary input that says n pieces or more are there. Two at the most share a square."""
    square = (QUARTER * seat + 4 + where) % TRACK
    space = jnp.where(where <= LAST, square, TRACK + where - LAST - 1)
    return race.unit(len(_SPACES), HOME, seat, where, space, n)[0]


def smart(*, normalise: bool = True, must_enter: bool = True) -> Encoding:
    """Features that a human player would name.

    normalise: divide each by its greatest possible value. must_enter: as in `parcheesi.game`.
    """
    raw = functools.partial(raw_features, must_enter=must_enter)
    return race.smart(raw, GREATEST, normalise=normalise)


def combined(*, normalise: bool = True, must_enter: bool = True) -> Encoding:
    """Unary, then smart."""
    one = unary(must_enter=must_enter)
    return race.combined(one, smart(normalise=normalise, must_enter=must_enter))


ENCODINGS: dict[str, Callable[..., Encoding]] = {
    "unary": unary,
    "smart": smart,
    "combined": combined,
}


def raw_features(state: State, *, must_enter: bool = True) -> Array:
    """The smart features before division: [32] float32."""
    return _FEATURES[must_enter](state.pieces, state.seat)


def _features(pieces: Array, seat: Array, *, must_enter: bool) -> Array:
    """[32, N] float32. pieces [4, 4, N], seat [N]."""
    one = unknown_one(pieces)
    on_track = (pieces >= 1) & (pieces <= LAST)
    alone = ~any_of(pieces == jnp.roll(pieces, k, axis=1) for k in (1, 2, 3))
    castle = any_of(pieces == p for p in _CASTLES)
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
