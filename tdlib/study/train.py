"""Train lanes side by side, each to its own checkpoints, and test them there.

Between two games a learner is its weights and the number of games, so it may stop after any
game and go on later. Lanes go on in rounds, in which all play about equally many plies, until
one comes to its next checkpoint: those with shorter games do not wait for the others. When most
lanes have come to their end, the rest go on in a narrower batch.
"""

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp

from tdlib.learning import online, rewards
from tdlib.learning.records import Condition, Schedule, Targets, Task
from tdlib.study import network as parts
from tdlib.study import seeds
from tdlib.study.experiment import LEARNER, Experiment
from tdlib.study.network import Network, stacked
from tdlib.study.store import Store, Test
from tdlib.study.tasks import Lane
from tdlib.study.testing import Testing
from tdlib.values import mlp

SAVE = 60.0  # seconds between savings of learners on their way to a checkpoint
ROUND = 1.0, 20.0  # seconds that it should take: longer than its start, but little if lost
PROBE = 5, 10_000.0  # games of the first round and plies of the second, while nothing is known
COMPILING = 60.0  # seconds of training that a narrower batch must be good for


class Played(NamedTuple):
    """Plies of training, and how many the batches had room for: lanes wait for each other."""

    plies: int
    room: int


def train(
    store: Store,
    lanes: Sequence[Lane],
    *,
    played: Callable[[int], None],
    stored: Callable[[Test], None],
) -> Played:
    """Train and test all that the lanes lack.

    played: hears now and then how many training games were finished since; stored: each test.
    """

    def done(e: Experiment, row: Test) -> None:
        store.add(e, [row])
        stored(row)

    training = Training([Learner(x.start, list(x.goals)) for x in lanes], played)
    testing = Testing([x.start for x in lanes for _ in range(x.missing)], done)
    for lane in lanes:
        for waiting in lane.tests:
            testing.add(waiting)
    latest = time.monotonic()
    for learners in training.rounds():
        late = time.monotonic() - latest > SAVE
        latest = time.monotonic() if late else latest
        for learner in learners:
            if learner.arrived:
                store.save(learner.network)
                learner.goals.pop(0)
                testing.add(learner.network)
            elif late:
                store.leave(learner.network)
    testing.finish()
    return Played(training.done, training.room)


@dataclasses.dataclass
class Learner:
    """A lane on its way."""

    network: Network
    goals: list[int]  # checkpoints to come
    lately: tuple[float, float] = (0.0, 0.0)  # games and their plies, former rounds fading

    @property
    def arrived(self) -> bool:
        return bool(self.goals) and self.goals[0] == self.network.games

    @property
    def pace(self) -> float:
        """Plies of a game; 0 if unknown."""
        return self.lately[1] / self.lately[0] if self.lately[0] else 0.0

    def note(self, games: int, plies: int) -> None:
        """That it played these in a round."""
        self.lately = self.lately[0] / 2 + games, self.lately[1] / 2 + plies


class Training:
    """The training of some lanes."""

    def __init__(self, learners: Sequence[Learner], watch: Callable[[int], None]) -> None:
        """watch: told now and then how many games have been finished since."""
        self.learners = list(learners)
        self.task = task(learners[0].network.experiment)
        self.watch = watch
        self.done = 0  # plies played,
        self.room = 0  # and how many the batches had room for
        self.speed = 0.0  # plies of a lane in a second, lately; 0 if unknown

    def rounds(self) -> Iterator[list[Learner]]:
        """Train, and give now and then the learners that are under way.

        Whoever has `arrived` at a goal goes on once that is removed.
        """
        batch = [x for x in self.learners if x.goals]
        yield batch
        compiled = False
        while going := [x for x in batch if x.goals]:
            if 2 * len(going) <= len(batch) and self._seconds_left(going) > COMPILING:
                batch, compiled = going, False
            seconds, plies = self._round(batch)
            self.speed = plies / seconds if compiled else 0.0
            compiled = True
            yield going

    def _seconds_left(self, going: list[Learner]) -> float:
        plies = max((x.goals[-1] - x.network.games) * x.pace for x in going)
        return plies / self.speed if self.speed else 0.0

    def _until(self, batch: list[Learner]) -> list[int]:
        """After how many games each should stop, so that all play about equally long."""
        going = [x for x in batch if x.goals]
        games, plies = PROBE
        if all(x.pace for x in going):
            least, most = (seconds * self.speed for seconds in ROUND)
            nearest = min((x.goals[0] - x.network.games) * x.pace for x in going)
            plies = min(max(nearest, least), most or PROBE[1])

        def until(x: Learner) -> int:
            if not x.goals:
                return x.network.games
            share = max(1, round(plies / x.pace)) if x.pace else games
            near = x.goals[0] - x.network.games <= 1.05 * share
            return x.goals[0] if near else x.network.games + share

        return [until(x) for x in batch]

    def _round(self, batch: list[Learner]) -> tuple[float, int]:
        """Every lane plays some games: seconds, and plies of the lane that played most."""
        before = [x.network for x in batch]
        start = jnp.asarray([x.games for x in before], jnp.int32)
        seen = int(start.sum())

        def watch(session: online.Session) -> None:
            nonlocal seen
            games = int(session.games.sum())
            self.watch(games - seen)
            seen = games

        began = time.perf_counter()
        learners = online.train(
            self.task,
            others([x.experiment for x in before]),
            condition(before),
            online.begin(stacked(before), start),
            jnp.asarray(self._until(batch), jnp.int32),
            watch=watch,
        )
        weights, games, plies, capped = jax.device_get(learners)
        seconds = time.perf_counter() - began
        for i, (x, old) in enumerate(zip(batch, before, strict=True)):
            x.note(int(games[i]) - old.games, int(plies[i]))
            x.network = old._replace(
                weights=mlp.Weights(*(array[i] for array in weights)),
                games=int(games[i]),
                plies=old.plies + int(plies[i]),
                capped=old.capped + int(capped[i]),
                seconds=old.seconds + float(seconds * plies[i] / plies.sum()),
            )
        self.done += int(plies.sum())
        self.room += int(plies.max()) * len(batch)
        return seconds, int(plies.max())


def task(e: Experiment) -> Task:
    """What lanes of the shape of this experiment have in common."""
    return Task(
        game=parts.game(e),
        encoding=parts.encoding(e),
        outputs=e.outputs,
        targets=Targets(*e.targets),
        rewards=rewards.make(e.game, e.rewards) if e.rewards else None,
        reevaluate=e.reevaluate,
        observe_end=e.observe_end,
        explores=e.explores,
        habits=e.habits,
        ties=e.ties,
    )


def condition(networks: Sequence[Network]) -> Condition:
    """What each lane has of its own."""
    experiments = [x.experiment for x in networks]
    names = (LEARNER, *_names(experiments))

    def numbers(name: str) -> jax.Array:
        return jnp.asarray([getattr(e, name) for e in experiments], jnp.float32)

    def schedule(name: str) -> Schedule:
        each = [getattr(e, name) for e in experiments]
        return jax.tree.map(lambda *column: jnp.asarray(column, jnp.float32), *each)

    keys = [seeds.key(x.experiment.id, x.experiment.seed, x.run, "games") for x in networks]
    return Condition(
        key=jnp.stack(keys),
        seats=jnp.asarray([list(map(names.index, e.seats)) for e in experiments], jnp.int32),
        rotates=jnp.asarray([e.rotate for e in experiments]),
        max_plies=jnp.asarray([e.max_plies for e in experiments], jnp.int32),
        alpha=schedule("alpha"),
        lam=schedule("lam"),
        epsilon=schedule("epsilon"),
        gamma=numbers("gamma"),
        kappa=numbers("kappa"),
        penalty=numbers("penalty"),
    )


def others(experiments: Sequence[Experiment]) -> tuple:
    """The players whom some lane meets."""
    return tuple(parts.opponent(experiments[0], name) for name in _names(experiments))


def _names(experiments: Sequence[Experiment]) -> list[str]:
    seats = {name: None for e in experiments for name in e.seats}
    return [name for name in seats if name != LEARNER]
