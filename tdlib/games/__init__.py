"""The rules of the games: `make(name, **options)` gives a `Game` with its options fixed.

Each module is pure rules: no drawing, features, notation or logging. A new game is a module
here with a function `game(*, option=default, ...) -> Game`, and its line in `GAMES`. The
functions below serve all games, because they follow from the contract of `Game` alone.
"""

import functools
import inspect
from collections.abc import Callable

import jax
import jax.numpy as jnp

from tdlib.games import abalone, backgammon, kalah, pachisi, parcheesi
from tdlib.kernels import random_numbers
from tdlib.types import Array, Game, Key, Plays, State

GAMES: dict[str, Callable[..., Game]] = {
    "backgammon": backgammon.game,
    "hypergammon": functools.partial(backgammon.game, "hypergammon"),
    "pachisi": pachisi.game,
    "parcheesi": parcheesi.game,
    "kalah": kalah.game,
    "abalone": abalone.game,
}


@functools.cache  # equal options give the same functions, which are then compiled once
def make(name: str, **options) -> Game:
    """The game of that name; options not given have the papers' defaults."""
    if name not in GAMES:
        raise ValueError(f"unknown game {name!r}; expected one of {', '.join(GAMES)}")
    defaults = {
        p.name: p.default
        for p in inspect.signature(GAMES[name]).parameters.values()
        if p.kind is p.KEYWORD_ONLY
    }
    for option in options:
        if option not in defaults:
            expected = ", ".join(defaults) or "none"
            raise ValueError(f"{name} has no option {option!r}; its options are: {expected}")
    chosen = defaults | options
    return GAMES[name](**chosen)._replace(options=tuple(chosen.items()))


def roll(game: Game, key: Key, state: State) -> Array:
    """One chance event, drawn by the exact odds: [] int32, an index into `game.rolls`."""
    if len(game.rolls) == 1:
        return jnp.int32(0)
    upto = jnp.cumsum(game.odds(state))
    drawn = random_numbers.unit(key, jnp.int32(0)) * upto[-1]
    return (upto[:-1] <= drawn).sum(dtype=jnp.int32)


def afterstates(game: Game, state: State, roll: Array, slots: int) -> tuple[State, Array]:
    """The plays as a padded list: State with [A] in front, legal [A]; A = slots.

    The caller chooses `slots`, at least `game.plays(state, roll).count`. Slots past the last
    play repeat it.
    """
    plays = game.plays(state, roll)
    return _after_each(game, state, plays, slots), jnp.arange(slots) < plays.count


def _after_each(game: Game, state: State, plays: Plays, slots: int) -> State:
    ranks = jnp.minimum(jnp.arange(slots, dtype=jnp.int32), plays.count - 1)
    return jax.vmap(lambda rank: game.play(state, plays, rank))(ranks)


def every_play(game: Game, state: State, roll: int) -> list[State]:
    """All plays of one position, on the host: for reading and testing, not for speed."""
    slots = 64
    while True:
        over, count, after = jax.device_get(_listed(game, slots)(state, roll))
        if over:
            return []
        if count <= slots:
            return [jax.tree.map(lambda x: x[i], after) for i in range(count)]  # noqa: B023
        slots *= 8  # few sizes, so few compilations


@functools.cache
def _listed(game: Game, slots: int) -> Callable:
    def listed(state: State, roll: Array) -> tuple[Array, Array, State]:
        plays = game.plays(state, roll)
        return game.outcome(state)[0], plays.count, _after_each(game, state, plays, slots)

    return jax.jit(listed)
