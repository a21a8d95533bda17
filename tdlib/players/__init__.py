"""Who moves: each player picks the rank of one legal play. `make(name, game)` gives a player
that needs no training; trained ones come from `greedy`, exploring ones from `exploring`.
"""

import functools
import inspect
from collections.abc import Callable

from tdlib.players import abalone_heuristic, heuristic, kalah_minimax, pubeval, searching
from tdlib.players.first import FIRST
from tdlib.players.perfect import perfect
from tdlib.players.uniform import RANDOM
from tdlib.types import Game, Player

ANY_GAME: dict[str, Callable[..., Player]] = {
    "random": lambda game: RANDOM,
    "first": lambda game: FIRST,
}
PLAYERS: dict[tuple[str, str], Callable[..., Player]] = {
    **{
        (game, name): functools.partial(pubeval.pubeval, name=name)
        for game in pubeval.GAMES
        for name in pubeval.READINGS
    },
    ("hypergammon", "perfect"): perfect,
    ("pachisi", "heuristic"): heuristic.pachisi_heuristic,
    ("parcheesi", "heuristic"): heuristic.parcheesi_heuristic,
    ("abalone", "centre"): abalone_heuristic.centre,
    ("abalone", "friedman"): abalone_heuristic.friedman,
    ("abalone", "aba_pro"): abalone_heuristic.aba_pro,
    ("abalone", "leenoh"): abalone_heuristic.leenoh,
    **{("abalone", name): player for name, player in searching.ABALONE.items()},
    **{("kalah", name): player for name, player in searching.KALAH.items()},
    **{  # the same players, faster where many games are played side by side
        ("kalah", f"minimax{depth}"): functools.partial(kalah_minimax.minimax, depth=depth)
        for depth in range(1, kalah_minimax.DEEPEST + 1)
    },
}


@functools.cache  # equal arguments give the same player, which is then compiled once
def make(name: str, game: Game, **options) -> Player:
    """The player of that name for this game."""
    known = ANY_GAME | {player: PLAYERS[g, player] for g, player in PLAYERS if g == game.name}
    if name not in known:
        expected = ", ".join(known)
        raise ValueError(f"{game.name} has no player {name!r}; expected one of: {expected}")
    for option in options:
        if option not in inspect.signature(known[name]).parameters:
            raise ValueError(f"the player {name!r} of {game.name} has no option {option!r}")
    return known[name](game, **options)
