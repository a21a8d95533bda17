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

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.games.parcheesi.steps import PIECES, SEATS, WIDTH, View, follow, in_order, moves
from tdlib.kernels import bits
from tdlib.types import Array

DEPTH = 4 + PIECES * (SEATS - 1) + PIECES


class Children(NamedTuple):
    """What C nodes led to. The nodes of a game stand together."""

    lane: Array  # [C] int32, the game; B where there was no node
    own: Array  # [C, 8] int32
    flow: Array  # [C, 8] int32
    state: Array  # [C, 8] int32: 0 nothing, 1 goes on, 2 final
    rank: Array  # [C, 8] int32, counts those that go on, and likewise those that are final
    finals: Array  # [C] int32, final children of the nodes before


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
    """Takes nodes off the top layer and gives their children."""
    base = stack.base[stack.layer]
    taken = jnp.minimum(stack.top - base, chunk)
    there = np.arange(chunk) >= chunk - taken

    def nodes(zero: Array) -> tuple[Array, ...]:
        start = stack.top - chunk + zero
        lane, own, flow = (lax.dynamic_slice_in_dim(x, start, chunk) for x in stack[:3])
        lane = jnp.where(there, lane, views.start.size)  # no game
        legal = jax.vmap(lambda *node: moves(views, *node))(lane, own, flow)
        return lane, views.roll[lane], own, flow, legal

    def children(zero: Array) -> tuple[Array, ...]:
        own_to, flow_to, state = jax.vmap(follow)(roll, own, flow + zero, legal)
        # at the end of a roll pieces are alike: the same position is found once
        return jnp.where(state == 2, in_order(own_to), own_to), flow_to, state

    def ranks(zero: Array) -> tuple[Array, ...]:
        return _ranks(_once(lane, own, flow, jnp.where(there[:, None], state, zero)))

    lane, roll, own, flow, legal = _settle(stack.top, nodes)
    own, flow, state = _settle(stack.top, children)
    state, rank, finals = _settle(stack.top, ranks)
    top = stack.top - taken
    stack = stack._replace(top=top, layer=stack.layer - (top == base))
    return stack, Children(lane, own, flow, state, rank, finals)


def _settle(top: Array, produce: Callable[[Array], Any]) -> Any:
    """`produce(0)`, computed once.

    XLA on CPUs fuses a computation into each of its users, which here would find the moves
    anew for every word of the result (five times the run time; an optimisation barrier does
    not help). It does not look into a loop, nor know that this one runs once, the stack not
    being empty. The argument, the loop's counter, keeps the computation inside the loop.
    """
    blank = jax.tree.map(
        lambda x: jnp.zeros(x.shape, x.dtype), jax.eval_shape(produce, jnp.int32(0))
    )
    return lax.fori_loop(0, jnp.minimum(top, 1), lambda zero, _: produce(zero), blank)


def _once(lane: Array, own: Array, flow: Array, state: Array) -> Array:
    """`state` [C, 8] with 0 for children that occur twice in the chunk.

    Each child writes its index at a place given by a hash of its words; whoever finds another
    index there, of an equal child, goes.
    """
    size = 2 * own.size
    words = own * np.int32(-1640531535) ^ flow * np.int32(-2048144777)
    words ^= lane[:, None] * np.int32(-1028477379)
    spot = lax.shift_right_logical(words * np.int32(668265263), 33 - size.bit_length())
    index = np.arange(own.size).reshape(own.shape)
    claims = jnp.zeros(size, jnp.int32)
    claims = claims.at[jnp.where(state > 0, spot, size)].set(index, mode="drop")
    holder = claims[spot]
    equal = (own.ravel()[holder] == own) & (flow.ravel()[holder] == flow)
    equal &= lane[holder // WIDTH] == lane[:, None]
    return jnp.where(equal & (holder != index), 0, state)


def _ranks(state: Array) -> tuple[Array, Array, Array]:
    """state [C, 8], and what goes with it in `Children`: rank [C, 8], finals [C]."""
    on, final = bits.pack(state == 1), bits.pack(state == 2)
    number = bits.size(on) + (bits.size(final) << 16)  # both counted at once
    before = jnp.cumsum(number) - number
    finals = before >> 16
    below = (1 << np.arange(WIDTH)[None]) - 1
    rank = jnp.where(
        state == 1,
        (before & 65535)[:, None] + bits.size(on[:, None] & below),
        finals[:, None] + bits.size(final[:, None] & below),
    )
    return state, rank, finals


def _push(stack: _Stack, children: Children) -> _Stack:
    """The children that go on as a new layer, still in the order of games."""
    goes_on = children.state == 1
    number = goes_on.sum()
    spot = jnp.where(goes_on, stack.top + children.rank, stack.own.size)
    lane = jnp.broadcast_to(children.lane[:, None], spot.shape)
    layer = stack.layer + (number > 0)
    return _Stack(
        lane=stack.lane.at[spot].set(lane, mode="drop"),
        own=stack.own.at[spot].set(children.own, mode="drop"),
        flow=stack.flow.at[spot].set(children.flow, mode="drop"),
        base=stack.base.at[layer].set(jnp.where(number > 0, stack.top, stack.base[layer])),
        layer=layer,
        top=stack.top + number,
    )
