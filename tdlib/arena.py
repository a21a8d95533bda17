"""Measure: matches between players, seats changing from game to game.

    match         N games between players in given seats
    evaluate      many networks, N games each against the same opponents, in one batch
    round_robin   everybody against everybody: a cross table

Games that reach the ply cap are counted apart; nobody gets anything for them.
"""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from tdlib import rollout
from tdlib.players.greedy import Blocks
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
    game: Game,
    players: Sequence[Player],
    key: Key,
    *,
    count: int,
    max_plies: int,
    rotate: bool = True,
    lanes: int = LANES,
) -> list[Tally]:
    """`count` games; a tally for each of the players, who sit in this order at first."""
    played = rollout.play_games(
        game, players, key, count=count, lanes=lanes, max_plies=max_plies, rotate=rotate
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
    """How many lanes each of `number` contestants gets, so that none has much to wait for.

    A divisor of `count` near lanes / number: all lanes then play equally many games.
    """
    most = max(1, min(count, lanes // number))
    return max(d for d in range(1, most + 1) if count % d == 0)


def tally(played: rollout.Games, player: int) -> Tally:
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


def round_robin(
    game: Game, players: Sequence[Player], key: Key, *, count: int, max_plies: int
) -> dict[tuple[str, str], Tally]:
    """`count` games for each pair of two-player-game players, named, and what the first got.

    Both (a, b) and (b, a) are in the table, from the same games.
    """
    if game.seats != 2:
        raise ValueError(f"a round robin pairs players; {game.name} has {game.seats} seats")
    names = [p.name for p in players]
    if len(set(names)) < len(names):
        raise ValueError(f"players need names of their own, found {names}")
    table = {}
    for i, (one, two) in enumerate(itertools.combinations(players, 2)):
        both = match(
            game, (one, two), jax.random.fold_in(key, i), count=count, max_plies=max_plies
        )
        table[one.name, two.name], table[two.name, one.name] = both
    return table
