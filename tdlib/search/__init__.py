"""Search: what a position is worth if both sides look some moves ahead.

    player   chooses by such a search, in the ordinary way of players
    look     the same search with its value and its node counts

Minimax and alpha-beta to any depth, with any value of the positions at the end and any order of
moves, for games of two without dice. Depth 1 is each own move and then the value.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap

from tdlib.picks import weights_table
from tdlib.search import lanes
from tdlib.search.nodes import Order, Search, Value
from tdlib.search.steps import Jobs, Report
from tdlib.types import Array, Game, Key, Player, State

__all__ = ["Order", "Report", "Search", "Value", "look", "player", "searching"]

METHODS = ("alphabeta", "minimax")
BLOCKS = {"kalah": (6, 6), "abalone": (16, 8)}  # K for minimax and for alpha-beta
SLOTS = 128  # moves of a node that can be put in order; any beyond are looked at last
LANES = 64  # searches side by side: enough to keep XLA busy, few enough for caches


def player(
    game: Game,
    value: Value,
    *,
    depth: int,
    method: str = "alphabeta",
    ties: str = "first",
    order: Order | None = None,
    quick_wins: bool = False,
    name: str | None = None,
    weights: Any = (),
) -> Player:
    """The player that searches so deep and takes the best move.

    Args:
      game: its rules. It may differ from the game that is played in when that one stops
        (`max_plies`, `repetition`); a past that it has no use for is left behind.
      value: (weights, state, seat) -> [] float32, what a position at full depth, or one where
        the game is over, is worth to the seat that searches. Need not be opposite for the two.
      depth: plies; one play is one ply, also where it earns another.
      method: "alphabeta", or "minimax", which looks at everything. Both choose alike.
      ties: of equal moves the "first" that is looked at, or any one at "random", uniformly.
      order: (before, after) -> [], moves with the highest are looked at first, in all nodes
        but the last, where it would cost more than it saves. "value": those that lead to the
        highest value, which is known anyway and costs least.
      quick_wins: a game won is worth more than any value, and the more the earlier.
      weights: of `value`; one for all games, one for each under `jax.vmap`, or `Blocks`.
    """
    search = searching(
        game,
        value,
        depth=depth,
        method=method,
        ties=ties,
        order=order,
        quick_wins=quick_wins,
    )
    find = _found(search)

    def choose(weights: Any, key: Key, state: State, plays: Any) -> Array:
        return find(weights, key, state, plays.count > 0).rank

    return Player(name or f"{method}{depth}", choose, weights)


def look(game: Game, value: Value, **options: Any) -> Callable[[Any, Key, State], Report]:
    """f(weights, key, state) -> Report: the search of `player`, which see for the options."""
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
) -> Search:
    """The options of `player`, checked."""
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
    if ties not in ("first", "random"):
        raise ValueError(f"ties must be 'first' or 'random', not {ties!r}")
    block = BLOCKS.get(game.name, (8, 8))[method == "alphabeta"]
    return Search(
        game,
        value,
        depth,
        prunes=method == "alphabeta",
        random_ties=ties == "random",
        order=order,
        quick_wins=quick_wins,
        block=block,
        slots=SLOTS // block * block,
    )


@functools.cache  # the same function for the same search, which is then compiled once
def _found(search: Search) -> Callable[[Any, Key, State, Array], Report]:
    @custom_vmap
    def find(weights: Any, key: Key, state: State, asked: Array) -> Report:
        one = jax.tree.map(lambda x: jnp.asarray(x)[None], (key, state, asked))
        table, _ = weights_table(weights, False, 0)
        table = jax.tree.map(lambda x: x[:1], table)  # one game is the first of the first block
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
    state = _without_past(search.game, state)
    return lanes.run(search, table, Jobs(state, key, asked), min(number, LANES))


def _without_past(game: Game, state: State) -> State:
    """The position without what only another game's repetition rule needs."""
    if getattr(state, "past", None) is None:
        return state
    begun = jax.eval_shape(game.init, jax.random.key(0))
    return state._replace(past=None) if begun.past is None else state
