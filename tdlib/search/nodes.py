"""Positions on the way from the root to where a search stands, and what is known of them.

Values are always those for the seat at the root: its own nodes look for the highest, the
other's for the lowest. Whose node it is follows from the position, not from the depth, because
a move can earn another one (Kalah).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from tdlib.types import Array, Game, State

Value = Callable[[Any, State, Array], Array]  # weights, state, seat -> [] float32
# weights (those of the value), before, after -> [] float32, highest first; or "value", that of
# the position after the move
Order = Callable[[Any, State, State], Array] | str

WON = 2.0**20  # above every heuristic value, and float32 can still add single plies to it
_MARGIN = 2.0**-22  # relative, at least two steps of float32: keeps a window open for ties


class Search(NamedTuple):
    """What is searched, and how; see `tdlib.search.searching`."""

    game: Game
    value: Value
    depth: int
    prunes: bool  # alpha-beta, else minimax
    random_ties: bool
    first: float = 0.0  # of random ties: how probable it is that the first is taken anyway
    trusts_bounds: bool = False  # at the root: a bound that equals the best counts as equal
    order: Order | None = None
    quick_wins: bool = False
    windows: bool = False  # see `windows`: then the weights are a `Windowed`
    block: int = 8  # K, moves looked at in one step
    slots: int = 128  # A, moves of a node that are put in order; a multiple of K


class Node(NamedTuple):
    """A position, and its moves so far. One lane."""

    state: State
    plays: Any
    moves: Array  # [] int32, how many there are; none if the game is over
    looked: Array  # [] int32, how many of them have been looked at, or are just now
    best: Array  # [] float32, of the moves looked at
    still: Array  # [] float32, its value if it is not searched further
    alpha: Array  # [] float32, what the seat at the root is already sure of
    beta: Array  # [] float32, what the other is sure of


def node(
    search: Search,
    weights: Any,
    state: State,
    seat: Array,
    window: tuple[Array, Array],
    left: Any,
) -> Node:
    """A position newly reached, with so many plies left to search; window: alpha, beta."""
    over, _ = search.game.outcome(state)
    plays = search.game.plays(state, jnp.int32(0))
    worst = jnp.where(state.seat == seat, -jnp.inf, jnp.inf).astype(jnp.float32)
    still = leaf(search, weights, state, seat, left)
    best = jnp.where(over, still, worst)
    moves = jnp.where(over, 0, plays.count)
    return Node(state, plays, moves, jnp.int32(0), best, still, *window)


def leaf(search: Search, weights: Any, state: State, seat: Array, left: Any) -> Array:
    """The value of a position that is not searched further: [] float32.

    left: plies that the search could still have made. With `quick_wins` a game that is won
    earlier is worth more, and so is one that is lost later.
    """
    value = search.value(inner(search, weights), state, seat).astype(jnp.float32)
    if not search.quick_wins:
        return value
    _, payoff = search.game.outcome(state)
    lead = jnp.where(seat == 0, payoff[0], payoff[1])
    return jnp.where(lead == 0, value, jnp.sign(lead) * (WON + left)).astype(jnp.float32)


def inner(search: Search, weights: Any) -> Any:
    """The weights of the value and of the order, without windows."""
    return weights.inner if search.windows else weights


def is_done(search: Search, at: Node) -> Array:
    """[] bool: no move is left, or none can matter."""
    done = at.looked >= at.moves
    return done | (at.alpha >= at.beta) if search.prunes else done


def learned(at: Node, seat: Array, value: Array) -> Node:
    """The node, one of whose moves leads to this value."""
    own = at.state.seat == seat
    return at._replace(
        best=jnp.where(own, jnp.maximum(at.best, value), jnp.minimum(at.best, value)),
        alpha=jnp.where(own, jnp.maximum(at.alpha, value), at.alpha),
        beta=jnp.where(own, at.beta, jnp.minimum(at.beta, value)),
    )


def just_below(value: Array) -> Array:
    """A little less, so that only moves worse than the best are cut, not equally good ones."""
    return value - jnp.maximum(jnp.abs(value), 1.0) * _MARGIN


def without_past(game: Game, state: State) -> State:
    """The position without what only another game's repetition rule needs."""
    if getattr(state, "past", None) is None:
        return state
    begun = jax.eval_shape(game.init, jax.random.key(0))
    return state._replace(past=None) if begun.past is None else state


def choose(mask: Array, new: Any, old: Any) -> Any:
    """One of two trees of one lane, by mask []."""
    return jax.tree.map(lambda x, y: jnp.where(mask, x, y), new, old)
