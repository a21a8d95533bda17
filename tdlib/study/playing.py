"""Games of contests side by side, a few plies at a time.

A search costs as much as thousands of plies of other players, so here no lane stays empty:
whoever calls `advance` looks every few plies which games have ended and refills their lanes.
Searches are asked only about the games in which they move (`loop.ask_packed`).
"""

import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tdlib.play import loop
from tdlib.play.loop import Games, Lanes, Watch
from tdlib.study import entrants
from tdlib.study.contest import Contest
from tdlib.types import Array, Game, Key


class Table(NamedTuple):
    """What all games have in common. Player i is the i-th entrant of the contest."""

    game: Game
    choosers: tuple[Callable, ...]  # of the entrants
    max_plies: int
    watch: Watch


def table(contest: Contest) -> Table:
    choosers = tuple(entrants.player(contest, e).choose for e in contest.entrants)
    return Table(entrants.game(contest), choosers, contest.max_plies, entrants.watch(contest))


@functools.partial(jax.jit, static_argnums=0)
def begin(table: Table, keys: Key, turned: Array) -> Lanes:
    """A new game for each key [B]; turned [B]: by how many seats the entrants have moved on."""
    order = jnp.arange(table.game.seats, dtype=jnp.int32)
    players = jax.vmap(lambda n: loop.seating(order, True, n))(turned)
    return loop.open_games(table.game, keys, jnp.zeros_like(turned), players, table.watch)


@functools.partial(jax.jit, static_argnums=0)
def advance(
    table: Table, weights: tuple, lanes: Lanes, busy: Array, plies: Array | int
) -> tuple[Lanes, Array]:
    """So many plies further, but not beyond the end of a game; and which games go on [B].

    weights: [B, ...] of each entrant. busy: [B] bool, lanes with a game that is not over.
    """

    def on(carry: tuple[Array, Lanes, Array]) -> Array:
        return (carry[0] < plies) & carry[2].any()

    def ply(carry: tuple[Array, Lanes, Array]) -> tuple[Array, Lanes, Array]:
        count, now, going = carry
        ask = loop.ask_packed(table.choosers, weights, going)
        after, turn = loop.ply(table.game, now, ask, table.max_plies, table.watch)
        return count + 1, loop.select(going, after, now), going & ~turn.ended

    _, lanes, going = lax.while_loop(on, ply, (jnp.int32(0), lanes, busy))
    return lanes, going


@functools.partial(jax.jit, static_argnums=0)
def results(table: Table, lanes: Lanes) -> Games:
    """What came of the games that have ended, by entrant."""
    over, payoff = jax.vmap(table.game.outcome)(lanes.state)
    return loop.result(table.game, lanes, over, payoff)


select = jax.jit(loop.select)
