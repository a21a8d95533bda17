"""Whole games between players who learn nothing: so many of them, and what came of each.

Each of B lanes plays its share of the games one after another, starting the next as soon as one
ends, so that no lane waits for the longest game and no game is left out for being long. All of
it happens on the device; `loop` says what a turn is.
"""

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.kernels import random_numbers
from tdlib.play import loop
from tdlib.play.loop import NOBODY, Games, Lanes, Watch
from tdlib.types import Array, Game, Key, Player


def play_games(game: Game, players: Sequence[Player], key: Key, **options: Any) -> Games:
    """Games of one key; the options are those of `play_blocks`."""
    played = play_blocks(game, players, key[None], **options)
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
    """`count` games for each of N keys, in one batch; everything with [N] in front.

    The games of a key depend on it and on `lanes`, not on the other keys nor on the machine.

    Args:
      players: players[s] begins in seat s. The weights of a player may be `gather.Blocks` of N
        different ones, one for each key.
      keys: [N].
      count: how many games of each key.
      lanes: how many of these are played side by side.
      max_plies: a game is broken off, and marked as capped, after so many turns.
      rotate: whether everybody moves on one seat from game to game. Fields by player are in the
        order of `players` all the same.
      watch: an onlooker, whose notes of each player's turns are added up.
    """
    if len(players) != game.seats:
        raise ValueError(f"{game.name} has {game.seats} seats, found {len(players)} players")
    lanes = min(lanes, count)
    quota = -(-count // lanes)
    different = {(p.choose, id(p.weights)): p for p in players}  # who plays alike chooses once
    roles = tuple(list(different).index((p.choose, id(p.weights))) for p in players)
    played = _play(
        game,
        tuple(p.choose for p in different.values()),
        tuple(p.weights for p in different.values()),
        watch.weights,
        _lane_keys(keys, lanes),
        lanes=lanes,
        roles=roles,
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


@functools.partial(jax.jit, static_argnames="lanes")
def _lane_keys(keys: Key, lanes: int) -> Key:
    """[N] -> [N * lanes]"""
    each = jax.vmap(jax.vmap(random_numbers.fold_in, (None, 0)), (0, None))
    return each(keys, jnp.arange(lanes, dtype=jnp.int32)).reshape(-1)


@functools.partial(
    jax.jit,
    static_argnames=(
        *("game", "choosers", "lanes", "roles", "quota", "max_plies", "rotate", "watch"),
    ),
)
def _play(
    game, choosers, weights, seeing, keys, *, lanes, roles, quota, max_plies, rotate, watch
) -> Games:
    """`quota` games of every key: [quota, B].

    lanes: of each of the N keys of `play_blocks`. roles: the chooser of each player.
    """
    column = np.arange(keys.shape[0])
    watch = watch._replace(weights=seeing)
    order = jnp.arange(game.seats, dtype=jnp.int32)
    asked = loop.ask_everybody(choosers, [(mine, None) for mine in weights])

    def ask(mover: Array, *turn) -> Array:
        return asked(jnp.asarray(np.array(roles, np.int32))[mover], *turn)

    def seats(number: Array) -> Array:
        # Lanes begin in different seats: the same for every key, however many come before it.
        return jax.vmap(lambda n: loop.seating(order, rotate, n))(number + column % lanes)

    def ply(carry: tuple[Lanes, Games]) -> tuple[Lanes, Games]:
        lane, turn = loop.ply(game, carry[0], ask, max_plies, watch)
        ended = turn.ended & (lane.number < quota)

        def record(carry: tuple[Lanes, Games]) -> tuple[Lanes, Games]:
            lane, out = carry
            row = jnp.where(ended, lane.number, quota)  # out of range: not written
            found = loop.result(game, lane, turn.over, turn.payoff)
            out = jax.tree.map(lambda o, r: o.at[row, column].set(r, mode="drop"), out, found)
            number = lane.number + 1
            return loop.refill(game, lane, ended, keys, number, seats(number), watch), out

        return lax.cond(ended.any(), record, lambda carry: carry, (lane, carry[1]))

    number = jnp.zeros(keys.shape[0], jnp.int32)
    lane = loop.open_games(game, keys, number, seats(number), watch)
    shapes = jax.eval_shape(
        lambda lane: loop.result(game, lane, *jax.vmap(game.outcome)(lane.state)), lane
    )
    out = jax.tree.map(lambda x: jnp.zeros((quota, *x.shape), x.dtype), shapes)
    return lax.while_loop(lambda c: (c[0].number < quota).any(), ply, (lane, out))[1]
