"""Train lanes side by side, each to its own checkpoints.

Between two games a learner is its weights and the number of games, so it may stop after any
game and go on later. Lanes go on in rounds, in which all play about equally many plies, until
one comes to its next checkpoint: those with shorter games do not wait for the others. When most
lanes have come to their end, the rest go on in a narrower batch.
"""

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from tdlib.experiments import LEARNER
from tdlib.learning import online
from tdlib.run import parts
from tdlib.run.tasks import Lane
from tdlib.schedules import Schedule
from tdlib.store import Saved

ROUND = 1.0, 20.0  # seconds that it should take: longer than its start, but little if lost
PROBE = 5, 10_000.0  # games of the first round and plies of the second, while nothing is known
COMPILING = 60.0  # seconds of training that a narrower batch must be good for

REWARDS: dict[str, Callable] = {}  # by name, see `online.Task`; nothing needs one so far


@dataclasses.dataclass
class Learner:
    """A lane on its way."""

    lane: Lane
    saved: Saved
    goals: list[int]  # checkpoints to come
    lately: tuple[float, float] = (0.0, 0.0)  # games and their plies, former rounds fading

    @property
    def arrived(self) -> bool:
        return bool(self.goals) and self.goals[0] == self.saved.games

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
        self.task = task(learners)
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
        plies = max((x.goals[-1] - x.saved.games) * x.pace for x in going)
        return plies / self.speed if self.speed else 0.0

    def _until(self, batch: list[Learner]) -> list[int]:
        """After how many games each should stop, so that all play about equally long."""
        going = [x for x in batch if x.goals]
        games, plies = PROBE
        if all(x.pace for x in going):
            least, most = (seconds * self.speed for seconds in ROUND)
            nearest = min((x.goals[0] - x.saved.games) * x.pace for x in going)
            plies = min(max(nearest, least), most or PROBE[1])

        def until(x: Learner) -> int:
            if not x.goals:
                return x.saved.games
            share = max(1, round(plies / x.pace)) if x.pace else games
            near = x.goals[0] - x.saved.games <= 1.05 * share
            return x.goals[0] if near else x.saved.games + share

        return [until(x) for x in batch]

    def _round(self, batch: list[Learner]) -> tuple[float, int]:
        """Every lane plays some games: seconds, and plies of the lane that played most."""
        before = [x.saved for x in batch]
        start = jnp.asarray([saved.games for saved in before], jnp.int32)
        seen = int(start.sum())

        def watch(lanes: Any) -> None:
            nonlocal seen
            games = int(lanes.games.sum())
            self.watch(games - seen)
            seen = games

        began = time.perf_counter()
        learners = online.train(
            self.task,
            others(batch),
            condition(batch),
            online.begin(parts.stacked(before), start),
            jnp.asarray(self._until(batch), jnp.int32),
            watch=watch,
        )
        weights, games, plies, capped = jax.device_get(learners)
        seconds = time.perf_counter() - began
        for i, (x, old) in enumerate(zip(batch, before, strict=True)):
            x.note(int(games[i]) - old.games, int(plies[i]))
            x.saved = Saved(
                {name: array[i] for name, array in weights._asdict().items()},
                int(games[i]),
                old.plies + int(plies[i]),
                old.capped + int(capped[i]),
                old.seconds + seconds * plies[i] / plies.sum(),
            )
        self.done += int(plies.sum())
        self.room += int(plies.max()) * len(batch)
        return seconds, int(plies.max())


def task(batch: Sequence[Learner]) -> online.Task:
    """What the lanes have in common."""
    e = batch[0].lane.experiment
    if e.rewards is not None and e.rewards not in REWARDS:
        known = ", ".join(REWARDS) or "none"
        raise ValueError(f"{e.id}: unknown rewards {e.rewards!r}; expected one of: {known}")
    return online.Task(
        game=parts.game(e),
        encoding=parts.encoding(e),
        outputs=e.outputs,
        targets=online.Targets(*e.targets),
        rewards=REWARDS[e.rewards] if e.rewards else None,
        reevaluate=e.reevaluate,
        observe_end=e.observe_end,
        explores=e.explores,
    )


def condition(batch: Sequence[Learner]) -> online.Condition:
    """What each lane has of its own."""
    lanes = [x.lane for x in batch]
    names = (LEARNER, *_names(batch))

    def numbers(name: str) -> jax.Array:
        return jnp.asarray([getattr(lane.experiment, name) for lane in lanes], jnp.float32)

    def schedule(name: str) -> Schedule:
        each = [getattr(lane.experiment, name) for lane in lanes]
        return jax.tree.map(lambda *column: jnp.asarray(column, jnp.float32), *each)

    return online.Condition(
        key=jnp.stack([parts.key(lane.experiment, lane.run, "games") for lane in lanes]),
        seats=jnp.asarray(
            [list(map(names.index, x.experiment.seats)) for x in lanes], jnp.int32
        ),
        rotates=jnp.asarray([lane.experiment.rotate for lane in lanes]),
        max_plies=jnp.asarray([lane.experiment.max_plies for lane in lanes], jnp.int32),
        alpha=schedule("alpha"),
        lam=schedule("lam"),
        epsilon=schedule("epsilon"),
        gamma=numbers("gamma"),
        kappa=numbers("kappa"),
        penalty=numbers("penalty"),
    )


def others(batch: Sequence[Learner]) -> tuple:
    """The players whom some lane meets."""
    return tuple(parts.player(batch[0].lane.experiment, name) for name in _names(batch))


def _names(batch: Sequence[Learner]) -> list[str]:
    seats = {name: None for x in batch for name in x.lane.experiment.seats}
    return [name for name in seats if name != LEARNER]
