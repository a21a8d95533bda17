"""All legal plays of a backgammon roll, as short tables instead of long lists.

A play is up to four steps, each moving one chequer by one die. Plays that differ only in their
last step form a *family*: its earlier steps, and a 26-bit word with the sources that the last
step may start from. A plain roll has at most 53 families, whatever the number of plays; the
rank-th play is found with a running count and a bit search. Places are the mover's own: 1..24
points, 25 bar, 0 off; source 0 in a step means that no chequer moves.

Why no play is listed twice (a play being the position it leads to):

* Doubles: steps are listed from the rearmost source forward. Any play can be put in that order
  without becoming illegal, and how many chequers left each point determines the result.
* Plain rolls, larger die a, smaller die b. Two orders give one result in three cases only:
  (1) the same two steps are legal in both orders: kept with a first;
  (2) one chequer runs a + b, or another chequer stands in between and both move on: kept as
      the chequer running with a first, unless a blot on the way makes the results differ;
  (3) both chequers are borne off from points that either die clears: kept with a first.
"""

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tdlib.kernels import bits
from tdlib.kernels.compute_once import kept
from tdlib.kernels.gather import first_above, running_totals
from tdlib.kernels.rare import most
from tdlib.types import Array

BAR = 25
_BLOCK = 32  # nodes grown at a time: about what a double needs
_NEVER = 1 << 20  # more plays than there can be


class Side(NamedTuple):
    """What decides legality, as words over the mover's places 0..25."""

    at_least: tuple[Array, ...]  # four words: places with 1, 2, 3, 4 or more own chequers
    open: Array  # points 1..24 where the opponent has fewer than two
    blots: Array  # points 1..24 where the opponent has exactly one


class Families(NamedTuple):
    """Plays grouped by all steps but the last."""

    upto: Array  # [N] int32, plays in this family and those before it, large in unused places
    before: Array  # [N] int32, earlier sources, five bits each, the first one lowest
    last: Array  # [N] int32, word of the last step's possible sources
    total: Array  # [] int32, plays


def side(own: Array, other: Array) -> Side:
    """own, other [26]: chequers per place in each player's own numbering."""
    point = jnp.arange(26)
    real = (point >= 1) & (point <= 24)
    facing = other[::-1]  # own point x is the other's 25 - x
    return Side(
        at_least=tuple(bits.pack((own >= n) & (point >= 1)) for n in (1, 2, 3, 4)),
        open=bits.pack((facing < 2) & real),
        blots=bits.pack((facing == 1) & real),
    )


def sources(occupied: Array, open: Array, die: Array) -> Array:
    """Word of the places from which one chequer may move by `die`."""
    onto_points = occupied & (open << die)
    beyond = occupied >> die  # chequers that need the whole die or more
    off = jnp.where(beyond != 0, occupied & (1 << die), bits.highest(occupied))
    all_home = occupied < 1 << 7
    legal = onto_points | jnp.where(all_home, off, 0)
    return jnp.where(bits.has(occupied, jnp.int32(BAR)), legal & (1 << BAR), legal)


def second_sources(us: Side, point: Array, first: Array, second: Array) -> Array:
    """Words of the sources for die `second` after one chequer moved by `first`: [25]."""
    bit = 1 << point
    landed = jnp.where(point > first, 1 << jnp.maximum(point - first, 0), 0)
    occupied = (us.at_least[0] & ~bit) | (us.at_least[1] & bit) | landed
    return sources(occupied, us.open, second)


def plain(us: Side, a: Array, b: Array) -> Families:
    """Families [53] of a roll of two different dice, a > b.

    Families 0..24 play a from point i + 1 first, 25..49 play b from point i - 24 first, 50 and
    51 play one die only, 52 plays none.
    """
    occupied, point = us.at_least[0], jnp.arange(1, 26, dtype=jnp.int32)
    with_a, with_b = sources(occupied, us.open, a), sources(occupied, us.open, b)
    then_b = jnp.where(bits.has(with_a, point), second_sources(us, point, a, b), 0)
    then_a = jnp.where(bits.has(with_b, point), second_sources(us, point, b, a), 0)

    then_a = then_a & ~with_a  # case 1
    runs = bits.has(then_b, point - a) & (point > b)
    runs &= ~bits.has(us.blots, point - a) & ~bits.has(us.blots, point - b)
    runner = jnp.where(runs, 1 << point, 0).sum(dtype=jnp.int32)
    then_b = then_b & ~(runner & (1 << (point + b)))  # case 2
    then_a = then_a & ~jnp.where(runs, 1 << jnp.maximum(point - b, 0), 0)
    then_a = jnp.where(occupied < 1 << (b + 1), 0, then_a)  # case 3

    both = (then_b != 0).any() | (then_a != 0).any()
    only_a = jnp.where(both, 0, with_a)  # one die only: the larger if it can be used
    only_b = jnp.where(both | (with_a != 0), 0, with_b)
    none = jnp.where(both | (only_a != 0) | (only_b != 0), 0, 1)
    last = jnp.concatenate([then_b, then_a, jnp.stack([only_a, only_b, none])])
    before = jnp.concatenate([point, point, jnp.zeros(3, jnp.int32)])
    upto = running_totals(bits.size(last))
    return Families(upto, before, last, upto[-1])


def capacity(chequers: int, steps: int = 3) -> int:
    """How many beginnings of that many steps a double can have at the most.

    A play hands its steps to the chequers in some way: C(chequers + steps - 1, steps) ways.
    """
    return math.comb(chequers + steps - 1, steps)


def doubles(us: Side, die: Array, chequers: int) -> Families:
    """Families [N] of a double, N = capacity(chequers)."""
    following = sources(us.at_least[0], us.open, die)
    level = _Nodes(
        at_least=tuple(word[None] for word in us.at_least),
        families=Families(
            bits.size(following)[None],
            jnp.zeros(1, jnp.int32),
            following[None],
            bits.size(following),
        ),
    )
    stuck = Families(
        jnp.ones(1, jnp.int32), jnp.zeros(1, jnp.int32), jnp.ones(1, jnp.int32), jnp.int32(1)
    )
    found = stuck  # nothing can move: one play, which moves nothing
    for depth in (1, 2, 3, 4):
        found = _deeper(level.families, found)
        if depth < 4:
            level = _grow(level, us.open, die, depth, capacity(chequers, depth))
    return found


class _Nodes(NamedTuple):
    """Beginnings of plays of a double, all of one length."""

    at_least: tuple[Array, ...]  # words [N] as in Side, after the steps
    families: Families  # the steps so far, and from where the next may start


def _deeper(longer: Families, shorter: Families) -> Families:
    """The longer plays if there are any, since as many dice as possible must be used."""
    some, end = longer.total > 0, shorter.upto.shape[0]

    def choose(new: Array, old: Array, unused: int) -> Array:
        if not new.ndim:
            return jnp.where(some, new, old)
        head = jnp.where(some, new[:end], old)
        return jnp.where(some, new, unused).at[:end].set(head)

    return Families(*map(choose, longer, shorter, (_NEVER, 0, 0, 0)))


def _grow(level: _Nodes, open: Array, die: Array, depth: int, slots: int) -> _Nodes:
    """Every node of `level` with one more step, in that many slots.

    Most positions fill a small part of the slots, so blocks are grown only as far as needed.
    """
    width = min(_BLOCK, slots)
    blocks = -(-slots // width)
    old = level.families

    def block(i: Array, out: _Nodes) -> _Nodes:
        rank = i * width + jnp.arange(width, dtype=jnp.int32)
        owner = first_above(old.upto, rank)
        word = old.last[owner]
        source = bits.nth(word, rank - old.upto[owner] + bits.size(word))
        at_least = _moved(tuple(words[owner] for words in level.at_least), source, die)
        following = sources(at_least[0], open, die) & ((2 << source) - 1)
        following = kept(jnp.where(rank < old.total, following, 0))
        steps = old.before[owner] | (source << (5 * (depth - 1)))
        upto = out.families.total + jnp.cumsum(bits.size(following))
        new = _Nodes(at_least, Families(upto, steps, following, upto[-1]))
        return jax.tree.map(lambda whole, part: _put(whole, part, i * width), out, new)

    empty = jnp.zeros(blocks * width, jnp.int32)
    none = Families(empty + _NEVER, empty, empty, jnp.int32(0))
    rounds = most((old.total + width - 1) // width)
    out = lax.fori_loop(0, rounds, block, _Nodes((empty,) * 4, none))
    return jax.tree.map(lambda x: x[:slots] if x.ndim else x, out)


def _put(whole: Array, part: Array, at: Array) -> Array:
    if not part.ndim:
        return part
    return lax.dynamic_update_slice_in_dim(whole, part, at, 0)


def _moved(at_least: tuple[Array, ...], source: Array, die: Array) -> tuple[Array, ...]:
    """The words after one chequer moved. Four steps never need to know of a fifth chequer."""
    one, two, three, four = at_least
    gone = 1 << source
    one, two = (one & ~gone) | (two & gone), (two & ~gone) | (three & gone)
    three, four = (three & ~gone) | (four & gone), four & ~gone
    come = jnp.where(source > die, 1 << jnp.maximum(source - die, 0), 0)
    return one | come, two | (one & come), three | (two & come), four | (three & come)
