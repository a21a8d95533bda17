"""Measure: what a player's moves cost, by the exact values of hypergammon.

A move's loss is the exact value of the best play less that of the play chosen, in games won
(objective "wins", a probability) or in points ("money"). A turn with one legal play is no move.

Every move of whole games is judged. By default they are the player's games against itself: the
positions that its own play leads to, and from which it learned. A common sample of positions
would judge players by much that they never meet.

In games against the perfect player nobody else errs, so what the player loses in a game is
what it gives away there: half a win less the mean of it is its winning chance, known far more
precisely than by counting games won.
"""

import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib import exact
from tdlib.play import loop
from tdlib.players.greedy import best_play
from tdlib.players.perfect import JUDGE
from tdlib.types import Array, Game, State
from tdlib.values import exact as values

NEARLY = 1e-6  # a smaller loss is a tie of best plays, rounded


class Losses(NamedTuple):
    """Of moves in N independent games; arrays over players."""

    games: np.ndarray
    moves: np.ndarray  # turns with a choice, in all games
    mean: np.ndarray  # loss of a move
    error: np.ndarray  # its standard error
    best: np.ndarray  # share of moves that lose nothing
    per_game: np.ndarray  # loss of a game
    per_game_error: np.ndarray


def watch(game: Game, solutions: Sequence[exact.Solution]) -> loop.Watch:
    """For `rollout.play_games`: takes down what `losses` needs, for each of the solutions."""
    tables = tuple(values.table(solution) for solution in solutions)
    return loop.Watch(_look(game), 1 + 2 * len(tables), tables)


def losses(notes: np.ndarray, solution: int = 0) -> Losses:
    """By the solution of that number; notes [..., N, K] of one player's turns in N games."""
    notes = np.asarray(notes, np.float64)
    moves, loss, best = (notes[..., k] for k in (0, 1 + 2 * solution, 2 + 2 * solution))
    games, total = notes.shape[-2], moves.sum(-1)
    mean = loss.sum(-1) / total
    # of a ratio of sums, to first order
    unexplained = ((loss - mean[..., None] * moves) ** 2).sum(-1) * games / (games - 1)
    return Losses(
        games=np.full(total.shape, games),
        moves=total.astype(int),
        mean=mean,
        error=np.sqrt(unexplained) / total,
        best=best.sum(-1) / total,
        per_game=loss.mean(-1),
        per_game_error=loss.std(-1, ddof=1) / np.sqrt(games),
    )


@functools.cache  # one function for a game, which is then compiled once
def _look(game: Game) -> Callable:
    choose = best_play(JUDGE)

    def worth(table: Array, state: State, plays: object, rank: Array) -> Array:
        return values.value(table, game.play(state, plays, rank), state.seat)

    def look(tables: tuple[Array, ...], state: State, plays: object, rank: Array) -> Array:
        choice = plays.count > 1  # type: ignore[attr-defined]
        seen = [choice]
        for table in tables:
            ideal = choose(table, jax.random.key(0), state, plays)  # ties need no luck
            loss = worth(table, state, plays, ideal) - worth(table, state, plays, rank)
            seen += [jnp.where(choice, loss, 0.0), choice & (loss < NEARLY)]
        return jnp.stack([jnp.asarray(x, jnp.float32) for x in seen])

    return look
