"""Kalah again, for many positions at once: the same rules on one array of bytes.

`kalah` moves the seeds of one position. Here all moves of N positions are some operations on
arrays whose last axis is N, which XLA vectorises: nanoseconds for a position. Searching and
solving live on that. A test proves both equal.

A board is seen by the player to move: own pits 0..m-1, own store m, the other's pits m+1..2m
and its store 2m+1, as in `kalah` for South. A board may hold no more than MOST_SEEDS seeds;
whoever knows the game's options refuses more.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.kernels.compute_once import once
from tdlib.kernels.written_out import total
from tdlib.types import Array

MOST_SEEDS = 127  # what a byte holds
_NOTHING = np.int8(0)


class Sown(NamedTuple):
    """What every move leads to, seen by who moved: entry pit * N + n is that of position n.

    Where the pit is empty, nothing is said.
    """

    boards: Array  # [2m+2, m N] int8, swept where the game is over
    again: Array  # [m N] bool, whether the same player moves next
    over: Array  # [m N] bool


def seen(cups: Array, seat: Array) -> Array:
    """cups [2m+2, N] as in `kalah.State`, seen by the players in `seat` [N]: int8."""
    cups = cups.astype(jnp.int8)
    return jnp.where(seat[None] == 0, cups, turned(cups))


def turned(boards: Array) -> Array:
    """Seen by the other player."""
    side = boards.shape[0] // 2
    return jnp.concatenate([boards[side:], boards[:side]])


def lead(boards: Array) -> Array:
    """[N] int8, the own store less the other's."""
    return boards[boards.shape[0] // 2 - 1] - boards[-1]


def sown(boards: Array, one: Array, *, empty_capture: bool = False) -> Sown:
    """All moves of boards [2m+2, N]; one: for `compute_once.once`, which keeps each step."""
    pits, number = boards.shape[0] // 2 - 1, boards.shape[1]
    after, rest = once(lambda: _spread(boards), one)
    cups = once(lambda: _captured(after, boards[:pits], empty_capture), one)
    left = once(lambda: (total(cups[:pits]), total(cups[pits + 1 : -1])), one)
    over = (left[0] == 0) | (left[1] == 0)

    def swept() -> Array:
        stays = jnp.where(over[None], _NOTHING, cups)
        stores = [
            cups[i] + jnp.where(over, x, _NOTHING)
            for i, x in zip((pits, -1), left, strict=True)
        ]
        parts = [stays[:pits], stores[0][None], stays[pits + 1 : -1], stores[1][None]]
        return jnp.concatenate(parts).reshape(2 * pits + 2, pits * number)

    again = rest == np.arange(pits, 0, -1, dtype=np.int8)[:, None]
    return Sown(once(swept, one), again.reshape(-1), over.reshape(-1))


def _spread(boards: Array) -> tuple[Array, Array]:
    """Boards after sowing from each pit [2m+2, m, N], and seeds beyond whole laps [m, N]."""
    pits, ring = boards.shape[0] // 2 - 1, boards.shape[0] - 1
    seeds = boards[:pits]
    laps = total([(seeds >= end).astype(jnp.int8) for end in range(ring, MOST_SEEDS, ring)])
    rest = seeds - np.int8(ring) * laps
    place, pit = np.arange(ring)[:, None, None], np.arange(pits)[None, :, None]
    order = ((place - pit - 1) % ring).astype(np.int8)  # 0 for the first place reached
    stays = jnp.where(place == pit, _NOTHING, boards[:ring, None])
    gained = laps[None] + (rest[None] > order).astype(jnp.int8)
    other = jnp.broadcast_to(boards[ring:, None], (1, pits, boards.shape[1]))
    return jnp.concatenate([stays + gained, other]), rest


def _captured(after: Array, seeds: Array, empty_capture: bool) -> Array:
    """A last seed alone in an own pit goes to the store with the seeds facing it."""
    pits = seeds.shape[0]
    place, pit = np.arange(pits)[:, None, None], np.arange(pits)[None, :, None]
    # It lies alone only if it came once round at the most
    way = np.where(place == pit, 2 * pits + 1, (place - pit) % (2 * pits + 1)).astype(np.int8)
    own, facing = after[:pits], after[pits + 1 : -1][::-1]
    takes = (seeds[None] == way) & (own == 1)
    if not empty_capture:
        takes &= facing > 0
    loot = total(jnp.where(takes, own + facing, _NOTHING))
    parts = (
        jnp.where(takes, _NOTHING, own),
        (after[pits] + loot)[None],
        jnp.where(takes, _NOTHING, facing)[::-1],
        after[-1:],
    )
    return jnp.concatenate(parts)
