"""Measure stored networks by the exact solution of hypergammon: `python -m tdlib exact`.

One table for all experiments of a store, `exact/hypergammon.csv` in it, with a row for each
network whose weights are there (`run --keep-weights all`), and one for each of the players that
need no training. Only rows that are missing are computed; each batch is written at once.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib import exact, games, mistakes, players, rollout
from tdlib.experiments import Experiment
from tdlib.files import now, version
from tdlib.players.greedy import Blocks, greedy
from tdlib.players.perfect import playing
from tdlib.run import parts
from tdlib.run.tasks import shape
from tdlib.store import Damaged, Saved, Store, identity
from tdlib.store.table import Table
from tdlib.types import Key, Player

GAME = "hypergammon"
OTHERS = ("pubeval", "random")  # to compare with
SELF_GAMES, PERFECT_GAMES = 1_000, 5_000
NETWORKS = 8  # in a batch
LANES = 50  # games side by side of each; the games that are played depend on it
MAX_PLIES = 10_000


class Row(NamedTuple):
    """A network after some training, and what its moves lose; see `data/README.md`."""

    experiment: str  # or the name of a player that needs no training
    config: str
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
    date: str
    version: str
    jax: str


Names = tuple[str, str, int, int]  # the key of a row, its first four fields


class Network(NamedTuple):
    """One that has to be measured."""

    experiment: Experiment
    run: int
    saved: Saved


def table(store: Store) -> Table:
    return Table(store.root / "exact" / f"{GAME}.csv", Row, 4)


def measure(
    experiments: Iterable[Experiment],
    store: Store,
    *,
    solutions: Sequence[exact.Solution],
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[int, int, list[str]]:
    """Compute what is missing: rows that were there, rows computed, and troubles.

    solutions: for wins, then for money. tell: hears how many of all missing rows are done.
    """
    known = table(store).known()
    batches, troubles = _missing(experiments, store, known)
    others = [name for name in OTHERS if (name, "", 0, 0) not in known]
    total = len(others) + sum(map(len, batches))
    referee = Referee(solutions)
    done = 0
    tests: list[Callable[[], list[Row]]] = [
        *(functools.partial(referee.player, name) for name in others),
        *(functools.partial(referee.networks, batch) for batch in batches),
    ]
    for test in tests:
        new = test()
        table(store).add(new)
        done += len(new)
        tell(done, total)
    return len(known), done, troubles


class Referee:
    """Plays the games and sums up the losses."""

    def __init__(self, solutions: Sequence[exact.Solution]) -> None:
        wins, money = solutions
        assert (wins.objective, money.objective) == ("wins", "money")
        self.game = games.make(GAME)
        self.perfect = playing(wins)
        self.by_both = mistakes.watch(self.game, solutions)
        self.by_wins = mistakes.watch(self.game, [wins])

    def player(self, name: str) -> list[Row]:
        """The row of a player that needs no training."""
        keys = jax.random.key(0)[None]
        return self._rows([(name, "", 0, 0)], players.make(name, self.game), keys)

    def networks(self, batch: Sequence[Network]) -> list[Row]:
        """The rows of networks of one shape; what a batch lacks is filled by repeating."""
        padded = [*batch, *[batch[-1]] * (NETWORKS - len(batch))]
        keys = [parts.key(e, run, f"exact {saved.games}") for e, run, saved in padded]
        weights = parts.stacked([network.saved for network in padded])
        player = greedy(self.game, parts.encoding(batch[0].experiment))
        names = [(e.id, identity(e), run, saved.games) for e, run, saved in batch]
        return self._rows(names, player._replace(weights=Blocks(weights)), jnp.stack(keys))

    def _rows(self, names: Sequence[Names], player: Player, keys: Key) -> list[Row]:
        alone = self._play(keys, (player, player), SELF_GAMES, self.by_both)
        both = alone.notes.sum(2)  # [N, games, K]: a game is one unit, whoever moves
        wins, money = (mistakes.losses(both, i) for i in (0, 1))
        against = self._play(keys, (player, self.perfect), PERFECT_GAMES, self.by_wins)
        given = mistakes.losses(against.notes[:, :, 0])
        won = (against.payoff[:, :, 0] > 0).sum(1)
        return [
            Row(
                *name,
                self_games=SELF_GAMES,
                self_moves=int(wins.moves[i]),
                loss_wins=float(wins.mean[i]),
                loss_wins_error=float(wins.error[i]),
                best_wins=float(wins.best[i]),
                loss_money=float(money.mean[i]),
                loss_money_error=float(money.error[i]),
                best_money=float(money.best[i]),
                perfect_games=PERFECT_GAMES,
                perfect_wins=int(won[i]),
                perfect_moves=int(given.moves[i]),
                given=float(given.per_game[i]),
                given_error=float(given.per_game_error[i]),
                date=now(),
                version=version(),
                jax=jax.__version__,
            )
            for i, name in enumerate(names)
        ]

    def _play(
        self, keys: Key, seats: tuple[Player, Player], count: int, watch: rollout.Watch
    ) -> rollout.Games:
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


def _missing(
    experiments: Iterable[Experiment], store: Store, known: set[tuple]
) -> tuple[list[list[Network]], list[str]]:
    """Networks without a row, in batches of one shape; and what cannot be read."""
    groups: dict[Any, list[Network]] = {}
    troubles: list[str] = []
    for e in experiments:
        if e.game != GAME:
            raise ValueError(f"only {GAME} is solved; {e.id} is {e.game}")
        try:
            store.check(e)
        except Damaged as problem:
            troubles.append(str(problem))
            continue
        for run in store.runs(e):
            for number in sorted({*store.saved(e, run)} & {*e.checkpoints}):
                if (e.id, identity(e), run, number) in known:
                    continue
                try:
                    saved = store.weights(e, run, number, parts.shapes(e))
                except Damaged as problem:
                    troubles.append(str(problem))
                    continue
                groups.setdefault(shape(e)[:3], []).append(Network(e, run, saved))
    batches = [
        group[start : start + NETWORKS]
        for group in groups.values()
        for start in range(0, len(group), NETWORKS)
    ]
    return batches, troubles
