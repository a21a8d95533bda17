"""What networks of hypergammon lose by each move, by the exact solution of the game.

Of every stored network, and of two players that need no training, two kinds of games are
played: against itself, in which each move is judged, and against the perfect player.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib import exact, games, players
from tdlib.papers.matthews2006.tables import EXPERIMENTS, PAPER
from tdlib.play import losses, rollout
from tdlib.play.loop import Games, Watch
from tdlib.players.greedy import Blocks, greedy
from tdlib.players.perfect import playing
from tdlib.study import network as parts
from tdlib.study import seeds, testing
from tdlib.study.experiment import Experiment, training_hash
from tdlib.study.identity import fingerprint
from tdlib.study.measure import Measurement, Subject
from tdlib.study.network import stacked
from tdlib.study.scale import scaled
from tdlib.study.store import Damaged, Store
from tdlib.study.tasks import shape
from tdlib.types import Key, Player

GAME = "hypergammon"
OTHERS = ("pubeval", "random")  # to compare with
SELF_GAMES, PERFECT_GAMES = 1_000, 5_000
LANES = 50  # games side by side of each; the games that are played depend on it
MAX_PLIES = 10_000


class Row(NamedTuple):
    """A network after some training, and what its moves lose; see `data/README.md`."""

    experiment: str  # or the name of a player that needs no training
    config: str  # the hash of the network's training
    test: str  # and of what is measured here
    run: int
    games: int  # trained
    self_games: int
    self_moves: int
    loss_wins: float
    loss_wins_error: float
    best_wins: float
    loss_money: float
    loss_money_error: float
    best_money: float
    perfect_games: int
    perfect_wins: int
    perfect_moves: int
    given: float
    given_error: float


def measurement(scale: str) -> Measurement:
    """Of all networks of hypergammon in the thesis's tables."""
    known = {e.id: scaled(e, scale) for e in EXPERIMENTS if e.game == GAME}
    hash = fingerprint(
        {"games": [SELF_GAMES, PERFECT_GAMES], "lanes": LANES, "max_plies": MAX_PLIES}
    )

    def asked(store: Store) -> list[Subject]:
        networks = [
            (e.id, training_hash(e), hash, run, games)
            for e in known.values()
            for run in range(max(e.runs, 1 + max(store.rows(e), default=0)))
            for games in e.checkpoints
        ]
        return [*((name, "", hash, 0, 0) for name in OTHERS), *networks]

    def compute(store: Store, todo: Sequence[Subject]) -> Iterator[list[Row]]:
        referee = Referee([exact.solved(objective) for objective in exact.OBJECTIVES])
        for subject in todo:
            if subject[0] in OTHERS:
                yield referee.player(subject)
        batches, damaged = _batches(known, store, todo)
        for batch in batches:
            yield referee.networks(batch)
        if damaged:
            raise Damaged("\n".join(damaged))

    return Measurement(
        id="exact-losses",
        paper=PAPER,
        title="what stored networks lose by each move, by the exact values of hypergammon",
        row=Row,
        subject=5,
        key=5,
        asked=asked,
        compute=compute,
    )


def _batches(
    known: dict[str, Experiment], store: Store, todo: Sequence[Subject]
) -> tuple[list[list[tuple[Subject, Any]]], list[str]]:
    """The networks that are stored, with their subjects, in batches of one shape; and which
    are damaged.
    """
    groups: dict[Any, list[tuple[Subject, Any]]] = {}
    damaged = []
    for subject in todo:
        id, _, _, run, trained = subject
        if id in known and store.has(known[id], run, trained):
            try:
                network = store.network(known[id], run, trained)
            except Damaged as problem:
                damaged.append(str(problem))
                continue
            groups.setdefault(shape(known[id])[:3], []).append((subject, network))
    size = testing.NETWORKS
    return [
        g[start : start + size] for g in groups.values() for start in range(0, len(g), size)
    ], damaged


class Referee:
    """Plays the games and sums up the losses."""

    def __init__(self, solutions: Sequence[exact.Solution]) -> None:
        """solutions: for wins, then for money."""
        wins, money = solutions
        assert (wins.objective, money.objective) == ("wins", "money")
        self.game = games.make(GAME)
        self.perfect = playing(wins)
        self.by_both = losses.watch(self.game, solutions)
        self.by_wins = losses.watch(self.game, [wins])

    def player(self, subject: Subject) -> list[Row]:
        """The row of a player that needs no training."""
        keys = jax.random.key(0)[None]
        return self._rows([subject], players.make(subject[0], self.game), keys)

    def networks(self, batch: Sequence[tuple[Subject, Any]]) -> list[Row]:
        """The rows of networks of one shape."""
        networks = [network for _, network in testing.filled(batch, testing.NETWORKS)]
        keys = [
            seeds.key(x.experiment.id, x.experiment.seed, x.run, f"exact {x.games}")
            for x in networks
        ]
        player = greedy(self.game, parts.encoding(networks[0].experiment))
        player = player._replace(weights=Blocks(stacked(networks)))
        return self._rows([subject for subject, _ in batch], player, jnp.stack(keys))

    def _rows(self, subjects: Sequence[Subject], player: Player, keys: Key) -> list[Row]:
        alone = self._play(keys, (player, player), SELF_GAMES, self.by_both)
        both = alone.notes.sum(2)  # [N, games, K]: a game is one unit, whoever moves
        wins, money = (losses.losses(both, i) for i in (0, 1))
        against = self._play(keys, (player, self.perfect), PERFECT_GAMES, self.by_wins)
        given = losses.losses(against.notes[:, :, 0])
        won = (against.payoff[:, :, 0] > 0).sum(1)
        columns = (
            np.full(len(keys), SELF_GAMES), wins.moves, wins.mean, wins.error, wins.best,
            money.mean, money.error, money.best, np.full(len(keys), PERFECT_GAMES), won,
            given.moves, given.per_game, given.per_game_error,
        )  # fmt: skip
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        return [
            Row._make((*subject, *line))
            for subject, line in zip(subjects, numbers, strict=False)
        ]

    def _play(self, keys: Key, seats: tuple[Player, Player], count: int, watch: Watch) -> Games:
        played = rollout.play_blocks(
            self.game,
            seats,
            keys,
            count=count,
            lanes=LANES,
            max_plies=MAX_PLIES,
            rotate=True,
            watch=watch,
        )
        if played.capped.any():
            raise ValueError(f"a game of {seats[0].name} took more than {MAX_PLIES} plies")
        return jax.tree.map(np.asarray, played)
