"""How often learners of pachisi pass, before and after training, in three kinds of company.

training    as the experiment trains them, but nothing is learned
tests       as they are tested
free        four copies, all of whom may pass at any time: what self-play would be like if
            the thesis's rule held in training
"""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.games.pachisi import PASS
from tdlib.papers.matthews2006.pachisi_readings import TABLES
from tdlib.papers.matthews2006.tables import PAPER
from tdlib.play import rollout
from tdlib.play.loop import Watch
from tdlib.players.greedy import Blocks
from tdlib.study import network as parts
from tdlib.study import seeds
from tdlib.study.experiment import LEARNER, Experiment, training_hash
from tdlib.study.identity import fingerprint
from tdlib.study.measure import Measurement, Subject
from tdlib.study.network import Network, stacked
from tdlib.study.scale import by_scale, scaled
from tdlib.study.store import Store
from tdlib.types import Array

COMPANIES = ("training", "tests", "free")
LANES = 50  # games side by side of each network; the games that are played depend on it
MAX_PLIES = 2_000  # where nobody moves any more


class Row(NamedTuple):
    """What the learners of one network did in some games; see `data/README.md`."""

    experiment: str
    config: str  # the hash of the network's training
    test: str  # and of what is measured here
    run: int
    games: int  # trained
    company: str
    played: int  # games
    capped: int  # broken off after 2,000 throws
    throws: int  # of learners
    passes: int
    chosen: int  # passes of learners who could have moved


def measurement(scale: str) -> Measurement:
    """Of all networks of pachisi in the thesis's tables."""
    known = {e.id: scaled(e, scale) for e in TABLES}
    count = by_scale(scale, smoke=4, quick=50, paper=500)
    test = fingerprint({"games": count, "lanes": LANES, "max_plies": MAX_PLIES})

    def asked(store: Store) -> list[Subject]:
        return [
            (e.id, training_hash(e), test, run, games, company)
            for e in known.values()
            for run in store.whole(e)
            for games in (0, max(e.checkpoints))
            for company in COMPANIES
        ]

    def compute(store: Store, todo: Sequence[Subject]) -> Iterator[list[Row]]:
        for e in known.values():
            for company in COMPANIES:
                mine = [x for x in todo if (x[0], x[-1]) == (e.id, company)]
                if mine:
                    networks = [_network(store, e, run, games) for *_, run, games, _ in mine]
                    yield _rows(mine, in_company(e, company), networks, count)

    return Measurement(
        id="passes",
        paper=PAPER,
        title="how often learners of pachisi pass",
        row=Row,
        subject=6,
        key=6,
        asked=asked,
        compute=compute,
    )


def in_company(e: Experiment, company: str) -> Experiment:
    """The experiment with this company in place of that of its tests."""
    if company == "training":
        return dataclasses.replace(e, evaluation=e.seats, eval_habits=e.habits)
    if company == "free":
        return dataclasses.replace(e, evaluation=(LEARNER,) * len(e.seats))
    return e


def _network(store: Store, e: Experiment, run: int, games: int) -> Network:
    return store.network(e, run, games) if games else parts.untrained(e, run)


def _rows(
    subjects: Sequence[Subject], like: Experiment, networks: Sequence[Network], count: int
) -> list[Row]:
    learner = parts.player(like)._replace(weights=Blocks(stacked(networks)))
    seats = [learner if x == LEARNER else parts.opponent(like, x) for x in like.evaluation]
    keys = [seeds.key(like.id, like.seed, x.run, f"passes {x.games}") for x in networks]
    found = rollout.play_blocks(
        parts.game(like),
        seats,
        jnp.stack(keys),
        count=count,
        lanes=LANES,
        max_plies=MAX_PLIES,
        rotate=True,
        watch=Watch(_look, 3),
    )
    mine = [x == LEARNER for x in like.evaluation]
    noted = np.asarray(found.notes)[:, :, mine].sum((1, 2)).astype(int)  # [N, 3]
    capped = np.asarray(found.capped).sum(1)
    return [
        Row._make((*subject, count, int(broken_off), *numbers.tolist()))
        for subject, broken_off, numbers in zip(subjects, capped, noted, strict=True)
    ]


def _look(weights: Any, state: Any, plays: Any, rank: Array) -> Array:
    """A throw; whether it was passed; whether a piece could have moved."""
    passed = (plays.slots & PASS > 0) & (rank == 0)
    return jnp.stack([jnp.bool_(True), passed, passed & (plays.count > 1)]).astype(jnp.float32)
