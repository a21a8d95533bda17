"""Which positions the learners of pachisi and Parcheesi come to see in their training.

The thesis suspects that some company shows a learner only a small part of a game (sections 6.3
and 6.4). Stored networks play on as they were trained, but nothing is learned; counted are the
positions reached, how many of them are different, and how evenly pieces are spread over their
paths: the entropy, in bits, of the place of a piece, of all players alike.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.papers.matthews2006.passes import in_company
from tdlib.papers.matthews2006.tables import EXPERIMENTS, PAPER
from tdlib.play import loop
from tdlib.study import network as parts
from tdlib.study import seeds
from tdlib.study.experiment import LEARNER, Experiment, training_hash
from tdlib.study.identity import fingerprint
from tdlib.study.measure import Measurement, Subject
from tdlib.study.network import Network
from tdlib.study.scale import by_scale, scaled
from tdlib.study.store import Store
from tdlib.types import Array, Game, Key

TABLES = ("M-A13", "M-A15", "M-A17", "M-A23", "M-A24")
POINTS = 5  # of training, evenly spaced, the last one its end
LANES = 50  # games side by side; the games that are played depend on it
PLIES = 256  # in one call


class Row(NamedTuple):
    """What was seen in the games of one network; see `data/README.md`."""

    experiment: str
    config: str  # the hash of the network's training
    test: str  # and of what is measured here
    run: int
    games: int  # trained
    played: int  # games
    positions: int  # after a throw or roll
    distinct: int  # different ones among them; who is to move is part of a position
    entropy: float  # bits


def measurement(scale: str) -> Measurement:
    """Of networks at five points of their training."""
    known = {e.id: scaled(e, scale) for e in EXPERIMENTS if e.id in TABLES}
    count = by_scale(scale, smoke=50, quick=100, paper=1_000)
    test = fingerprint({"games": count, "lanes": LANES})

    def asked(store: Store) -> list[Subject]:
        return [
            (e.id, training_hash(e), test, run, games)
            for e in known.values()
            for run in store.whole(e)
            for games in points(e)
        ]

    def compute(store: Store, todo: Sequence[Subject]) -> Iterator[list[Row]]:
        for subject in todo:
            id, _, _, run, games = subject
            if store.has(known[id], run, games):
                seen = positions(store.network(known[id], run, games), count)
                different = len(np.unique(seen, axis=0))
                numbers = count, len(seen), different, entropy(seen[:, :-1])
                yield [Row._make((*subject, *numbers))]

    return Measurement(
        id="visited",
        paper=PAPER,
        title="which positions learners of pachisi and Parcheesi see in training",
        row=Row,
        subject=5,
        key=5,
        asked=asked,
        compute=compute,
    )


def points(e: Experiment) -> list[int]:
    """Checkpoints at a fifth, two fifths ... of the training, or those nearest to them."""
    trained = [games for games in e.checkpoints if games]
    wanted = (e.games * k / POINTS for k in range(1, POINTS + 1))
    return sorted({min(trained, key=lambda games: abs(games - x)) for x in wanted})


def positions(network: Network, count: int) -> np.ndarray:
    """All positions of `count` games in the company of its training: [n, 17] uint8.

    The places of sixteen pieces, then the seat to move. count: a multiple of LANES, or less.
    """
    e = in_company(network.experiment, "training")
    players = [
        parts.player(e)._replace(weights=network.player().weights)
        if name == LEARNER
        else parts.opponent(e, name)
        for name in dict.fromkeys(e.evaluation)
    ]
    roles = tuple(list(dict.fromkeys(e.evaluation)).index(name) for name in e.evaluation)
    key = seeds.key(e.id, e.seed, network.run, f"visited {network.games}")
    lanes = min(LANES, count)
    quota = count // lanes
    keys = jax.random.split(key, lanes)
    now = _open(parts.game(e), roles, keys)
    found = []
    while (np.asarray(now.number) < quota).any():
        now, seen, number = _plies(
            parts.game(e), tuple(p.choose for p in players), roles, e.max_plies,
            tuple(p.weights for p in players), keys, now,
        )  # fmt: skip
        found.append(np.asarray(seen)[np.asarray(number) < quota])
    return np.concatenate(found)


@functools.partial(jax.jit, static_argnames=("game", "roles"))
def _open(game: Game, roles: tuple, keys: Key) -> loop.Lanes:
    zero = jnp.zeros(len(keys), jnp.int32)
    return loop.open_games(game, keys, zero, _seats(roles, zero))


def _seats(roles: tuple, number: Array) -> Array:
    """Who sits where in the game of that number [B]: [B, P]."""
    order = jnp.array(roles, jnp.int32)
    return jax.vmap(lambda n: loop.seating(order, True, n))(number)


@functools.partial(jax.jit, static_argnames=("game", "choosers", "roles", "max_plies"))
def _plies(
    game: Game,
    choosers: tuple,
    roles: tuple,
    max_plies: int,
    weights: tuple,
    keys: Key,
    now: loop.Lanes,
) -> tuple[loop.Lanes, Array, Array]:
    """PLIES plies of every lane: where it is then, the positions and their games' numbers."""
    ask = loop.ask_everybody(choosers, [(mine, None) for mine in weights])

    def ply(lanes: loop.Lanes, _: None) -> tuple[loop.Lanes, tuple[Array, Array]]:
        following, turn = loop.ply(game, lanes, ask, max_plies)
        pieces = turn.after.pieces.reshape(len(keys), -1)
        seen = jnp.concatenate([pieces, turn.after.seat[:, None]], axis=1).astype(jnp.uint8)
        number = lanes.number + 1
        following = loop.refill(
            game, following, turn.ended, keys, number, _seats(roles, number)
        )
        return following, (seen, lanes.number)

    now, (seen, number) = lax.scan(ply, now, None, length=PLIES)
    return now, seen, number


def entropy(places: np.ndarray) -> float:
    """In bits, of the numbers in an array."""
    share = np.bincount(places.ravel()) / places.size
    share = share[share > 0]
    return float(-(share * np.log2(share)).sum())
