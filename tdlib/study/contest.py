"""Games between players that learn nothing, as data.

A `Contest` says who plays whom at what, and how often; `study.contests` plays it and stores
one row for each game.
"""

import dataclasses
import functools
from collections.abc import Mapping

from tdlib import paths
from tdlib.study.identity import Options, differing, fingerprint, options

SEARCH = "search"  # a player that is not known by name: options say what it looks for, how deep

# A game that was stopped is worth 0 to both players (Friedman & Ibarra count such games
# separately), or what the rules of the game say (Abalone: it goes to whoever ejected more).
STOPPED = ("nobody", "rules")

_SETTINGS = ("id", "seed", "game", "game_options", "entrants", "rotate", "max_plies", "stopped")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Entrant:
    """A player by what it is made of."""

    player: str  # a name that `tdlib.players` knows, or SEARCH
    options: Options = ()  # of a search: value, depth, method, ties; of a name: its options
    weights: Options = ()  # of its value, where they are not the usual ones

    def __post_init__(self) -> None:
        for name in ("options", "weights"):
            object.__setattr__(self, name, options(getattr(self, name)))


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
    stopped: str = "nobody"  # who gets a game that a rule against endless play stopped
    games: int
    quick_games: int

    seed: int = 0
    scale: str = "paper"
    stated: Mapping[str, str] = dataclasses.field(default_factory=dict, compare=False)
    assumed: Mapping[str, str] = dataclasses.field(default_factory=dict, compare=False)
    # Subject -> where the paper says so, or why we chose it

    def __post_init__(self) -> None:
        object.__setattr__(self, "game_options", options(self.game_options))
        for name in ("max_plies", "games", "quick_games"):
            number = getattr(self, name)
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise ValueError(f"{self.id}: {name} must be 1 or more, not {number!r}")
        if not all(isinstance(e, Entrant) for e in self.entrants) or len(self.entrants) < 2:
            raise ValueError(f"{self.id}: entrants must be two or more of Entrant")
        if self.stopped not in STOPPED:
            expected = f"one of {', '.join(STOPPED)}"
            raise ValueError(f"{self.id}: stopped must be {expected}, not {self.stopped!r}")
        if both := sorted(self.stated.keys() & self.assumed.keys()):
            raise ValueError(f"{self.id}: stated as well as assumed: {', '.join(both)}")
        paths.checked(self.scale)


@functools.cache
def contest_hash(contest: Contest) -> str:
    """Of everything that its games depend on; more games extend what is there."""
    return fingerprint(differing(contest, _SETTINGS))
