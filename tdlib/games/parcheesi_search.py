"""Parcheesi, the search: every sequence of moves of a roll, for many games at once.

Rolls differ widely. Most have under ten final positions, two or three moves away; a double of
four numbers with captures on the way has hundreds, and positions with more than 20,000 can be
made. If every game were padded to the worst case, the average roll would cost a hundred times
too much. So all games share one work list, and only work that exists is done:

  * a stack of nodes of all games. A chunk of nodes is taken off its top and expanded; children
    found more than once are dropped, those that go on are pushed, the final ones collected.
  * The stack cannot overflow. The children of a chunk are a new layer, and a chunk never spans
    two layers. Each step spends one of at most 4 numbers or one of at most 12 + 4 bonuses (for
    captures and pieces home), so there are at most DEPTH layers of at most 8 * chunk nodes
    above the first.
  * Dropping duplicates only saves work: a hash collision keeps one, and other chunks are not
    asked. What is collected is made distinct later.
"""

import functools
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.fusion import kept
from tdlib.games import bits
from tdlib.games.parcheesi_steps import PIECES, SEATS, WIDTH, View, follow, moves
from tdlib.types import Array

DEPTH = 4 + PIECES * (SEATS - 1) + PIECES
STATE = 18  # bit number above `flow`: what `follow` says of a child


class Children(NamedTuple):
    """What C nodes led to. The nodes of a game stand together."""

    lane: Array  # [C] int32, the game; B where there was no node
    own: Array  # [8, C] int32
    flow: Array  # [8, C] int32
    goes_on: Array  # [8, C] bool
    final: Array  # [8, C] bool
    rank: Array  # [8, C] int32, counts those that go on, and likewise those that are final
    finals: Array  # [C + 1] int32, final children of the nodes before
    number: Array  # [] int32, of those that go on


class _Stack(NamedTuple):
    lane: Array  # [S] int32
    own: Array  # [S] int32
    flow: Array  # [S] int32
    base: Array  # [DEPTH + 1] int32, where each layer begins
    layer: Array  # [] int32, the topmost; -1 when nothing is left
    top: Array  # [] int32, one past the last node


def search(
    views: View, collect: Callable[[Any, Children, Array], Any], found: Any, *, chunk: int
) -> Any:
    """`found` after `collect(found, children, last)` has seen every final node of every game.

    It may see some more than once; `last` [] says that nothing follows. views: View with [B]
    in front. chunk: nodes expanded at a time, a power of two.
    """
    games = views.start.shape[0]

    def step(carry: tuple[_Stack, Any]) -> tuple[_Stack, Any]:
        stack, found = carry
        stack, children = _expand(views, stack, chunk)
        stack = _push(stack, children)
        return stack, collect(found, children, stack.layer < 0)

    # the nodes begin at `chunk`, so that a whole chunk can always be cut out below the top
    size = chunk + games + DEPTH * WIDTH * chunk
    blank = jnp.zeros(size, jnp.int32)
    stack = _Stack(
        lane=blank.at[chunk : chunk + games].set(np.arange(games)),
        own=blank.at[chunk : chunk + games].set(views.start),
        flow=blank,
        base=jnp.full(DEPTH + 1, chunk),
        layer=jnp.int32(0),
        top=jnp.int32(chunk + games),
    )
    return lax.while_loop(lambda carry: carry[0].layer >= 0, step, (stack, found))[1]


def _expand(views: View, stack: _Stack, chunk: int) -> tuple[_Stack, Children]:
    """Takes nodes off the top layer and gives their children.

    `kept`, because XLA would find the moves anew for every word of the result.
    """
    base = stack.base[stack.layer]
    taken = jnp.minimum(stack.top - base, chunk)
    there = np.arange(chunk) >= chunk - taken
    lane, own, flow = (
        kept(lax.dynamic_slice_in_dim(x, stack.top - chunk, chunk)) for x in stack[:3]
    )
    legal = kept(moves(views, lane, own, flow))
    own, flow, state = follow(views.roll[lane], own, flow, legal)
    own, words = kept(own), kept(flow | jnp.where(there[None], state, 0) << STATE)
    words = kept(_once(lane, own, words))
    state = words >> STATE
    rank, before = _ranks(state)
    top = stack.top - taken
    stack = stack._replace(top=top, layer=stack.layer - (top == base))
    children = Children(
        lane=jnp.where(there, lane, views.start.size),
        own=own,
        flow=words & (1 << STATE) - 1,
        goes_on=state == 1,
        final=state == 2,
        rank=rank,
        finals=before >> 16,
        number=before[-1] & 65535,
    )
    return stack, children


def _once(lane: Array, own: Array, words: Array) -> Array:
    """`words` [8, C] with state 0 for children that occur twice in the chunk.

    Each child writes its index at a place given by a hash of its words; whoever finds another
    index there, of an equal child, goes.
    """
    size, chunk = 2 * own.size, len(lane)
    mixed = own * np.int32(-1640531535) ^ words * np.int32(-2048144777)
    mixed ^= (lane * np.int32(-1028477379))[None]
    spot = lax.shift_right_logical(mixed * np.int32(668265263), 33 - size.bit_length())
    spot, index = kept(spot), np.arange(own.size).reshape(own.shape)
    claims = jnp.zeros(size, jnp.int32)
    claims = claims.at[jnp.where(words >> STATE > 0, spot, size)].set(index, mode="drop")
    holder = kept(_get(claims, spot))
    equal = (_get(own.ravel(), holder) == own) & (_get(words.ravel(), holder) == words)
    equal &= _get(lane, lax.rem(holder, np.int32(chunk))) == lane[None]
    return jnp.where(equal & (holder != index), 0, words)


def _get(x: Array, index: Array) -> Array:
    return x.at[index].get(mode="promise_in_bounds", wrap_negative_indices=False)


def _ranks(state: Array) -> tuple[Array, Array]:
    """`Children.rank` [8, C], and the children of the nodes before [C + 1].

    Those that go on are counted in the lower 16 bits, those that are final in the upper.
    """
    each = (state == 1) + ((state == 2) << 16)
    number = kept(functools.reduce(operator.add, each))  # of a node
    before = kept(jnp.pad(jnp.cumsum(number), (1, 0)))
    marks = kept(functools.reduce(operator.or_, (state[k] << 2 * k for k in range(WIDTH))))
    lower = marks[None] & ((1 << 2 * np.arange(WIDTH)) - 1)[:, None]
    rank = jnp.where(
        state == 1,
        (before[None, :-1] & 65535) + bits.size(lower & 0x5555),
        (before[None, :-1] >> 16) + bits.size(lower & 0xAAAA),
    )
    return kept(rank), before


def _push(stack: _Stack, children: Children) -> _Stack:
    """The children that go on as a new layer, still in the order of games."""
    number = children.number
    spot = kept(jnp.where(children.goes_on, stack.top + children.rank, stack.own.size))
    lane = jnp.broadcast_to(children.lane[None], spot.shape)
    layer = stack.layer + (number > 0)
    return _Stack(
        lane=stack.lane.at[spot].set(lane, mode="drop"),
        own=stack.own.at[spot].set(children.own, mode="drop"),
        flow=stack.flow.at[spot].set(children.flow, mode="drop"),
        base=stack.base.at[layer].set(jnp.where(number > 0, stack.top, stack.base[layer])),
        layer=layer,
        top=stack.top + number,
    )
