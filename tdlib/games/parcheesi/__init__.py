"""Parcheesi for four players, each for itself. Rules: Matthews 2006, sections 3.4 and 5.3, and
the Selchow & Righter instructions it cites, read in later copies.

    path of a piece, p          player k stands on (17k + 4 + p) mod 68 of the outer track
      0        start
      1 .. 64  outer track      1 is the entry square 17k + 5, 64 the square 17k
      65 .. 71 own home path    twelve castles: squares 0, 5 and 12 of each quarter of 17
      72       home

A roll of two dice: each is moved by one piece, in either order. Two pieces of a colour are a
blockade that nobody lands on or passes. A lone opponent is captured (bonus 20), but not on a
castle, except by entering; a piece that gets home, by exact count, earns 10; a bonus is moved
at once if any piece can use it. A five, on a die or as the sum, enters a piece. With no piece
at start a double is four numbers, a, a, 7-a, 7-a, all or none. A double rolls again; the third
in a row sends a piece back. As many numbers as possible must be used.

Where the source is silent or contradicts itself we chose: a die showing five must enter a piece
if it can (`must_enter`); if only one die can be used, whichever (`larger_die`); the piece
nearest home pays for the third double (`third_double`); the two pieces of a blockade may not
meet again in the same roll (`move_blockade`); blockades stop their owner too (`own_blockade`);
the entry square is no refuge from those who enter (`entry_capture`); whoever gets the last
piece home has won, even with numbers unused; a random player begins.

A play is a whole roll; plays are ordered by the positions they lead to (`parcheesi.finals`).
One move is the subject of `parcheesi.steps`, sequences of moves of `parcheesi.search`, which
also says why it is built that way; `parcheesi.lists` makes the lists of plays.
"""

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.games.options import named_or_flags
from tdlib.games.parcheesi.finals import captured
from tdlib.games.parcheesi.lists import every_play, together
from tdlib.games.parcheesi.steps import (
    CASTLES,
    HOME,
    LAST,
    PIECES,
    QUARTER,
    SEATS,
    TRACK,
    Rules,
    View,
    place,
    view,
)
from tdlib.games.parcheesi.windows import LIST, windows
from tdlib.kernels import random_numbers
from tdlib.kernels.written_out import ascending
from tdlib.types import Array, Game, Key

DICE = np.array([(a, b) for a in range(1, 7) for b in range(1, a + 1)])  # [21, 2]
ROLLS = tuple(f"{a}-{b}" for a, b in DICE)
ODDS = np.where(DICE[:, 0] == DICE[:, 1], 1, 2).astype(np.float32) / 36
NAMED = {"castles": ("0-5-12", "0-4-13"), "third_double": ("penalty", "ends", "played")}
PENALTY, PLAYED = 0, 2  # of `third_double`


class State(NamedTuple):
    pieces: Array  # [4, 4] int32, path numbers of each player, ascending
    seat: Array  # [] int32, who rolls next
    doubles: Array  # [] int32, 0..2, doubles already rolled in this turn


class Plays(NamedTuple):
    """The first LIST plays; `parcheesi.windows` finds the others."""

    count: Array  # type: ignore[assignment]  # [] int32, of all plays; not tuple.count
    own: Array  # [LIST] int32, the mover's pieces afterwards, packed
    foes: Array  # [LIST] int32, what was captured
    roll: Array  # [] int32


def game(
    *,
    must_enter: bool = True,
    castles: str = "0-5-12",
    larger_die: bool = False,
    third_double: str = "penalty",
    move_blockade: bool = False,
    own_blockade: bool = True,
    entry_capture: bool = True,
) -> Game:
    """Parcheesi.

    Args:
      must_enter: a die showing five enters a piece whenever one can enter; else it may.
      castles: "0-5-12", or "0-4-13" as in pachisi. The entry square is then 17k + 4 and all
        path numbers behind it are one higher: 65 the square 17k, 66 .. 72 home path, 73 home.
      larger_die: if only one die can be used and either could, it must be the larger.
      third_double: "penalty" (not played, the piece nearest home goes back), "ends" (not
        played), or "played". No fourth roll in any case.
      move_blockade: the two pieces of a blockade may be moved to a new blockade in one roll.
      own_blockade: a blockade also stops its owner's pieces from passing.
      entry_capture: a lone opponent on the entry square is captured by entering; else it is
        safe there and prevents entering.
    """
    rules = rules_of(**locals())
    return Game(
        "parcheesi",
        SEATS,
        ROLLS,
        init,
        odds,
        functools.partial(_plays, rules),
        functools.partial(_play, rules),
        functools.partial(_outcome, rules),
        functools.partial(_pieces, rules),
    )


def rules_of(**options: bool | str) -> Rules:
    """All options of `game`, as numbers."""
    named_or_flags(options, NAMED)
    values: dict[str, Any] = {
        name: np.int32(NAMED[name].index(value)) if name in NAMED else np.bool_(value)
        for name, value in options.items()
    }
    return Rules(**values)


DEFAULT = rules_of(
    must_enter=True,
    castles="0-5-12",
    larger_die=False,
    third_double="penalty",
    move_blockade=False,
    own_blockade=True,
    entry_capture=True,
)


def square(player: int, p: int) -> int:
    """The square of the outer track on which path number p is, or -1: for one place in text.

    With the usual castles; with the others every p behind the entry is one higher.
    """
    return (QUARTER * player + CASTLES[0][1] + p - 1) % TRACK if 1 <= p <= LAST else -1


def init(key: Key) -> State:
    """All pieces at start; a random player rolls first."""
    seat = random_numbers.below(key, 0, SEATS)
    return State(jnp.zeros((SEATS, PIECES), jnp.int32), seat, jnp.int32(0))


def odds(state: State) -> Array:
    """Two dice: [21] float32."""
    return jnp.asarray(ODDS)


@jax.jit
def _plays(rules: Rules, state: State, roll: Array) -> Plays:
    view = jax.tree.map(lambda x: x[None], _look(rules, state, roll))
    lists = jax.tree.map(lambda x: x[0], _survey(view))
    return Plays(lists.total, lists.own, lists.foes, jnp.int32(roll))


@jax.jit
def _play(rules: Rules, state: State, plays: Plays, rank: Array) -> State:
    return _after(state, plays.roll, *found(rules, state, plays, rank))


def found(rules: Rules, state: State, plays: Plays, rank: Array) -> tuple[Array, Array]:
    """The two words of the rank-th play: the mover's pieces, and what it captures."""
    near = jnp.minimum(rank, LIST - 1)
    request = rules, state, plays.roll, jnp.int32(rank), plays.own[near], plays.foes[near]
    own, foes = _distant(*jax.tree.map(lambda x: x[None], request))
    return own[0], foes[0]


@jax.jit
def _outcome(rules: Rules, state: State) -> tuple[Array, Array]:
    """Over [] when a player has four pieces home; payoff [4], 3 for that one, -1 for others."""
    home = (state.pieces == HOME + rules.castles).all(-1)
    over = home.any()
    return over, jnp.where(over, jnp.where(home, SEATS - 1, -1), 0)


def _pieces(rules: Rules, state: State) -> Array:
    """Pieces home: [4]."""
    return (state.pieces == HOME + rules.castles).sum(-1, dtype=jnp.int32)


def _look(rules: Rules, state: State, roll: Array) -> View:
    """The position as the mover sees it, with the numbers this roll gives it."""
    assert state.pieces.shape == (SEATS, PIECES)
    dice = jnp.asarray(DICE)[roll]
    own, others = state.pieces[state.seat], _others(state.seat)
    double = dice[0] == dice[1]
    four = double & (own[0] > 0)
    numbers = jnp.where(four & (np.arange(2) == 1), 7 - dice, dice)
    played = ~double | (state.doubles < 2) | (rules.third_double == PLAYED)
    out = own < HOME + rules.castles
    nearest = np.arange(PIECES) == jnp.argmax(jnp.where(out, own, -1))
    pays = ~played & (rules.third_double == PENALTY) & nearest & out
    return view(
        rules,
        own=jnp.where(pays, 0, own),
        foes=state.pieces[others],
        after=(others - state.seat) % SEATS,
        numbers=numbers,
        times=jnp.where(played, jnp.where(four, 2, 1), 0),
    )


def _others(seat: Array) -> Array:
    """The opponents: [3] int32."""
    order = jnp.arange(SEATS - 1)
    return order + (order >= seat)


def _after(state: State, roll: Array, own: Array, foes: Array) -> State:
    """The position after a play."""
    others = _others(state.seat)
    left = jnp.where(captured(foes), 0, state.pieces[others])
    left = jnp.stack(ascending(*left.T), axis=-1)
    pieces = jnp.zeros_like(state.pieces).at[others].set(left)
    pieces = pieces.at[state.seat].set(place(own, np.arange(PIECES)))
    dice = jnp.asarray(DICE)[roll]
    again = (dice[0] == dice[1]) & (state.doubles < 2)
    return State(
        pieces=pieces,
        seat=jnp.where(again, state.seat, (state.seat + 1) % SEATS),
        doubles=jnp.where(again, state.doubles + 1, 0),
    )


def _far(
    rules: Rules, states: State, rolls: Array, ranks: Array, own: Array, foes: Array
) -> tuple[Array, Array]:
    """own [B], foes [B], looked up anew for plays that have no place in their lists.

    All arguments have [B] in front. Requests for the same position are answered together.
    """
    asked = rules, states, rolls

    def resolve(carry: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        own, foes, pending = carry
        i = jnp.argmax(pending)
        this = jax.tree.map(lambda x: x[i], asked)
        view = jax.tree.map(lambda x: x[None], _look(*this))
        _, found = windows(view, ranks[i])
        offset = ranks - found.before
        answered = pending & (offset >= 0) & (offset < found.size)
        for x, y in zip(jax.tree.leaves(asked), jax.tree.leaves(this), strict=True):
            answered &= (x == y[None]).reshape(len(ranks), -1).all(-1)
        offset = jnp.clip(offset, 0, LIST - 1)
        own = jnp.where(answered, found.own[offset], own)
        foes = jnp.where(answered, found.foes[offset], foes)
        return own, foes, pending & ~answered & (np.arange(len(ranks)) != i)

    pending = ranks >= LIST
    return lax.while_loop(lambda carry: carry[2].any(), resolve, (own, foes, pending))[:2]


_survey, _distant = together(every_play), together(_far)
