"""What a backgammon player could do with each roll: hit something, use all dice.

Both questions ask only whether some legal play exists, so no play is listed. On a double every
chequer has one way to go and none stands in the way of another, hence:

* a hit by a chequer that runs k steps can always be part of a play of the greatest length;
* the number of usable steps is the sum over the chequers of how far each can run, and then, if
  all of them end at home, of those that can be borne off.
"""

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games import bits
from tdlib.games.backgammon_plays import BAR, Side, second_sources, sources
from tdlib.types import Array

_PLAIN = np.array([(a, b) for a in range(2, 7) for b in range(1, a)], np.int32)  # [15, 2]


def chances(us: Side) -> tuple[Array, Array]:
    """How many of the 36 rolls can hit a chequer, and how many cannot be used in full."""
    a, b = _PLAIN.T
    hits, full = jax.vmap(_plain, (None, 0, 0))(us, a, b)
    hits_twice, full_twice = jax.vmap(_double, (None, 0))(us, jnp.arange(1, 7, dtype=jnp.int32))
    hit = 2 * hits.sum(dtype=jnp.int32) + hits_twice.sum(dtype=jnp.int32)
    usable = 2 * full.sum(dtype=jnp.int32) + full_twice.sum(dtype=jnp.int32)
    return hit, 36 - usable


def _plain(us: Side, a: Array, b: Array) -> tuple[Array, Array]:
    """Whether a play of two different dice hits, and whether both can be used: each []."""
    with_a, with_b = (sources(us.at_least[0], us.open, die) for die in (a, b))
    hits_ab, both_ab = _in_order(us, with_a, a, b)
    hits_ba, both_ba = _in_order(us, with_b, b, a)
    both = both_ab | both_ba
    only = jnp.where(with_a != 0, with_a >> a, with_b >> b)  # where one die alone may land
    return jnp.where(both, hits_ab | hits_ba, (only & us.blots) != 0), both


def _in_order(us: Side, begin: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """The same for plays that use `first` before `second`."""
    point = jnp.arange(1, 26, dtype=jnp.int32)
    then = jnp.where(bits.has(begin, point), second_sources(us, point, first, second), 0)
    hits = bits.has(us.blots, point - first) | (((then >> second) & us.blots) != 0)
    return ((then != 0) & hits).any(), (then != 0).any()


def _double(us: Side, die: Array) -> tuple[Array, Array]:
    """Whether a play of a double hits, and whether all four steps can be made: each []."""
    on_bar = jnp.stack([bits.has(word, jnp.int32(BAR)) for word in us.at_least])
    waiting = on_bar.sum(dtype=jnp.int32)  # four at the most
    shut = (waiting > 0) & ~bits.has(us.open, BAR - die)
    left = 4 - waiting  # steps for those on the board, once all have entered
    at_least = _entered(us.at_least, waiting, 1 << (BAR - die))
    hits = (waiting > 0) & bits.has(us.blots, BAR - die)
    reach = at_least[0]
    for k in range(1, 5):
        reach = (reach >> die) & us.open
        hits |= (k <= left) & ((reach & us.blots) != 0)
    return hits & ~shut, (_steps(at_least, us.open, die) >= left) & ~shut


def _entered(at_least: tuple[Array, ...], waiting: Array, entry: Array) -> tuple[Array, ...]:
    """The words once the chequers on the bar stand on the entry point."""
    words = [word & ~(1 << BAR) for word in at_least]
    for k in range(1, 5):
        come = jnp.where(k <= waiting, entry, 0)
        for n in (3, 2, 1):
            words[n] |= words[n - 1] & come
        words[0] |= come
    return tuple(words)


def _steps(at_least: tuple[Array, ...], open: Array, die: Array) -> Array:
    """Steps of one die that can be made, bearing off included; exact up to four."""

    def men(places: Array) -> Array:
        return bits.size(jnp.stack(at_least) & places).sum(dtype=jnp.int32)

    runs, can_run = [], jnp.int32(-1)  # places from which 0, 1, ... steps are free
    for _ in range(5):
        runs.append(can_run)
        can_run = (open & can_run) << die
    total = jnp.stack([men(run) for run in runs[1:]]).sum()
    stopped, on_the_die = jnp.int32(0), jnp.int32(0)
    for k in range(4):  # who runs exactly k steps; with four the answer is known already
        ended = runs[k] & ~runs[k + 1]
        stopped |= (at_least[0] & ended) >> (k * die)
        on_the_die += men(ended & (1 << (die + k * die)))
    beyond = (stopped >> (die + 1)) != 0
    borne_off = jnp.where(beyond, on_the_die, men(jnp.int32(-1)))
    return total + jnp.where(stopped < 1 << 7, borne_off, 0)
