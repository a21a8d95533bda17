"""Test networks by games, several networks in one batch.

What one network does depends neither on the others of its batch nor on their number.
"""

import time
from collections.abc import Callable, Sequence

import jax.numpy as jnp

from tdlib.play import arena
from tdlib.players.greedy import greedy
from tdlib.study import network as parts
from tdlib.study import seeds
from tdlib.study.experiment import LANES, LEARNER, Experiment, test_hash, training_hash
from tdlib.study.network import Network, stacked
from tdlib.study.store import Test
from tdlib.types import Key, Player

NETWORKS = 8  # in a batch


class Testing:
    """Networks that wait until there are enough of them for a batch."""

    def __init__(
        self, expected: Sequence[Experiment], done: Callable[[Experiment, Test], None]
    ) -> None:
        """expected: the experiment of each network that will come; done: hears of each test."""
        self.done = done
        self.waiting: dict[tuple, list[Network]] = {}
        kinds = [kind(e) for e in expected]
        self.size = {x: min(NETWORKS, kinds.count(x)) for x in set(kinds)}

    def add(self, network: Network) -> None:
        """Test now if there are enough for a batch."""
        mine = kind(network.experiment)
        waiting = self.waiting.setdefault(mine, [])
        waiting.append(network)
        if len(waiting) == self.size[mine]:
            self._test(mine)

    def finish(self) -> None:
        """Test those that are left."""
        for mine in list(self.waiting):
            self._test(mine)

    def _test(self, mine: tuple) -> None:
        networks = self.waiting.pop(mine)
        began = time.perf_counter()
        tally = tested(networks, self.size[mine])
        seconds = (time.perf_counter() - began) / len(networks)
        for i, network in enumerate(networks):
            e = network.experiment
            row = test_row(e.id, test_hash(e), network.run, network, one(tally, i), seconds)
            self.done(e, row)


def kind(e: Experiment) -> tuple:
    """What tests must have in common to be in one batch, besides the shape of networks."""
    return e.evaluation, e.eval_rotate, e.eval_games, e.eval_max_plies


def tested(networks: Sequence[Network], size: int) -> arena.Tally:
    """The tests of networks of one kind; a batch that is not full repeats the last one."""
    batch = filled(networks, size)
    e = batch[0].experiment
    seats = [None if name == LEARNER else parts.opponent(e, name) for name in e.evaluation]
    keys = [
        seeds.key(x.experiment.id, x.experiment.seed, x.run, f"test {x.games}") for x in batch
    ]
    return played(e, batch, seats, keys)


def played(
    e: Experiment,
    networks: Sequence[Network],
    seats: Sequence[Player | None],
    keys: Sequence[Key],
) -> arena.Tally:
    """Test games of networks in one batch, each with its own key; None is the network's seat.

    e: says how many games, how long, and whether seats change.
    """
    game = parts.game(e)
    return arena.evaluate(
        game,
        greedy(game, parts.encoding(networks[0].experiment)),
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


def one(tally: arena.Tally, at: int) -> arena.Tally:
    """What one of several networks got."""
    return arena.Tally(*(numbers[at] for numbers in tally))


def test_row(
    id: str, test: str, run: int, network: Network, tally: arena.Tally, seconds: float
) -> Test:
    """The row of one test, which took as many seconds."""
    counted = {name: int(getattr(tally, name)) for name in arena.Tally._fields[1:]}
    return Test(
        experiment=id,
        config=training_hash(network.experiment),
        test=test,
        run=run,
        games=network.games,
        eval_games=int(tally.games),
        **counted,
        train_capped=network.capped,
        train_plies=network.plies,
        seconds_train=network.seconds,
        seconds_eval=seconds,
    )
