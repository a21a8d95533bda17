"""The inputs of Choi 2013 for Kalah; `own` is the seat that the network speaks for.

    raw          14  own pits 1..6 and store, then the other's
    handcrafted  41  raw, then 27: kalah difference, vulnerable pits (6 own, 6 the other's),
                     attackable pits (likewise), total stone difference, stones left

Counts are fractions of all seeds in the game. With other numbers of pits the sizes follow.

Where the paper is silent or ambiguous we chose, options in brackets:
  - its factor of 2 ("one remedy") is on the pits alone (on none, on all 14);
  - a pit is vulnerable if it holds seeds and the opponent, if it moved now, could capture them
    by one sowing; it is attackable if sowing from it now would capture. These are two views of
    the same captures, exactly those of the rules, laps included. A pit that is empty now and
    would be filled and captured by the same sowing is not vulnerable, but its attacker counts
    (facing: a full pit that faces an empty one is vulnerable, that empty one attackable);
  - a capture takes at least one enemy seed, also in games with `empty_capture`;
  - total stone difference counts pits and store, unlike the kalah difference (pits alone).
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.games import kalah
from tdlib.games.options import one_of
from tdlib.types import Array, Encoding

SCALES = {"pits": (2, 1), "none": (1, 1), "all": (2, 2)}  # factors of a pit and of a store
CAPTURES = ("sowing", "facing")
DIFFERENCES = ("all", "pits")


def raw(*, pits: int = 6, seeds: int = 4, scale: str = "pits", turn: bool = False) -> Encoding:
    """The seeds in every cup.

    Args:
      pits, seeds: of the game.
      scale: which cups count double, "pits", "none" or "all".
      turn: one more unit, which is 1 if the seat moves next. The 14 units do not say whether
        a move has earned another one.
    """
    kalah.game(pits=pits, seeds=seeds)  # refuses impossible sizes
    one_of("scale", scale, SCALES)
    pit, store = SCALES[scale]
    weight = np.array(2 * ([pit] * pits + [store]), np.float32) / (2 * pits * seeds)

    def encode(state: kalah.State, seat: Array) -> Array:
        cups = _view(state, seat, pits) * weight
        return jnp.append(cups, state.seat == seat) if turn else cups

    names = [
        name
        for side in ("own", "other")
        for name in (*_each_pit(f"{side} pit", pits), f"{side} store")
    ]
    return Encoding("raw", encode, (*names, "moves next") if turn else tuple(names))


def handcrafted(
    *,
    pits: int = 6,
    seeds: int = 4,
    scale: str = "pits",
    captures: str = "sowing",
    difference: str = "all",
) -> Encoding:
    """Raw, then the features that a human player would name.

    Args:
      pits, seeds, scale: as in `raw`.
      captures: reading of vulnerable and attackable, by "sowing" or by "facing" pits alone.
      difference: total stone difference of "all" seeds on a side or of those in its "pits".
    """
    one_of("captures", captures, CAPTURES)
    one_of("difference", difference, DIFFERENCES)
    cups = raw(pits=pits, seeds=seeds, scale=scale)
    exposed = _by_sowing if captures == "sowing" else _by_facing

    def encode(state: kalah.State, seat: Array) -> Array:
        view = _view(state, seat, pits)
        sides = view.reshape(2, -1)
        in_pits, in_store = sides[:, :-1].sum(-1), sides[:, -1]
        total = in_pits if difference == "pits" else in_pits + in_store
        lead = jnp.stack([in_store[0] - in_store[1], total[0] - total[1], in_pits.sum()])
        lead = lead / np.float32(2 * pits * seeds)
        vulnerable, attackable = exposed(view)
        return jnp.concatenate(
            [
                cups.encode(state, seat),
                lead[:1],
                vulnerable.reshape(-1).astype(jnp.float32),
                attackable.reshape(-1).astype(jnp.float32),
                lead[1:],
            ]
        )

    binary = (
        name
        for feature in ("vulnerable", "attackable")
        for side in ("own", "other")
        for name in _each_pit(f"{feature} {side} pit", pits)
    )
    names = ("kalah difference", *binary, "total stone difference", "stones left")
    return Encoding("handcrafted", encode, cups.names + names)


ENCODINGS: dict[str, Callable[..., Encoding]] = {"raw": raw, "handcrafted": handcrafted}


def _by_sowing(view: Array) -> tuple[Array, Array]:
    """vulnerable, attackable [2, m] bool, own pits first, by the captures of one sowing."""
    both = jnp.stack([view, jnp.roll(view, view.size // 2)])
    victims, attackers = jax.vmap(_captures)(both)
    return victims[::-1], attackers


def _captures(cups: Array) -> tuple[Array, Array]:
    """For a mover whose side comes first in cups [2m+2]: victims, attackers [m] bool.

    A capturing sowing ends in an own pit i that is empty, one lap at most from its pit j, thus
    with (i - j) mod (2m+1) seeds, or with 2m+1 where i is j. The pit facing i holds seeds
    already, or gets one, if the sowing has come round by it.
    """
    pits = cups.size // 2 - 1
    i, j = np.arange(pits)[:, None], np.arange(pits)[None]  # where it ends, whence it came
    way = np.where(i == j, cups.size - 1, (i - j) % (cups.size - 1))
    mine, facing = cups[:pits], cups[pits + 1 : -1][::-1]
    empty = (mine[:, None] == 0) | (i == j)
    full = (facing[:, None] > 0) | (i <= j)
    captured = (mine[None] == way) & empty & full  # [m, m]
    return captured.any(1)[::-1] & (cups[pits + 1 : -1] > 0), captured.any(0)


def _by_facing(view: Array) -> tuple[Array, Array]:
    """vulnerable, attackable [2, m] bool, own pits first, by full pits that face empty ones."""
    full = view.reshape(2, -1)[:, :-1] > 0
    facing = full[::-1, ::-1]
    return full & ~facing, ~full & facing


def _view(state: kalah.State, seat: Array, pits: int) -> Array:
    """The cups [2m+2] with the side of `seat` first."""
    assert state.cups.shape == (2 * pits + 2,), f"not a board of {pits} pits a side"
    return jnp.where(seat == 0, state.cups, jnp.roll(state.cups, pits + 1))


def _each_pit(text: str, pits: int) -> list[str]:
    return [f"{text} {i}" for i in range(1, pits + 1)]
