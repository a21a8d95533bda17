"""All plays of many positions, in batches of one shape, so that little has to be compiled.

`tests.batches` compiles anew for every number of positions and every game. Where compiling
costs most (Parcheesi) or there are many variants, batches of a fixed size are filled up
instead; games whose functions are jitted within share them between variants.
"""

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.types import Game, State

LANES = PLAYS = 256


def every_play(game: Game, states: State, rolls: list[int]) -> list[list[State]]:
    """states [B], rolls [B] -> for each position the list of its afterstates, as NumPy."""
    states, listed = jax.tree.map(np.asarray, states), []
    for start in range(0, len(rolls), LANES):
        some = jax.tree.map(lambda x: x[start : start + LANES], states)  # noqa: B023
        listed += _batch(game, some, np.asarray(rolls[start : start + LANES], np.int32))
    return listed


def _batch(game: Game, states: State, rolls: np.ndarray) -> list[list[State]]:
    size = len(rolls)
    filler = game.init(jax.random.key(0))
    states = jax.tree.map(lambda x, y: _filled(x, np.asarray(y), LANES), states, filler)
    plays = jax.vmap(game.plays)(states, jnp.asarray(_filled(rolls, np.int32(0), LANES)))
    count = np.asarray(plays.count)[:size]
    plays = jax.tree.map(np.asarray, plays)
    owner = np.repeat(np.arange(size), count)
    rank = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    listed: list[list[State]] = [[] for _ in range(size)]
    for start in range(0, len(owner), PLAYS):
        some = owner[start : start + PLAYS]
        index = _filled(some, some[-1], PLAYS)
        ranks = _filled(rank[start : start + PLAYS], 0, PLAYS).astype(np.int32)
        after = jax.vmap(game.play)(
            jax.tree.map(lambda x: x[index], states),  # noqa: B023
            jax.tree.map(lambda x: x[index], plays),  # noqa: B023
            jnp.asarray(ranks),
        )
        after = jax.tree.map(np.asarray, after)
        for i, position in enumerate(some):
            listed[position].append(jax.tree.map(lambda x: x[i], after))  # noqa: B023
    return listed


def _filled(x: np.ndarray, filler: np.ndarray | int, size: int) -> np.ndarray:
    rest = np.broadcast_to(filler, (size - len(x), *x.shape[1:])).astype(x.dtype)
    return np.concatenate([x, rest])
