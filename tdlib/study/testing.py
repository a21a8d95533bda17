"""Test networks by games, several networks in one batch.

What one network does depends neither on the others of its batch nor on their number.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax.numpy as jnp

from tdlib.play import arena
from tdlib.study import network as parts
from tdlib.study import seeds
from tdlib.study.experiment import LANES, LEARNER, Experiment, test_hash, training_hash
from tdlib.study.network import Network, stacked
from tdlib.study.store import Test
from tdlib.types import Key, Player

NETWORKS = 8  # in a batch


class Exam(NamedTuple):
    """A network and the test that it takes."""

    network: Network
    like: Experiment  # says who plays, how often and how long; its id draws the random numbers
    test: str  # the hash of all this
    number: int  # of the row: the run, unless a run is tested several times

    @property
    def kind(self) -> tuple:
        """What tests must have in common to be in one batch, besides the shape of networks."""
        e = self.like
        return e.evaluation, e.eval_habits, e.eval_rotate, e.eval_games, e.eval_max_plies


def exam(network: Network) -> Exam:
    """The test that its experiment asks for."""
    e = network.experiment
    return Exam(network, e, test_hash(e), network.run)


class Testing:
    """Networks that wait until there are enough of them for a batch."""

    def __init__(
        self, expected: Sequence[Network], done: Callable[[Experiment, Test], None]
    ) -> None:
        """expected: as many networks as will come, alike; done: hears of each test."""
        self.done = done
        self.waiting: dict[tuple, list[Exam]] = {}
        kinds = [exam(network).kind for network in expected]
        self.size = {kind: min(NETWORKS, kinds.count(kind)) for kind in set(kinds)}

    def add(self, network: Network) -> None:
        """Test now if there are enough for a batch."""
        mine = exam(network)
        waiting = self.waiting.setdefault(mine.kind, [])
        waiting.append(mine)
        if len(waiting) == self.size[mine.kind]:
            self._test(mine.kind)

    def finish(self) -> None:
        """Test those that are left."""
        for kind in list(self.waiting):
            self._test(kind)

    def _test(self, kind: tuple) -> None:
        exams = self.waiting.pop(kind)
        for one, row in zip(exams, tested(exams, self.size[kind]), strict=True):
            self.done(one.like, row)


def _by_name(e: Experiment, name: str, networks: Sequence[Network]) -> Player:
    return parts.opponent(e, name)


def tested(exams: Sequence[Exam], size: int, sits: Callable = _by_name) -> list[Test]:
    """The tests of one kind; a batch that is not full repeats the last one.

    sits: (experiment, name in a seat, all networks) -> the player that sits there.
    """
    batch = filled(exams, size)
    like, networks = batch[0].like, [one.network for one in batch]
    seats = [None if x == LEARNER else sits(like, x, networks) for x in like.evaluation]
    keys = [
        seeds.key(one.like.id, one.like.seed, one.number, f"test {one.network.games}")
        for one in batch
    ]
    began = time.perf_counter()
    tally = played(like, networks, seats, keys)
    seconds = (time.perf_counter() - began) / len(exams)
    return [_row(one, tally, i, seconds) for i, one in enumerate(exams)]


def played(
    e: Experiment,
    networks: Sequence[Network],
    seats: Sequence[Player | None],
    keys: Sequence[Key],
) -> arena.Tally:
    """Test games of networks in one batch, each with its own key; None is the network's seat.

    e: says who plays, how many games, how long, and whether seats change.
    """
    return arena.evaluate(
        parts.game(e),
        parts.player(e),
        stacked(networks),
        seats,
        jnp.stack(list(keys)),
        count=e.eval_games,
        max_plies=e.eval_max_plies,
        rotate=e.eval_rotate,
        lanes=LANES * len(networks),
    )


def filled(batch: Sequence, size: int) -> list:
    """A batch of that size: what it lacks is its last one again, of which nobody takes note."""
    return [*batch, *[batch[-1]] * (size - len(batch))]


def _row(one: Exam, tally: arena.Tally, at: int, seconds: float) -> Test:
    """What one of several networks did."""
    network = one.network
    counted = {name: int(getattr(tally, name)[at]) for name in arena.Tally._fields[1:]}
    return Test(
        experiment=one.like.id,
        config=training_hash(network.experiment),
        test=one.test,
        run=one.number,
        games=network.games,
        eval_games=int(tally.games[at]),
        **counted,
        train_capped=network.capped,
        train_plies=network.plies,
        seconds_train=network.seconds,
        seconds_eval=seconds,
    )
