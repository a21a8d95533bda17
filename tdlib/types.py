"""The records that every layer shares, and the letters that name array axes.

    B  games side by side        A  play slots, padded        P  seats
    C  chance events             S  board places              F  features
    T  plies                     H  hidden units              R  training runs

A shape is written behind every field and argument, ``[]`` being a scalar. Game functions know
one position; whoever holds many applies ``jax.vmap``. Public functions that are easily called
with the wrong axes check them by `assert_shape`, which runs while tracing and costs nothing.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import jax
import numpy as np

Array = jax.Array
Key = jax.Array  # made by jax.random.key
State = Any  # a game's own NamedTuple of arrays; `seat` [] int32 is who rolls and moves next


class Plays(Protocol):
    """All legal plays of one turn, in whatever compact form suits the game."""

    @property
    def count(self) -> Array:  # [] int32, at least 1 while the game is not over
        ...


class Game(NamedTuple):
    """One game with its options fixed.

    A turn is a chance event, then the choice of one play. A play is identified with the
    position it leads to (the afterstate, in which `seat` is already who rolls next), so the
    plays of a turn are distinct positions, and a forced pass is a play that changes the seat.

    Plays come in two steps so that nobody pays for the longest possible list: `plays` prepares
    and counts, `play` makes the rank-th. A padded list (`tdlib.games.afterstates`) and a flat
    list over many games both follow from these two, so there is one set of rules.
    """

    name: str
    seats: int  # P
    rolls: tuple[str, ...]  # C chance events by name; ("",) where nothing is left to chance
    init: Callable[[Key], State]
    odds: Callable[[State], Array]  # [C] float32, exact probability of each roll here
    plays: Callable[[State, Array], Plays]  # roll [] int32 indexes `rolls`
    play: Callable[[State, Any, Array], State]  # state, its Plays, rank [] in 0..count-1
    outcome: Callable[[State], tuple[Array, Array]]
    # -> over [] bool, payoff [P] int32: zero-sum, winners positive, in the game's own points;
    # all zero while the game is not over
    pieces: Callable[[State], Array]
    # -> [P] int32, what each seat has brought home, into its store, or taken from the board
    options: tuple[tuple[str, Any], ...] = ()  # all its options by name, set by `games.make`


class Encoding(NamedTuple):
    """What a network sees of a game's positions."""

    name: str
    encode: Callable[
        [State, Array], Array
    ]  # state, seat the network speaks for [] -> [F] float32
    names: tuple[str, ...]  # F, what each input means

    changes: tuple["Changes", ...] = ()  # what plays change, for each kind of plays
    head: Callable[[State, Array], Array] | None = None
    tail: Callable[[State, Array], Array] | None = None
    # state, seat -> [F - D] and [D]: where the last D inputs are not among the changes


class Changes(NamedTuple):
    """The fast path, where a play changes a few inputs only.

    Reads its arguments by indexing alone, since long arrays among them may be `gather.Pick`s.
    """

    apply: Callable[[Any], Array]  # Plays -> [] bool, whether they are of this kind
    rows: Callable[[State, Any, Array], tuple[Array, Array]]
    # state, its Plays, rank -> inputs [K] int32, what the play adds to each of them [K]
    typical: int = 6  # plays of a position
    sparse: bool = False  # whether most of the K are unused by most plays


class Player(NamedTuple):
    """Who moves. A trained player is the same record with other weights."""

    name: str
    choose: Callable[[Any, Key, State, Any], Array]  # weights, key, state, its Plays -> rank []
    weights: Any = ()  # pytree


def assert_shape(name: str, array: Any, *expected: int | None) -> None:
    """Stop, naming the argument, unless `array` has the expected shape; None is any size.

    `assert_shape("features", x, None)` asks for a vector, `assert_shape("target", x)` for a
    scalar: a forgotten `jax.vmap` fails here and not as wrong numbers later.
    """
    found = array.shape if hasattr(array, "shape") else np.shape(array)
    fits = len(found) == len(expected) and all(
        size is None or size == length for size, length in zip(expected, found, strict=True)
    )
    wanted = ", ".join("any" if size is None else str(size) for size in expected)
    assert fits, f"{name} must have the shape [{wanted}], not {list(found)}"
