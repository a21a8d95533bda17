"""Measure networks by test games, several networks in one batch.

What one network does depends neither on the others of its batch nor on their number.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp

from tdlib import arena
from tdlib.experiments import LEARNER, Experiment
from tdlib.players.greedy import greedy
from tdlib.run import parts
from tdlib.run.tasks import Lane
from tdlib.store import Row, Saved, Store, identity, now, version
from tdlib.types import Key, Player

NETWORKS = 8  # in a batch
LANES = 50  # games side by side of each; the games that are played depend on it


class Network(NamedTuple):
    """A learner at a checkpoint."""

    lane: Lane
    saved: Saved


class Measuring:
    """Networks that wait for their tests, and the store for the rows."""

    def __init__(
        self, store: Store, lanes: Sequence[Lane], keep: str, watch: Callable[[Row], None]
    ) -> None:
        self.store = store
        self.keep = keep
        self.watch = watch
        self.waiting: dict[tuple, list[Network]] = {}
        total: dict[tuple, int] = {}
        for lane in lanes:
            kind = _kind(lane.experiment)
            total[kind] = total.get(kind, 0) + lane.missing
        self.size = {kind: min(NETWORKS, n) for kind, n in total.items()}

    def add(self, network: Network) -> None:
        """Test now if there are enough for a batch."""
        kind = _kind(network.lane.experiment)
        waiting = self.waiting.setdefault(kind, [])
        waiting.append(network)
        if len(waiting) == self.size[kind]:
            self._test(kind)

    def finish(self) -> None:
        """Test those that are left."""
        for kind in list(self.waiting):
            self._test(kind)

    def _test(self, kind: tuple) -> None:
        networks = self.waiting.pop(kind)
        began = time.perf_counter()
        tally = measured(networks, self.size[kind])
        seconds = (time.perf_counter() - began) / len(networks)
        for i, (lane, saved) in enumerate(networks):
            e = lane.experiment
            own = arena.Tally(*(numbers[i] for numbers in tally))
            row = row_of(e, lane.run, saved, own, seconds)
            self.store.add(e, row)
            self.store.prune(e, lane.run, self.keep)
            self.watch(row)


def measured(networks: Sequence[Network], size: int) -> arena.Tally:
    """The tests of as many networks; those that a batch of that size lacks are repeated."""
    e = networks[0].lane.experiment
    batch = [*networks, *[networks[-1]] * (size - len(networks))]
    keys = [
        parts.key(lane.experiment, lane.run, f"test {saved.games}") for lane, saved in batch
    ]
    seats = [None if name == LEARNER else parts.player(e, name) for name in e.evaluation]
    return tested(e, [network.saved for network in batch], seats, keys)


def tested(
    e: Experiment,
    learners: Sequence[Saved],
    seats: Sequence[Player | None],
    keys: Sequence[Key],
) -> arena.Tally:
    """Tests of learners in one batch, each with its own key; None in a seat is the learner."""
    game = parts.game(e)
    return arena.evaluate(
        game,
        greedy(game, parts.encoding(e)),
        parts.stacked(list(learners)),
        seats,
        jnp.stack(list(keys)),
        count=e.eval_games,
        max_plies=e.eval_max_plies,
        rotate=e.eval_rotate,
        lanes=LANES * len(learners),
    )


def row_of(e: Experiment, run: int, saved: Saved, tally: arena.Tally, seconds: float) -> Row:
    """The row of one test, which took as many seconds."""
    counted = {name: int(getattr(tally, name)) for name in arena.Tally._fields[1:]}
    return Row(
        experiment=e.id,
        config=identity(e),
        run=run,
        games=saved.games,
        eval_games=int(tally.games),
        **counted,
        train_capped=saved.capped,
        train_plies=saved.plies,
        seconds_train=saved.seconds,
        seconds_eval=seconds,
        date=now(),
        version=version(),
        jax=jax.__version__,
    )


def _kind(e: Experiment) -> tuple:
    """What tests must have in common to be in one batch, besides the shape of lanes."""
    return e.evaluation, e.eval_rotate, e.eval_games, e.eval_max_plies
