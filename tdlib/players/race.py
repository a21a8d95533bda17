"""The skilled opponents of pachisi and Parcheesi: Matthews 2006, section 5.3.2.

Each takes the play that is best by its criteria, in order of priority; among equals "the move
first observed", which is the first in the order of plays.

    pachisi      1  pieces advanced closest to the goal: smallest sum of the ways left, so that
                    a pass is taken only for want of anything that gains ground
                 2  most pieces safe: on the own column, on a castle or home, not at start
                 3  pieces closest together: smallest distance from the first to the last
    Parcheesi    1  as above; captures and homecomings count through their bonus moves
                 2  most pieces safe: on the home path, on a castle or home, neither at start
                    nor in a blockade elsewhere

Where the source is silent we chose, options in brackets: criterion 1 is the sum over the four
pieces (advance="foremost": the moved piece is the one that was most advanced); all four pieces
count in 3 (spread="on_way": those neither at start nor home); a piece at start has all of the
path before it (start_further: so many steps more).

The criteria are whole numbers and are packed into one, the most important highest, together
with the place in the order of plays, so that a single minimum or maximum decides. Nothing is
rounded: all is below 2^31 in integers, and below 2^24 where `greedy` compares floats.
"""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.games import pachisi, parcheesi
from tdlib.games.options import one_of
from tdlib.games.parcheesi.steps import IS_CASTLE, LAST, PATH, PIECES, place
from tdlib.games.parcheesi.windows import LIST
from tdlib.kernels import bits
from tdlib.kernels.rare import most, rarely
from tdlib.players import greedy
from tdlib.types import Array, Game, Key, Player

ADVANCE, SPREAD = ("pips", "foremost"), ("all", "on_way")
BLOCK = 32  # Parcheesi plays looked at together: most rolls have fewer

_ON_PATH = np.arange(pachisi.HOME + 1)
_PACHISI_SAFE = (_ON_PATH > 0) & (
    (_ON_PATH < pachisi.OUT)
    | (_ON_PATH > pachisi.ROUND)
    | np.isin((_ON_PATH - pachisi.OUT) % pachisi.QUARTER, pachisi.CASTLES)
)
# The piece that moves in each slot of `games.pachisi`, none in the first: [9, 4]
_MOVED = np.repeat(np.vstack([[False] * 4, np.eye(4, dtype=bool)]), [1, 2, 2, 2, 2], axis=0)


def pachisi_heuristic(game: Game, *, advance: str = "pips", spread: str = "all") -> Player:
    """HeuristicPachisiPlayer. advance, spread: readings of criteria 1 and 3, see above."""
    one_of("advance", advance, ADVANCE)
    one_of("spread", spread, SPREAD)
    enters_at_count = dict(game.options)["entry"] == "count"

    def choose(weights: Any, key: Key, state: pachisi.State, plays: pachisi.Plays) -> Array:
        own = state.pieces[state.seat]
        distance = jnp.asarray(pachisi.DISTANCE)[plays.roll]
        inward = jnp.minimum(own + distance, pachisi.HOME)
        inward = jnp.where(own > 0, inward, distance if enters_at_count else 1)
        again = own + distance - (pachisi.ROUND - pachisi.OUT)
        to = jnp.stack([inward, again], axis=-1).ravel()
        to = jnp.concatenate([jnp.zeros(1, to.dtype), to])  # [9], by slot
        after = jnp.where(_MOVED, to[:, None], own[None])  # [9, 4]
        slot = np.arange(pachisi.SLOTS)
        order = pachisi_order(own, after, advance=advance, spread=spread)
        order = jnp.where(plays.slots >> slot & 1 == 1, order << 4 | slot, np.int32(2**31 - 1))
        chosen = order.min() & 15
        return bits.size(plays.slots & (1 << chosen) - 1)

    return Player("heuristic", choose)


def pachisi_order(own: Array, after: Array, *, advance: str, spread: str) -> Array:
    """The criteria of own pieces after [9, 4] as numbers [9] below 2^20, the best smallest:
    from the lowest bit, spread (7 bits), pieces not safe (3), criterion 1."""
    gain = (after - own[None]).sum(-1)  # negative for another circuit, 0 for a pass
    first = (pachisi.HOME - after).sum(-1)  # up to 336
    if advance == "foremost":  # 0 for a pass, 1 for another circuit, else where it stood + 2
        moved = jnp.where(_MOVED, own[None] + 2, 0).sum(-1)
        first = pachisi.HOME + 2 - jnp.where(gain < 0, 1, moved)
    safe = _has(_PACHISI_SAFE, after).sum(-1)  # 0..4
    low = high = after
    if spread == "on_way":
        on_way = (after > 0) & (after < pachisi.HOME)
        low, high = jnp.where(on_way, after, pachisi.HOME), jnp.where(on_way, after, 0)
    wide = jnp.maximum(high.max(-1) - low.min(-1), 0)  # 0..84
    return (first << 3 | PIECES - safe) << 7 | wide


def parcheesi_heuristic(game: Game, *, start_further: int = 0) -> Player:
    """HeuristicParcheesiPlayer. start_further: how much further a piece at start is from home
    than its path is long; with 5 it rather enters than moves five."""
    if isinstance(start_further, bool) or start_further not in range(-1, 100):
        raise ValueError(
            f"start_further must be a whole number from -1 to 99, not {start_further!r}"
        )
    safe = _parcheesi_safe(game)

    def worth(pieces: Sequence[Array]) -> Array:
        return parcheesi_worth(pieces, safe, start_further)

    def best_listed(state: parcheesi.State, plays: parcheesi.Plays) -> Array:
        return _best_listed(worth, plays)

    def best_of_all(state: parcheesi.State, plays: parcheesi.Plays) -> Array:
        return slow.choose((), jax.random.key(0), state, plays)

    def score(weights: Any, before: parcheesi.State, after: parcheesi.State) -> Array:
        own = after.pieces[before.seat]
        return worth([own[i] for i in range(PIECES)]).astype(jnp.float32)

    slow = greedy.player(game, score, name="heuristic")
    best = rarely(best_of_all, best_listed, chunk=1)

    def choose(weights: Any, key: Key, state: parcheesi.State, plays: parcheesi.Plays) -> Array:
        return best(plays.count > LIST, state, plays)

    return Player("heuristic", choose)


def parcheesi_worth(pieces: Sequence[Array], safe: np.ndarray, start_further: int) -> Array:
    """The criteria of four own pieces as numbers from -2000 to 1500, the best largest.

    They are 5 times the steps advanced, plus the pieces that stand where `safe` [74] has True.
    """
    worth = jnp.int32(0)
    for p in pieces:
        advanced = jnp.where(p > 0, p, -start_further)
        worth += (PIECES + 1) * advanced + _has(safe, p)
    return worth


def _best_listed(worth: Callable[[Sequence[Array]], Array], plays: parcheesi.Plays) -> Array:
    """The rank [] of the best play where all are listed: their words say all that counts."""

    def look(block: Array, best: Array) -> Array:
        rank = block * BLOCK + np.arange(BLOCK)
        words = lax.dynamic_slice_in_dim(plays.own, block * BLOCK, BLOCK)
        value = worth([place(words, i) for i in range(PIECES)]) * LIST + (LIST - 1 - rank)
        return jnp.maximum(best, jnp.where(rank < plays.count, value, best).max())

    blocks = most((plays.count + BLOCK - 1) // BLOCK)
    return LIST - 1 - lax.fori_loop(0, blocks, look, jnp.int32(-(2**31))) % LIST


def _parcheesi_safe(game: Game) -> np.ndarray:
    """The safe places [74]; with other castles the home path begins one place further."""
    further = parcheesi.NAMED["castles"].index(dict(game.options)["castles"])
    place = np.arange(PATH)
    return (place > 0) & (IS_CASTLE[further] | (place > LAST + further))


def _has(members: np.ndarray, p: Array) -> Array:
    """Whether places p < 96 are members [N] bool of a set: int32, 0 or 1.

    From the bits of three words, by selection: XLA on a CPU looks up tables one by one.
    """
    padded = np.pad(members, (0, 96 - len(members))).reshape(3, 32)
    low, mid, high = (padded << np.arange(32)).sum(1).astype(np.uint32).view(np.int32)
    word = jnp.where(p < 32, low, jnp.where(p < 64, mid, high))
    return word >> (p & 31) & 1
