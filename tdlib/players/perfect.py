"""The player that never errs: hypergammon by its exact solution (`tdlib.exact`)."""

import functools
from collections.abc import Callable

from tdlib import exact
from tdlib.games.backgammon import Plays, State, double_steps, is_double, is_plain, plain_steps
from tdlib.players.greedy import Judge, Kind, judging
from tdlib.types import Array, Game, Player
from tdlib.values import exact as values


@functools.cache  # read the solution once
def perfect(game: Game, objective: str = "wins") -> Player:
    """Makes the most of every position, in games won or ("money") in points."""
    return playing(exact.load(objective))


def playing(solution: exact.Solution) -> Player:
    """The player of this solution."""
    return _PLAYER._replace(weights=values.table(solution))


def _prepare(table: Array, state: State) -> tuple[Array, Array]:
    own, other = (values.places(state.men[seat]) for seat in (state.seat, 1 - state.seat))
    return own, other


def _change(steps: Callable, state: State, plays: Plays, rank: Array) -> tuple[Array, Array]:
    return steps(plays, rank)


JUDGE = Judge(
    _prepare,
    (
        Kind(is_plain, functools.partial(_change, plain_steps)),
        Kind(is_double, functools.partial(_change, double_steps), typical=2),
    ),
    (values.changed_value,),
)
_PLAYER = judging(JUDGE, name="perfect")
