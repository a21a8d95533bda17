"""Trained networks tested again, in other company, with other habits or in fresh games.

A retest has an id of its own, by which its random numbers are drawn, so its games are fresh.
"""

import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tdlib.players.greedy import Blocks
from tdlib.study import network as parts
from tdlib.study import testing
from tdlib.study.experiment import (
    LEARNER,
    Experiment,
    Options,
    test_settings,
    training_hash,
)
from tdlib.study.identity import fingerprint
from tdlib.study.measure import Measurement, Subject
from tdlib.study.network import Network, stacked
from tdlib.study.store import Damaged, Store, Test
from tdlib.types import Player

REPEATS = 20  # of "same"
RUNS_OF_A_MAXIMUM = 5  # the papers' maxima are of five runs
Find = Callable[[str], Experiment]  # an experiment by id, at the scale in question


@dataclasses.dataclass(frozen=True, kw_only=True)
class Retest:
    """Which networks of an experiment play whom."""

    group: str
    source: str  # id of the experiment whose networks are tested
    networks: str
    # "best": of the first five runs; "last": of every run; "ends": untrained and last of every
    # run; "same": the last of one run, often
    opponent: str | None = None  # a player by name, if not those of the experiment's own tests
    rivals: str | None = None  # or an experiment: its last networks, run by run
    reading: str | None = None  # the name of a reading by which the networks have other habits
    habits: Options = ()  # and these habits, if it has a name

    @property
    def id(self) -> str:
        whom = f"V-{self.opponent or self.rivals}".upper()
        ending = {"best": "AGAIN", "same": "REPEAT"}.get(self.networks, self.reading or whom)
        return f"{self.source}-{ending}"


def best(runs: dict[int, dict[int, Any]]) -> tuple[int, int]:
    """Run and games of the test with most wins, among the first five of whole runs."""
    first = [runs[run] for run in sorted(runs)[:RUNS_OF_A_MAXIMUM]]
    most = max((row for rows in first for row in rows.values()), key=lambda row: row.wins)
    return most.run, most.games


def retesting(group: str, paper: str, retests: Sequence[Retest], find: Find) -> Measurement:
    """The retests of a group as one measurement."""
    known = {retest.id: _Described(retest, find) for retest in retests}

    def asked(store: Store) -> list[Subject]:
        return [subject for one in known.values() for subject in one.subjects(store)]

    def compute(store: Store, todo: Sequence[Subject]) -> Iterator[list[Test]]:
        problems = []
        for id, one in known.items():
            mine = [subject for subject in todo if subject[0] == id]
            try:
                yield from one.tests(store, mine)
            except ValueError as problem:  # networks that are damaged or not there
                problems.append(f"{id}: {problem}")
        if problems:
            raise Damaged("\n".join(problems))

    return Measurement(
        id=group,
        paper=paper,
        title="stored networks tested again",
        row=Test,
        subject=5,
        key=5,
        asked=asked,
        compute=compute,
    )


class _Described:
    """A retest with all that it names."""

    def __init__(self, retest: Retest, find: Find) -> None:
        self.retest, self.source = retest, find(retest.source)
        whom = retest.opponent or retest.rivals
        seats = (LEARNER, whom) if whom else self.source.evaluation
        # As if it were an experiment, for the number and length of games
        self.like = dataclasses.replace(
            self.source,
            id=retest.id,
            evaluation=seats,
            eval_habits=retest.habits if retest.reading else self.source.eval_habits,
            stated={},
            assumed={},
        )
        self.rivals = find(retest.rivals) if retest.rivals else None
        settings = test_settings(self.like) | {"networks": retest.networks}
        if self.rivals:
            settings["rivals"] = training_hash(self.rivals)
        self.hash = fingerprint(settings)

    def subjects(self, store: Store) -> list[Subject]:
        """Of each network to test: the first fields of its row."""
        names = (self.retest.id, training_hash(self.source), self.hash)
        return [(*names, number, games) for number, _, games in self._chosen(store)]

    def tests(self, store: Store, todo: Sequence[Subject]) -> Iterator[list[Test]]:
        """The tests of these subjects, a batch at a time."""
        runs = {(number, games): run for number, run, games in self._chosen(store)}
        size = min(testing.NETWORKS, len(todo))
        for start in range(0, len(todo), size or 1):
            batch = []
            for *_, number, games in todo[start : start + size]:
                network = self._network(store, runs[number, games], games)
                batch.append(testing.Exam(network, self.like, self.hash, number))
            yield testing.tested(batch, size, functools.partial(self._player, store))

    def _chosen(self, store: Store) -> list[tuple[int, int, int]]:
        """Number of the row, run and games of each network to test; none before a run ended."""
        last, runs = max(self.source.checkpoints), store.whole(self.source)
        if not runs:
            return []
        if self.retest.networks == "best":
            run, games = best(runs)
            return [(run, run, games)]
        if self.retest.networks == "same":
            return [(number, min(runs), last) for number in range(REPEATS)]
        ends = (0, last) if self.retest.networks == "ends" else (last,)
        return [(run, run, games) for run in runs for games in ends]

    def _network(self, store: Store, run: int, games: int) -> Network:
        if games == 0:
            return parts.untrained(self.source, run)
        return store.network(self.source, run, games)

    def _player(
        self, store: Store, e: Experiment, name: str, networks: Sequence[Network]
    ) -> Player:
        """A player by name, or the last network of the same run of another experiment."""
        rivals = self.rivals
        if rivals is None or name != rivals.id:
            return parts.opponent(e, name)
        last = max(rivals.checkpoints)
        opposite = [store.network(rivals, x.run, last) for x in networks]
        return parts.player(rivals)._replace(weights=Blocks(stacked(opposite)))
