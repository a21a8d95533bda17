"""Play: whole games between players, many side by side. The only game loop.

Each of B lanes plays its own quota of games one after another, starting the next as soon as
one ends, so that no lane waits for the longest game and no game is left out for being long.
"""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tdlib import games
from tdlib.types import Array, Game, Key, Player, State


class Games(NamedTuple):
    """Games played to the end, or cut off at the ply cap. N games, P seats."""

    payoff: Array  # [N, P] int32, zero for a capped game
    first: Array  # [N] int32, the seat that moved first
    plies: Array  # [N] int32, turns taken, forced passes included
    choices: Array  # [N] int32, legal plays summed over those turns
    capped: Array  # [N] bool, cut off before the rules ended it


class _Lane(NamedTuple):
    state: State
    first: Array  # []
    plies: Array  # []
    choices: Array  # []
    done: Array  # [], games finished by this lane


def play_games(
    game: Game, players: tuple[Player, ...], key: Key, *, count: int, lanes: int, max_plies: int
) -> Games:
    """`count` games with players[s] in seat s; at most `max_plies` turns each.

    The games depend on the key and on `lanes`, not on the machine.
    """
    if len(players) != game.seats:
        raise ValueError(f"{game.name} has {game.seats} seats, found {len(players)} players")
    lanes = min(lanes, count)
    quota = -(-count // lanes)
    choosers = tuple(p.choose for p in players)
    weights = tuple(p.weights for p in players)
    played = _play(game, choosers, weights, key, lanes=lanes, quota=quota, max_plies=max_plies)
    # [quota, lanes] in order of play: what exceeds `count` is the last round of some lanes
    return jax.tree.map(lambda x: x.reshape(quota * lanes, *x.shape[2:])[:count], played)


def take_turn(
    game: Game, choosers: tuple, weights: tuple, key: Key, state: State
) -> tuple[State, Array]:
    """One turn of one game: the position after it, and how many plays there were."""
    key_roll, key_choice = jax.random.split(key)
    plays = game.plays(state, games.roll(game, key_roll, state))
    if len(set(choosers)) == 1 and not jax.tree.leaves(weights):  # all seats play alike
        rank = choosers[0](weights[0], key_choice, state, plays)
    else:
        ranks = [c(w, key_choice, state, plays) for c, w in zip(choosers, weights, strict=True)]
        rank = jnp.stack(ranks)[state.seat]
    return game.play(state, plays, rank), plays.count


def restarted(game: Game, key: Key, state: State) -> State:
    """The position itself, or that of a new game if it is over: for endless play."""
    over, _ = game.outcome(state)
    return jax.tree.map(lambda new, old: jnp.where(over, new, old), game.init(key), state)


@functools.partial(jax.jit, static_argnames=("game", "choosers", "lanes", "quota", "max_plies"))
def _play(game, choosers, weights, key, *, lanes, quota, max_plies) -> Games:
    def begin(key: Key, done: Array) -> _Lane:
        state = game.init(key)
        return _Lane(state, state.seat, jnp.int32(0), jnp.int32(0), done)

    def advance(key: Key, lane: _Lane) -> tuple[_Lane, Games, Array]:
        key_turn, key_next = jax.random.split(key)
        state, count = take_turn(game, choosers, weights, key_turn, lane.state)
        over, payoff = game.outcome(state)
        plies, choices = lane.plies + 1, lane.choices + count
        capped = ~over & (plies >= max_plies)
        record = Games(payoff, lane.first, plies, choices, capped)
        ended = (over | capped) & (lane.done < quota)
        going_on = _Lane(state, lane.first, plies, choices, lane.done)
        fresh = begin(key_next, lane.done + 1)
        lane = jax.tree.map(lambda new, old: jnp.where(ended, new, old), fresh, going_on)
        return lane, record, ended

    def body(carry):
        turn, lane, out = carry
        keys = jax.random.split(jax.random.fold_in(key, turn), lanes)
        round_ = lane.done
        lane, record, ended = jax.vmap(advance)(keys, lane)
        row = jnp.where(ended, round_, quota)  # out of range: not written
        column = jnp.arange(lanes)
        out = jax.tree.map(lambda o, r: o.at[row, column].set(r, mode="drop"), out, record)
        return turn + 1, lane, out

    first_keys = jax.random.split(jax.random.fold_in(key, 0), lanes)
    lane = jax.vmap(begin)(first_keys, jnp.zeros(lanes, jnp.int32))
    zeros = jnp.zeros((quota, lanes), jnp.int32)
    payoff = jnp.zeros((quota, lanes, game.seats), jnp.int32)
    out = Games(payoff, zeros, zeros, zeros, jnp.zeros((quota, lanes), bool))
    carry = (jnp.int32(1), lane, out)
    return lax.while_loop(lambda c: (c[1].done < quota).any(), body, carry)[2]
