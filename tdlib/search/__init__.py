"""Search: what a position is worth if both sides look some moves ahead.

    player   chooses by such a search, in the ordinary way of players
    look     the same search with its value and its node counts

Minimax and alpha-beta to any depth, with any value of the positions at the end and any order of
moves, for games of two without dice. Depth 1 is each own move and then the value.

A table of transpositions is an option, `table`, that pays for deep searches. Share of positions
made that it saves, with moves ordered by value, and time, in Abalone without broadsides:

    depth   3     4     5     6
    nodes   0 %  46 %  46 %  64 %   from the opening
    nodes   0 %  23 %  37 %  56 %   from ten middle games
    time                     30 %   or so of the opening and one or two middle games, one by one

At depth 3, where whole matches are played, inner nodes are one move of each side, which hardly
ever meet (2 of 3,112); so matches are played without one.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap

from tdlib.picks import Blocks, weights_table
from tdlib.search import deepening, lanes
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
    """The player that searches and takes the best move; options as of `searching`.

    weights: of `value`; one for all games, one for each under `jax.vmap`, or `Blocks`.
    """
    search = searching(game, value, **options)
    find = _found(search)

    def choose(weights: Any, key: Key, state: State, plays: Any) -> Array:
        return find(weights, key, state, plays.count > 0).rank

    return Player(name or f"search{search.depth}", choose, weights)


def look(game: Game, value: Value, **options: Any) -> Callable[[Any, Key, State], Report]:
    """f(weights, key, state) -> Report: the same search, what it found and what it cost."""
    find = _found(searching(game, value, **options))
    return lambda weights, key, state: find(weights, key, state, jnp.bool_(True))


def searching(
    game: Game,
    value: Value,
    *,
    depth: int,
    method: str = "alphabeta",
    ties: str = "first",
    order: Order | None = None,
    quick_wins: bool = False,
    deepens: bool = False,
    windows: bool = False,
    table: int = 0,
) -> Search:
    """What is searched, and how.

    Args:
      game: its rules. It may differ from the game that is played in when that one stops
        (`max_plies`, `repetition`); a past that it has no use for is left behind.
      value: (weights, state, seat) -> [] float32, what a position at full depth, or one where
        the game is over, is worth to the seat that searches. Need not be opposite for the two.
      depth: plies; one play is one ply, also where it earns another.
      method: "alphabeta", or "minimax", which looks at everything. Both choose alike.
      ties: of equal moves the "first" that is looked at, or any one at "random", uniformly.
        "bounds": the same, but alpha-beta often knows of a move only that it is worth no more
        than the best; one whose bound equals the best counts as equal. That is a mistake, easy
        to make: such a player takes bad moves, the more the later they are looked at.
      order: (weights, before, after) -> [], moves with the highest are looked at first, in all
        nodes but the last, where it would cost more than it saves; weights: of `value`. Or
        "value": those that lead to the highest value, which is known anyway and costs least.
      quick_wins: a game won is worth more than any value, and the more the earlier.
      deepens: search depth 1, 2, and so on, each time the last best move first.
      windows: drop moves by their keys (`tdlib.search.windows`); the weights are a `Windowed`.
      table: rows of a table of transpositions (`tdlib.search.transpositions`), a power of two,
        or 0 for none. Changes node counts only.
    """
    search = Search(
        game,
        value,
        depth,
        prunes=method == "alphabeta",
        random_ties=ties != "first",
        trusts_bounds=ties == "bounds",
        order=order,
        quick_wins=quick_wins,
        deepens=deepens,
        windows=windows,
        table=table,
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
    if search.table & (search.table - 1) or search.table < 0:
        raise ValueError(f"table must be a power of two or 0, not {search.table!r}")
    if search.windows and (not callable(order) or search.deepens or depth == 1):
        raise ValueError(
            "windows need depth 2 or more and an order that is a function, without deepens"
        )


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
        many = (
            jax.tree.map(
                lambda x, b: x if b else jnp.broadcast_to(x, (size, *x.shape)), t, batched
            )
            for t, batched in zip((key, state, asked), in_batched[1:], strict=True)
        )
        report = _find(search, table, *many)
        return report, jax.tree.map(lambda _: True, report)

    return find


def _find(search: Search, table: Any, key: Key, state: State, asked: Array) -> Report:
    """All of N positions; weights [N, ...] or [1, ...]."""
    number = asked.shape[0]
    state = without_past(search.game, state)
    jobs = Jobs(state, key, asked, jnp.full(number, -1, jnp.int32))
    run = deepening.run if search.deepens else lanes.run
    return run(search, table, jobs, min(number, LANES))
