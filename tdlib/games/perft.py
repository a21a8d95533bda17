"""Counting move sequences ("perft"): the standard check of a move generator.

`perft(game, state, depth)` gives the number of sequences of 1, 2, ..., depth plays. Different
ways to one position count each; a finished game has no continuation. The last play of a
sequence is counted, not made.

The tree is walked depth first in chunks of positions, so that memory grows with the depth, not
with the number of positions: a chunk's children are made one chunk at a time, and each is
followed to the end before the next is made.
"""

import functools
import time
from typing import Any

import jax
import jax.numpy as jnp

from tdlib import games
from tdlib.types import Array, Game, State

CHUNK = 16_384  # positions; large enough to hide the cost of a call, small enough for caches


def perft(game: Game, state: State, depth: int, *, chunk: int = CHUNK) -> list[int]:
    """The number of sequences of 1, 2, ..., depth plays from `state`."""
    if len(game.rolls) != 1:
        raise ValueError(
            f"perft needs a game without chance; {game.name} has {len(game.rolls)} rolls"
        )
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise ValueError(f"depth must be an integer of at least 1, not {depth!r}")
    found = [0] * depth
    roots = jax.tree.map(lambda x: jnp.broadcast_to(x, (chunk, *jnp.shape(x))), state)
    _walk(game, roots, 1, found)
    return found


def command(
    game: str,
    depth: int,
    layout: str | None,
    no_broadside: bool,
    to_move: str | None,
    pits: int | None,
    seeds: int | None,
    empty_capture: bool,
) -> list[str]:
    """Print what `python -m tdlib perft` asks for, with its speed; there are no troubles."""
    choices = {
        "layout": layout,
        "broadside": False if no_broadside else None,
        "pits": pits,
        "seeds": seeds,
        "empty_capture": empty_capture or None,
    }
    chosen = {name: value for name, value in choices.items() if value is not None}
    rules = games.make(game, **chosen)
    state = rules.init(jax.random.key(0))
    if to_move:
        if game != "abalone":
            raise ValueError(f"{game} has no option 'to_move'; it is abalone's")
        state = state._replace(seat=jnp.int32(to_move == "white"))
    perft(rules, state, min(depth, 2))  # compile, so that what is timed is counting
    start = time.perf_counter()
    counts = perft(rules, state, depth)
    seconds = time.perf_counter() - start
    for plies, count in enumerate(counts, start=1):
        print(f"depth {plies}: {count} leaves")
    print(f"{sum(counts)} nodes in {seconds:.2f} s: {sum(counts) / seconds:,.0f} nodes/s")
    return []


def _walk(game: Game, states: State, filled: int, found: list[int], ply: int = 0) -> None:
    """Add the plays of the first `filled` positions and all that follows on them to `found`."""
    count, plays, ends = _count(game, states, filled)
    total = int(count)
    found[ply] += total
    if ply + 1 == len(found):
        return
    size = len(ends)
    for start in range(0, total, size):
        children = _children(game, states, plays, ends, start)
        _walk(game, children, min(size, total - start), found, ply + 1)


@functools.partial(jax.jit, static_argnums=0)
def _count(game: Game, states: State, filled: int) -> tuple[Array, Any, Array]:
    """All plays [], the Plays of each position, and how many there are up to each one [B]."""
    plays = jax.vmap(lambda state: game.plays(state, jnp.int32(0)))(states)
    over, _ = jax.vmap(game.outcome)(states)
    real = jnp.arange(len(over)) < filled
    ends = jnp.cumsum(jnp.where(over | ~real, 0, plays.count))
    return ends[-1], plays, ends


@functools.partial(jax.jit, static_argnums=0)
def _children(game: Game, states: State, plays: Any, ends: Array, start: int) -> State:
    """The positions after the start-th play and those that follow it, [B].

    Slots past the last play hold nothing of meaning; `_walk` knows how many are filled.
    """
    # A slot's parent is the number of positions whose plays end before it.
    closed = jnp.zeros_like(ends).at[jnp.maximum(ends - start, 0)].add(1, mode="drop")
    parent = jnp.minimum(jnp.cumsum(closed), len(ends) - 1)
    states, plays = jax.tree.map(lambda x: x[parent], (states, plays))
    rank = start + jnp.arange(len(ends)) - jnp.pad(ends, (1, 0))[parent]
    return jax.vmap(game.play)(states, plays, rank)
