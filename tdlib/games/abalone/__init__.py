"""Abalone: fourteen stones a side on a hexagon of 61 cells; six enemy stones ejected win.

Cells, names and bit numbers are drawn in `abalone.bits`, starting layouts in `abalone.layouts`.
Seat 0 is black and begins, seat 1 is white.

A move takes one, two or three own stones in a line one cell on:
  - along the line ("in-line", a single stone too) onto an empty cell, or, if an enemy stands
    there, pushing a run of fewer enemies than stones (2v1, 3v1, 3v2) whose far side is empty
    or the rim; over the rim the last enemy is ejected;
  - across the line ("broadside"), all targets empty. Friedman & Ibarra (2004) play without it.
Distinct moves give distinct positions. An in-line move is known by its direction and its rear
stone alone, since the group is what stands between the rear stone and the first other cell.

The rules of the game know no draw; each paper stops long games in its own way, see `game`.

Where the sources are silent we chose:
  - if several endings come together the first of `Ending` counts;
  - a stopped game goes to whoever has ejected more; equal scores are a draw;
  - a player who cannot move (never seen in play) ends the game in a draw.
"""

import enum
import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.games.abalone.bits import CELL_WORDS, Bits, stacked
from tdlib.games.abalone.layouts import LAYOUTS
from tdlib.games.options import flag, one_of, whole
from tdlib.kernels.compute_once import kept
from tdlib.kernels.written_out import total
from tdlib.types import Array, Game

STONES, TO_WIN = 14, 6

# For each direction the step in bits, then those along the two other axes: [6, 3]
_DIRECTIONS = np.array(
    [(1, 10, 9), (10, 9, 1), (9, 1, 10), (-1, 10, 9), (-10, 9, 1), (-9, 1, 10)], np.int32
)


class Past(NamedTuple):
    """What the repetition rule remembers; no position from before an ejection can return."""

    boards: Array  # [M, 2, 3] uint32, the positions since the last ejection; `quiet` of them
    times: Array  # [] int32, how often the present position stood before, same side to move


class State(NamedTuple):
    stones: Array  # [2, 3] uint32, black's and white's cells as bits
    seat: Array  # [] int32, 0 black or 1 white, the player to move
    plies: Array  # [] int32, moves made
    quiet: Array  # [] int32, moves since the last ejection
    past: Past | None = None  # only where repetition matters


class Plays(NamedTuple):
    count: Array  # type: ignore[assignment]  # [] int32; hides the method of tuples
    starts: Array  # [6] int32, the rank of the first move in each direction


class Ending(enum.IntEnum):
    """Why a game is over."""

    RUNNING = 0
    SIX = 1  # six stones ejected
    NO_MOVE = 2
    REPETITION = 3
    NO_CAPTURE = 4
    PLIES = 5


def game(
    *,
    layout: str = "standard",
    broadside: bool = True,
    max_plies: int | None = None,
    no_capture_limit: int | None = None,
    repetition: int = 0,
) -> Game:
    """Abalone; payoff 1 for the winner, -1 for the loser, 0 for a draw.

    Args:
      layout: one of `abalone.layouts.LAYOUTS`.
      broadside: whether moves across the line are allowed.
      max_plies: the game stops after so many moves of both sides (Lee & Noh: 1000).
      no_capture_limit: it stops after so many moves without an ejection (Lee & Noh: 200).
      repetition: it stops when a position with the same side to move stands for the so many-th
        time: 2 for the first repetition (Abalearn), 3 for threefold, 0 for never. Needs one of
        the two limits, which bounds what must be remembered.
    """
    one_of("abalone: layout", layout, LAYOUTS)
    flag("abalone: broadside", broadside)
    limits = {"max_plies": max_plies, "no_capture_limit": no_capture_limit}
    for name, limit in limits.items():
        if limit is not None:
            whole(f"abalone: if not None, {name}", limit, 1)
    if repetition != 0:
        whole("abalone: if not 0, repetition", repetition, 2)
    memory = min((limit for limit in limits.values() if limit), default=0) if repetition else 0
    if repetition and not memory:
        raise ValueError("abalone: repetition needs max_plies or no_capture_limit")
    return Game(
        name="abalone",
        seats=2,
        rolls=("",),
        init=lambda key: from_cells(LAYOUTS[layout], 0, memory=memory),
        odds=lambda state: jnp.ones(1, jnp.float32),
        plays=functools.partial(_plays, broadside=broadside),
        play=functools.partial(_play, broadside=broadside),
        outcome=functools.partial(
            _outcome,
            max_plies=max_plies,
            no_capture_limit=no_capture_limit,
            repetition=repetition,
        ),
        pieces=lambda state: jnp.stack(score(state)),
    )


def from_cells(cells: Array | np.ndarray, seat: Array | int, *, memory: int = 0) -> State:
    """A game that starts here: cells [61], 0 empty, 1 black, 2 white, row I first.

    `memory` is how many positions a game with the repetition rule can have to compare: its
    smaller limit.
    """
    assert jnp.shape(cells) == (61,)
    sides = jnp.asarray(cells)[None] == jnp.arange(1, 3)[:, None]  # [2, 61]
    stones = jnp.where(sides[..., None], CELL_WORDS[None], 0).sum(1, dtype=jnp.uint32)
    zero = jnp.int32(0)
    past = Past(jnp.zeros((memory, 2, 3), jnp.uint32), zero) if memory else None
    return State(stones, jnp.int32(seat), zero, zero, past)


def cells(state: State) -> Array:
    """[61] int8, 0 empty, 1 black, 2 white, row I first, each row from the left."""
    black, white = ((state.stones[:, None] & CELL_WORDS[None]) != 0).any(-1)
    return black.astype(np.int8) + np.int8(2) * white


def score(state: State) -> Array:
    """[2] int32, the enemy stones that each seat has ejected."""
    left = lax.population_count(state.stones).sum(-1).astype(jnp.int32)
    return STONES - left[::-1]


def ending(
    state: State,
    *,
    max_plies: int | None = None,
    no_capture_limit: int | None = None,
    repetition: int = 0,
) -> Array:
    """[] int32, an `Ending`, under the stopping rules given as to `game`."""
    reasons = {Ending.SIX: (score(state) >= TO_WIN).any(), Ending.NO_MOVE: ~_can_move(state)}
    if repetition:
        reasons[Ending.REPETITION] = _remembered(state).times + 1 >= repetition
    if no_capture_limit is not None:
        reasons[Ending.NO_CAPTURE] = state.quiet >= no_capture_limit
    if max_plies is not None:
        reasons[Ending.PLIES] = state.plies >= max_plies
    code = jnp.int32(Ending.RUNNING)
    for reason in sorted(reasons, reverse=True):
        code = jnp.where(reasons[reason], jnp.int32(reason), code)
    return code


def _outcome(
    state: State, *, max_plies: int | None, no_capture_limit: int | None, repetition: int
) -> tuple[Array, Array]:
    code = ending(
        state, max_plies=max_plies, no_capture_limit=no_capture_limit, repetition=repetition
    )
    black, white = score(state)
    decided = (code != Ending.RUNNING) & (code != Ending.NO_MOVE)
    sign = jnp.where(decided, jnp.sign(black - white), 0)
    return code != Ending.RUNNING, jnp.stack([sign, -sign])


def _plays(state: State, roll: Array, *, broadside: bool) -> Plays:
    own, other = _views(state)

    def number(lines: Array) -> Array:
        return total(x.size() for x in _moves(own, other, lines, broadside=broadside))

    ends = jnp.cumsum(jax.vmap(number)(jnp.asarray(_DIRECTIONS)))
    return Plays(ends[-1], jnp.pad(ends[:-1], (1, 0)))


def _play(state: State, plays: Plays, rank: Array, *, broadside: bool) -> State:
    """Moves are ranked by direction, then by kind as in `_moves`, then by rear stone."""
    own, other = _views(state)
    direction = (plays.starts <= rank).sum() - 1
    rank = rank - jnp.where(plays.starts <= rank, plays.starts, 0).max()
    lines = jnp.where((jnp.arange(6) == direction)[:, None], _DIRECTIONS, 0).sum(0)
    kind, rear = _nth_move(own, other, lines, rank, broadside=broadside)

    step, axis, other_axis = lines
    along = jnp.where(kind == 0, step, jnp.where(kind <= 2, axis, other_axis))
    second = own & rear.shifted(along)
    third = own & second.shifted(along)
    group = rear | second | third.where(kind & 1 == 0, rear)
    moved = group.shifted(step)
    pushed = other & moved
    run = pushed | (other & pushed.shifted(step))
    own_after = (own & ~group) | moved
    other_after = (other & ~pushed) | run.shifted(step)

    ejected = other_after.size() < other.size()
    quiet = jnp.where(ejected, 0, state.quiet + 1)
    black_moved = state.seat == 0
    stones = stacked(
        own_after.where(black_moved, other_after), other_after.where(black_moved, own_after)
    )
    past = state.past and _remember(state, state.past, stones)
    return State(stones, 1 - state.seat, state.plies + 1, quiet, past)


def _moves(own: Bits, other: Bits, lines: Array, *, broadside: bool) -> list[Bits]:
    """The rear stones of all legal moves in one direction, one set for each kind of move.

    lines [3]: the step in that direction and along the two other axes. Kind 0 is in-line; 1 and
    2 are broadsides of two and of three stones, the rear stone and those that follow it along
    the first of the other axes; 3 and 4 the same along the second.
    """
    step, *axes = lines
    empty = ~(own | other)
    one = other & ~(own | other).shifted(-step)  # enemies whose far side is empty or the rim
    two = other & one.shifted(-step)  # enemies whose far side is such an enemy
    single = own & empty.shifted(-step)
    leads_three = own & (empty | one | two).shifted(-step)
    second_of_more = own & (empty | one | leads_three).shifted(-step)
    kinds = [single | (own & second_of_more.shifted(-step))]
    for axis in axes if broadside else ():
        pair = single & single.shifted(-axis)
        kinds += [pair, pair & pair.shifted(-axis)]
    return kinds


def _nth_move(
    own: Bits, other: Bits, lines: Array, rank: Array, *, broadside: bool
) -> tuple[Array, Bits]:
    """Kind [] uint32 and rear stone of the rank-th legal move in one direction."""
    kind, start, first = jnp.uint32(0), jnp.int32(0), jnp.int32(0)
    chosen = own
    for k, rears in enumerate(_moves(own, other, lines, broadside=broadside)):
        reached = rank >= start
        kind = jnp.where(reached, np.uint32(k), kind)
        first = jnp.where(reached, start, first)
        chosen = rears.where(reached, chosen)
        start += rears.size()
    move = kept(kind << 7 | chosen.nth(rank - first))  # both in one number, to compute once
    return move >> 7, Bits.of(move & 127)


def _can_move(state: State) -> Array:
    """[] bool. Whoever has any move has one in-line: a broadside's stones can also go alone."""
    own, other = _views(state)
    return jax.vmap(lambda lines: _moves(own, other, lines, broadside=False)[0].any())(
        _DIRECTIONS
    ).any()


def _views(state: State) -> tuple[Bits, Bits]:
    """The mover's stones and the other's."""
    black, white = (Bits(*words) for words in state.stones)
    black_moves = state.seat == 0
    return black.where(black_moves, white), white.where(black_moves, black)


def _remember(state: State, past: Past, stones: Array) -> Past:
    """The past of the position `stones` that follows on `state`."""
    turn = jnp.arange(past.boards.shape[0])
    same_side = (turn < state.quiet) & ((state.quiet - turn) % 2 == 1)
    same = (past.boards == stones[None]).all((-2, -1)) & same_side
    boards = past.boards.at[state.quiet].set(state.stones, mode="drop")
    return Past(boards, same.sum(dtype=jnp.int32))


def _remembered(state: State) -> Past:
    if state.past is None:
        raise ValueError(
            "abalone: this position carries no past, which the repetition rule needs;"
            " start from init, or from_cells with a memory"
        )
    return state.past
