"""Search: what a position is worth if both sides look some moves ahead.

    player   a player that chooses by searching
    look     the same search, with the value it found and the nodes it counted

Minimax and alpha-beta to any depth, for games of two players without dice. The caller gives the
value of the positions where the search ends and, if wanted, the order of moves. At depth 1 the
search makes each of its own moves and values the position after it.

There is no table of transpositions: at depth 3, where whole matches are played, the inner nodes
are one move of each side, and two of them are hardly ever the same position (2 of 3,112 in
Abalone).
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap

from tdlib.kernels.gather import Blocks, in_all_lanes, weights_table
from tdlib.search import lanes
from tdlib.search.nodes import Order, Search, Value, without_past
from tdlib.search.steps import Jobs, Report
from tdlib.types import Array, Game, Key, Player, State

__all__ = ["Order", "Report", "Search", "Value", "look", "player", "searching"]

METHODS = ("alphabeta", "minimax")
TIES = ("first", "random", "bounds")
BLOCKS = {"kalah": (6, 6), "abalone": (16, 8)}  # K for minimax and for alpha-beta
SLOTS = 128  # moves of a node that can be put in order; any beyond are looked at last
LANES = 64  # searches side by side: enough to keep XLA busy, few enough for caches


def player(
    game: Game, value: Value, *, name: str | None = None, weights: Any = (), **options: Any
) -> Player:
    """The player that searches and takes the best move; `options` are those of `searching`.

    weights: what `value` takes; the same for all games, one for each under `jax.vmap`, or
    `Blocks`.
    """
    search = searching(game, value, **options)
    find = _found(search)

    def choose(weights: Any, key: Key, state: State, plays: Any) -> Array:
        return find(weights, key, state, plays.count > 0).rank

    return Player(name or f"search{search.depth}", choose, weights)


def look(game: Game, value: Value, **options: Any) -> Callable[[Any, Key, State], Report]:
    """f(weights, key, state) -> Report: what the same search finds, and what it costs."""
    find = _found(searching(game, value, **options))
    return lambda weights, key, state: find(weights, key, state, jnp.bool_(True))


def searching(
    game: Game,
    value: Value,
    *,
    depth: int,
    method: str = "alphabeta",
    ties: str = "first",
    first: float = 0.0,
    order: Order | None = None,
    quick_wins: bool = False,
    windows: bool = False,
) -> Search:
    """What is searched, and how.

    Args:
      game: the rules to search by. They may lack the rules by which the game that is played
        stops (`max_plies`, `repetition`); the past kept for those is then left behind.
      value: (weights, state, seat) -> [] float32, what a position at full depth, or one where
        the game is over, is worth to the seat that searches. The values of the two seats need
        not be opposite.
      depth: in plies; each play is one ply, even one that earns another.
      method: "alphabeta", or "minimax", which looks at everything. Both choose alike.
      ties: which of several equally good moves is taken: the "first" that was looked at, or
        any of them at "random", uniformly. "bounds" is also random, but makes a mistake that
        is easy to make: alpha-beta often knows only that a move is worth no more than the
        best, and here a move whose bound equals the best counts as equally good. Such a
        player takes bad moves, all the more of those that are looked at late.
      first: of "random" ties: the probability that the first of equals, in the order of the
        rules, is taken anyway.
      order: (weights, before, after) -> [], the key of a move; moves with higher keys are
        looked at first, in all nodes but the last, where ordering would cost more than it
        saves. Its weights are those of `value`. Or "value": moves that lead to the highest
        value first, which is known anyway, so this costs least.
      quick_wins: a game won is worth more than any value, and more the earlier it is won.
      windows: drop moves by their keys (`tdlib.search.windows`); the weights are a `Windowed`.
    """
    search = Search(
        game,
        value,
        depth,
        prunes=method == "alphabeta",
        random_ties=ties != "first",
        first=first,
        trusts_bounds=ties == "bounds",
        order=order,
        quick_wins=quick_wins,
        windows=windows,
    )
    _check(search, method, ties)
    block = BLOCKS.get(game.name, (8, 8))[search.prunes]
    return search._replace(block=block, slots=SLOTS // block * block)


def _check(search: Search, method: str, ties: str) -> None:
    game, depth, order = search.game, search.depth, search.order
    if len(game.rolls) != 1 or game.seats != 2:
        raise ValueError(
            f"search needs a game of two players without dice; {game.name} has"
            f" {game.seats} players and {len(game.rolls)} rolls"
        )
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise ValueError(f"depth must be an integer of at least 1, not {depth!r}")
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    if isinstance(order, str) and order != "value":
        raise ValueError(f"order must be None, 'value' or a function, not {order!r}")
    if ties not in TIES:
        raise ValueError(f"ties must be one of {', '.join(TIES)}, not {ties!r}")
    if not 0 <= search.first <= 1 or (search.first and ties != "random"):
        raise ValueError(f"first is a probability, of random ties only, not {search.first!r}")
    if search.windows and (not callable(order) or depth == 1):
        raise ValueError("windows need depth 2 or more and an order that is a function")


@functools.cache  # the same function for the same search, which is then compiled once
def _found(search: Search) -> Callable[[Any, Key, State, Array], Report]:
    @custom_vmap
    def find(weights: Any, key: Key, state: State, asked: Array) -> Report:
        one = jax.tree.map(lambda x: jnp.asarray(x)[None], (key, state, asked))
        if isinstance(weights, Blocks):  # a single game is the first of the first block
            weights = jax.tree.map(lambda x: x[0], weights.weights)
        table = jax.tree.map(lambda x: jnp.asarray(x)[None], weights)
        return jax.tree.map(lambda x: x[0], _find(search, table, *one))

    @find.def_vmap
    def find_many(
        size: int, in_batched: Any, weights: Any, key: Key, state: State, asked: Array
    ) -> Any:
        table, blocks = weights_table(weights, in_batched[0], size)
        if blocks > 1:
            table = jax.tree.map(lambda x: jnp.repeat(x, size // blocks, axis=0), table)
        many = in_all_lanes((key, state, asked), tuple(in_batched[1:]), size)
        report = _find(search, table, *many)
        return report, jax.tree.map(lambda _: True, report)

    return find


def _find(search: Search, table: Any, key: Key, state: State, asked: Array) -> Report:
    """Search N positions; table: their weights [N, ...], or [1, ...] for all of them."""
    jobs = Jobs(without_past(search.game, state), key, asked)
    return lanes.run(search, table, jobs, min(asked.shape[0], LANES))
