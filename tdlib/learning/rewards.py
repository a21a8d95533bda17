"""Rewards on the way, by name: what a turn earns each seat before the game is decided.

A reward is a function of the positions before and after a turn. It is added to the target of
the position that each seat valued last (`td.td_step`), and to the final target if the turn ends
the game; so the end of a game is worth what `Targets` say plus what its last turn earned.

    stones   Abalone, Campos & Langlois 2003, section 4: +1 for each stone that a seat ejects,
             -1 for each that it loses. The +1 and -1 for the game itself are the targets
             (loss -1, draw 0, win 1); the sixth stone then pays 1 + 1.

An experiment names one in its field `rewards`.
"""

import jax.numpy as jnp

from tdlib.games import abalone
from tdlib.learning.records import Rewards
from tdlib.types import Array


def stones(before: abalone.State, after: abalone.State) -> Array:
    """[2] float32, stones ejected less stones lost in this turn, of each seat."""
    ejected = (abalone.score(after) - abalone.score(before)).astype(jnp.float32)
    return ejected - ejected[::-1]


# Game and name -> function
REWARDS: dict[tuple[str, str], Rewards] = {("abalone", "stones"): stones}


def make(game: str, name: str) -> Rewards:
    """The rewards of that name for a game."""
    if (game, name) not in REWARDS:
        known = ", ".join(n for g, n in REWARDS if g == game) or "none"
        raise ValueError(f"{game} has no rewards {name!r}; expected one of: {known}")
    return REWARDS[game, name]
