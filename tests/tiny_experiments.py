"""Experiments of seconds, of one shape, so that tests share what is compiled; a contest.

As a program it is `python -m tdlib` with these experiments known: tests kill that.
"""

import dataclasses
import sys

from tdlib import cli
from tdlib.learning import online
from tdlib.study import registry, testing
from tdlib.study.contest import Contest, Entrant
from tdlib.study.experiment import LEARNER, Experiment
from tests import one_batch

SELF = Experiment(
    id="T-SELF",
    paper="tiny",
    group="tests",
    title="hypergammon, self-play",
    game="hypergammon",
    encoding="unary",
    hidden=3,
    outputs=2,
    span=1,
    alpha=0.3,
    lam=0.7,
    targets=(0.1, 0.1, (0.6, 0.75, 0.9)),
    seats=(LEARNER, LEARNER),
    max_plies=1000,
    games=60,
    checkpoints=(0, 20, 40, 60),
    runs=2,
    evaluation=(LEARNER, "random"),
    eval_games=20,
    eval_max_plies=1000,
)
RANDOM = dataclasses.replace(
    SELF, id="T-RANDOM", seats=(LEARNER, "random"), games=20, checkpoints=(0, 20)
)
LONG = dataclasses.replace(SELF, id="T-LONG", games=300, checkpoints=tuple(range(0, 301, 15)))
CONTEST = Contest(
    id="T-ONE",
    paper="tiny",
    group="T",
    title="random moves against the first move",
    game="abalone",
    game_options={"broadside": False, "repetition": 3, "max_plies": 60},
    entrants=(Entrant(player="random"), Entrant(player="first")),
    max_plies=60,
    games=6,
    quick_games=4,
)

if __name__ == "__main__":
    registry.register(experiments=(SELF, RANDOM, LONG))
    online.train, testing.NETWORKS = one_batch.train, 1
    sys.exit(cli.main())
