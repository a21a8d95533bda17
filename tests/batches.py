"""All plays of many positions at once, for comparing a game with its plain-Python twin."""

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.types import Game, State

CHUNK = 2048  # plays made at a time; the positions of a chunk are copied once per play


def stack(states: list[State]) -> State:
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *states)


def every_play(game: Game, states: State, rolls: np.ndarray) -> list[list[State]]:
    """states [B], rolls [B] -> for each position the list of its afterstates, as NumPy."""
    plays = jax.jit(jax.vmap(game.plays))(states, jnp.asarray(rolls, jnp.int32))
    count = np.asarray(plays.count)
    owner = np.repeat(np.arange(len(count)), count)
    rank = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    some = jax.jit(
        lambda owner, rank: jax.vmap(game.play)(
            jax.tree.map(lambda x: x[owner], states),
            jax.tree.map(lambda x: x[owner], plays),
            rank,
        )
    )
    parts = []
    for start in range(0, len(owner), CHUNK):
        index = np.arange(start, start + CHUNK).clip(max=len(owner) - 1)
        part = some(owner[index].astype(np.int32), rank[index].astype(np.int32))
        parts.append(jax.tree.map(np.asarray, part))
    whole = jax.tree.map(lambda *leaves: np.concatenate(leaves), *parts)
    listed: list[list[State]] = [[] for _ in count]
    for i, position in enumerate(owner):
        listed[position].append(jax.tree.map(lambda x: x[i], whole))  # noqa: B023
    return listed
