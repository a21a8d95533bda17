"""How often a network has several equally good plays to choose from.

A play ties if another has the same value to the last digit: then the order in which plays are
listed decides, and not the network. Where the inputs of a network are large, its hidden units
are 0 or 1 whatever the position, and in float32 sooner than in float64.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.papers.matthews2006 import second_readings, tables
from tdlib.play import rollout
from tdlib.play.loop import Watch
from tdlib.players.greedy import Blocks, greedy
from tdlib.study import network as parts
from tdlib.study import seeds
from tdlib.study.experiment import training_hash
from tdlib.study.identity import fingerprint
from tdlib.study.measure import Measurement, Subject
from tdlib.study.network import Network, stacked
from tdlib.study.scale import scaled
from tdlib.study.store import Store
from tdlib.types import Array, Encoding, Game, State

IDS = ("M-A1", "M-A4", "M-A6", "M-A4-FLOAT64", "M-A6-FLOAT64")
GAMES = 100  # of self-play, for each network
MAX_PLIES = 10_000


class Row(NamedTuple):
    """A trained network, and how often its best play was not the only one."""

    experiment: str
    config: str  # the hash of the network's training
    test: str  # and of what is measured here
    run: int
    games: int  # trained
    choices: int  # turns with two plays or more
    tied: int  # of which so many had two best plays or more


def measurement(scale: str) -> Measurement:
    """Of the last networks of tables with and without division, in both widths of floats."""
    every = {e.id: e for e in (*tables.EXPERIMENTS, *second_readings.EXPERIMENTS)}
    known = {id: scaled(every[id], scale) for id in IDS}
    hash = fingerprint({"games": GAMES, "max_plies": MAX_PLIES})

    def asked(store: Store) -> list[Subject]:
        return [
            (e.id, training_hash(e), hash, run, max(e.checkpoints))
            for e in known.values()
            for run in store.whole(e)
        ]

    def compute(store: Store, todo: Sequence[Subject]) -> Iterator[list[Row]]:
        for subject in todo:
            id, _, _, run, games = subject
            counted = ties(store.network(known[id], run, games), GAMES)
            yield [Row._make((*subject, *counted))]

    return Measurement(
        id="ties",
        paper=tables.PAPER,
        title="how often plays of a network are valued alike",
        row=Row,
        subject=5,
        key=5,
        asked=asked,
        compute=compute,
    )


def ties(network: Network, games: int) -> tuple[int, int]:
    """Turns with a choice, and how many of them tied, in games of a network with itself."""
    e = network.experiment
    weights = Blocks(stacked([network]))
    player = parts.player(e)._replace(weights=weights)
    key = seeds.key(e.id, e.seed, network.run, f"ties {network.games}")
    played = rollout.play_blocks(
        parts.game(e),
        (player, player),
        key[None],
        count=games,
        lanes=games,
        max_plies=MAX_PLIES,
        rotate=True,
        watch=Watch(_look(parts.game(e), parts.encoding(e)), 2, weights),
    )
    choices, tied = np.asarray(played.notes).sum((0, 1, 2))
    return int(choices), int(tied)


@functools.cache  # the same function for the same arguments, which is then compiled once
def _look(game: Game, encoding: Encoding) -> Callable:
    """A choice ties if the first of the best plays is not the last of them."""
    first, last = (greedy(game, encoding, ties=which).choose for which in ("first", "last"))

    def look(weights: Any, state: State, plays: Any, rank: Array) -> Array:
        key = jax.random.key(0)
        differ = first(weights, key, state, plays) != last(weights, key, state, plays)
        return jnp.stack([plays.count > 1, differ]).astype(jnp.float32)

    return look
