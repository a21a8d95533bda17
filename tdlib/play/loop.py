"""The game loop: B games side by side, one turn of each at a time, new games where some end.

Everything that plays games plays them with these functions:

    open_games   game number n of every lane
    ply          one turn of every game: roll, list the plays, ask, move, see whether it is over
    refill       new games in the lanes whose games have ended
    result       what each player got out of the games that ended

Training (`learning.online`) learns from each turn; tests (`play.rollout`) write down a result
when a game ends; contests (`study.playing`) go a few plies at a time and refill from a queue.

Game n of a lane draws all its random numbers from the lane's key and n, and its ply t from that
and t. So a game does not depend on what other lanes do, nor on when it is played.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib import games
from tdlib.kernels import random_numbers
from tdlib.kernels.compute_once import once
from tdlib.types import Array, Game, Key, State, assert_shape

_SETUP = 2**31 - 1  # a counter that is no ply: for the start of a game


class Watch(NamedTuple):
    """An onlooker that notes K numbers of every turn."""

    look: Callable[[Any, State, Any, Array], Array]
    # weights, state, its Plays, the rank that was chosen -> [K] float32
    numbers: int  # K
    weights: Any = ()  # pytree


NOBODY = Watch(lambda weights, state, plays, rank: jnp.zeros(0), 0)


class Lanes(NamedTuple):
    """Games under way; everything with [B] in front."""

    state: State
    key: Key  # [], of this game
    number: Array  # [] int32, which game of its lane this is, counted from 0
    players: Array  # [P] int32, the player in each seat
    first: Array  # [] int32, the seat that moved first
    plies: Array  # [] int32, turns taken, forced passes included
    choices: Array  # [] int32, legal plays summed over those turns
    notes: Array  # [P, K] float32, what the watch noted of each seat's turns, added up


class Turn(NamedTuple):
    """What happened in one turn; everything with [B] in front."""

    before: State
    roll: Array  # [] int32, an index into `game.rolls`
    plays: Any  # Plays
    rank: Array  # [] int32, of the play that was chosen
    after: State
    over: Array  # [] bool, ended by the rules
    capped: Array  # [] bool, broken off at the ply cap
    payoff: Array  # [P] int32 by seat, zero unless the game is over

    @property
    def ended(self) -> Array:
        return self.over | self.capped


class Games(NamedTuple):
    """Games played to the end, or broken off at the ply cap. N games, P players."""

    payoff: Array  # [N, P] int32 by player, zero for a capped game
    first: Array  # [N] int32, the player that moved first
    plies: Array  # [N] int32, turns taken, forced passes included
    choices: Array  # [N] int32, legal plays summed over those turns
    capped: Array  # [N] bool, broken off before the rules ended it
    pieces: Array  # [N, P] int32 by player, see `Game.pieces`
    notes: Any = ()  # [N, P, K] float32 by player, what the watch noted in all, see `Watch`


Ask = Callable[[Array, Key, State, Any], Array]
# mover [B], keys [B], states [B], Plays [B] -> the rank that each mover chooses [B]


def open_game(game: Game, key: Key, number: Array) -> tuple[Key, State]:
    """The key of a lane's game of that number, and its first position."""
    key = random_numbers.fold_in(key, number)
    return key, game.init(random_numbers.fold_in(key, _SETUP))


def open_games(
    game: Game, keys: Key, number: Array, players: Array, watch: Watch = NOBODY
) -> Lanes:
    """The game of that number in every lane.

    Args:
      keys: [B], of the lanes.
      number: [B] int32, which game of its lane each is.
      players: [B, P] int32, the player in each seat; see `seating`.
      watch: who will look on, so that there is room for its notes.
    """
    lanes = number.shape[0]
    assert_shape("keys", keys, lanes)
    assert_shape("players", players, lanes, game.seats)
    key, state = jax.vmap(partial(open_game, game))(keys, number)
    zero = jnp.zeros_like(number)
    notes = jnp.zeros((lanes, game.seats, watch.numbers))
    return Lanes(state, key, number, players, state.seat, zero, zero, notes)


def seating(players: Array, rotate: Array | bool, number: Array) -> Array:
    """Who sits where in game `number` [], if it is `players` [P] in game 0: [P].

    rotate: whether everybody moves on one seat from game to game.
    """
    seats = players.shape[0]
    shift = jnp.where(rotate, number % seats, 0)
    return players[(np.arange(seats) + shift) % seats]


def prepare(game: Game, key: Key, ply: Array, state: State) -> tuple[Array, Any, Key]:
    """The roll of a turn, its plays, and a key for whoever chooses among them.

    key: of the game; ply: [] int32, how many turns were taken before.
    """
    key = random_numbers.fold_in(key, ply)
    roll = games.roll(game, key, state)
    return roll, game.plays(state, roll), random_numbers.fold_in(key, 1)


def ply(
    game: Game, lanes: Lanes, ask: Ask, max_plies: Array | int, watch: Watch = NOBODY
) -> tuple[Lanes, Turn]:
    """One turn of every game, and what happened in it.

    Args:
      ask: gives the rank [B] that each mover chooses; see `ask_everybody`, `ask_packed`.
      max_plies: [] or [B], a game that is not over after so many turns is capped.
      watch: notes its numbers under the seat that moved.
    """
    before = lanes.state
    roll, plays, key = jax.vmap(partial(prepare, game))(lanes.key, lanes.plies, before)
    rank = ask(_of_seat(lanes.players, before.seat), key, before, plays)
    assert_shape("rank", rank, *before.seat.shape)
    after = once(
        lambda: jax.vmap(game.play)(before, plays, rank), jnp.minimum(plays.count.max(), 1)
    )
    over, payoff = jax.vmap(game.outcome)(after)
    plies = lanes.plies + 1
    seen = jax.vmap(watch.look, (None, 0, 0, 0))(watch.weights, before, plays, rank)
    moved = before.seat[:, None, None] == np.arange(game.seats)[None, :, None]
    following = lanes._replace(
        state=after,
        plies=plies,
        choices=lanes.choices + plays.count,
        notes=lanes.notes + jnp.where(moved, seen[:, None, :], 0.0),
    )
    capped = ~over & (plies >= max_plies)
    return following, Turn(before, roll, plays, rank, after, over, capped, payoff)


def ask_everybody(choosers: Sequence[Callable], weights: Sequence[tuple[Any, Any]]) -> Ask:
    """Each chooser is asked about all lanes at once; where it does not move it sees no plays.

    The mover of a lane is an index into `choosers`.
    weights: for each chooser its weights, and the axis of `jax.vmap` for them.
    """

    def ask(mover: Array, key: Key, state: State, plays: Any) -> Array:
        rank = jnp.zeros_like(mover)
        for i, (choose, (mine, axis)) in enumerate(zip(choosers, weights, strict=True)):
            asked = plays
            if len(choosers) > 1:
                asked = plays._replace(count=jnp.where(mover == i, plays.count, 0))
            wish = jax.vmap(choose, (axis, 0, 0, 0))(mine, key, state, asked)
            rank = jnp.where(mover == i, wish, rank)
        return rank

    return ask


def ask_packed(choosers: Sequence[Callable], weights: Sequence[Any], going: Array) -> Ask:
    """Each chooser is asked only about the lanes in which it moves, half of all at a time.

    For searches, which cost as much for a lane that does not matter as for one that does.
    weights: of each chooser, [B, ...]. going: [B] bool, lanes to ask about at all.
    """

    def ask(mover: Array, key: Key, state: State, plays: Any) -> Array:
        rank = jnp.zeros_like(mover)
        for i, choose in enumerate(choosers):
            turn = (weights[i], key, state, plays)
            rank = _packed(choose, turn, going & (mover == i), rank)
        return rank

    return ask


def _packed(choose: Callable, turn: tuple, mine: Array, rank: Array) -> Array:
    """The rank [B], replaced by what the chooser wishes in its lanes, `mine` [B]."""
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


def refill(
    game: Game,
    lanes: Lanes,
    where: Array,
    keys: Key,
    number: Array,
    players: Array,
    watch: Watch = NOBODY,
) -> Lanes:
    """The lanes, with new games `where` [B] bool; the other arguments as for `open_games`."""
    return select(where, open_games(game, keys, number, players, watch), lanes)


def select(where: Array, new: Any, old: Any) -> Any:
    """Trees with [B] in front: new where [B] bool says, otherwise old."""

    def choose(x: Array, y: Array) -> Array:
        return jnp.where(where.reshape(-1, *[1] * (x.ndim - 1)), x, y)

    return jax.tree.map(choose, new, old)


def result(game: Game, lanes: Lanes, over: Array, payoff: Array) -> Games:
    """What is known of the games at the end of which the lanes are.

    over [B] bool, payoff [B, P] by seat: the outcome of their positions.
    """
    seat = jnp.argsort(lanes.players, axis=1)  # of each player
    pieces = jax.vmap(game.pieces)(lanes.state)
    return Games(
        payoff=jnp.take_along_axis(payoff, seat, 1),
        first=_of_seat(lanes.players, lanes.first),
        plies=lanes.plies,
        choices=lanes.choices,
        capped=~over,
        pieces=jnp.take_along_axis(pieces, seat, 1),
        notes=jnp.take_along_axis(lanes.notes, seat[..., None], 1),
    )


def restarted(game: Game, key: Key, state: State) -> State:
    """The position itself, or that of a new game if it is over: for endless play."""
    over, _ = game.outcome(state)
    return jax.tree.map(lambda new, old: jnp.where(over, new, old), game.init(key), state)


def _of_seat(by_seat: Array, seat: Array) -> Array:
    """by_seat [B, P] at seat [B]: [B]."""
    return jnp.take_along_axis(by_seat, seat[:, None], 1)[:, 0]
