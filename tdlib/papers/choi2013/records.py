"""Games of Kalah of which every position is kept: many at once, on the host.

`rollout` plays faster and keeps sums alone. Here all boards, movers and pits chosen are there
afterwards, for questions of style, of predictions and of mistakes.
"""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import jax
import numpy as np

from tdlib.games.kalah import State
from tdlib.papers.choi2013.endgames import after, minimax, padded
from tdlib.study.experiment import Experiment
from tdlib.study.measure import Subject
from tdlib.study.network import encoding as encoding_of
from tdlib.study.store import Store
from tdlib.types import Encoding
from tdlib.values import mlp

MINIMAX = "minimax"
Rng = np.random.Generator
Chooser = Callable[[np.ndarray, np.ndarray, Rng], np.ndarray]
# cups [N, 14], seats [N] -> pit [N], 0 to 5


class Record(NamedTuple):
    """Turns of N games, in order of play."""

    game: np.ndarray  # [T] which of the games
    ply: np.ndarray  # [T]
    cups: np.ndarray  # [T, 14] before the move
    seat: np.ndarray  # [T] who moves
    pit: np.ndarray  # [T] 0 to 5, seen by the mover
    after: np.ndarray  # [T, 14]
    final: np.ndarray  # [N, 14] the boards at the end, not yet swept
    margin: np.ndarray  # [N] South's store less North's at the end


def play(south: Chooser, north: Chooser, games: int, rng: Rng, *, explore: float = 0) -> Record:
    """So many games; explore: the share of moves that are made at random instead."""
    cups = np.tile([4] * 6 + [0], (games, 2))
    seats, alive, turns = np.zeros(games, int), np.arange(games), []
    ends, margin = np.zeros((games, 14), int), np.zeros(games, int)
    ply = 0
    while len(alive):
        pit = np.zeros(len(alive), int)
        for seat, chooser in enumerate((south, north)):
            mine = seats == seat
            if mine.any():
                pit[mine] = chooser(cups[mine], seats[mine], rng)
        if explore:
            pit = np.where(rng.random(len(alive)) < explore, random(cups, seats, rng), pit)
        boards, movers, over = after(cups, seats)
        n = np.arange(len(alive))
        reached, following, ended = boards[n, pit], movers[n, pit], over[n, pit]
        turns.append((alive, np.full(len(alive), ply), cups, seats, pit, reached))
        ends[alive[ended]] = unswept(cups[ended], seats[ended], pit[ended])
        margin[alive[ended]] = reached[ended, 6] - reached[ended, 13]
        alive, cups, seats = alive[~ended], reached[~ended], following[~ended]
        ply += 1
    game, when, before, mover, pit, reached = map(np.concatenate, zip(*turns, strict=True))
    return Record(game, when, before, mover, pit, reached, ends, margin)


def random(cups: np.ndarray, seats: np.ndarray, rng: Rng) -> np.ndarray:
    """Any legal pit."""
    legal = legal_pits(cups, seats)
    return np.argmax(np.where(legal, rng.random(legal.shape), -1), axis=1)


def searching(depth: int) -> Chooser:
    """Minimax with piece advantage, any of equal moves."""

    def choose(cups: np.ndarray, seats: np.ndarray, rng: Rng) -> np.ndarray:
        best = minimax(cups, seats, depth)
        return np.argmax(np.where(best, rng.random(best.shape), -1), axis=1)

    return choose


def network(encoding: Encoding, weights: mlp.Weights) -> Chooser:
    """The move after which the network gives itself the best chance, the first of equals."""

    def choose(cups: np.ndarray, seats: np.ndarray, rng: Rng) -> np.ndarray:
        boards, _, _ = after(cups, seats)
        value = chances(encoding, weights, boards.reshape(-1, 14), np.repeat(seats, 6))
        return np.argmax(np.where(legal_pits(cups, seats), value.reshape(-1, 6), -1), axis=1)

    return choose


def chances(
    encoding: Encoding, weights: mlp.Weights, cups: np.ndarray, seats: np.ndarray
) -> np.ndarray:
    """What the network of one output gives the players in `seats` [N]: [N]."""
    compute = functools.partial(_chances, encoding, weights)
    return padded(compute, cups, seats, (64, 1024, 8192))[0]


def choosers(
    known: Mapping[str, Experiment], store: Store, todo: Iterable[Subject]
) -> Iterator[tuple[Subject, Chooser]]:
    """Who is meant by subjects (id, two hashes, run, games), as far as they are stored.

    Names that are not among the known experiments are players: random, minimax1, ...
    """
    for subject in todo:
        id, _, _, run, trained = subject
        if id == "random":
            yield subject, random
        elif id.startswith(MINIMAX):
            yield subject, searching(int(id.removeprefix(MINIMAX)))
        elif store.has(known[id], run, trained):
            found = store.network(known[id], run, trained)
            yield subject, network(encoding_of(known[id]), found.weights)


def legal_pits(cups: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """[N, 6] bool."""
    return np.where(seats[:, None] == 0, cups[:, :6], cups[:, 7:13]) > 0


def captures(cups: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """[N, 6] bool, which pits capture; not told of empty ones.

    A sowing puts one seed into the own store at the most; a capture puts there two or more.
    """
    boards = np.stack([unswept(cups, seats, np.full(len(cups), pit)) for pit in range(6)], 1)
    store = np.where(seats == 0, 6, 13)
    gained = np.take_along_axis(boards, store[:, None, None], 2)[..., 0]
    return gained - np.take_along_axis(cups, store[:, None], 1) > 1 + _laps(cups, seats)


def _laps(cups: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """[N, 6], how often sowing from a pit passes the own store after the first time."""
    mine = np.where(seats[:, None] == 0, cups[:, :6], cups[:, 7:13])
    return np.maximum(0, mine - (6 - np.arange(6))[None]) // 13


def unswept(cups: np.ndarray, seats: np.ndarray, pits: np.ndarray) -> np.ndarray:
    """Boards [N, 14] after sowing and capturing, what is left in the pits still there."""
    out = np.where(seats[:, None] == 0, cups, np.roll(cups, 7, axis=1))
    n = np.arange(len(out))
    seeds, place = out[n, pits].copy(), np.arange(13)[None]
    out[n, pits] = 0
    order = (place - pits[:, None] - 1) % 13
    out[:, :13] += seeds[:, None] // 13 + (order < seeds[:, None] % 13)
    last = (pits + seeds) % 13
    facing = 12 - last
    takes = (last < 6) & (out[n, last] == 1) & (out[n, facing] > 0) & (seeds > 0)
    loot = np.where(takes, out[n, last] + out[n, facing], 0)
    out[n[takes], last[takes]] = 0
    out[n[takes], facing[takes]] = 0
    out[:, 6] += loot
    return np.where(seats[:, None] == 0, out, np.roll(out, 7, axis=1))


@functools.partial(jax.jit, static_argnums=0)
def _chances(
    encoding: Encoding, weights: mlp.Weights, cups: jax.Array, seats: jax.Array
) -> tuple[jax.Array]:
    def one(cups: jax.Array, seat: jax.Array) -> jax.Array:
        return mlp.value(weights, encoding.encode(State(cups, seat), seat))[0]

    return (jax.vmap(one, (1, 0))(cups, seats),)
