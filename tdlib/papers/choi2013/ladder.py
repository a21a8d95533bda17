"""Networks of Kalah against minimax of several depths, as Choi (2013) measures his.

A subject is one network, at some search depth of its own, against one depth of minimax. The
network at depth 1 plays as it learned, by its values of the positions after its moves; deeper
it is the evaluator of a full-width search. Games against all depths are played in one batch,
of many networks at once, the seats changing from game to game.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib import games
from tdlib.play import arena, rollout
from tdlib.players import kalah_minimax
from tdlib.players.greedy import Blocks, greedy
from tdlib.study import network as parts
from tdlib.study import seeds
from tdlib.study.experiment import Experiment, training_hash
from tdlib.study.identity import fingerprint
from tdlib.study.measure import Subject
from tdlib.study.network import Network
from tdlib.study.store import Store
from tdlib.study.testing import NETWORKS, filled
from tdlib.types import Game, Key, Player
from tdlib.values import mlp

MINIMAX = "minimax"  # in place of an experiment: minimax itself, at the depth of the row
PAIRS = 6  # of minimax in a batch
HIDDEN = 40  # networks with fewer units are filled up with units that nobody listens to
LANES = 25  # games side by side of each pair; the games that are played depend on it
MAX_PLIES = 1_000


class Row(NamedTuple):
    experiment: str
    config: str  # the hash of the network's training
    test: str  # and of what is measured here
    run: int
    games: int  # trained
    depth: int  # of the network's own search
    opponent: int  # depth of minimax
    eval_games: int
    wins: int
    draws: int
    points: int  # own seeds less the other's at the end, of all games
    plies: int
    seconds: float


SUBJECT = 8  # fields of a row


def games_hash() -> str:
    return fingerprint({"lanes": LANES, "max_plies": MAX_PLIES})


def of_network(
    e: Experiment, run: int, trained: int, depth: int, opponent: int, count: int
) -> Subject:
    return e.id, training_hash(e), games_hash(), run, trained, depth, opponent, count


def of_minimax(depth: int, opponent: int, count: int) -> Subject:
    return MINIMAX, "", games_hash(), 0, 0, depth, opponent, count


def compute(
    known: Mapping[str, Experiment], store: Store, todo: Sequence[Subject]
) -> Iterator[list[Row]]:
    """The games of these subjects, if their networks are stored. known: experiments by id."""
    minimax = [subject for subject in todo if subject[0] == MINIMAX]
    for count in dict.fromkeys(subject[-1] for subject in minimax):
        pairs = [subject for subject in minimax if subject[-1] == count]
        for start in range(0, len(pairs), PAIRS):
            yield _minimax_rows(pairs[start : start + PAIRS], count)
    for (_, depth, count, opponents), group in _groups(known, store, todo).items():
        for start in range(0, len(group), NETWORKS):
            yield _rows(store, group[start : start + NETWORKS], depth, count, opponents)


Reference = tuple[Experiment, int, int]  # run, games


def _groups(
    known: Mapping[str, Experiment], store: Store, todo: Sequence[Subject]
) -> dict[Any, list[Reference]]:
    """Stored networks by what a batch of games must have in common."""
    opponents: dict[tuple, list[int]] = {}
    for id, _, _, run, trained, depth, opponent, count in todo:
        if id in known and store.has(known[id], run, trained):
            opponents.setdefault((id, run, trained, depth, count), []).append(opponent)
    groups: dict[Any, list[Reference]] = {}
    for (id, run, trained, depth, count), some in opponents.items():
        e = known[id]
        shape = (e.game_options, e.encoding, e.encoding_options, e.hidden == 0, e.bias)
        kind = shape, depth, count, tuple(some)
        groups.setdefault(kind, []).append((e, run, trained))
    return groups


def _rows(
    store: Store,
    batch: Sequence[Reference],
    depth: int,
    count: int,
    opponents: tuple[int, ...],
) -> list[Row]:
    networks = [store.network(*reference) for reference in filled(batch, NETWORKS)]
    e = networks[0].experiment
    game, encoding = parts.game(e), parts.encoding(e)
    weights = jax.tree.map(
        lambda *x: jnp.repeat(jnp.stack(x), len(opponents), 0), *map(widened, networks)
    )
    player = (
        greedy(game, encoding) if depth == 1 else kalah_minimax.searching(game, encoding, depth)
    )
    keys = [
        seeds.key("ladder", x.experiment.id, x.run, x.games, depth, opponent)
        for x in networks
        for opponent in opponents
    ]
    depths = jnp.tile(jnp.asarray(opponents, jnp.int32), len(networks))
    other = kalah_minimax.ladder(game, opponents)._replace(weights=Blocks(depths))
    began = time.perf_counter()
    tally = _played(game, player._replace(weights=Blocks(weights)), other, keys, count)
    seconds = (time.perf_counter() - began) / len(batch) / len(opponents)
    return [
        _row(
            of_network(*reference, depth, opponent, count),
            tally,
            i * len(opponents) + k,
            seconds,
        )
        for i, reference in enumerate(batch)
        for k, opponent in enumerate(opponents)
    ]


def _minimax_rows(subjects: Sequence[Subject], count: int) -> list[Row]:
    """Minimax of one depth against another."""
    game = games.make("kalah")
    pairs = [(subject[5], subject[6]) for subject in subjects]
    full = filled(pairs, PAIRS)
    depths = tuple(sorted({depth for pair in pairs for depth in pair}))
    one, two = (
        kalah_minimax.ladder(game, depths)._replace(
            weights=Blocks(jnp.asarray([pair[k] for pair in full], jnp.int32))
        )
        for k in (0, 1)
    )
    began = time.perf_counter()
    tally = _played(game, one, two, [seeds.key("ladder", MINIMAX, p) for p in full], count)
    seconds = (time.perf_counter() - began) / len(pairs)
    return [_row(subject, tally, i, seconds) for i, subject in enumerate(subjects)]


def widened(network: Network) -> mlp.Weights:
    """The same network with `HIDDEN` hidden units, or without any if it has none."""
    hidden, output = network.weights
    more, units = HIDDEN - hidden.shape[0], hidden.shape[0]
    if not units or more <= 0:
        return mlp.Weights(jnp.asarray(hidden), jnp.asarray(output))
    nothing = np.zeros((output.shape[0], more), np.float32)
    return mlp.Weights(
        jnp.asarray(np.pad(hidden, ((0, more), (0, 0)))),
        jnp.asarray(np.concatenate([output[:, :units], nothing, output[:, units:]], axis=1)),
    )


def _played(game: Game, one: Player, two: Player, keys: list[Key], count: int) -> arena.Tally:
    played = rollout.play_blocks(
        game,
        (one, two),
        jnp.stack(keys),
        count=count,
        lanes=arena.lanes_for_each(1, count, LANES),
        max_plies=MAX_PLIES,
        rotate=True,
    )
    return arena.tally(played, 0)


def _row(subject: Subject, tally: arena.Tally, at: int, seconds: float) -> Row:
    counted = [int(getattr(tally, x)[at]) for x in ("wins", "draws", "points", "plies")]
    return Row._make((*subject, *counted, seconds))
