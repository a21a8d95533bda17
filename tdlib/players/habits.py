"""Habits: plays that a learner leaves out of account, whatever its network makes of them.

A network only ranks plays, so what it may choose among is said here and apart from the rules of
the game, which hold for everybody. Only pachisi has any:

    passes   "free": whenever it likes; "forced": only if nothing can move; "not_on_grace": if
             nothing can move, and with any throw that is not a grace
    wins     "valued": a play that wins the game counts like any other; "taken": it is taken
"""

import functools
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from tdlib.games import pachisi
from tdlib.games.options import one_of
from tdlib.kernels import bits
from tdlib.types import Array, Game, Key, Player

PASSES, WINS = ("free", "forced", "not_on_grace"), ("valued", "taken")


def with_habits(player: Player, game: Game, habits: tuple[tuple[str, Any], ...]) -> Player:
    """The player with these habits, by name; without any it is the player itself."""
    if not habits:
        return player
    if game.name != "pachisi":
        raise ValueError(f"only players of pachisi have habits, not those of {game.name}")
    return player._replace(choose=_pachisi(player.choose, **dict(habits)))


@functools.cache  # the same function for the same player, which is then compiled once
def _pachisi(choose: Callable, *, passes: str = "free", wins: str = "valued") -> Callable:
    one_of("passes", passes, PASSES)
    one_of("wins", wins, WINS)

    def narrowed(weights: Any, key: Key, state: pachisi.State, plays: pachisi.Plays) -> Array:
        slots = plays.slots
        if passes != "free":
            refrains = slots > pachisi.PASS
            if passes == "not_on_grace":
                refrains &= jnp.asarray(pachisi.GRACE)[plays.roll]
            slots = jnp.where(refrains, slots & ~pachisi.PASS, slots)
        if wins == "taken":
            slots = jnp.where(pachisi.can_win(state, plays), pachisi.INWARD, slots)
        # a count of 0 says that this lane is not asked
        seen = plays._replace(slots=slots, count=jnp.minimum(plays.count, bits.size(slots)))
        slot = bits.nth(slots, choose(weights, key, state, seen))
        return bits.size(plays.slots & (1 << slot) - 1)

    return narrowed
