"""Parcheesi, rolls with more plays than a list has places: the plays in windows of LIST.

The search is repeated for one game and keeps the LIST smallest plays beyond a given one, as
often as it takes. This needs no bound on the number of plays (random play seldom has more than
2,000, but positions with more than 20,000 can be made), and it is so rare that its cost does
not matter.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.games.parcheesi.finals import NEVER, key, shortfall
from tdlib.games.parcheesi.search import Children, search
from tdlib.games.parcheesi.steps import View
from tdlib.types import Array

LIST = 1024  # in random play one roll in thirty thousand has more plays
ROOM = 4 * LIST  # plays collected before the largest and the repeated are thrown away
CHUNK = 256  # nodes expanded at a time


class Window(NamedTuple):
    """Up to LIST consecutive plays of one game."""

    own: Array  # [LIST] int32
    foes: Array  # [LIST] int32
    size: Array  # [] int32
    before: Array  # [] int32, plays that come before
    more: Array  # [] bool, whether others come behind
    best: Array  # [] int32, the least shortfall; NEVER before it is known


class _Kept(NamedTuple):
    """The smallest plays found so far beyond some play."""

    own: Array  # [ROOM] int32
    foes: Array  # [ROOM] int32
    size: Array  # [] int32
    more: Array  # [] bool, whether some had to be dropped
    best: Array  # [] int32, the least shortfall


def windows(view: View, rank: Array, best: Array | np.int32 = NEVER) -> tuple[Window, Window]:
    """The first window of one game, and the one with the rank-th play or else the last.

    view: View with [1] in front. best: the least shortfall, which saves a search, or NEVER.
    """
    blank = jnp.zeros(LIST, jnp.int32)
    nothing = Window(blank, blank, jnp.int32(0), jnp.int32(0), jnp.bool_(True), jnp.int32(best))

    def step(pair: tuple[Window, Window]) -> tuple[Window, Window]:
        first, now = pair
        following = _following(view, now)
        begins = following.before == 0
        return jax.tree.map(lambda x, y: jnp.where(begins, y, x), first, following), following

    def short_of(pair: tuple[Window, Window]) -> Array:
        return pair[1].more & (pair[1].before + pair[1].size <= rank)

    return lax.while_loop(short_of, step, (nothing, nothing))


def _following(view: View, now: Window) -> Window:
    """The window behind this one; if the least shortfall is not known, a pass to find out."""
    end = jnp.maximum(now.size - 1, 0)
    after, after_foes = jnp.where(now.size > 0, now.own[end], -1), now.foes[end]

    def collect(kept: _Kept, children: Children, last: Array) -> _Kept:
        own, foes = key(view.start[0], view.roll[0], now.best, children.own, children.flow)
        final = children.state == 2
        new = final & (own < NEVER) & ((own > after) | ((own == after) & (foes > after_foes)))
        spot = jnp.where(new, kept.size + jnp.cumsum(new).reshape(new.shape) - 1, ROOM)
        short = shortfall(view.roll[0], children.own, children.flow)
        kept = _Kept(
            own=kept.own.at[spot].set(own, mode="drop"),
            foes=kept.foes.at[spot].set(foes, mode="drop"),
            size=kept.size + new.sum(),
            more=kept.more,
            best=jnp.minimum(kept.best, jnp.where(final, short, NEVER).min()),
        )
        full = kept.size > ROOM - children.own.size
        return lax.cond(full | last, _shrink, lambda kept: kept, kept)

    blank = jnp.zeros(ROOM, jnp.int32)
    kept = _Kept(blank, blank, jnp.int32(0), jnp.bool_(False), jnp.int32(NEVER))
    kept = search(view, collect, kept, chunk=CHUNK)
    first = now.best == NEVER
    return Window(
        own=kept.own[:LIST],
        foes=kept.foes[:LIST],
        size=jnp.where(first, 0, kept.size),
        before=now.before + now.size,
        more=first | kept.more,
        best=kept.best,
    )


def _shrink(kept: _Kept) -> _Kept:
    """Only the LIST smallest, in order and without repetition."""
    own = jnp.where(np.arange(ROOM) < kept.size, kept.own, NEVER)
    own, foes = lax.sort((own, kept.foes), num_keys=2)
    new = (own != jnp.roll(own, 1)) | (foes != jnp.roll(foes, 1)) | (np.arange(ROOM) == 0)
    new &= own < NEVER
    number = new.sum()
    spot = jnp.where(new, jnp.cumsum(new) - 1, ROOM)
    return kept._replace(
        own=jnp.zeros_like(own).at[spot].set(own, mode="drop"),
        foes=jnp.zeros_like(foes).at[spot].set(foes, mode="drop"),
        size=jnp.minimum(number, LIST),
        more=kept.more | (number > LIST),
    )
