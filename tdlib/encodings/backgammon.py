"""The inputs of Matthews 2006 for backgammon and hypergammon (section 5.4, table 5.1).

All are objective: seat 0 and seat 1 keep their places, whoever is to move.

    unary     196  for each seat and each of its points 1..24 [n >= 1, n >= 2, n >= 3, more],
                   then chequers on the bar and borne off
    smart      15  turn, pip, worst, best (seat 0, seat 1), contact, exposure, hit, blockade
    combined  211  unary, then smart

Section 4.3.2 has bar and off "represented by a single integer each"; 5.4.1 calls the inputs
"nearly identical" to those of Tesauro 1992, who divides. We follow Tesauro: `more` is
(n - 3) / 2 above three, the bar counts 1/2 and a chequer off 1/15 (1/3 in hypergammon); `bar`
and `scaled` have the other readings.

Where the thesis is silent we chose: smart features are divided by the greatest value they could
take; best is 0 as soon as a chequer is off; only chequers on points are exposed; a roll hits if
any legal play of the whole roll does, and it is blocked if not all its dice can be used. Both
are counted for both players, whoever is to move. `Readings` lists what else the text can mean.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.encodings import race
from tdlib.encodings.backgammon_chances import BLOCKADES, HITS, chances
from tdlib.games.backgammon import (
    START,
    Plays,
    State,
    double_steps,
    is_double,
    is_plain,
    moved,
    plain_steps,
)
from tdlib.games.backgammon.plays import BAR, Side, side
from tdlib.games.options import one_of
from tdlib.kernels import bits
from tdlib.kernels.compute_once import columns, once, unknown_one
from tdlib.types import Array, Changes, Encoding, assert_shape

EXTRA = {  # the fourth unit of a point: what each chequer above four adds, and the fourth
    "half": (1 / 2, 1 / 2),  # (n - 3) / 2
    "over": (1, 1),  # n - 3
    "count": (1, 4),  # n
}
BAR_COUNTS = {"half": 1 / 2, "whole": 1.0}  # a chequer on the bar
_POINTS = range(1, 25)


def unary(
    game: str, *, extra: str = "half", bar: str = "half", scaled: bool = True
) -> Encoding:
    """Truncated unary counts. scaled: bar and off as fractions; else both as plain counts."""
    one_of("extra", extra, EXTRA)
    one_of("bar", bar, BAR_COUNTS)
    on_bar, off = (BAR_COUNTS[bar], 1 / _chequers(game)) if scaled else (1.0, 1.0)

    slope, first = EXTRA[extra]
    lines = [(1, 0, 1), (2, 0, 1), (3, 0, 1), (4, slope, first - 4 * slope)]
    # Every input is 0 below some number of chequers, and a straight line from there on: in one
    # formula, since XLA is slow at putting parts together
    least, per_man, fixed = np.array(
        [*lines * 24, (0, on_bar, 0), (0, off, 0)] * 2, np.float32
    ).T  # [196]
    place = np.array([*np.repeat(_POINTS, 4), BAR, 0])
    place = np.concatenate([place, 26 + place])  # [196]

    def encode(state: State, seat: Array) -> Array:
        assert_shape("state.men", state.men, 2, 26)
        men = state.men.reshape(-1)[place].astype(jnp.float32)
        return jnp.where(men >= least, per_man * men + fixed, 0.0)

    names = tuple(
        name
        for seat in (0, 1)
        for name in (
            *(
                f"seat {seat} point {p} {u}"
                for p in _POINTS
                for u in (">=1", ">=2", ">=3", ">3")
            ),
            f"seat {seat} bar",
            f"seat {seat} off",
        )
    )

    def one_man(seat: Array, place: Array, n: Array) -> tuple[Array, Array]:
        """The unit, and its amount, that the n-th chequer on a place adds."""
        unit = 4 * (place - 1) + jnp.minimum(n, 4) - 1
        amount = jnp.where(n > 4, slope, jnp.where(n == 4, first, 1.0))
        unit = jnp.where(place == 0, 97, jnp.where(place == BAR, 96, unit))
        amount = jnp.where(place == 0, off, jnp.where(place == BAR, on_bar, amount))
        return 98 * seat + unit, amount

    def changes(steps: Callable, state: State, plays: Plays, rank: Array) -> Any:
        do = moved(state, *steps(plays, rank))
        us, them = state.seat, 1 - state.seat
        there = do.source > 0
        leave, less = one_man(us, jnp.maximum(do.source, 1), do.leaves)
        join, more = one_man(us, do.target, do.joins + 1)
        hit, blot = one_man(them, jnp.clip(25 - do.target, 1, 24), jnp.int32(1))
        rows = jnp.concatenate([leave, join, hit, (98 * them + 96)[None]])
        amounts = jnp.concatenate(
            [
                jnp.where(there, -less, 0.0),
                jnp.where(there, more, 0.0),
                jnp.where(do.hits, -blot, 0.0),
                on_bar * do.hits.sum()[None],
            ]
        )
        return rows, amounts

    typical = 6 if _chequers(game) > 3 else 3
    kinds = (  # apart, because doubles change twice as much
        Changes(is_plain, functools.partial(changes, plain_steps), typical),
        Changes(is_double, functools.partial(changes, double_steps), typical),
    )
    return Encoding("unary", encode, names, kinds)


class Readings(NamedTuple):
    """What the words of section 5.4.2 mean; the first of each is ours."""

    turn: str = "next"  # 1 for the player to move next; "none": no such units, always 0
    best: str = "goal"  # the most advanced chequer, home or not; "board": of those not yet off
    exposure: str = "points"  # chequers alone on a point; "bar": those on the bar as well
    hit: str = HITS[0]
    blockade: str = BLOCKADES[0]


_OURS = Readings()
_MEANINGS = {
    "turn": ("next", "none"),
    "best": ("goal", "board"),
    "exposure": ("points", "bar"),
    "hit": HITS,
    "blockade": BLOCKADES,
}


def smart(
    game: str,
    *,
    normalise: bool = True,
    greatest: str | None = None,
    chances: str = "rolls",
    **readings: str,
) -> Encoding:
    """Features that a human player would name.

    Args:
      normalise: divide each by its greatest possible value.
      greatest: the game whose greatest value that is; None means this one.
      chances: whether hit and blockade, before that, are numbers of "rolls" or "shares" of 36.
      readings: see `Readings`.
    """
    one_of("chances", chances, ("rolls", "shares"))
    for name, meaning in readings.items():
        one_of("a reading", name, Readings._fields)
        one_of(name, meaning, _MEANINGS[name])
    chosen = Readings(**readings)
    one_of("greatest", greatest or game, START)
    men = _chequers(greatest or game)
    pairs = {"turn": 1, "pip": 25 * men, "worst": 25, "best": 25, "contact": men * men}
    pairs |= {"exposure": men, "hit": 36, "blockade": 36}
    names, divisors = [], []
    for feature, most in pairs.items():
        for name in (
            [feature] if feature == "contact" else [f"seat {s} {feature}" for s in (0, 1)]
        ):
            names.append(name)
            share = chances == "shares" and feature in ("hit", "blockade")
            divisors.append(most if normalise or share else 1)
    scale = np.array(divisors, np.float32)

    def encode(state: State, seat: Array) -> Array:
        return raw_features(state, chosen) / scale

    return Encoding("smart", encode, tuple(names))


def combined(
    game: str, *, extra: str = "half", scaled: bool = True, normalise: bool = True
) -> Encoding:
    """Unary, then smart."""
    one, two = unary(game, extra=extra, scaled=scaled), smart(game, normalise=normalise)
    return race.combined(one, two)


def encodings(game: str) -> dict[str, Callable[..., Encoding]]:
    """All of them, by name, of backgammon or of hypergammon."""
    made: dict[str, Callable[..., Encoding]] = {
        "unary": unary,
        "smart": smart,
        "combined": combined,
    }
    return {name: functools.partial(make, game) for name, make in made.items()}


def raw_features(state: State, readings: Readings = _OURS) -> Array:
    """The smart features before division: [15] float32."""
    return _read_as(readings)(state.men, state.seat)


@functools.cache  # or it would be traced anew in every use, which takes long
def _read_as(readings: Readings) -> Callable[[Array, Array], Array]:
    return columns(jax.jit(functools.partial(_features, readings)))


def _features(read: Readings, men: Array, seat: Array) -> Array:
    """[15, N] float32. men [2, 26, N], seat [N]."""
    one = unknown_one(men)
    sides, pip, contact = once(lambda: (_sides(men), _pip(men), _contact(men)), one)
    could_hit, blockade = once(
        lambda: chances(sides, hit=read.hit, blockade=read.blockade), one
    )
    turn = (np.arange(2)[:, None] == seat[None]) & (read.turn == "next")
    standing = sides.at_least[0]
    worst = 31 - lax.clz(standing | 1)
    lowest = 31 - lax.clz(standing & -standing | 1)  # of those not borne off
    best = jnp.where((men[:, 0] > 0) & (read.best == "goal"), 0, lowest)
    exposure = bits.size(sides.blots)[::-1]
    if read.exposure == "bar":
        exposure = exposure + men[:, BAR]
    hit = could_hit[::-1]  # what the other could do to this one
    parts = [turn, pip, worst, best, contact[None], exposure, hit, blockade]
    return jnp.concatenate([part.astype(jnp.float32) for part in parts])


def _sides(men: Array) -> Side:
    """What each player's moves depend on, as words [2, N]."""
    return jax.vmap(jax.vmap(side, in_axes=-1))(men, men[::-1])


def _pip(men: Array) -> Array:
    """[2, N]"""
    return (men * np.arange(26)[None, :, None]).sum(1)


def _contact(men: Array) -> Array:
    """Pairs of chequers that have still to pass each other, those off left out: [N]."""
    contact = below = jnp.zeros_like(men[0, 0])
    for place in range(1, 26):  # seat 0's; seat 1 calls it 25 - place
        below += men[1, 26 - place]  # seat 1's chequers on lower places, its bar being 0
        contact += men[0, place] * below
    return contact


def _chequers(game: str) -> int:
    return sum(START[game].values())
