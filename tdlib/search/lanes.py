"""Many searches side by side: L lanes, each a depth-first search with a stack of its own.

Why so: XLA is fast when it does the same thing to thousands of numbers, a tree search looks at
one move after another, and what it looks at depends on what it found. So the order within each
search stays that of the textbook, and its step is made wide: every lane looks at the next K
moves of its last node (or puts the next K moves of an inner node in order), values these K x L
positions in one go, hands finished nodes up and goes down one move. The first of the K that
reaches the bound ends the node, the rest count as never made, so that all numbers are those of
the search that looks at one position at a time. A lane that is done takes the next of N
positions: nobody waits for the longest search but at the very end.
"""

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tdlib import chance
from tdlib.fusion import once
from tdlib.search.nodes import (
    Node,
    Search,
    choose,
    is_done,
    just_below,
    leaf,
    learned,
    node,
)
from tdlib.types import Array, Key, State


class Report(NamedTuple):
    """What a search found; node counts as of one position at a time."""

    rank: Array  # [] int32, the move chosen
    value: Array  # [] float32, for the seat to move
    generated: Array  # [] int32, positions made, the root not among them
    evaluated: Array  # [] int32, positions valued: at full depth, or the game is over
    cut: Array  # [] int32, moves of all nodes reached that were never made


class Jobs(NamedTuple):
    """N positions to search."""

    state: State  # [N, ...]
    key: Key  # [N]
    asked: Array  # [N] bool, whether it is to be searched at all
    seat: Array  # [N] int32, whose values
    alpha: Array  # [N] float32
    beta: Array  # [N] float32


class Lane(NamedTuple):
    """One search under way."""

    job: Array  # [] int32, N for none
    weights: Any  # of this job, or () where all share them
    key: Key
    seat: Array  # [] int32
    ply: Array  # [] int32, the node it is at
    nodes: tuple[Node, ...]  # from the root to the last before the leaves
    trying: Array  # [] int32, the rank of the root's move under way
    priority: Array  # [] int32, the higher is taken of equals
    report: Report


def run(search: Search, table: Any, jobs: Jobs, lanes: int) -> Report:
    """All positions searched: [N]. table: weights [N, ...], or [1, ...] for all."""
    number = jobs.asked.shape[0]
    todo = jnp.nonzero(jobs.asked, size=number, fill_value=number)[0].astype(jnp.int32)
    total = jobs.asked.sum(dtype=jnp.int32)
    shared = jax.tree.map(lambda x: x[0], table) if _is_shared(table, number) else None
    weights_of = _Weights(shared)
    zero = jnp.zeros(number, jnp.int32)
    out = Report(zero, zero.astype(jnp.float32), zero, zero, zero)
    start = functools.partial(_begin, search, weights_of, table, jobs, todo)
    lane = jax.vmap(start)(jnp.where(jnp.arange(lanes) < total, jnp.arange(lanes), number))
    begun = jnp.minimum(total, lanes)

    def step(carry: tuple[Lane, Report, Array]) -> tuple[Lane, Report, Array]:
        lane, out, begun = carry
        one = jnp.minimum(begun, 1)
        lane = once(lambda: _looked(search, weights_of, lane), one)
        lane = once(lambda: jax.vmap(functools.partial(_handed_up, search))(lane), one)
        done = jax.vmap(lambda x: (x.ply == 0) & is_done(search, x.nodes[0]))(lane)
        done &= lane.job < number
        lane, out, begun = lax.cond(
            done.any(), refilled, lambda done, *rest: rest, done, lane, out, begun
        )
        if search.depth > 1:
            down = functools.partial(_gone_down, search, weights_of)
            lane = once(lambda: jax.vmap(down)(lane), one)
        return lane, out, begun

    def refilled(
        done: Array, lane: Lane, out: Report, begun: Array
    ) -> tuple[Lane, Report, Array]:
        where = jnp.where(done, lane.job, number)
        out = jax.tree.map(lambda o, r: o.at[where].set(r, mode="drop"), out, lane.report)
        turn = begun + jnp.cumsum(done) - 1
        fresh = jax.vmap(start)(jnp.where(turn < total, turn, number).astype(jnp.int32))
        lane = jax.vmap(choose)(done, fresh, lane)
        return lane, out, jnp.minimum(begun + done.sum(dtype=jnp.int32), total)

    def busy(carry: tuple[Lane, Report, Array]) -> Array:
        return (carry[0].job < number).any()

    return lax.while_loop(busy, step, (lane, out, begun))[1]


class _Weights(NamedTuple):
    shared: Any  # of all lanes, or None where each has its own

    def __call__(self, lane: Lane) -> Any:
        return lane.weights if self.shared is None else self.shared


def _is_shared(table: Any, number: int) -> bool:
    leaves = jax.tree.leaves(table)
    return not leaves or leaves[0].shape[0] == 1


def _begin(
    search: Search, weights_of: _Weights, table: Any, jobs: Jobs, todo: Array, turn: Array
) -> Lane:
    """A lane at the root of the turn-th position to be searched; turn N: nothing to do."""
    number = todo.shape[0]
    job = jnp.where(turn < number, todo[jnp.minimum(turn, number - 1)], number)
    at = jnp.minimum(job, number - 1)
    mine = jax.tree.map(lambda x: x[at], jobs)
    weights: Any = ()
    if weights_of.shared is None:
        weights = jax.tree.map(lambda x: x[at], table)
    root = node(
        search,
        weights if weights_of.shared is None else weights_of.shared,
        mine.state,
        mine.seat,
        mine.alpha,
        mine.beta,
        search.depth,
    )
    none = jnp.int32(0)
    over = (root.count == 0).astype(jnp.int32)
    root = root._replace(count=jnp.where(job < number, root.count, 0))
    report = Report(none, root.best, none, over, none)
    return Lane(
        job,
        weights,
        mine.key,
        mine.seat,
        none,
        (root,) * search.depth,
        none,
        jnp.int32(-(2**31)),
        report,
    )


def _priority(search: Search, key: Key, rank: Array, place: Array) -> Array:
    """Who of equal moves at the root is taken: the higher. place: in order of looking."""
    if not search.random_ties:
        return -place
    return (chance.words(key, rank)[0] >> 1).astype(jnp.int32)


def _noted(search: Search, lane: Lane, value: Array, rank: Array, place: Array) -> Lane:
    """The lane after a move of the root turned out to be worth that."""
    mine = lane.nodes[0].state.seat == lane.seat
    gain = jnp.where(mine, value - lane.report.value, lane.report.value - value)
    claim = _priority(search, lane.key, rank, place)
    first = lane.priority == -(2**31)
    better = first | (gain > 0) | ((gain == 0) & (claim > lane.priority))
    report = lane.report._replace(
        rank=jnp.where(better, rank, lane.report.rank),
        value=jnp.where(better, value, lane.report.value),
    )
    return lane._replace(report=report, priority=jnp.where(better, claim, lane.priority))


def _looked(search: Search, weights_of: _Weights, lane: Lane) -> Lane:
    """All lanes [L] after the next K moves of those that are at the last node."""
    frontier = lane.nodes[-1]
    steps = jnp.arange(search.block, dtype=jnp.int32)

    def value(step: Array, lane: Lane) -> Array:
        at = lane.nodes[-1]
        rank = jnp.clip(at.looked + step, 0, jnp.maximum(at.count - 1, 0))
        after = search.game.play(at.state, at.plays, rank)
        return leaf(search, weights_of(lane), after, lane.seat, 0)

    values = jax.vmap(jax.vmap(value, (None, 0)), (0, None))(steps, lane)  # [K, L]
    del frontier
    return jax.vmap(functools.partial(_heard, search), (0, 1))(lane, values)


def _heard(search: Search, lane: Lane, values: Array) -> Lane:
    """One lane after hearing the values [K] of the next moves of its last node."""
    at = lane.nodes[-1]
    here = lane.ply == search.depth - 1
    steps = jnp.arange(search.block, dtype=jnp.int32)
    own = at.state.seat == lane.seat
    sign = jnp.where(own, 1.0, -1.0)
    left = jnp.where(here, at.count - at.looked, 0)
    seen = jnp.minimum(left, search.block)
    if search.prunes:
        bound = jnp.where(own, at.beta, -at.alpha)
        reaches = (sign * values >= bound) & (steps < seen)
        seen = jnp.minimum(seen, jnp.where(reaches, steps + 1, search.block).min())
    gains = jnp.where(steps < seen, sign * values, -jnp.inf)
    gain = gains.max()
    if search.depth == 1:
        place = at.looked + steps
        claims = jax.vmap(lambda p: _priority(search, lane.key, p, p))(place)
        claims = jnp.where(gains == gain, claims, -(2**31))
        index = jnp.argmax(claims).astype(jnp.int32)
        noted = _noted(search, lane, sign * gain, at.looked + index, at.looked + index)
        lane = choose(seen > 0, noted, lane)
    after = choose(seen > 0, learned(at, lane.seat, sign * gain), at)
    after = after._replace(looked=at.looked + seen)
    report = lane.report._replace(
        generated=lane.report.generated + seen, evaluated=lane.report.evaluated + seen
    )
    return lane._replace(nodes=(*lane.nodes[:-1], after), report=report)


def _handed_up(search: Search, lane: Lane) -> Lane:
    """The lane after every finished node has told its value to the one before it."""
    nodes = list(lane.nodes)
    for ply in range(search.depth - 1, 0, -1):
        at = nodes[ply]
        done = (lane.ply == ply) & is_done(search, at)
        if ply == 1:
            place = nodes[0].looked - 1
            lane = choose(done, _noted(search, lane, at.best, lane.trying, place), lane)
        nodes[ply - 1] = choose(
            done, learned(nodes[ply - 1], lane.seat, at.best), nodes[ply - 1]
        )
        cut = lane.report.cut + jnp.where(done, at.count - at.looked, 0)
        lane = lane._replace(
            ply=lane.ply - done.astype(jnp.int32), report=lane.report._replace(cut=cut)
        )
    return lane._replace(nodes=tuple(nodes))


def _gone_down(search: Search, weights_of: _Weights, lane: Lane) -> Lane:
    """The lane after making the next move of its node, unless that is the last one."""
    at = lane.nodes[0]
    for ply in range(1, search.depth - 1):
        at = choose(lane.ply == ply, lane.nodes[ply], at)
    goes = (lane.ply < search.depth - 1) & ~is_done(search, at)
    rank = jnp.minimum(at.looked, jnp.maximum(at.count - 1, 0))
    state = search.game.play(at.state, at.plays, rank)
    alpha = at.alpha
    if search.random_ties:
        alpha = jnp.where(lane.ply == 0, just_below(alpha), alpha)
    left = search.depth - 1 - lane.ply
    fresh = node(search, weights_of(lane), state, lane.seat, alpha, at.beta, left)
    nodes = [
        choose(goes & (lane.ply + 1 == ply), fresh, old) if ply else old
        for ply, old in enumerate(lane.nodes)
    ]
    nodes = [
        n._replace(looked=n.looked + (goes & (lane.ply == ply)).astype(jnp.int32))
        for ply, n in enumerate(nodes)
    ]
    over = (fresh.count == 0).astype(jnp.int32)
    made = goes.astype(jnp.int32)
    report = lane.report._replace(
        generated=lane.report.generated + made, evaluated=lane.report.evaluated + made * over
    )
    trying = jnp.where(goes & (lane.ply == 0), rank, lane.trying)
    return lane._replace(nodes=tuple(nodes), ply=lane.ply + made, trying=trying, report=report)
