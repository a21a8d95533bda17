"""How large a game is: plays at a position, over all rolls, and positions on the board.

Three numbers describe a game tree: how many plays a position has (its width), how many plies a
game has, and how many positions there are. With dice there are two widths: the plays of the one
roll that fell, and those of all rolls that could have fallen. Published figures mix the two.
"""

import functools
from math import comb
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from numpy.typing import ArrayLike

from tdlib import games, stats
from tdlib.games import abalone
from tdlib.play import loop, rollout
from tdlib.players.simple import RANDOM
from tdlib.stats import Interval
from tdlib.types import Array, Game, Key, Player, State

CHUNK = 1024  # positions looked at together
LANES = 512  # games played side by side
CAP = 20_000  # plies; no random game by the default rules comes near (see `Games.capped`)


class Measure(NamedTuple):
    """What games between equal players show. Intervals are over games."""

    width: Interval  # plays per ply
    plies: Interval  # per game
    longest: int  # plies
    first: Interval  # share of decided games won by the seat that moved first
    even: float  # that share if beginning were worth nothing
    drawn: float  # share of games


class Turns(NamedTuple):
    """Turns seen while B lanes play game after game: [T, B] in front of every shape."""

    before: State
    roll: Array  # [] int32
    choices: Array  # [] int32, the legal plays
    after: State


class Sample(NamedTuple):
    """Positions met in random play, `samples` T from each of B lanes."""

    turns: Turns  # [T, B]
    all_rolls: np.ndarray  # [T, B], plays summed over the rolls that can fall
    per_roll: np.ndarray  # [T, B], plays expected of one roll


def random_games(game: Game, key: Key, *, count: int, lanes: int = LANES) -> loop.Games:
    """Games between random players, as NumPy arrays."""
    everyone = (RANDOM,) * game.seats
    played = rollout.play_games(game, everyone, key, count=count, lanes=lanes, max_plies=CAP)
    return jax.tree.map(np.asarray, played)


def abalone_endings(key: Key, *, count: int, **limits: int) -> tuple[np.ndarray, loop.Games]:
    """Why random games of Abalone under these limits end: codes of `abalone.Ending` [N].

    Also the games, which are those that `random_games` plays with the same key and count,
    except that the payoff says why a game ended instead of who won.
    """

    def why(state: State) -> tuple[Array, Array]:
        code = abalone.ending(state, **limits)
        return code != abalone.Ending.RUNNING, jnp.stack([code, -code])

    told = games.make("abalone", **limits)._replace(outcome=why)
    played = random_games(told, key, count=count)
    return np.asarray(played.payoff[:, 0]), played


def measure(played: loop.Games, rng: np.random.Generator) -> Measure:
    """Width, length and first move of games. A capped game counts as drawn."""
    payoff, first, plies, choices, *_ = (np.asarray(field) for field in played)
    decided = (payoff != 0).any(1)
    winners = int((payoff[decided] > 0).sum(1).max(initial=0))
    began = np.take_along_axis(payoff, first[:, None], axis=1)[:, 0]
    return Measure(
        width=stats.ratio(choices, plies, rng),
        plies=stats.mean(plies, rng),
        longest=int(plies.max()),
        first=stats.wilson((began > 0).sum(), decided.sum()),
        even=winners / payoff.shape[1],
        drawn=1 - float(decided.mean()),
    )


@functools.partial(jax.jit, static_argnames=("game", "player", "lanes", "samples"))
def watch(
    game: Game, player: Player, key: Key, *, lanes: int, warm_up: int, stride: int, samples: int
) -> Turns:
    """Every `stride`-th turn of endless play, `samples` from each lane, after `warm_up` turns.

    A lane starts its next game as soon as one is over. Once the lanes are out of step, every
    ply of every game is equally likely to be seen; so `warm_up` should be some games long.
    """

    def turn(state: State, key: Key) -> tuple[State, Turns]:
        key_roll, key_choice, key_next = jax.random.split(key, 3)
        roll = games.roll(game, key_roll, state)
        plays = game.plays(state, roll)
        after = game.play(state, plays, player.choose(player.weights, key_choice, state, plays))
        following = loop.restarted(game, key_next, after)
        return following, Turns(state, roll, plays.count, after)

    def step(time: Array, carry: tuple[State, Any]) -> tuple[State, Turns]:
        keys = jax.random.split(jax.random.fold_in(key, time), lanes)
        return jax.vmap(turn)(carry[0], keys)

    def sample(states: State, span: Array) -> tuple[State, Turns]:
        return lax.fori_loop(span[0], span[1], step, (states, nothing))

    key_init, key = jax.random.split(key)
    states = jax.vmap(game.init)(jax.random.split(key_init, lanes))
    shapes = jax.eval_shape(lambda: step(jnp.int32(0), (states, None))[1])
    nothing = jax.tree.map(lambda x: jnp.zeros(x.shape, x.dtype), shapes)
    ends = warm_up + stride * jnp.arange(1, samples + 1)
    spans = jnp.stack([jnp.concatenate([jnp.zeros(1, ends.dtype), ends[:-1]]), ends], axis=1)
    return lax.scan(sample, states, spans)[1]


def sample(game: Game, key: Key, *, length: int, lanes: int, samples: int) -> Sample:
    """Positions of random play, a quarter of a game apart, with the plays of every roll.

    `length` is the plies of a usual game; the warm-up lasts four of them.
    """
    stride = max(length // 4, 1)
    turns = watch(
        game, RANDOM, key, lanes=lanes, warm_up=4 * length, stride=stride, samples=samples
    )
    turns = jax.tree.map(np.asarray, turns)
    flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), turns.before)
    counts, odds = widths(game, flat)
    shape = (samples, lanes)
    return Sample(turns, counts.sum(1).reshape(shape), (counts * odds).sum(1).reshape(shape))


def widths(game: Game, states: State) -> tuple[np.ndarray, np.ndarray]:
    """Plays of each position under each roll [N, C], 0 if it cannot fall; its odds [N, C]."""
    size = len(states.seat)
    chunk = min(CHUNK, size)
    counts, odds = [], []
    for start in range(0, size, chunk):
        index = np.arange(start, start + chunk).clip(max=size - 1)  # one shape, one compilation
        some = jax.tree.map(lambda x: x[index], states)  # noqa: B023
        count, odd = jax.tree.map(np.asarray, _widths(game, some))
        counts.append(count.T[: size - start])
        odds.append(odd[: size - start])
    odds_found = np.concatenate(odds)
    return np.where(odds_found > 0, np.concatenate(counts), 0), odds_found


@functools.partial(jax.jit, static_argnames="game")
def _widths(game: Game, states: State) -> tuple[Array, Array]:
    """Counts [C, N], odds [N, C]; one roll at a time, which bounds the memory."""
    count = lax.map(
        lambda roll: jax.vmap(lambda state: game.plays(state, roll).count)(states),
        jnp.arange(len(game.rolls), dtype=jnp.int32),
    )
    return count, jax.vmap(game.odds)(states)


def log10_tree(width: float, plies: float) -> float:
    """The usual estimate of the size of a game tree, width ** plies, as a power of ten."""
    return plies * float(np.log10(width))


def tree(
    played: loop.Games, rng: np.random.Generator, all_rolls: np.ndarray | None = None
) -> Interval:
    """`log10_tree` of games; the width is that of all rolls [T, B] if they are given."""
    if all_rolls is None:
        return stats.bootstrap(
            lambda plies, plays: log10_tree(plays.sum() / plies.sum(), plies.mean()),
            [played.plies, played.choices],
            rng=rng,
        )
    return stats.bootstrap(
        lambda plies, width: log10_tree(width.mean(), plies.mean()),
        [played.plies],
        [all_rolls.mean(0)],
        rng=rng,
    )


def backgammon_positions(chequers: int) -> int:
    """Positions of `chequers` a side on 24 points, bar and off, whoever is to roll.

    One side holds exactly k points; what is not needed for that is spread over these points,
    bar and off. The other side is spread over the other points, its bar and off. The one
    placement in which both have borne off everything is no position.
    """

    def spread(men: int, places: int) -> int:
        return comb(men + places - 1, men)

    held = range(min(chequers, 24) + 1)
    ways = [comb(24, k) * spread(chequers - k, k + 2) * spread(chequers, 26 - k) for k in held]
    return sum(ways) - 1


def abalone_positions(cells: int = 61, stones: int = 14, to_win: int = 6) -> int:
    """Positions with at most `to_win` stones of either side ejected, not both; any mover."""
    fewest = stones - to_win
    return sum(
        comb(cells, black) * comb(cells - black, white)
        for black in range(fewest, stones + 1)
        for white in range(fewest, stones + 1)
        if black > fewest or white > fewest
    )


def kalah_positions(pits: int, seeds: int) -> int:
    """Ways to spread all seeds over the pits and stores of both sides, whoever is to move."""
    cups = 2 * pits + 2
    return comb(2 * pits * seeds + cups - 1, cups - 1)


def moved(before: State, after: State) -> tuple[np.ndarray, np.ndarray]:
    """What the mover's pieces did in a turn of a race game, [...] positions at once.

    Returns how many of them changed place [...] and how far they went in all [...], both net:
    a piece that moves twice has moved once, and one that is sent back counts backwards.
    """
    old, new = places(before, before.seat), places(after, before.seat)
    way = np.arange(old.shape[-1])
    forward = -1 if hasattr(before, "men") else 1  # backgammon counts down, the others up
    return np.maximum(old - new, 0).sum(-1), forward * ((new - old) @ way)


def places(state: State, seat: ArrayLike) -> np.ndarray:
    """How many pieces of `seat` [...] stand on each place of its own path: [..., S]."""
    rows = np.asarray(state.men if hasattr(state, "men") else state.pieces)
    own = np.take_along_axis(rows, np.asarray(seat)[..., None, None], axis=-2)[..., 0, :]
    if hasattr(state, "men"):
        return own
    return (own[..., None] == np.arange(85)).sum(-2)  # 84 is the longest path's end
