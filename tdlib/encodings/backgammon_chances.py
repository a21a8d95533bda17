"""What a backgammon player could do with each roll: hit something, use all dice.

Both questions are whether some legal play exists, so no play is listed, and the steps from all
points are taken together: to move a set of chequers by a die is to shift a word.

Plain rolls. Let the rearmost point (or the bar) be `rear`. As long as its chequers stay, they
alone decide whether men may be borne off, so after a step from any other point

* the other chequers can make the same second steps as they could before: any chequer that
  could use the second die, unless it is the one that has just moved, alone on its point;
* the chequer that moved can run on, if the point it then comes to is open.

Only a first step from `rear` changes who may move; that is a single case, which is played out.

Doubles. Every chequer has one way to go and none stands in the way of another, hence

* a hit by a chequer that runs k steps can always be part of a play of the greatest length;
* the number of usable steps is the sum over the chequers of how far each can run, and then, if
  all of them end at home, of those that can be borne off.

All words are arrays of one shape [...]; dice are plain numbers.
"""

from itertools import combinations
from typing import NamedTuple

import jax.numpy as jnp

from tdlib.games.backgammon.plays import BAR, Side
from tdlib.kernels import bits
from tdlib.kernels.written_out import total
from tdlib.types import Array

_BAR = 1 << BAR
_DICE = range(1, 7)
HITS = ("play", "die")  # readings of what a hit is,
BLOCKADES = ("dice", "unfinished", "stuck")  # and of what is blocked: the papers' first


def chances(
    us: Side, *, hit: str = HITS[0], blockade: str = BLOCKADES[0]
) -> tuple[Array, Array]:
    """How many of the 36 rolls can hit, and how many are blocked: each [...].

    Args:
      hit: by any legal "play" of the roll, or by one "die" alone.
      blockade: not all "dice" can be used; the same, "unfinished" by a win; "stuck", none can.
    """
    hitting = usable = jnp.zeros_like(us.open)
    steps = {die: _step(us, die) for die in _DICE}
    rolls = [(2, steps[a], steps[b], *_plain(us, steps[a], steps[b]), _wins(us, a))
             for b, a in combinations(_DICE, 2)]  # fmt: skip
    rolls += [(1, steps[die], steps[die], *_double(us, die)) for die in _DICE]
    for ways, a, b, hits, full, wins in rolls:
        if hit == "die":
            hits = (a.hits | b.hits) != 0
        if blockade == "stuck":
            full = (a.able | b.able) != 0
        if blockade == "unfinished":
            full = full | wins
        hitting, usable = hitting + ways * hits, usable + ways * full
    return hitting, 36 - usable


def _wins(us: Side, die: int) -> Array:
    """Whether one die bears off everything that is left, at most a single chequer: [...]."""
    one, two = us.at_least[:2]
    return (one & (one - 1) == 0) & (two == 0) & (one <= 1 << die)


class _Step(NamedTuple):
    """What one die can do. All but `die` are words [...], or bool [...]."""

    die: int
    able: Array  # places from which a chequer may move
    hits: Array  # those of them from which it hits
    front: Array  # `able` without the rearmost place
    open: Array  # where a chequer may land, 0 being off, as long as the rearmost stays
    after_front: Array  # places from which one may step so that another can then use this die
    hits_after_front: Array  # and hit
    rear_hits: Array  # bool, whether a step from the rearmost place hits
    movers: Array  # who may move after such a step, none if it cannot be made
    rear_open: Array  # where they may land


def _step(us: Side, die: int) -> _Step:
    one, two = us.at_least[:2]
    rear = bits.highest(one)
    open = us.open | (one < 1 << 7)
    able = one & (open << die) | jnp.where(one < 1 << die, rear, 0)
    able = jnp.where(one >= _BAR, able & _BAR, able)
    hits = able & (us.blots << die)

    def apart(second: Array) -> Array:
        """Places from which a step leaves a chequer on one of these."""
        alone = jnp.where(second & (second - 1) == 0, second & ~two, 0)
        return jnp.where(second == 0, 0, ~alone)

    moved = (one & ~rear) | (two & rear) | (rear >> die & ~1)
    movers = jnp.where(moved >= _BAR, _BAR, moved)
    return _Step(
        die=die,
        able=able,
        hits=hits,
        front=able & ~rear,
        open=open,
        after_front=apart(able),
        hits_after_front=apart(hits),
        rear_hits=(hits & rear) != 0,
        movers=jnp.where(able & rear == 0, 0, movers),
        rear_open=us.open | (moved < 1 << 7),
    )


def _plain(us: Side, a: _Step, b: _Step) -> tuple[Array, Array]:
    """Whether a play of two different dice, a > b, hits, and whether both can be used."""
    hits_ab, both_ab = _in_order(us, a, b)
    hits_ba, both_ba = _in_order(us, b, a)
    both = (both_ab | both_ba) != 0
    only = jnp.where(a.able != 0, a.hits, b.hits)  # one die alone: the larger if possible
    return jnp.where(both, hits_ab | hits_ba, only) != 0, both


def _in_order(us: Side, first: _Step, second: _Step) -> tuple[Array, Array]:
    """The same for plays that use `first` before `second`, as words that are 0 for no."""
    far = first.die + second.die
    after = second.after_front | first.open << far
    both = first.front & after
    hits = first.hits & both
    hits |= first.front & (us.blots << far | second.hits_after_front)
    then = first.movers & (first.rear_open << second.die)
    hits |= then & (us.blots << second.die)
    then |= jnp.where(first.movers < 1 << second.die, first.movers, 0)  # the rearmost goes off
    hits |= jnp.where(first.rear_hits, then, 0)
    return hits, both | then


def _double(us: Side, die: int) -> tuple[Array, Array, Array]:
    """Whether a play of a double hits, whether all four steps can be made, and whether fewer
    of them bear off everything: bool [...]."""
    entry = 1 << (BAR - die)
    entering = us.at_least[0] >= _BAR
    shut = entering & (us.open & entry == 0)
    at_least = _entered(us.at_least, die)
    hits = entering & (us.blots & entry != 0)
    reach = at_least[0]
    for waiting in reversed(us.at_least):  # a chequer on the bar takes one of the four steps
        reach = (reach >> die) & us.open
        hits |= (waiting < _BAR) & (reach & us.blots != 0)
    left = 4 - total(word >> BAR for word in us.at_least)
    steps, gone = _steps(at_least, us.open, die)
    return hits & ~shut, (steps >= left) & ~shut, gone & ~shut


def _entered(at_least: tuple[Array, ...], die: int) -> tuple[Array, ...]:
    """The words once the chequers on the bar stand on the entry point."""
    come = [(word & _BAR) >> die for word in at_least]
    words = [word & ~_BAR for word in at_least]
    for n in (3, 2, 1, 0):  # n + 1 chequers: i + 1 that stood there, n - i that come
        for i in range(n):
            words[n] |= words[i] & come[n - 1 - i]
        words[n] |= come[n]
    return tuple(words)


def _steps(at_least: tuple[Array, ...], open: Array, die: int) -> tuple[Array, Array]:
    """Steps of one die that can be made, bearing off included; exact up to four. And, if these
    are fewer than four, whether they bear off everything."""
    runs = [jnp.full_like(open, -1)]  # places from which 0, 1, ... steps are free
    for _ in range(4):
        runs.append((open & runs[-1]) << die)
    steps = total(_men(at_least, run) for run in runs[1:])
    stopped = on_the_die = jnp.zeros_like(open)
    for k in range(4):  # who runs exactly k steps; with four the answer is known already
        ended = runs[k] & ~runs[k + 1]
        stopped |= (at_least[0] & ended) >> (k * die)
        on_the_die |= ended & (1 << (die + k * die))
    leaving = jnp.where(stopped >> (die + 1) != 0, on_the_die, -1)
    home = stopped < 1 << 7
    steps += jnp.where(home, _men(at_least, leaving), 0)
    return steps, home & (at_least[0] & ~leaving == 0)


def _men(at_least: tuple[Array, ...], places: Array) -> Array:
    """Chequers on these places, four at the most of each."""
    return total(bits.size(word & places) for word in at_least)
