"""Play: whole games between players, many side by side. The only game loop.

Each of B lanes plays its own quota of games one after another, starting the next as soon as
one ends, so that no lane waits for the longest game and no game is left out for being long.

Game n of a lane draws all its random numbers from the lane's key and n (`opened`, then the ply
is counted in), so it does not depend on what other lanes do.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib import chance, games
from tdlib.types import Array, Game, Key, Player, State

_SETUP = 2**31 - 1  # a counter that is no ply: for the start of a game


class Games(NamedTuple):
    """Games played to the end, or cut off at the ply cap. N games, P players."""

    payoff: Array  # [N, P] int32 by player, zero for a capped game
    first: Array  # [N] int32, the player that moved first
    plies: Array  # [N] int32, turns taken, forced passes included
    choices: Array  # [N] int32, legal plays summed over those turns
    capped: Array  # [N] bool, cut off before the rules ended it
    pieces: Array  # [N, P] int32 by player, see `Game.pieces`
    notes: Any = ()  # [N, P, K] float32, what a `Watch` saw in each player's turns, added up


class Watch(NamedTuple):
    """Somebody who looks on and takes down K numbers of every turn."""

    look: Callable[[Any, State, Any, Array], Array]
    # weights, state, its Plays, the rank that was chosen -> [K] float32
    numbers: int  # K
    weights: Any = ()  # pytree


NOBODY = Watch(lambda weights, state, plays, rank: jnp.zeros(0), 0)


class _Lane(NamedTuple):
    state: State
    key: Key  # []
    first: Array  # []
    plies: Array  # []
    choices: Array  # []
    notes: Array  # [P, K]
    done: Array  # [], games finished by this lane


def play_games(
    game: Game,
    players: Sequence[Player],
    key: Key,
    *,
    count: int,
    lanes: int,
    max_plies: int,
    rotate: bool = False,
    watch: Watch = NOBODY,
) -> Games:
    """`count` games, players[s] in seat s; at most `max_plies` turns each.

    rotate: everybody moves on one seat from game to game. Fields by player are in the order of
    `players` all the same.
    The games depend on the key and on `lanes`, not on the machine.
    """
    played = play_blocks(
        game,
        players,
        key[None],
        count=count,
        lanes=lanes,
        max_plies=max_plies,
        rotate=rotate,
        watch=watch,
    )
    return jax.tree.map(lambda x: x[0], played)


def play_blocks(
    game: Game,
    players: Sequence[Player],
    keys: Key,
    *,
    count: int,
    lanes: int,
    max_plies: int,
    rotate: bool = False,
    watch: Watch = NOBODY,
) -> Games:
    """The same for each of N keys, in one batch; everything with [N] in front.

    A player's weights may be `greedy.Blocks` of N different ones. What is played with a key
    does not depend on the other keys. lanes: for each key.
    """
    if len(players) != game.seats:
        raise ValueError(f"{game.name} has {game.seats} seats, found {len(players)} players")
    lanes = min(lanes, count)
    quota = -(-count // lanes)
    different = {(p.choose, id(p.weights)): p for p in players}  # who plays alike chooses once
    seats = tuple(list(different).index((p.choose, id(p.weights))) for p in players)
    played = _play(
        game,
        tuple(p.choose for p in different.values()),
        tuple(p.weights for p in different.values()),
        watch.weights,
        lane_keys(keys, lanes),
        lanes=lanes,
        seats=seats,
        quota=quota,
        max_plies=max_plies,
        rotate=rotate,
        watch=watch._replace(weights=()),
    )

    def by_key(x: Array) -> Array:
        # [quota, N * lanes] in order of play: beyond `count` is the last round of some lanes
        x = x.reshape(quota, len(keys), lanes, *x.shape[2:]).swapaxes(0, 1)
        return x.reshape(len(keys), quota * lanes, *x.shape[3:])[:, :count]

    return jax.tree.map(by_key, played)


def opened(game: Game, key: Key, number: Array) -> tuple[Key, State]:
    """The key of a lane's game of that number, and its first position."""
    key = chance.fold_in(key, number)
    return key, game.init(chance.fold_in(key, _SETUP))


def occupants(seats: Array, rotate: Array | bool, number: Array) -> Array:
    """Who sits where in that game [P], if it is `seats` [P] in game 0."""
    places = seats.shape[0]
    shift = jnp.where(rotate, number % places, 0)
    return seats[(np.arange(places) + shift) % places]


def prepared(game: Game, key: Key, ply: Array, state: State) -> tuple[Any, Key]:
    """The plays of a turn, and a key for who chooses among them."""
    key = chance.fold_in(key, ply)
    return game.plays(state, games.roll(game, key, state)), chance.fold_in(key, 1)


def choices(
    choosers: Sequence[Callable],
    weights: Sequence,
    mover: Array,
    key: Key,
    state: State,
    plays: Any,
) -> Array:
    """The rank [B] that each lane's mover chooses; mover [B] indexes the choosers.

    weights: for each chooser, and the axis of `jax.vmap` for them.
    """
    rank = jnp.zeros_like(mover)
    for i, (choose, (mine, axis)) in enumerate(zip(choosers, weights, strict=True)):
        asked = plays  # only about the lanes where this player moves: others have no plays
        if len(choosers) > 1:
            asked = plays._replace(count=jnp.where(mover == i, plays.count, 0))
        wish = jax.vmap(choose, (axis, 0, 0, 0))(mine, key, state, asked)
        rank = jnp.where(mover == i, wish, rank)
    return rank


def restarted(game: Game, key: Key, state: State) -> State:
    """The position itself, or that of a new game if it is over: for endless play."""
    over, _ = game.outcome(state)
    return jax.tree.map(lambda new, old: jnp.where(over, new, old), game.init(key), state)


def select(mask: Array, new: Any, old: Any) -> Any:
    """Trees with [B] in front: new or old by mask [B]."""
    return jax.tree.map(
        lambda x, y: jnp.where(mask.reshape(-1, *[1] * (x.ndim - 1)), x, y), new, old
    )


@functools.partial(jax.jit, static_argnames="lanes")
def lane_keys(keys: Key, lanes: int) -> Key:
    """[N] -> [N * lanes]"""
    each = jax.vmap(jax.vmap(chance.fold_in, (None, 0)), (0, None))
    return each(keys, jnp.arange(lanes, dtype=jnp.int32)).reshape(-1)


@functools.partial(
    jax.jit,
    static_argnames=(
        *("game", "choosers", "lanes", "seats", "quota", "max_plies", "rotate", "watch"),
    ),
)
def _play(
    game, choosers, weights, seeing, keys, *, lanes, seats, quota, max_plies, rotate, watch
) -> Games:
    column = np.arange(keys.shape[0])
    turned = column % lanes  # the same for every key, however many come before it
    lanes = keys.shape[0]
    everybody = [(mine, None) for mine in weights]
    order = jnp.arange(game.seats, dtype=jnp.int32)
    nothing = jnp.zeros((lanes, game.seats, watch.numbers))

    def who(done: Array) -> Array:
        """The player in each seat [B, P]; lanes begin in different seats."""
        return jax.vmap(lambda n: occupants(order, rotate, n))(done + turned)

    def begin(done: Array) -> _Lane:
        key, state = jax.vmap(functools.partial(opened, game))(keys, done)
        first = jnp.take_along_axis(who(done), state.seat[:, None], 1)[:, 0]
        zero = jnp.zeros(lanes, jnp.int32)
        return _Lane(state, key, first, zero, zero, nothing, done)

    def ply(carry: tuple[_Lane, Games]) -> tuple[_Lane, Games]:
        lane, out = carry
        plays, key = jax.vmap(functools.partial(prepared, game))(
            lane.key, lane.plies, lane.state
        )
        sits = who(lane.done)
        mover = jnp.take_along_axis(sits, lane.state.seat[:, None], 1)[:, 0]
        role = jnp.asarray(np.array(seats, np.int32))[mover]
        rank = choices(choosers, everybody, role, key, lane.state, plays)
        seen = jax.vmap(watch.look, (None, 0, 0, 0))(seeing, lane.state, plays, rank)
        moves = mover[:, None, None] == order[None, :, None]
        notes = lane.notes + jnp.where(moves, seen[:, None, :], 0.0)
        state = jax.vmap(game.play)(lane.state, plays, rank)
        over, payoff = jax.vmap(game.outcome)(state)
        plies, count = lane.plies + 1, lane.choices + plays.count
        capped = ~over & (plies >= max_plies)
        ended = (over | capped) & (lane.done < quota)

        def note(carry: tuple[_Lane, Games]) -> tuple[_Lane, Games]:
            lane, out = carry
            seat = jnp.argsort(sits, axis=1)  # of each player
            by_player = [
                jnp.take_along_axis(x, seat, 1)
                for x in (payoff, jax.vmap(game.pieces)(lane.state))
            ]
            record = Games(by_player[0], lane.first, plies, count, capped, by_player[1], notes)
            row = jnp.where(ended, lane.done, quota)  # out of range: not written
            out = jax.tree.map(lambda o, r: o.at[row, column].set(r, mode="drop"), out, record)
            return select(ended, begin(lane.done + 1), lane), out

        lane = _Lane(state, lane.key, lane.first, plies, count, notes, lane.done)
        return lax.cond(ended.any(), note, lambda carry: carry, (lane, out))

    lane = begin(jnp.zeros(lanes, jnp.int32))
    zeros = jnp.zeros((quota, lanes), jnp.int32)
    by_player = jnp.zeros((quota, lanes, game.seats), jnp.int32)
    notes = jnp.zeros((quota, *nothing.shape))
    out = Games(by_player, zeros, zeros, zeros, zeros.astype(bool), by_player, notes)
    return lax.while_loop(lambda c: (c[0].done < quota).any(), ply, (lane, out))[1]
