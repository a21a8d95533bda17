"""Matches between players, who change seats from game to game.

    match      N games between players in given seats
    evaluate   many networks, N games each against the same opponents, in one batch

Games that reach the ply cap are counted separately; nobody scores in them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from tdlib.kernels.gather import Blocks
from tdlib.play import rollout
from tdlib.play.loop import Games
from tdlib.types import Game, Key, Player

LANES = 1024  # games side by side, in all


class Tally(NamedTuple):
    """What one player got out of a match; NumPy scalars, or arrays over networks."""

    games: Any  # played, capped ones included
    wins: Any
    draws: Any  # games that ended by the rules without a winner
    capped: Any  # games cut off at the ply cap
    points: Any  # payoff summed over all games: the game's own points, negative for losses
    pieces: Any  # summed over all games, see `Game.pieces`
    plies: Any  # summed over all games


def match(
    game: Game, players: Sequence[Player], key: Key, *, count: int, max_plies: int
) -> list[Tally]:
    """`count` games; a tally for each of the players, who sit in this order at first."""
    played = rollout.play_games(
        game, players, key, count=count, lanes=LANES, max_plies=max_plies, rotate=True
    )
    return [tally(played, p) for p in range(len(players))]


def evaluate(
    game: Game,
    player: Player,
    weights: Any,
    seats: Sequence[Player | None],
    keys: Key,
    *,
    count: int,
    max_plies: int,
    rotate: bool = True,
    lanes: int = LANES,
) -> Tally:
    """`count` games for each of N sets of weights [N, ...]; arrays [N].

    seats: who sits where at first; None is the player with its weights, tallied where it
    sits first. keys [N]: what one set does depends on its own key only.
    """
    number = keys.shape[0]
    entrant = player._replace(weights=Blocks(weights))
    everybody = [entrant if other is None else other for other in seats]
    if None not in seats:
        raise ValueError("nobody in these seats is the player to be evaluated (None)")
    played = rollout.play_blocks(
        game,
        everybody,
        keys,
        count=count,
        lanes=lanes_for_each(number, count, lanes),
        max_plies=max_plies,
        rotate=rotate,
    )
    return tally(played, list(seats).index(None))


def lanes_for_each(number: int, count: int, lanes: int = LANES) -> int:
    """How many lanes each of `number` contestants gets, so that few lanes ever wait.

    A divisor of `count` near lanes / number: all lanes then play equally many games.
    """
    most = max(1, min(count, lanes // number))
    return max(d for d in range(1, most + 1) if count % d == 0)


def tally(played: Games, player: int) -> Tally:
    """Of games [..., N], for one of the players: arrays [...]."""
    played = jax.tree.map(np.asarray, played)
    payoff = played.payoff[..., player].astype(np.int64)
    nobody = (played.payoff == 0).all(-1)

    def total(x: Any) -> np.ndarray:
        return np.asarray(x).sum(-1, dtype=np.int64)

    return Tally(
        games=np.full(payoff.shape[:-1], payoff.shape[-1]),
        wins=total(payoff > 0),
        draws=total(nobody & ~played.capped),
        capped=total(played.capped),
        points=total(payoff),
        pieces=total(played.pieces[..., player]),
        plies=total(played.plies),
    )
