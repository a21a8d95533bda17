"""Backgammon, and hypergammon: the same rules with three chequers a side.

Each player numbers the points from its own side and moves down; own point x is the other
player's 25 - x. Seat 0's view of the board:

    13 14 15 16 17 18 | 19 20 21 22 23 24
                      |                      25 bar, 0 borne off
    12 11 10  9  8  7 |  6  5  4  3  2  1

Source: Matthews (2006), sections 3.1-3.2, and the rules by T. Keith that it cites, without
cube, Jacoby rule and automatic doubles. Where the source is silent we chose:

* Who starts: each throws one die, the higher begins and plays these two numbers, so the first
  roll is no double. By symmetry that is a fair coin and one of the 15 plain rolls.
  `start="coin"` lets the beginner throw freely instead; with `start="seat_0"` that is always
  seat 0.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.games.backgammon import plays as listing
from tdlib.games.options import one_of
from tdlib.kernels import bits, random_numbers
from tdlib.kernels.compute_once import kept
from tdlib.kernels.gather import first_above
from tdlib.kernels.rare import rarely
from tdlib.types import Array, Game, Key

START = {
    "backgammon": {24: 2, 13: 5, 8: 3, 6: 5},
    "hypergammon": {24: 1, 23: 1, 22: 1},
}
STARTS = ("higher_die", "coin", "seat_0")
DICE = np.array([(a, b) for a in range(1, 7) for b in range(1, a + 1)], np.int32)  # [21, 2]
_DOUBLE = DICE[:, 0] == DICE[:, 1]
_FREE_ODDS = np.where(_DOUBLE, 1 / 36, 2 / 36).astype(np.float32)
_OPENING_ODDS = np.where(_DOUBLE, 0, 1 / 15).astype(np.float32)


class State(NamedTuple):
    men: Array  # [2, 26] int32, chequers per place in each seat's own numbering
    seat: Array  # [] int32
    opening: Array  # [] bool, the roll that decided who starts is still to be played


class Plays(NamedTuple):
    count: Array  # type: ignore[assignment]  # [] int32; not tuple.count
    dice: Array  # [2] int32, the larger first
    plain: listing.Families  # [53], empty on a double
    double: listing.Families  # [N], empty on a plain roll


def game(name: str = "backgammon", *, start: str = "higher_die") -> Game:
    one_of("start", start, STARTS)
    setup = np.zeros((2, 26), np.int32)
    for point, men in START[name].items():
        setup[:, point] = men
    chequers = int(setup[0].sum())

    def init(key: Key) -> State:
        seat = jnp.int32(0) if start == "seat_0" else random_numbers.below(key, 0, 2)
        return State(jnp.asarray(setup), seat, jnp.bool_(start == "higher_die"))

    return Game(
        name=name,
        seats=2,
        rolls=tuple(f"{a}-{b}" for a, b in DICE),
        init=init,
        odds=odds,
        plays=_plays_with(chequers),
        play=play,
        outcome=outcome,
        pieces=lambda state: state.men[:, 0],
    )


def odds(state: State) -> Array:
    """[21]"""
    return jnp.where(state.opening, _OPENING_ODDS, _FREE_ODDS)


def play(state: State, plays: Plays, rank: Array) -> State:
    """The position after the rank-th play."""
    source, target = steps(plays, rank)
    own, other = _mover_first(state)
    place = jnp.arange(26, dtype=jnp.int32)
    moves = source > 0
    own = own + jnp.where(moves[:, None], _one_hot(target) - _one_hot(source), 0).sum(0)
    landed = jnp.where(moves & (target > 0), 1 << target, 0)
    blots = bits.pack((other[::-1] == 1) & (place >= 1) & (place <= 24))
    hit = bits.has(blots & (landed[0] | landed[1] | landed[2] | landed[3]), place)  # [26]
    other = other - hit[::-1] + jnp.where(place == listing.BAR, hit.sum(), 0)
    men = jnp.where((jnp.arange(2) == state.seat)[:, None], own[None], other[None])
    return State(men, 1 - state.seat, jnp.bool_(False))


def is_double(plays: Plays) -> Array:
    return plays.dice[0] == plays.dice[1]


def is_plain(plays: Plays) -> Array:
    return ~is_double(plays)


def steps(plays: Plays, rank: Array) -> tuple[Array, Array]:
    """Source and target places [4] of the rank-th play's steps; source 0: no chequer moves."""
    source, target = (jnp.pad(x, (0, 2)) for x in plain_steps(plays, rank))
    double_source, double_target = double_steps(plays, rank)
    double = is_double(plays)
    return (
        jnp.where(double, double_source, source),
        jnp.where(double, double_target, target),
    )


def plain_steps(plays: Plays, rank: Array) -> tuple[Array, Array]:
    """The same of a plain roll: [2]."""
    a, b = plays.dice[0], plays.dice[1]
    family, before, last = _pick(plays.plain, rank)
    one_die = family >= 50
    packed = jnp.where(one_die, last, before | last << 5)
    # all in one number, so that XLA computes it only once
    packed = kept(packed | ((family < 25) | (family == 50)) << 20)
    first = jnp.where(packed >> 20 == 1, a, b)
    source = packed >> 5 * np.arange(2) & 31
    return source, jnp.maximum(source - jnp.where(np.arange(2) == 0, first, a + b - first), 0)


def double_steps(plays: Plays, rank: Array) -> tuple[Array, Array]:
    """The same of a double: [4]."""
    _, before, last = _pick(plays.double, rank)
    source = kept(before | last << 15) >> 5 * np.arange(4) & 31
    return source, jnp.maximum(source - plays.dice[0], 0)


class Moved(NamedTuple):
    """The steps of a play one after another, and what each finds. Entries [N] int32."""

    source: Array  # 0: no chequer moves
    target: Array
    leaves: Array  # own chequers on the source, the moving one included
    joins: Array  # own chequers on the target before it comes
    hits: Array  # bool, whether it hits


def moved(state: State, source: Array, target: Array) -> Moved:
    """What steps [N] do to a position; reads it by indexing alone."""
    moves, order = source > 0, np.arange(len(source))
    leaves, joins = state.men[state.seat, source], state.men[state.seat, target]
    faced = state.men[1 - state.seat, 25 - target]
    hits = moves & (target > 0) & (faced == 1)
    for j in order[:-1]:  # each step finds what earlier ones left
        later = (order > j) & moves[j]
        leaves += jnp.where(later, (target[j] == source) * 1 - (source[j] == source), 0)
        joins += jnp.where(later, (target[j] == target) * 1 - (source[j] == target), 0)
        hits &= ~(later & (target[j] == target))
    packed = kept(source | target << 5 | leaves << 10 | joins << 15 | hits << 20)
    source, target, leaves, joins = (packed >> 5 * i & 31 for i in range(4))
    return Moved(source, target, leaves, joins, packed >> 20 == 1)


def outcome(state: State) -> tuple[Array, Array]:
    """Over once somebody has borne off everything; 1 point, 2 for a gammon, 3 for a backgammon.

    Gammon: the loser has borne off nothing. Backgammon: besides, the loser has a chequer on the
    bar or in the winner's home board, which is the loser's own 19..25.
    """
    gone = state.men[:, 1:].sum(-1) == 0  # [2]
    gammon = state.men[:, 0] == 0
    backgammon = gammon & (state.men[:, 19:].sum(-1) > 0)
    points = 1 + gammon.astype(jnp.int32) + backgammon  # [2], if that seat loses
    won = jnp.where(gone, points[::-1], 0)
    return gone.any(), won - won[::-1]


def _plays_with(chequers: int) -> Callable[[State, Array], Plays]:
    """Legal plays for that many chequers a side."""

    def some(us: listing.Side, die: Array) -> listing.Families:
        return listing.doubles(us, die, chequers)

    def none(us: listing.Side, die: Array) -> listing.Families:
        empty = jnp.zeros(listing.capacity(chequers), jnp.int32)
        return listing.Families(empty, empty, empty, jnp.int32(0))

    on_double = rarely(some, none)  # one roll in six, with three times the plays

    def plays(state: State, roll: Array) -> Plays:
        dice = jnp.asarray(DICE)[roll]
        a, b = dice
        us = listing.side(*_mover_first(state))
        plain = listing.plain(us, a, b)
        double = on_double(a == b, us, a)
        count = jnp.where(a == b, double.total, plain.total)
        return Plays(count, dice, plain, double)

    return plays


def _mover_first(state: State) -> tuple[Array, Array]:
    own = jnp.where(state.seat == 0, state.men[0], state.men[1])
    other = jnp.where(state.seat == 0, state.men[1], state.men[0])
    return own, other


def _pick(families: listing.Families, rank: Array) -> tuple[Array, Array, Array]:
    """Family of the rank-th play, its earlier sources, and the last source: each []."""
    family = first_above(families.upto, rank)
    word = families.last[family]
    inside = rank - families.upto[family] + bits.size(word)
    return family, families.before[family], bits.nth(word, inside)


def _one_hot(place: Array) -> Array:
    """[4] -> [4, 26] int32"""
    return (place[:, None] == jnp.arange(26)[None]).astype(jnp.int32)
