"""Parcheesi, the plays of many games as lists: legal, distinct and in order.

A list has LIST places. Most are short and put in order side by side, others one by one; a list
that would not hold all plays is made anew, with their exact number, by `parcheesi.windows`.
Nothing is ever left out.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_batching import custom_vmap

from tdlib.games.parcheesi.finals import NEVER, key, shortfall
from tdlib.games.parcheesi.search import Children, search
from tdlib.games.parcheesi.steps import View
from tdlib.games.parcheesi.windows import CHUNK, LIST, windows
from tdlib.kernels.gather import in_all_lanes
from tdlib.types import Array

SHORT = 32  # entries of a list: up to here side by side,
LONG = (128, 256, 512, LIST)  # then one by one, with as much effort as they need
STRIDE = 8  # entries compared at a time


class Lists(NamedTuple):
    own: Array  # [B, LIST] int32, the mover's pieces
    foes: Array  # [B, LIST] int32, see `foes_key`
    total: Array  # [B] int32, of all plays, also those beyond the list


class _Found(NamedTuple):
    """Final nodes as they were found."""

    own: Array  # [B * LIST] int32
    flow: Array  # [B * LIST] int32
    number: Array  # [B] int32, may exceed LIST


class _Entries(NamedTuple):
    """Lists of G games and how to put them in order."""

    own: Array  # [G, n] int32
    foes: Array  # [G, n] int32
    rank: Array  # [G, n] int32, NEVER for repetitions and what is no play
    total: Array  # [G] int32, of distinct plays


def together(many: Callable) -> Callable:
    """`many`, a function of arrays with [B] in front, so that `jax.vmap` of it lengthens B."""

    @custom_vmap
    def flat(*args: Any) -> Any:
        return many(*args)

    @flat.def_vmap
    def flat_batched(axis_size: int, in_batched: Any, *args: Any) -> Any:
        args = in_all_lanes(args, tuple(in_batched), axis_size)
        out = flat(*jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), args))
        out = jax.tree.map(lambda x: x.reshape(axis_size, -1, *x.shape[1:]), out)
        return out, jax.tree.map(lambda _: True, out)

    return flat


def every_play(views: View) -> Lists:
    """The plays of B games. views: View with [B] in front."""
    games = views.start.shape[0]
    blank = jnp.zeros(games * LIST, jnp.int32)
    found = _Found(blank, blank, jnp.zeros(games, jnp.int32))
    found = search(views, _enter, found, chunk=min(max(64, 4 * games), CHUNK))
    own, flow = found.own.reshape(games, LIST), found.flow.reshape(games, LIST)

    is_long = found.number > SHORT
    number = jnp.where(is_long, 0, found.number)  # long rows wait until their turn comes
    entry = _ordered(*_keys(views, own[:, :SHORT], flow[:, :SHORT], number))
    row = np.broadcast_to(np.arange(games)[:, None], entry.rank.shape)
    lists = Lists(
        own.at[row, entry.rank].set(entry.own, mode="drop"),
        flow.at[row, entry.rank].set(entry.foes, mode="drop"),
        entry.total,
    )
    (lanes,) = jnp.nonzero(is_long, size=games, fill_value=0)

    def put_in_order(i: Array, lists: Lists) -> Lists:
        def cut(x: Array) -> Array:
            return lax.dynamic_slice_in_dim(x, lanes[i], 1)

        row = _long(jax.tree.map(cut, views), *map(cut, (lists.own, lists.foes, found.number)))
        return jax.tree.map(
            lambda x, y: lax.dynamic_update_slice_in_dim(x, y, lanes[i], 0), lists, row
        )

    return lax.fori_loop(0, is_long.sum(), put_in_order, lists)


def _long(view: View, own: Array, flow: Array, number: Array) -> Lists:
    """The list of one game that has more than SHORT final nodes; all with [1] in front."""

    def counted(size: int) -> Lists:
        entry = _ordered(*_keys(view, own[:, :size], flow[:, :size], number))
        spot = jnp.zeros((1, LIST), jnp.int32).at[0, entry.rank[0]]
        own_, foes = (spot.set(x[0], mode="drop") for x in (entry.own, entry.foes))
        return Lists(own_, foes, entry.total)

    def in_windows() -> Lists:
        short = shortfall(view.roll[0], own, flow).min()
        best = jnp.where(short == 0, 0, NEVER)  # none is less; others may not be in the list
        first, last = windows(view, jnp.int32(NEVER), best)
        return Lists(first.own[None], first.foes[None], (last.before + last.size)[None])

    lists = [functools.partial(counted, size) for size in LONG]
    case = (number[0] > np.array(LONG)).sum(dtype=jnp.int32)
    return lax.switch(case, [*lists, in_windows])


def _enter(found: _Found, children: Children, last: Array) -> _Found:
    """Adds final nodes to the lists of their games."""
    lane, final = children.lane, children.state == 2
    # the nodes of a game stand together, so in each game the ranks follow each other
    first = jnp.full(found.number.size, NEVER).at[lane].min(children.finals, mode="drop")
    spot = (found.number - first)[lane][:, None] + children.rank
    spot = jnp.where(final & (spot < LIST), lane[:, None] * LIST + spot, found.own.size)
    return _Found(
        own=found.own.at[spot].set(children.own, mode="drop"),
        flow=found.flow.at[spot].set(children.flow, mode="drop"),
        number=found.number.at[lane].add(final.sum(-1), mode="drop"),
    )


def _keys(views: View, own: Array, flow: Array, number: Array) -> tuple[Array, Array]:
    """The words own, foes [G, n] of the first number [G] of final nodes own, flow [G, n]."""
    start, roll = views.start[:, None], views.roll[:, None]
    there = np.arange(own.shape[1])[None] < number[:, None]
    best = jnp.where(there, shortfall(roll, own, flow), NEVER).min(1, keepdims=True)
    own, foes = key(start, roll, best, own, flow)
    return jnp.where(there, own, NEVER), foes


def _ordered(own: Array, foes: Array) -> _Entries:
    """G short lists of keys [G, n] put in order.

    Sorting by counting: XLA's sort of two words takes two to ten times as long.
    """
    index = np.arange(own.shape[1])[None]

    def over_all(compare: Callable[[Array, Array, Array], Array]) -> Array:
        """Sums compare(own, foes, index) of the entry j over all j."""

        def some(b: Array, total: Array) -> Array:
            for j in (STRIDE * b + k for k in range(STRIDE)):
                total += compare(own[:, j][:, None], foes[:, j][:, None], j)
            return total

        return lax.fori_loop(0, own.shape[1] // STRIDE, some, jnp.zeros_like(own))

    again = over_all(lambda o, f, j: (o == own) & (f == foes) & (j < index))
    own = jnp.where(again > 0, NEVER, own)
    rank = over_all(lambda o, f, j: (o < own) | ((o == own) & (f < foes)))
    legal = own < NEVER
    return _Entries(own, foes, jnp.where(legal, rank, NEVER), legal.sum(1))
