"""Kalah(m, n): sowing on m pits a side with n seeds a pit, one store each.

             N6  N5  N4  N3  N2  N1            cups [2m+2], here m = 6:
    store N                          store S   0..5 S1..S6, 6 store S,
             S1  S2  S3  S4  S5  S6            7..12 N1..N6, 13 store N

Seat 0 is South, seat 1 North; South begins. Both sow counter-clockwise, into their own store
and past the other's. Pit i of one side faces pit m+1-i of the other.

Rules: Irving, Donkers & Uiterwijk, "Solving Kalah", ICGA Journal 23(3), 2000, with
`empty_capture=True`; the common rule, and Choi's (2013), takes nothing when the facing pit is
empty. One play is one sowing; a seed that ends in the own store earns another. The game ends as
soon as either side's pits are empty, whoever would move, and what is left goes to its owner.

Where the sources are silent we chose:
  - a play is a pit. Two pits can lead to the same final position (both captures that end the
    game); they still count as two plays, as in published move counts;
  - `early_stop` ends the game once a store holds more than half of all seeds. The rest is swept
    as at any end, so the winner is right but the margin is not that of the game played on.
"""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.games.options import flag, whole
from tdlib.kernels import random_numbers
from tdlib.types import Array, Game, Key

MOST_SEEDS = 10_000  # on a board: beyond any game played, and all sums are exact


class State(NamedTuple):
    cups: Array  # [2m+2] int32, South's pits and store, then North's; the sum never changes
    seat: Array  # [] int32, 0 South or 1 North, the player to move


class Plays(NamedTuple):
    legal: Array  # [m] bool, the mover's non-empty pits; rank r is the r-th of them
    count: Array  # type: ignore[assignment]  # [] int32; hides the method of tuples


def game(
    *,
    pits: int = 6,
    seeds: int = 4,
    empty_capture: bool = False,
    early_stop: bool = False,
    starts: Sequence[Sequence[int]] = (),
) -> Game:
    """Kalah(pits, seeds).

    Args:
      pits, seeds: pits of each side, seeds in each pit at the start.
      empty_capture: a last seed in an empty own pit goes to the store even if the facing pit
        is empty.
      early_stop: the game is over once a store holds more than half of the seeds.
      starts: positions, each the 2m+2 cups and the seat to move, of which one is drawn for
        each game in place of the usual start.
    """
    whole("kalah: pits", pits, 1)
    whole("kalah: seeds", seeds, 1)
    flag("kalah: empty_capture", empty_capture)
    flag("kalah: early_stop", early_stop)
    if 2 * pits * seeds > MOST_SEEDS:
        raise ValueError(
            f"kalah: a board holds at most {MOST_SEEDS} seeds, not 2 x {pits} x {seeds}"
        )
    for start in starts:
        if len(start) != 2 * pits + 3 or sum(start[:-1]) != 2 * pits * seeds:
            raise ValueError(
                f"kalah: a start must be {2 * pits + 2} cups with {2 * pits * seeds} seeds,"
                f" and a seat, not {start!r}"
            )
    return Game(
        name="kalah",
        seats=2,
        rolls=("",),
        init=functools.partial(_init, pits=pits, seeds=seeds, starts=tuple(map(tuple, starts))),
        odds=lambda state: jnp.ones(1, jnp.float32),
        plays=_plays,
        play=functools.partial(_play, empty_capture=empty_capture, early_stop=early_stop),
        outcome=functools.partial(_outcome, early_stop=early_stop),
        pieces=lambda state: jnp.stack([state.cups[pits], state.cups[2 * pits + 1]]),
    )


def _init(key: Key, *, pits: int, seeds: int, starts: tuple[tuple[int, ...], ...]) -> State:
    side = [seeds] * pits + [0]
    if not starts:
        return State(cups=jnp.array(side + side, jnp.int32), seat=jnp.int32(0))
    drawn = jnp.asarray(np.array(starts, np.int32))[random_numbers.below(key, 0, len(starts))]
    return State(cups=drawn[:-1], seat=drawn[-1])


def _plays(state: State, roll: Array) -> Plays:
    south, north = state.cups.reshape(2, -1)
    legal = jnp.where(state.seat == 0, south, north)[:-1] > 0
    return Plays(legal, legal.sum(dtype=jnp.int32))


def _play(
    state: State, plays: Plays, rank: Array, *, empty_capture: bool, early_stop: bool
) -> State:
    """Sow the rank-th legal pit, capture, and sweep the board if that ends the game."""
    side = state.cups.size // 2
    # The mover's places: own pits 0..m-1 and store m, the other's pits m+1..2m, its store last.
    place = jnp.arange(2 * side)
    place = jnp.where(state.seat == 0, place, (place + side) % (2 * side))
    pit = (jnp.cumsum(plays.legal) <= rank).sum()
    cups, last = sow(state.cups, place, pit)
    cups = capture(cups, place, last, empty_capture=empty_capture)
    cups = jnp.where(_over(cups, early_stop=early_stop), _swept(cups), cups)
    again = last == side - 1
    return State(cups, jnp.where(again, state.seat, 1 - state.seat))


def _outcome(state: State, *, early_stop: bool) -> tuple[Array, Array]:
    """over [], payoff [2]: the difference of all seeds owned, stored or not yet swept."""
    over = _over(state.cups, early_stop=early_stop)
    south, north = state.cups.reshape(2, -1).sum(-1)
    lead = jnp.where(over, south - north, 0)
    return over, jnp.stack([lead, -lead])


def sow(cups: Array, place: Array, pit: Array) -> tuple[Array, Array]:
    """Spread the seeds of `pit` over all places but the other's store; also the last place.

    A full lap passes the pit sown from, which then receives a seed like any other.
    """
    ring = cups.size - 1
    seeds = _at(cups, place, pit)
    distance = (place - pit - 1) % ring  # 0 for the first place reached
    gained = seeds // ring + (distance < seeds % ring)
    cups = jnp.where(place == pit, 0, cups) + jnp.where(place < ring, gained, 0)
    return cups, (pit + seeds) % ring


def capture(cups: Array, place: Array, last: Array, *, empty_capture: bool) -> Array:
    """A last seed alone in an own pit goes to the store together with the seeds facing it."""
    store = cups.size // 2 - 1
    opposite = 2 * store - last
    facing = _at(cups, place, opposite)
    takes = (last < store) & (_at(cups, place, last) == 1)
    if not empty_capture:
        takes &= facing > 0
    taken = takes & ((place == last) | (place == opposite))
    loot = jnp.where(takes, 1 + facing, 0)
    return jnp.where(taken, 0, cups) + jnp.where(place == store, loot, 0)


def _at(cups: Array, place: Array, where: Array) -> Array:
    """The seeds at one place; a masked sum, because gathers do not vectorise."""
    return jnp.where(place == where, cups, 0).sum()


def _over(cups: Array, *, early_stop: bool) -> Array:
    """[] bool: the pits of a side are empty, or under `early_stop` a store has the majority."""
    sides = cups.reshape(2, -1)
    over = ~sides[:, :-1].any(-1)
    if early_stop:
        over |= sides[:, -1] > cups.sum() // 2
    return over.any()


def _swept(cups: Array) -> Array:
    """Every seed in the store of the side it lies on."""
    sides = cups.reshape(2, -1)
    is_store = jnp.arange(sides.shape[1]) == sides.shape[1] - 1
    return jnp.where(is_store[None], sides.sum(-1, keepdims=True), 0).reshape(-1)
