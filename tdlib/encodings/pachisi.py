"""The inputs of Matthews 2006 for pachisi (section 5.4).

All are objective: seats 0..3 keep their places, whoever is to move.

    unary     696  for each seat and each of its places 1..83 [n >= 1, n >= 2], then start and
                   home [n >= 1 .. n >= 4]; not truncated 1,360: places too [n >= 1 .. n >= 4]
    smart      32  turn, pip, worst, best, contact, exposure, hit, blockade, each of four seats
    combined  728  unary, then smart

Where the thesis is silent we chose: smart features are divided by the greatest value they could
take; pieces at start have the whole track before them, and nobody meets enemies that are off
the track. Hit is the chance that one throw of an opponent, without another throw after a grace,
lets it capture a piece of this player, averaged over the two opponents; blockade is the chance
of a throw with which only passing is legal, 0 for a player who is home and does not throw. Both
are computed for all players, whoever is to throw, by the default rules.
"""

import functools
from collections.abc import Callable

import jax.numpy as jnp
import numpy as np

from tdlib.encodings import race
from tdlib.games.options import one_of
from tdlib.games.pachisi import (
    CASTLES,
    DISTANCE,
    GRACE,
    HOME,
    NAMED,
    ODDS,
    OUT,
    PIECES,
    QUARTER,
    ROUND,
    SEATS,
    TRACK,
    Plays,
    State,
)
from tdlib.kernels import bits
from tdlib.kernels.compute_once import columns, once, unknown_one
from tdlib.kernels.gather import copied
from tdlib.kernels.written_out import any_of
from tdlib.types import Array, Changes, Encoding

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
_SPACES = tuple(f"place {p}" for p in range(1, HOME))
_CASTLES = tuple(p for p in range(OUT, ROUND + 1) if (p - OUT) % QUARTER in CASTLES)  # places
_THROWS = sum(1 << int(d) for d in DISTANCE)
_GRACES = sum(1 << int(d) for d in DISTANCE[GRACE])
_COWRIES = np.rint(ODDS * 64).astype(int)  # [7] of 64


def unary(*, entry: str = "count", truncated: bool = True) -> Encoding:
    """Unary counts, the places in the order of each player's path.

    entry: as in `pachisi.game`; only `changes` depends on it. truncated: two or more pieces on
    a place look alike.
    """
    one_of("entry", entry, NAMED["entry"])

    def locate(pieces: Array) -> Array:
        return jnp.where(pieces < HOME, pieces - 1, -1)

    most = race.TRUNCATED if truncated else PIECES
    rows = functools.partial(_rows, entry, most)
    changes = Changes(race.any_plays, rows, typical=4, sparse=True)
    return race.unary(_SPACES, locate, HOME, changes, most=most)


def smart(*, normalise: bool = True) -> Encoding:
    """Features that a human player would name. normalise: divide each by its maximum."""
    return race.smart(raw_features, GREATEST, normalise=normalise)


def combined(
    *, normalise: bool = True, entry: str = "count", truncated: bool = True
) -> Encoding:
    """Unary, then smart."""
    return race.combined(unary(entry=entry, truncated=truncated), smart(normalise=normalise))


ENCODINGS: dict[str, Callable[..., Encoding]] = {
    "unary": unary,
    "smart": smart,
    "combined": combined,
}


def raw_features(state: State) -> Array:
    """The smart features before division: [32] float32."""
    return _features(state.pieces, state.entered, state.seat)


def _rows(
    entry: str, most: int, state: State, plays: Plays, rank: Array
) -> tuple[Array, Array]:
    """Rows [14] and amounts [14], or [18]: what a play adds to the unary inputs."""
    state = copied(state)
    slot = bits.nth(plays.slots, jnp.int32(rank))
    moves = slot > 0
    piece, circuit = jnp.divmod(jnp.maximum(slot - 1, 0), 2)
    own = state.pieces[state.seat]
    at = own[piece]
    to = at + jnp.asarray(DISTANCE)[plays.roll]
    to = jnp.where(circuit == 1, OUT + to - ROUND, jnp.minimum(to, HOME))
    if entry == "first":
        to = jnp.where(at == 0, 1, to)

    enemy = (state.seat + np.array([1, 3])) % SEATS  # [2]
    theirs = state.pieces[enemy]  # [2, 4]
    # on their path; never 8 or 76, for nobody is captured on an end square
    there = (QUARTER * (state.seat - enemy) + to - OUT) % TRACK + OUT
    on_track = (to > OUT) & (to < ROUND)
    taken = jnp.where(moves & on_track, (theirs == there[:, None]).sum(-1), 0)[:, None]
    waiting = (theirs == 0).sum(-1)[:, None]

    unit = functools.partial(race.unit, len(_SPACES), HOME, most=most)
    two, four = jnp.arange(1, most + 1)[None], jnp.arange(1, PIECES + 1)[None]
    there, start = there[:, None], jnp.zeros_like(waiting)
    parts = (
        (-1.0, moves, unit(state.seat, at, at - 1, (own == at).sum())),
        (1.0, moves, unit(state.seat, to, to - 1, (own == to).sum() + 1)),
        (-1.0, two <= taken, unit(enemy[:, None], there, there - 1, two)),
        (1.0, four <= taken, unit(enemy[:, None], start, start, waiting + four)),
    )
    rows = [jnp.where(happens, row, 0).ravel() for _, happens, (row, _) in parts]
    amounts = [(sign * (happens & exists)).ravel() for sign, happens, (_, exists) in parts]
    return jnp.concatenate(rows), jnp.concatenate(amounts)


@columns
def _features(pieces: Array, entered: Array, seat: Array) -> Array:
    """[32, N] float32. pieces [4, 4, N], entered [4, N], seat [N]."""
    on_track, castle, ahead = once(lambda: _placed(pieces), unknown_one(pieces))
    exposure = (on_track & ~castle).sum(1)
    rest = race.contact(pieces, ahead), exposure, *_chances(pieces, entered, ahead, castle)
    features = *race.progress(pieces, seat, HOME), *rest
    return jnp.concatenate([x.astype(jnp.float32) for x in features])


def _placed(pieces: Array) -> tuple[Array, Array, Array]:
    """on_track, castle [4, 4, N] bool, and where other paths meet the pieces [4, 4, 4, N]."""
    on_track = (pieces >= OUT) & (pieces <= ROUND)
    castle = any_of(pieces == p for p in _CASTLES)  # faster than to look it up
    return on_track, castle, _ahead(pieces, on_track)


def _ahead(pieces: Array, on_track: Array) -> Array:
    """For each seat, where its path meets the enemies' pieces: [4, 4, 4, N], 0 if nowhere.

    The own end square counts as 76, the later of its two places, which lies before any piece
    that has not completed its circuit.
    """
    seats = np.arange(SEATS)
    after = (seats[None] - seats[:, None]) % SEATS  # how many seats the other comes after
    place = pieces[None] + (QUARTER * after)[..., None, None]
    place = jnp.where(place > ROUND, place - TRACK, place)
    place = jnp.where(place == OUT, ROUND, place)
    enemy = (after % 2 == 1)[..., None, None]
    return jnp.where(enemy & on_track[None], place, 0)


def _chances(pieces: Array, entered: Array, ahead: Array, castle: Array) -> tuple[Array, Array]:
    """Hit [4, N] and blockade [4, N], probabilities of one throw, by the default rules.

    Nothing stands in the way of a piece, so it captures what is as far ahead of it as was
    thrown, on the way home or in another circuit, and not on a castle. Only a castle held by an
    enemy refuses a piece, which can then go nowhere else, unless it turns in. A set of throws
    is a word in which bit d stands for the distance d.

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
        throws = jnp.where((own == HOME).all(0), 0, _THROWS)
        blockade.append(_odds(throws & ~any_of(moving)))
    return jnp.stack(hit) / 128, jnp.stack(blockade) / 64  # a hit: the mean of two opponents


def _reaching(own: Array, ahead: Array) -> tuple[Array, Array]:
    """The throws by which pieces reach enemies, and whether that is in the present circuit.

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
