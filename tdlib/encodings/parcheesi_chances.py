"""What a Parcheesi player could do with each roll: capture something, use both dice.

Bonus moves are left out. Then opponents' pieces matter only as they stood when the roll fell:
a blockade or a piece on a castle cannot be captured, and landing where one was captured is as
legal as capturing it. So whether a move is legal depends on the own pieces alone, and a capture
is possible if a move that makes it can be reached and the roll be completed after it.

No piece gets further than 14 squares with one roll, so what a piece finds ahead is a few words,
its windows, in which bit d stands for the square d further on. A piece at start, which moves by
a five or not at all, is taken to stand five squares before its entry.

The 21 rolls are not looked at one by one. A row of the table of both dice is a word: in byte 0
bit m says that m can be played after n (n is the row), in byte 1 + o that a piece of opponent o
can be captured on the way. Arrays have an axis of N players last (`columns`).
"""

from itertools import combinations
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.encodings.parcheesi_doubles import doubles
from tdlib.games.parcheesi.steps import HOME, IS_CASTLE, LAST, PIECES, QUARTER, SEATS, TRACK
from tdlib.kernels.compute_once import once, unknown_one
from tdlib.kernels.rare import rarely
from tdlib.kernels.written_out import any_of
from tdlib.types import Array

AHEAD = 14
CHUNK = 64  # players whose doubles are looked at together
_WINDOW = (2 << AHEAD) - 2  # bits 1 .. 14
_DIE = 0b1111110
_FIVE = 1 << 5
_BYTES, _CAPTURES = 0x01010101, 0x01010100  # bit 0 of all bytes, and of all but byte 0
_NUMBER = np.arange(1, 7)[:, None]  # [6, 1]
_TO_FIVE = np.where(_NUMBER < 5, 1 << np.maximum(5 - _NUMBER, 0), 0)  # [6, 1] what makes five
_CASTLES = tuple(int(p) for p in np.flatnonzero(IS_CASTLE[0, : LAST + 1]) if p > 1)


class Sight(NamedTuple):
    """What a player's pieces have ahead of them."""

    at: Array  # [4, N] int32, path numbers; -4 at start
    land: Array  # [4, N] int32, windows: where opponents let the piece land
    take: Array  # [3, 4, N] int32, windows: where it captures from each opponent


class _Own(NamedTuple):
    """How a player's pieces stand to each other, the first axis being the one that moves."""

    start: Array  # [4, N] bool, at start
    next: Array  # [4, N] bool, the last of those at start, which enters first
    pair: Array  # [4, 4, N] bool, together, not home
    ahead: Array  # [4, 4, N] int32, windows: where the other is, if not home


def chances(own: Array, foes: Array, *, must_enter: bool) -> tuple[Array, Array]:
    """Of 36 rolls, how many can capture of each opponent [3, N], and cannot use both dice [N].

    own [4, N]: pieces, ascending; foes [3, 4, N]: those of the next seat, of the one after, ...
    must_enter: as in `parcheesi.game`, with the default rules otherwise.
    """
    assert own.shape[0] == PIECES and foes.shape[:2] == (SEATS - 1, PIECES)
    one = unknown_one(own)
    see = once(lambda: _look(own, foes), one)
    table, single, enters = once(lambda: _two_dice(own, see, must_enter), one)
    all_out = own[0] > 0
    hits, both = once(lambda: _rolls(table, single, enters, all_out), one)
    needed = all_out & (see.take != 0).any((0, 1))
    more = jax.vmap(_by_doubles, in_axes=-1, out_axes=-1)(needed, *see)
    return once(lambda: hits + more, one), 36 - both


_by_doubles = rarely(doubles, lambda at, land, take: jnp.zeros_like(take[:, 0]), chunk=CHUNK)


def _look(own: Array, foes: Array) -> Sight:
    """own [4, N], foes [3, 4, N]."""
    at = jnp.where(own == 0, -4, own)
    ahead = foes + QUARTER * np.arange(1, SEATS)[:, None, None]
    ahead = jnp.where(ahead > TRACK, ahead - TRACK, ahead)  # as the player counts
    on_way = (foes >= 1) & (foes <= LAST) & (ahead <= LAST)
    blockade = any_of(foes == jnp.roll(foes, k, axis=1) for k in (1, 2, 3))
    castle = any_of(ahead == p for p in _CASTLES)  # the entry, p = 1, is no refuge
    square = jnp.where(on_way[None], _bit(ahead[None] - at[:, None, None]), 0)  # [4, 3, 4, N]

    def those(which: Array) -> Array:
        """The windows [3, 4, N] of the squares where these [3, 4, N] stand."""
        there = jnp.where(which[None], square, 0)
        return any_of(there[:, :, k] for k in range(PIECES)).swapaxes(0, 1)

    closed = any_of(those(blockade)) | 1 << jnp.clip(HOME + 1 - at, 1, AHEAD + 1)
    safe = any_of(those(castle & ~blockade))
    land = _before(closed) & ~safe & jnp.where(own == 0, _WINDOW & -_FIVE, _WINDOW)
    return Sight(at, land, those(~castle & ~blockade) & land[None])


def _two_dice(own: Array, see: Sight, must_enter: bool) -> tuple[Array, Array, Array]:
    """The table of both dice [6, N]; what one die can do [N], and what entering can [N].

    The latter are words like the table's, bit n of a byte standing for the number n.
    """
    mine = _relations(own, see.at)
    die = _word(see.land, see.take)  # [4, N]
    die = jnp.where(mine.start, die & _FIVE * _BYTES, die)
    free = [_before(_blockades(mine, i, _others(i))) for i in range(PIECES)]
    enters = any_of(jnp.where(mine.next[i], die[i] & _all(free[i]), 0) for i in range(PIECES))
    walks = ~(enters & _FIVE) if must_enter else ~jnp.zeros_like(enters)
    first = []
    for i in range(PIECES):
        allowed = jnp.where(mine.start[i], jnp.where(mine.next[i], -1, 0), walks)
        first.append(die[i] & _all(free[i] & allowed))
    table = any_of(
        _second(mine, see, die, i, first[i], free[i], must_enter) for i in range(PIECES)
    )
    return table, any_of(first), enters


def _relations(own: Array, at: Array) -> _Own:
    start = own == 0
    nobody = jnp.zeros_like(start[:1])
    out = own[None] < HOME
    return _Own(
        start=start,
        next=start & ~jnp.concatenate([start[1:], nobody]),
        pair=(own[:, None] == own[None]) & out,
        ahead=jnp.where(out, _bit(at[None] - at[:, None]), 0),
    )


def _second(
    mine: _Own, see: Sight, die: Array, i: int, first: Array, free: Array, must_enter: bool
) -> Array:
    """What can be done after, or by, a move of piece i: [6, N] words of the table.

    die [4, N]: all moves by one die; first, free [N]: piece i's legal ones, and its squares
    before own blockades.
    """
    enters = jnp.zeros_like(first)[None]
    ahead = jnp.concatenate([see.land[i][None], see.take[:, i]]) & free[None]  # [4, N]
    walks = _word(ahead[0][None] >> _NUMBER, ahead[1:, None] >> _NUMBER[None])  # i moves on
    for j in _others(i):
        left = _others(i, j)
        closed = _blockades(mine, j, left)[None]
        for k in left:  # now i may stand with k
            meets = mine.ahead[i, k][None] >> _NUMBER & 1 == 1
            closed |= jnp.where(meets, mine.ahead[j, k][None], 0)
        # two that stood together may not meet again in this roll, except at home
        mates = (mine.pair[i, j] & ~mine.start[i])[None] & (see.at[i][None] + _NUMBER < HOME)
        moves = die[j][None] & _all(_before(closed) & ~jnp.where(mates, 1 << _NUMBER, 0))
        may_enter = mine.next[j] | mine.next[i] if j == i - 1 else mine.next[j]
        enters |= jnp.where(may_enter[None], moves, 0)
        walks |= jnp.where(mine.start[j][None], 0, moves)
    if must_enter:
        walks &= ~_all(enters)
    both = enters | walks
    both |= (first[None] >> _NUMBER & _CAPTURES) * (both & _DIE)  # the first move's captures
    return jnp.where(first[None] >> _NUMBER & 1 == 1, both, 0)


def _rolls(table: Array, single: Array, enters: Array, all_out: Array) -> tuple[Array, Array]:
    """Of 36 rolls, how many can capture of each opponent [3, N], and can use both dice [N].

    Where all pieces are out [N], captures by doubles are left to `parcheesi_doubles`.
    """
    turned = any_of((table[n - 1][None] >> _NUMBER & _BYTES) << n for n in range(1, 7))
    table |= turned | (enters >> 5 & _BYTES)[None] * _TO_FIVE
    other = _DIE & ~table  # numbers that cannot be used together with this one
    single = single[None]
    table |= (single >> _NUMBER & _CAPTURES) * other | single & other * _CAPTURES
    captures = table & ~jnp.where(all_out[None], _BYTES << _NUMBER, 0)
    hits = [lax.population_count(captures >> 8 * o & _DIE).sum(0) for o in (1, 2, 3)]
    return jnp.stack(hits), lax.population_count(table & _DIE).sum(0)


def _others(*pieces: int) -> list[int]:
    return [k for k in range(PIECES) if k not in pieces]


def _blockades(mine: _Own, i: int, others: list[int]) -> Array:
    """The window of piece i with the squares where two of the others stand together: [N]."""
    pairs = combinations(others, 2)
    return any_of(jnp.where(mine.pair[k, m], mine.ahead[i, k], 0) for k, m in pairs)


def _bit(distance: Array) -> Array:
    """The window with this square, empty if it is not in sight."""
    return 1 << jnp.clip(distance, 0, AHEAD + 1) & _WINDOW


def _before(squares: Array) -> Array:
    """The window of all squares before the first of these."""
    return (squares & -squares) - 1


def _word(land: Array, take: Array) -> Array:
    """A word of the table, of windows [...] and [3, ...]."""
    return (land & _DIE) | any_of((take[o] & _DIE) << 8 * o + 8 for o in range(SEATS - 1))


def _all(numbers: Array) -> Array:
    """These numbers in all bytes of a word."""
    return (numbers & _DIE) * _BYTES
