"""One training condition of a paper, as data.

`Experiment` says what is learned, in which company and how it is tested. `training_hash` and
`test_hash` name its networks and their tests: a network keeps its name when it is tested in
another way, or when there are more runs, more games or other checkpoints.
"""

import dataclasses
import functools
import math
from collections.abc import Mapping
from typing import Any

from tdlib import paths
from tdlib.learning.records import Schedule, constant
from tdlib.players.greedy import TIES
from tdlib.study.identity import Options, differing, fingerprint, options

LEARNER = "learner"  # in a seat; everybody else there is a name that `tdlib.players` knows
FLOATS = ("float32", "float64")
LANES = 50  # test games side by side; which games are played depends on it

# Random numbers are drawn by id and seed, so these are part of both.
_TRAINING = (
    "id", "seed", "game", "game_options", "encoding", "encoding_options", "hidden", "outputs",
    "span", "bias", "alpha", "lam", "epsilon", "gamma", "kappa", "penalty", "targets",
    "rewards", "reevaluate", "observe_end", "seats", "rotate", "max_plies", "habits",
    "floats", "ties",
)  # fmt: skip
_TEST = (
    "id", "seed", "evaluation", "eval_rotate", "eval_games", "eval_max_plies", "eval_habits",
)  # fmt: skip
_WORDS = {"id", "paper", "group", "title", "quick_games", "scale", "seed", "stated", "assumed"}
_SCHEDULES = ("alpha", "lam", "epsilon")
_OPTIONS = ("game_options", "encoding_options", "habits", "eval_habits")
# Usual values that need no source
_UNSAID = {
    "observe_end": False, "eval_rotate": True, "habits": (), "eval_habits": (),
    "floats": "float32", "ties": "first",
}  # fmt: skip
_NEVER = constant(0.0)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Experiment:
    """Settings of one condition; ValueError says what was expected."""

    id: str
    paper: str
    group: str  # experiments whose results are packed together
    title: str

    game: str
    game_options: Options = ()  # a mapping is accepted as well
    encoding: str
    encoding_options: Options = ()

    hidden: int
    outputs: int  # one for each seat, or one in all
    span: float  # of the initial weights, uniform in [-span, span]
    bias: bool = True

    alpha: Schedule  # a number is accepted and made constant
    lam: Schedule
    epsilon: Schedule = _NEVER
    gamma: float = 1.0
    kappa: float = 0.0
    penalty: float = 0.0
    targets: tuple[float, float, tuple[float, ...]]  # loss, draw, win by 1, 2, ... points
    rewards: str | None = None
    reevaluate: bool = False
    observe_end: bool = False  # whether the last position is predicted as well, see `td`
    floats: str = "float32"  # of weights and all that is computed with them; or "float64"
    ties: str = "first"  # which of equally good plays is taken, see `players.greedy`

    seats: tuple[str, ...]  # while learning; LEARNER or the name of a player
    rotate: bool = True  # whether everybody moves on one seat from game to game
    habits: Options = ()  # of the learner while learning, see `players.habits`
    max_plies: int  # after which a training game is broken off
    games: int
    checkpoints: tuple[int, ...]  # after how many games to measure
    runs: int
    quick_games: int | None = None  # at quick scale, where a tenth would take too long

    evaluation: tuple[str, ...]  # seats while measuring
    eval_rotate: bool = True  # whether everybody moves on one seat from test game to test game
    eval_habits: Options = ()  # of the learner while measuring
    eval_games: int
    eval_max_plies: int

    seed: int = 0
    scale: str = "paper"
    stated: Mapping[str, str] = dataclasses.field(default_factory=dict, compare=False)
    assumed: Mapping[str, str] = dataclasses.field(default_factory=dict, compare=False)
    # Field -> where the paper says so, or why we chose it; `assumed` may have other subjects

    def __post_init__(self) -> None:
        for name in _OPTIONS:
            self._set(name, options(getattr(self, name)))
        for name in _SCHEDULES:
            given = getattr(self, name)
            self._set(name, given if isinstance(given, Schedule) else constant(given))
        for name in ("span", "gamma", "kappa", "penalty"):
            self._set(name, float(getattr(self, name)))
        loss, draw, wins = self.targets
        self._set("targets", (float(loss), float(draw), tuple(map(float, wins))))
        self._set("checkpoints", tuple(sorted(set(self.checkpoints))))
        _check(self)

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property
    def explores(self) -> bool:
        return max(self.epsilon.start, self.epsilon.end) > 0


def training_settings(e: Experiment) -> dict[str, Any]:
    """Everything that its networks depend on, in plain types."""
    return differing(e, _TRAINING)


def test_settings(e: Experiment) -> dict[str, Any]:
    """Everything that their tests depend on besides."""
    return differing(e, _TEST) | {"lanes": LANES}


@functools.cache
def training_hash(e: Experiment) -> str:
    return fingerprint(training_settings(e))


@functools.cache
def test_hash(e: Experiment) -> str:
    return fingerprint(test_settings(e))


def _check(e: Experiment) -> None:
    def need(right: bool, name: str, expected: str) -> None:
        if not right:
            found = getattr(e, name)
            raise ValueError(f"{e.id}: {name} must be {expected}, not {found!r}")

    for name in ("hidden", "seed"):
        need(_whole(getattr(e, name), 0), name, "a whole number, 0 or more")
    for name in ("max_plies", "games", "runs", "eval_games", "eval_max_plies"):
        need(_whole(getattr(e, name), 1), name, "a whole number, 1 or more")
    for name in ("bias", "rotate", "reevaluate", "observe_end", "eval_rotate"):
        need(isinstance(getattr(e, name), bool), name, "True or False")
    for name in ("span", "gamma", "kappa", "penalty"):
        need(math.isfinite(getattr(e, name)), name, "a finite number")
    need(
        e.quick_games is None or (_whole(e.quick_games, 1) and e.quick_games <= e.games),
        "quick_games",
        f"None or a number of games from 1 to {e.games}",
    )
    need(e.floats in FLOATS, "floats", f"one of {', '.join(FLOATS)}")
    need(e.ties in TIES, "ties", f"one of {', '.join(TIES)}")
    need(-1 <= e.kappa <= 1, "kappa", "from -1 to 1")
    need(bool(e.targets[2]), "targets", "(loss, draw, (win, ...))")
    need(
        all(_whole(c, 0) and c <= e.games for c in e.checkpoints) and bool(e.checkpoints),
        "checkpoints",
        f"numbers of games from 0 to {e.games}",
    )
    need(len(e.seats) >= 1, "seats", f"names of players or {LEARNER!r}")
    need(
        len(e.evaluation) == len(e.seats) and LEARNER in e.evaluation,
        "evaluation",
        f"{len(e.seats)} names like `seats`, {LEARNER!r} among them",
    )
    need(e.outputs in (1, len(e.seats)), "outputs", f"1 or {len(e.seats)}, the seats")
    need(
        not (e.observe_end and e.outputs == 1),
        "observe_end",
        "False where each seat has positions of its own (outputs 1)",
    )
    paths.checked(e.scale)
    _check_sources(e)


def _check_sources(e: Experiment) -> None:
    """Whether each setting is said to be stated or assumed, if anything is."""
    if not e.stated and not e.assumed:
        return
    fields = {f.name for f in dataclasses.fields(e)}
    settings = fields - _WORDS
    usual = {name for name, value in _UNSAID.items() if getattr(e, name) == value}
    if both := sorted(e.stated.keys() & e.assumed.keys()):
        raise ValueError(f"{e.id}: stated as well as assumed: {', '.join(both)}")
    if unknown := sorted(e.stated.keys() - settings):
        raise ValueError(f"{e.id}: stated, but no settings: {', '.join(unknown)}")
    if unsaid := sorted(settings - usual - e.stated.keys() - e.assumed.keys()):
        raise ValueError(f"{e.id}: neither stated nor assumed: {', '.join(unsaid)}")


def _whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
