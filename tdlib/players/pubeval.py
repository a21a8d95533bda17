"""The player that moves by pubeval (`tdlib.values.pubeval`), in backgammon and hypergammon."""

import functools
from collections.abc import Callable

from tdlib.games.backgammon import (
    Moved,
    Plays,
    State,
    double_steps,
    is_double,
    is_plain,
    moved,
    plain_steps,
)
from tdlib.players.greedy import Judge, Kind, dense, judging
from tdlib.types import Array, Game, Player
from tdlib.values import pubeval as values

READINGS = ("pubeval", "pubeval-after", *values.OTHER_WEIGHTS)


@functools.cache  # the same function for the same game, which is then compiled once
def pubeval(game: Game, *, name: str = "pubeval") -> Player:
    """Matthews 2006, section 5.3.2: the skilled opponent of both games, under a reading."""
    weights = values.published_weights()
    if name in values.OTHER_WEIGHTS:
        weights = values.OTHER_WEIGHTS[name](weights)
    judge = JUDGE
    if name == "pubeval-after":
        judge = dense(game, functools.partial(values.score, race_by_after=True))
    return judging(judge, name=name, weights=weights)


PLAYERS: dict[str, Callable[..., Player]] = {
    name: functools.partial(pubeval, name=name) for name in READINGS
}


def _change(steps: Callable, state: State, plays: Plays, rank: Array) -> Moved:
    return moved(state, *steps(plays, rank))


JUDGE = Judge(
    values.basis,
    (
        Kind(is_plain, functools.partial(_change, plain_steps)),
        Kind(is_double, functools.partial(_change, double_steps)),
    ),
    (values.gains, values.gain),  # the score of the position itself is common to all plays
)
