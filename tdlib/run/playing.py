"""Games of contests side by side, a few plies at a time.

`rollout` plays to the end what it was given. A search costs as much as thousands of plies of
other players, so here places never stand empty: whoever calls `advance` looks after every few
plies which games have ended and puts new ones there. Searches are asked only about the games
in which they move, packed into half as many lanes.
"""

import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tdlib import rollout
from tdlib.experiments.contests import Contest
from tdlib.rollout import select
from tdlib.run import entrants
from tdlib.types import Array, Game, Key, State

__all__ = ["Ended", "Places", "Table", "advance", "begin", "ended", "over", "select", "table"]


class Table(NamedTuple):
    """What all games have in common."""

    game: Game
    choosers: tuple[Callable, ...]  # of the entrants
    max_plies: int
    watch: rollout.Watch


class Places(NamedTuple):
    """B games under way."""

    state: State
    key: Key  # [B]
    turned: Array  # [B] int32, entrant in seat s is s + turned
    plies: Array  # [B] int32
    choices: Array  # [B] int32
    notes: Array  # [B, P, K] float32, by entrant


class Ended(NamedTuple):
    """What is known of B games, by entrant where it says [P]."""

    payoff: Array  # [B, P]
    pieces: Array  # [B, P]
    first: Array  # [B]
    plies: Array  # [B]
    choices: Array  # [B]
    capped: Array  # [B] bool
    notes: Array  # [B, P, K]


def table(contest: Contest) -> Table:
    choosers = tuple(entrants.player(contest, e).choose for e in contest.entrants)
    return Table(entrants.game(contest), choosers, contest.max_plies, entrants.watch(contest))


@functools.partial(jax.jit, static_argnums=0)
def begin(table: Table, keys: Key, turned: Array) -> Places:
    """New games [B]."""
    key, state = jax.vmap(lambda k: rollout.opened(table.game, k, jnp.int32(0)))(keys)
    zero = jnp.zeros_like(turned)
    notes = jnp.zeros((len(turned), table.game.seats, table.watch.numbers))
    return Places(state, key, turned, zero, zero, notes)


@functools.partial(jax.jit, static_argnums=0)
def advance(
    table: Table, weights: tuple, places: Places, busy: Array, plies: Array | int
) -> Places:
    """So many plies further, but not beyond the end of a game. weights: [B, ...] by entrant."""

    def on(carry: tuple[Array, Places, Array]) -> Array:
        return (carry[0] < plies) & carry[2].any()

    def ply(carry: tuple[Array, Places, Array]) -> tuple[Array, Places, Array]:
        count, now, going = carry
        after = _one_ply(table, weights, now, going)
        return count + 1, after, going & ~over(table, after)

    going = busy & ~over(table, places)
    return lax.while_loop(on, ply, (jnp.int32(0), places, going))[1]


@functools.partial(jax.jit, static_argnums=0)
def over(table: Table, places: Places) -> Array:
    """[B] bool, ended by the rules or broken off."""
    by_rules = jax.vmap(lambda state: table.game.outcome(state)[0])(places.state)
    return by_rules | (places.plies >= table.max_plies)


@functools.partial(jax.jit, static_argnums=0)
def ended(table: Table, places: Places) -> Ended:
    """What came of the games."""
    by_rules, payoff = jax.vmap(table.game.outcome)(places.state)
    pieces = jax.vmap(table.game.pieces)(places.state)
    seats = table.game.seats
    seat_of = (jnp.arange(seats)[None] - places.turned[:, None]) % seats  # of each entrant
    payoff, pieces = (jnp.take_along_axis(x, seat_of, 1) for x in (payoff, pieces))
    begins = jax.vmap(lambda k: table.game.init(k).seat)(places.key)
    first = (begins + places.turned) % seats
    return Ended(payoff, pieces, first, places.plies, places.choices, ~by_rules, places.notes)


def _one_ply(table: Table, weights: tuple, places: Places, going: Array) -> Places:
    """One ply of the games that go on."""
    prepare = functools.partial(rollout.prepared, table.game)
    plays, key = jax.vmap(prepare)(places.key, places.plies, places.state)
    mover = (places.state.seat + places.turned) % table.game.seats
    rank = jnp.zeros_like(mover)
    for i, choose in enumerate(table.choosers):
        mine = going & (mover == i)
        rank = _asked(choose, (weights[i], key, places.state, plays), mine, rank)
    look = jax.vmap(lambda *turn: table.watch.look((), *turn))
    seen = look(places.state, plays, rank)  # [B, K]
    moves = (mover[:, None] == jnp.arange(table.game.seats)[None]) & going[:, None]
    after = Places(
        jax.vmap(table.game.play)(places.state, plays, rank),
        places.key,
        places.turned,
        places.plies + 1,
        places.choices + plays.count,
        places.notes + jnp.where(moves[..., None], seen[:, None, :], 0.0),
    )
    return select(going, after, places)


def _asked(choose: Callable, turn: tuple, mine: Array, rank: Array) -> Array:
    """The rank [B], with the wishes of a chooser where it moves; half of them at a time."""
    size = mine.shape[0]
    half = max(1, (size + 1) // 2)

    def some(carry: tuple[Array, Array]) -> tuple[Array, Array]:
        left, rank = carry
        at = jnp.nonzero(left, size=half, fill_value=size)[0]
        weights, key, state, plays = jax.tree.map(lambda x: x[jnp.minimum(at, size - 1)], turn)
        plays = plays._replace(count=jnp.where(at < size, plays.count, 0))
        wish = jax.vmap(choose)(weights, key, state, plays)
        return left.at[at].set(False, mode="drop"), rank.at[at].set(wish, mode="drop")

    return lax.while_loop(lambda carry: carry[0].any(), some, (mine, rank))[1]
