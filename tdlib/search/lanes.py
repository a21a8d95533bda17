"""Many searches side by side: L lanes, each a depth-first search with a stack of its own.

The reason: XLA is fast when it does the same thing to thousands of numbers, but a tree search
looks at one move after another, and where it looks next depends on what it has found. So the
order within each search stays that of the textbook, and each step is made wide. In one step
every lane looks at the next K moves of its last node (or rates the next K moves of an inner
node, to put them in order), so that K x L positions are valued in one go; then it passes the
values of finished nodes up, and goes down one move. The first of the K moves that reaches the
bound ends the node, and those behind it count as never made: all counts are those of a search
that looks at one position at a time. A lane that is done takes the next of the N positions, so
that lanes wait for the longest search only at the very end.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tdlib.kernels.compute_once import once
from tdlib.search import ordering, steps, windows
from tdlib.search.nodes import Node, Search, choose, is_done
from tdlib.search.ordering import Ordering
from tdlib.search.steps import Jobs, Lane, Report
from tdlib.types import Array


class _All(NamedTuple):
    """Everything that changes from step to step."""

    lane: Lane  # [L]
    order: Ordering
    out: Report  # [N]
    begun: Array  # [] int32, positions that a lane has taken


class _Queue(NamedTuple):
    """What is to be searched."""

    jobs: Jobs  # [N]
    todo: Array  # [N] int32, the numbers of those asked about, then N
    total: Array  # [] int32, how many those are
    weights: Any  # [N, ...], or one for all
    alike: bool  # whether it is one for all

    def weights_of(self, lane: Lane) -> Any:
        return self.weights if self.alike else lane.weights


def run(search: Search, table: Any, jobs: Jobs, lanes: int) -> Report:
    """All positions searched: [N]. table: weights [N, ...], or [1, ...] for all."""
    number, queue = jobs.asked.shape[0], _queue(table, jobs)

    def step(now: _All) -> _All:
        one = jnp.minimum(queue.total, 1)
        lane, order = _looked(search, queue.weights_of, now.lane, now.order, one)
        done = jax.vmap(lambda x: (x.ply == 0) & is_done(search, x.nodes[0]))(lane)
        done &= lane.job < number
        now = now._replace(lane=lane, order=order)
        refill = functools.partial(_refilled, search, queue)
        now = lax.cond(done.any(), refill, lambda _, now: now, done, now)
        if search.depth > 1:
            now = _gone_down(search, queue.weights_of, now, one)
        return now

    zero = jnp.zeros(number, jnp.int32)
    out = Report(zero, zero.astype(jnp.float32), zero, zero, zero)
    start = functools.partial(_started, search, queue)
    lane = jax.vmap(start)(jnp.arange(lanes, dtype=jnp.int32))
    order = ordering.unordered(_inner(search), search.slots, lanes)
    now = _All(lane, order, out, jnp.minimum(queue.total, lanes))
    return lax.while_loop(lambda now: (now.lane.job < number).any(), step, now).out


def _queue(table: Any, jobs: Jobs) -> _Queue:
    number = jobs.asked.shape[0]
    todo = jnp.nonzero(jobs.asked, size=number, fill_value=number)[0].astype(jnp.int32)
    leaves = jax.tree.leaves(table)
    alike = not leaves or leaves[0].shape[0] == 1
    if alike:
        table = jax.tree.map(lambda x: x[0], table)
    return _Queue(jobs, todo, jobs.asked.sum(dtype=jnp.int32), table, alike)


def _started(search: Search, queue: _Queue, turn: Array) -> Lane:
    """A lane with the position whose turn [] it is, if there is one."""
    number = queue.todo.shape[0]
    job = jnp.where(turn < queue.total, queue.todo[jnp.minimum(turn, number - 1)], number)
    at = jnp.minimum(job, number - 1)
    mine = jax.tree.map(lambda x: x[at], queue.jobs)
    weights = queue.weights
    if not queue.alike:
        weights = jax.tree.map(lambda x: x[at], weights)
    lane = steps.begun(search, weights, mine, job, job < number)
    return lane._replace(weights=() if queue.alike else weights)


def _refilled(search: Search, queue: _Queue, done: Array, now: _All) -> _All:
    """Lanes that are done [L] report and take the next positions."""
    where = jnp.where(done, now.lane.job, queue.todo.shape[0])
    out = jax.tree.map(lambda o, r: o.at[where].set(r, mode="drop"), now.out, now.lane.report)
    turn = now.begun + jnp.cumsum(done, dtype=jnp.int32) - 1
    start = functools.partial(_started, search, queue)
    lane = jax.vmap(choose)(done, jax.vmap(start)(turn), now.lane)
    begun = jnp.minimum(now.begun + done.sum(dtype=jnp.int32), queue.total)
    order = ordering.forgotten(now.order, jnp.zeros_like(turn), done)
    return _All(lane, order, out, begun)


def _looked(
    search: Search, weights_of: Callable, lane: Lane, order: Ordering, one: Array
) -> tuple[Lane, Ordering]:
    """Every lane after seeing its next K moves and handing up what is finished."""
    at, first = once(lambda: _asked(search, lane, order), one)
    values, keys = once(lambda: _seen(search, weights_of, lane, at, first), one)
    order = _rated(search, lane, order, at, keys)
    kept = _kept(search, weights_of, lane, jnp.int32(search.depth), keys)
    hear = jax.vmap(functools.partial(steps.heard, search), (0, 1, 1))
    heard = once(lambda: hear(lane, values, kept), one)
    hand_up = jax.vmap(functools.partial(steps.handed_up, search))
    return once(lambda: hand_up(heard), one), order


def _inner(search: Search) -> int:
    """How many nodes of a lane have an order of moves."""
    return search.depth - 1 if search.order else 0


def _asked(search: Search, lane: Lane, order: Ordering) -> tuple[Node, Array]:
    """Whose moves every lane is to see next, and from which rank: [L]."""
    last, first = lane.nodes[-1], lane.nodes[-1].looked
    if not _inner(search):
        return last, first
    at_last = lane.ply == search.depth - 1
    at = jax.vmap(choose)(at_last, last, jax.vmap(functools.partial(steps.top, search))(lane))
    return at, jnp.where(at_last, first, ordering.keyed(order, lane.ply))


def _seen(
    search: Search, weights_of: Callable[[Lane], Any], lane: Lane, at: Node, first: Array
) -> tuple[Array, Array]:
    """Values and keys [K, L] of these moves."""

    def see(step: Array, lane: Lane, at: Node, first: Array) -> tuple[Array, Array]:
        return steps.seen(search, weights_of(lane), at, lane.seat, first, step)

    which = jnp.arange(search.block, dtype=jnp.int32)
    each = jax.vmap(jax.vmap(see, (None, 0, 0, 0)), (0, None, None, None))
    return each(which, lane, at, first)


def _rated(search: Search, lane: Lane, order: Ordering, at: Node, keys: Array) -> Ordering:
    if not _inner(search):
        return order
    rates = (lane.ply < search.depth - 1) & ~_ready(search, order, lane.ply, at)
    return ordering.rated(order, lane.ply, rates, keys)


def _kept(
    search: Search, weights_of: Callable[[Lane], Any], lane: Lane, ply: Array, keys: Array
) -> Array:
    """Whether moves to `ply` with these keys [K, L] are looked at at all: [K, L] bool."""
    if not search.windows:
        return jnp.ones(keys.shape, bool)
    inside = jax.vmap(lambda x, keys: windows.inside(weights_of(x), ply, keys))
    return inside(lane, keys.T).T


def _ready(search: Search, order: Ordering, ply: Array, at: Node) -> Array:
    """[L] bool: all moves have keys."""
    return ordering.keyed(order, ply) >= jnp.minimum(at.moves, search.slots)


def _gone_down(
    search: Search, weights_of: Callable[[Lane], Any], now: _All, one: Array
) -> _All:
    """Every lane one move further, if its node has one and knows which."""
    lane, order = now.lane, now.order
    at = once(lambda: jax.vmap(functools.partial(steps.top, search))(lane), one)
    goes = (lane.ply < search.depth - 1) & ~jax.vmap(functools.partial(is_done, search))(at)
    rank = at.looked
    if _inner(search):
        goes &= _ready(search, order, lane.ply, at)
        rank, further = ordering.following(order, lane.ply, at.moves, rank)
        order = ordering.kept(goes, further, order)
        order = ordering.forgotten(order, lane.ply + 1, goes)
    drops = jnp.zeros_like(goes)
    if search.windows:
        key = ordering.latest(order, lane.ply)
        inside = jax.vmap(lambda x, key: windows.inside(weights_of(x), x.ply + 1, key))
        drops = goes & ~inside(lane, key) & ((lane.ply > 0) | (at.looked > 0))
        goes &= ~drops

    def down(lane: Lane, rank: Array, goes: Array, drops: Array) -> Lane:
        return steps.gone_down(search, weights_of(lane), lane, rank, goes, drops)

    lane = once(lambda: jax.vmap(down)(lane, rank, goes, drops), one)
    return now._replace(lane=lane, order=order)
