"""What a play changes in the inputs, the slow way: both positions are encoded."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.types import Array, Encoding, Game, State


def both_ways(game: Game, encoding: Encoding) -> Callable:
    """f(states, rolls [B], shares [B]) -> by `changes`, by `encode` [B, F], afterstates.

    Of each position the play is taken that comes after this share, 0..1, of all its plays.
    Asserts that entries which change nothing are empty.
    """

    def one(state: State, roll: Array, share: Array) -> tuple:
        plays = game.plays(state, roll)
        rank = jnp.minimum((share * plays.count).astype(jnp.int32), plays.count - 1)
        after = game.play(state, plays, rank)
        (kind,) = encoding.changes
        rows, amounts = kind.rows(state, plays, rank)
        by_changes = jnp.zeros(len(encoding.names)).at[rows].add(amounts)
        by_encode = encoding.encode(after, state.seat) - encoding.encode(state, state.seat)
        return by_changes, by_encode, after, rows, amounts, kind.apply(plays)

    many = jax.jit(jax.vmap(one))

    def compare(states: State, rolls: np.ndarray, shares: np.ndarray) -> tuple:
        found = many(states, np.asarray(rolls, np.int32), np.asarray(shares, np.float32))
        by_changes, by_encode, after, rows, amounts, applies = jax.device_get(found)
        assert applies.all() and (rows[amounts == 0] == 0).all()
        return by_changes, by_encode, after

    return compare


def what_happens(before: State, after: State, home: int) -> dict[str, int]:
    """How many of these plays [B] do what, for races of four pieces a player."""
    lanes = np.arange(len(before.seat))
    old, new = before.pieces[lanes, before.seat], after.pieces[lanes, before.seat]
    waiting = (after.pieces == 0).sum((1, 2)) - (before.pieces == 0).sum((1, 2))
    captured = waiting - (new == 0).sum(-1) + (old == 0).sum(-1)

    def stacked(row: np.ndarray) -> np.ndarray:
        return ((row[:, 1:] == row[:, :-1]) & (row[:, 1:] > 0) & (row[:, 1:] < home)).any(-1)

    happens = {
        "nothing": (before.pieces == after.pieces).all((1, 2)),
        "capture": captured > 0,
        "capture of several": captured > 1,
        "entry": (old == 0).sum(-1) > (new == 0).sum(-1),
        "home": (old == home).sum(-1) < (new == home).sum(-1),
        "leaves others": stacked(old) & ~stacked(new),
        "joins others": ~stacked(old) & stacked(new),
        "goes back": new.sum(-1) < old.sum(-1),
    }
    return {name: int(shown.sum()) for name, shown in happens.items()}
