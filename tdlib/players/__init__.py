"""Who moves: each player picks the rank of one legal play.

`make(name, game)` gives a player that needs no training. Trained ones come from `greedy`,
exploring ones from `simple`. A new game's players are its line in `PLAYERS`.
"""

import functools
import inspect
from collections.abc import Callable

from tdlib.players import abalone, kalah_minimax, pubeval, race
from tdlib.players.perfect import perfect
from tdlib.players.simple import FIRST, RANDOM
from tdlib.types import Game, Player

ANY_GAME: dict[str, Callable[..., Player]] = {
    "random": lambda game: RANDOM,
    "first": lambda game: FIRST,
}
PLAYERS: dict[str, dict[str, Callable[..., Player]]] = {
    "backgammon": pubeval.PLAYERS,
    "hypergammon": pubeval.PLAYERS | {"perfect": perfect},
    "pachisi": {"heuristic": race.pachisi_heuristic},
    "parcheesi": {"heuristic": race.parcheesi_heuristic},
    "kalah": kalah_minimax.PLAYERS,
    "abalone": abalone.PLAYERS,
}


@functools.cache  # equal arguments give the same player, which is then compiled once
def make(name: str, game: Game, **options) -> Player:
    """The player of that name for this game."""
    known = ANY_GAME | PLAYERS.get(game.name, {})
    if name not in known:
        expected = ", ".join(known)
        raise ValueError(f"{game.name} has no player {name!r}; expected one of: {expected}")
    for option in options:
        if option not in inspect.signature(known[name]).parameters:
            raise ValueError(f"the player {name!r} of {game.name} has no option {option!r}")
    return known[name](game, **options)
