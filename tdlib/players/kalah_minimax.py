"""Full-width search of Kalah, all positions of a depth at once.

Choi's opponent (2013, section 5) is minimax with piece advantage: a position is worth the own
store minus the other's, one ply is one sowing, and whoever is to move maximises, after an extra
move the same side again. It takes any of equally good moves at random.

A network can replace the piece advantage. Its value is for the player that has just moved, so a
leaf is valued for whoever moved there, and the end of a game by its outcome.

Nothing is pruned: where many games are searched side by side, pruning makes them wait for each
other, and the whole tree of a few plies, in bytes, is cheaper (`games.kalah.columns`). Games
with more seeds than a byte holds are searched by `tdlib.search`, with the same choices.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_batching import custom_vmap

from tdlib import search
from tdlib.games.kalah import Plays, State
from tdlib.games.kalah.columns import MOST_SEEDS, lead, seen, sown, turned
from tdlib.kernels import random_numbers
from tdlib.kernels.compute_once import once, unknown_one
from tdlib.kernels.gather import Blocks, in_all_lanes, weights_table
from tdlib.types import Array, Encoding, Game, Key, Player
from tdlib.values import kalah as kalah_values
from tdlib.values import mlp

DEEPEST = 7  # in the paper
_BREADTH = 4  # plies looked at side by side; those before them one move after another
_TOGETHER = 64  # positions at a time
_NEVER = -127  # the value of an illegal move

Leaf = Callable[[Any, Array, Array, Array], Array]
# weights [N, ...], boards [S, K N], over, again [K N] -> [K N], for who moved there


@functools.cache
def minimax(game: Game, depth: int) -> Player:
    """Piece advantage at that depth."""
    return _player(game, f"minimax{depth}", (depth,), _advantage)


def store_lead(game: Game, depth: int) -> Player:
    """The same player by `tdlib.search`: any depth, any number of seeds, any stopping rule."""
    order = "value" if depth > 2 else None  # changes how fast it is, not what it plays
    name = f"minimax{depth}"
    return search.player(
        game, kalah_values.store_lead, depth=depth, ties="random", order=order, name=name
    )


def either(game: Game, depth: int) -> Player:
    """The faster of the two that can play this game."""
    fast = depth <= DEEPEST and not _trouble(game)
    return minimax(game, depth) if fast else store_lead(game, depth)


PLAYERS: dict[str, Callable[..., Player]] = {
    f"minimax{depth}": functools.partial(either, depth=depth) for depth in range(1, 10)
}


@functools.cache
def ladder(game: Game, depths: tuple[int, ...]) -> Player:
    """The same at one of several `depths`; which one is its weights: [] int32.

    So games against all of them can be played in one batch.
    """
    return _player(game, "minimax", depths, _advantage)


@functools.cache
def searching(game: Game, encoding: Encoding, depth: int) -> Player:
    """A network of one output as the evaluator; give it weights with `_replace`."""

    def value(weights: mlp.Weights, boards: Array, over: Array, again: Array) -> Array:
        lanes, mine = weights.output.shape[0], jnp.int32(0)
        cups = boards.T.astype(jnp.int32).reshape(-1, lanes, boards.shape[0])
        seats = jnp.where(again, mine, 1 - mine).reshape(-1, lanes)
        encode = jax.vmap(jax.vmap(lambda *state: encoding.encode(State(*state), mine)))
        of_lane = jax.vmap(mlp.value, (None, 0))
        chance_to_win = jax.vmap(of_lane, (0, 1), 1)(weights, encode(cups, seats))[..., 0]
        decided = 0.5 * jnp.sign(lead(boards)).astype(jnp.float32)
        return jnp.where(over, decided, chance_to_win.reshape(-1) - 0.5)

    return _player(game, f"network at depth {depth}", (depth,), value)


def _advantage(weights: Any, boards: Array, over: Array, again: Array) -> Array:
    return lead(boards)


def _player(game: Game, name: str, depths: tuple[int, ...], leaf: Leaf) -> Player:
    for depth in depths:
        if not 1 <= depth <= DEEPEST:
            raise ValueError(f"depth must be from 1 to {DEEPEST}, not {depth}")
    if trouble := _trouble(game):
        raise ValueError(trouble)
    empty_capture = dict(game.options)["empty_capture"]

    @custom_vmap
    def best(weights: Any, key: Key, state: State, plays: Plays) -> Array:
        if isinstance(weights, Blocks):  # one game is of the first of them
            weights = jax.tree.map(lambda x: x[0], weights.weights)
        several = jax.tree.map(lambda x: x[None], (weights, key, state, plays))
        return several_best(1, jax.tree.map(lambda _: True, several), *several)[0][0]

    def several_best(size: int, in_batched: Any, weights: Any, *asked: Any) -> Any:
        table, blocks = weights_table(weights, in_batched[0], size)
        each = jax.tree.map(lambda x: jnp.repeat(x, size // blocks, axis=0), table)
        key, state, plays = in_all_lanes(asked, tuple(in_batched[1:]), size)
        ranks = jnp.zeros(size, jnp.int32)
        for depth in depths:
            active = plays.count > 0
            if len(depths) > 1:
                active &= each == depth
            ranks = search(ranks, active, (each, key, state, plays), depth)
        return ranks, True

    def search(ranks: Array, active: Array, of_all: Any, depth: int) -> Array:
        """The choices of those who are asked, some at a time."""
        size = ranks.shape[0]
        order = jnp.argsort(~active)  # they come first
        width = min(_TOGETHER, size)

        def some(i: Array, ranks: Array) -> Array:
            slot = i * width + np.arange(width)
            at = order[jnp.minimum(slot, size - 1)]
            mine = jax.tree.map(lambda x: x[at], of_all)
            chosen = _ranks(mine, depth, leaf, empty_capture)
            return ranks.at[jnp.where(active[at], at, size)].set(chosen, mode="drop")

        return lax.fori_loop(0, (active.sum() + width - 1) // width, some, ranks)

    best.def_vmap(several_best)
    return Player(name, lambda *asked: best(*asked))


def _trouble(game: Game) -> str:
    """Why boards of bytes cannot stand for this game, or nothing."""
    options = dict(game.options)
    if game.name != "kalah" or options.get("early_stop", True):
        return f"expected Kalah without early_stop, made by games.make, not {game.name}"
    seeds = 2 * options["pits"] * options["seeds"]
    if seeds > MOST_SEEDS:
        return f"boards of bytes hold at most {MOST_SEEDS} seeds, this game has {seeds}"
    return ""


def _ranks(asked: Any, depth: int, leaf: Leaf, empty_capture: bool) -> Array:
    """The choices of N positions: [N]; asked: weights, keys, states and plays of all."""
    weights, key, state, plays = asked
    one = unknown_one(state.seat)
    boards = once(lambda: seen(state.cups.T, state.seat), one)
    value = values(boards, depth, functools.partial(leaf, weights), one, empty_capture)
    legal = plays.legal.T  # [m, N]
    value = jnp.where(legal, value, np.array(_NEVER).astype(value.dtype))
    among = legal & (value == value.max(0)[None])
    wanted = jax.vmap(lambda key, count: random_numbers.below(key, 0, count))(key, among.sum(0))
    chosen = among & (jnp.cumsum(among, 0) == wanted[None] + 1)
    return jnp.where(chosen, jnp.cumsum(legal, 0) - 1, 0).sum(0, dtype=jnp.int32)


def values(
    boards: Array, depth: int, leaf: Callable, one: Array, empty_capture: bool = False
) -> Array:
    """What each move is worth to the player to move: [m, N]; no meaning for empty pits.

    boards [2m+2, N]; leaf(boards, over, again) -> value for who moved there; one: see
    `compute_once.once`.
    """
    pits = boards.shape[0] // 2 - 1
    after = sown(boards, one, empty_capture=empty_capture)
    now = leaf(after.boards, after.over, after.again)
    if depth == 1:
        return now.reshape(pits, -1)

    def deeper(boards: Array) -> Array:
        value = values(boards, depth - 1, leaf, one, empty_capture)
        value = jnp.where(boards[:pits] > 0, value, np.array(_NEVER).astype(value.dtype))
        return functools.reduce(jnp.maximum, list(value))

    following = once(
        lambda: jnp.where(after.again[None], after.boards, turned(after.boards)), one
    )
    if depth > _BREADTH:
        apart = following.reshape(2 * pits + 2, pits, -1).swapaxes(0, 1)
        later = lax.map(deeper, apart).reshape(-1)
    else:
        later = deeper(following)
    signed = jnp.where(after.again, later, -later)
    return once(lambda: jnp.where(after.over, now, signed), one).reshape(pits, -1)
