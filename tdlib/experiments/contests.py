"""Games between players that learn nothing, as data.

A `Contest` says who plays whom at what, and how often; `tdlib.run.contests` plays it and stores
one row for each game. `scaled`, `config` and `fingerprint` do for it what those of `base` do
for an `Experiment`.
"""

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from tdlib import paths
from tdlib.experiments.base import Options

SEARCH = "search"  # a player that is not known by name: options say what it looks for, how deep

_NO_SETTINGS = {"paper", "group", "title", "games", "quick_games", "scale", "stated", "assumed"}
_SMOKE_GAMES, _SMOKE_PLIES = 2, 6
_QUICK_PLIES = 150  # few games are longer, and those few would take most of the time


@dataclasses.dataclass(frozen=True, kw_only=True)
class Entrant:
    """A player by what it is made of."""

    player: str  # a name that `tdlib.players` knows, or SEARCH
    options: Options = ()  # of a search: value, depth, method, ties; of a name: its options
    weights: Options = ()  # of its value, where they are not the usual ones

    def __post_init__(self) -> None:
        for name in ("options", "weights"):
            given = tuple(sorted(dict(getattr(self, name)).items()))
            object.__setattr__(self, name, given)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Contest:
    """Two players and their games; ValueError says what was expected."""

    id: str
    paper: str
    group: str  # the experiment of the ledger that it is part of
    title: str

    game: str
    game_options: Options = ()
    entrants: tuple[Entrant, ...]  # the first is the one that the contest is about
    rotate: bool = True  # whether they change seats from game to game
    max_plies: int  # after which a game is broken off
    games: int
    quick_games: int

    seed: int = 0
    scale: str = "paper"
    stated: Mapping[str, str] = dataclasses.field(default_factory=dict, compare=False)
    assumed: Mapping[str, str] = dataclasses.field(default_factory=dict, compare=False)
    # Subject -> where the paper says so, or why we chose it

    def __post_init__(self) -> None:
        options = tuple(sorted(dict(self.game_options).items()))
        object.__setattr__(self, "game_options", options)
        for name in ("max_plies", "games", "quick_games"):
            number = getattr(self, name)
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise ValueError(f"{self.id}: {name} must be 1 or more, not {number!r}")
        if not all(isinstance(e, Entrant) for e in self.entrants) or len(self.entrants) < 2:
            raise ValueError(f"{self.id}: entrants must be two or more of Entrant")
        if both := sorted(self.stated.keys() & self.assumed.keys()):
            raise ValueError(f"{self.id}: stated as well as assumed: {', '.join(both)}")
        paths.checked(self.scale)


def config(contest: Contest) -> dict[str, Any]:
    """Everything that results depend on, in plain types; more games extend what is there."""
    plain = dataclasses.asdict(contest)
    chosen = {name: plain[name] for name in plain if name not in _NO_SETTINGS}
    return json.loads(json.dumps(chosen))


def scaled(contest: Contest, scale: str) -> Contest:
    """paper: as it is. quick: `quick_games`, broken off where they get long. smoke: two games,
    broken off almost at once.
    """
    if paths.checked(scale) == "paper":
        return contest
    games, plies = contest.quick_games, _QUICK_PLIES
    if scale == "smoke":
        games, plies = _SMOKE_GAMES, _SMOKE_PLIES
    return dataclasses.replace(
        contest,
        scale=scale,
        games=min(contest.games, games),
        max_plies=min(contest.max_plies, plies),
    )
