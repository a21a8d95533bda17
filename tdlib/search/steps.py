"""What one search does in a step: it looks at some moves, passes values up, goes down a move.

These are functions of one lane; `tdlib.search.lanes` applies them to many.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from tdlib.kernels import random_numbers
from tdlib.search.nodes import (
    Node,
    Search,
    choose,
    inner,
    is_done,
    just_below,
    leaf,
    learned,
    node,
)
from tdlib.types import Array, Key, State

_NONE = -(2**31)  # below every priority


class Report(NamedTuple):
    """What a search found; nodes are counted as if it looked at one position at a time."""

    rank: Array  # [] int32, the move chosen
    value: Array  # [] float32, for the seat to move
    generated: Array  # [] int32, positions made, the root not among them
    evaluated: Array  # [] int32, positions valued: at full depth, or the game is over
    cut: Array  # [] int32, moves of all nodes reached that were never made


class Jobs(NamedTuple):
    """Positions to search, [N] in front."""

    state: State
    key: Key
    asked: Array  # bool, whether it is to be searched at all


class Lane(NamedTuple):
    """One search under way."""

    job: Array  # [] int32, the number of the position
    weights: Any
    key: Key
    seat: Array  # [] int32, of the root, whose values these are
    ply: Array  # [] int32, the node it is at
    nodes: tuple[Node, ...]  # D of them, from the root to the last before the leaves
    trying: Array  # [] int32, the rank of the root's move under way
    priority: Array  # [] int32, of the best move: of equals the higher is taken
    report: Report


def begun(search: Search, weights: Any, mine: Jobs, job: Array, real: Array) -> Lane:
    """A lane at the root of its position; it has nothing to do if `real` [] is False."""
    seat, whole = mine.state.seat, (jnp.float32(-jnp.inf), jnp.float32(jnp.inf))
    root = node(search, weights, mine.state, seat, whole, search.depth)
    zero = jnp.int32(0)
    over = (root.moves == 0).astype(jnp.int32)
    root = root._replace(moves=jnp.where(real, root.moves, 0))
    return Lane(
        job=job,
        weights=weights,
        key=mine.key,
        seat=seat,
        ply=zero,
        nodes=(root,) * search.depth,
        trying=zero,
        priority=jnp.int32(_NONE),
        report=Report(zero, root.best, zero, over, zero),
    )


def seen(
    search: Search, weights: Any, at: Node, seat: Array, first: Array, step: Array
) -> tuple[Array, Array]:
    """Value [] and key [] of a node's next move but `step`, counted from `first`."""
    rank = jnp.clip(first + step, 0, jnp.maximum(at.moves - 1, 0))
    after = search.game.play(at.state, at.plays, rank)
    value = leaf(search, weights, after, seat, 0)
    if callable(search.order):
        return value, search.order(inner(search, weights), at.state, after)
    return value, jnp.where(at.state.seat == seat, value, -value)


def heard(search: Search, lane: Lane, values: Array, kept: Array) -> Lane:
    """The lane after hearing the values [K] of the next moves of its last node.

    kept [K] bool: whether they are not dropped for their keys.
    """
    at, here = lane.nodes[-1], lane.ply == search.depth - 1
    steps = jnp.arange(search.block, dtype=jnp.int32)
    own = at.state.seat == lane.seat
    sign = jnp.where(own, 1.0, -1.0)
    number = jnp.minimum(jnp.where(here, at.moves - at.looked, 0), search.block)
    if search.prunes:
        bound = jnp.where(own, at.beta, -at.alpha)
        reaches = (sign * values >= bound) & (steps < number) & kept
        number = jnp.minimum(number, jnp.where(reaches, steps + 1, search.block).min())
    counts = (steps < number) & kept
    gains = jnp.where(counts, sign * values, -jnp.inf)
    if search.depth == 1:
        claims = jax.vmap(lambda p: _priority(search, lane, p, p))(at.looked + steps)
        claims = jnp.where(gains == gains.max(), claims, _NONE)
        rank = at.looked + jnp.argmax(claims).astype(jnp.int32)
        noted = _noted(search, lane, sign * gains.max(), rank, rank)
        lane = choose(counts.any(), noted, lane)
    after = choose(counts.any(), learned(at, lane.seat, sign * gains.max()), at)
    after = after._replace(looked=at.looked + number)
    return lane._replace(
        nodes=(*lane.nodes[:-1], after),
        report=_counted(lane.report, number, counts.sum(dtype=jnp.int32)),
    )


def handed_up(search: Search, lane: Lane) -> Lane:
    """The lane after every finished node has passed its value to the one before it."""
    for ply in range(search.depth - 1, 0, -1):
        before, at = lane.nodes[ply - 1 : ply + 1]
        done = (lane.ply == ply) & is_done(search, at)
        value = at.best
        if search.windows:  # all its moves were dropped
            alone = jnp.isinf(at.best)
            value = jnp.where(alone, at.still, value)
            lane = lane._replace(report=_counted(lane.report, 0, (done & alone) * 1))
        if ply == 1:
            noted = _noted(search, lane, value, lane.trying, before.looked - 1)
            lane = choose(done, noted, lane)
        before = choose(done, learned(before, lane.seat, value), before)
        cut = lane.report.cut + jnp.where(done, at.moves - at.looked, 0)
        lane = lane._replace(
            ply=jnp.where(done, ply - 1, lane.ply),
            nodes=_with(lane.nodes, ply - 1, before),
            report=lane.report._replace(cut=cut),
        )
    return lane


def gone_down(
    search: Search, weights: Any, lane: Lane, rank: Array, goes: Array, drops: Array
) -> Lane:
    """The lane after making that move of its node, if it goes [] at all, or drops [] it."""
    at = top(search, lane)
    rank = jnp.clip(rank, 0, jnp.maximum(at.moves - 1, 0))
    state = search.game.play(at.state, at.plays, rank)
    left = search.depth - 1 - lane.ply
    fresh = node(search, weights, state, lane.seat, _window(search, at, lane.ply), left)
    nodes = [
        n._replace(looked=n.looked + ((goes | drops) & (lane.ply == ply)).astype(jnp.int32))
        for ply, n in enumerate(lane.nodes)
    ]
    for ply in range(1, search.depth):
        nodes[ply] = choose(goes & (lane.ply + 1 == ply), fresh, nodes[ply])
    made = goes.astype(jnp.int32)
    return lane._replace(
        ply=lane.ply + made,
        nodes=tuple(nodes),
        trying=jnp.where(goes & (lane.ply == 0), rank, lane.trying),
        report=_counted(lane.report, made + drops, made * (fresh.moves == 0)),
    )


def top(search: Search, lane: Lane) -> Node:
    """The node the lane is at, if it is an inner one."""
    at = lane.nodes[0]
    for ply in range(1, search.depth - 1):
        at = choose(lane.ply == ply, lane.nodes[ply], at)
    return at


def _window(search: Search, at: Node, ply: Array | int) -> tuple[Array, Array]:
    """Alpha and beta of the next move of a node."""
    if not search.random_ties or search.trusts_bounds:
        return at.alpha, at.beta
    return jnp.where(ply == 0, just_below(at.alpha), at.alpha), at.beta


def _priority(search: Search, lane: Lane, rank: Array, place: Array) -> Array:
    """The root's equally good move of highest priority is taken. place: when looked at."""
    if not search.random_ties:
        return -place
    drawn = (random_numbers.words(lane.key, rank)[0] >> 1).astype(jnp.int32)
    if not search.first:
        return drawn
    return jnp.where(random_numbers.unit(lane.key, _NONE) < search.first, -rank, drawn)


def _noted(search: Search, lane: Lane, value: Array, rank: Array, place: Array) -> Lane:
    """The lane after the value of one of the root's moves has become known."""
    known = lane.report.value
    claim = _priority(search, lane, rank, place)
    better = (value > known) | ((value == known) & (claim > lane.priority))
    report = lane.report._replace(
        rank=jnp.where(better, rank, lane.report.rank),
        value=jnp.where(better, value, known),
    )
    return lane._replace(report=report, priority=jnp.where(better, claim, lane.priority))


def _counted(report: Report, generated: Array | int, evaluated: Array) -> Report:
    return report._replace(
        generated=report.generated + generated, evaluated=report.evaluated + evaluated
    )


def _with(nodes: tuple[Node, ...], ply: int, new: Node) -> tuple[Node, ...]:
    return (*nodes[:ply], new, *nodes[ply + 1 :])
