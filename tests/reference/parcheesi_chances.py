"""What a Parcheesi player could do with each roll, the slow way: roll by roll, move by move.

The moves are those of the rules (`tdlib.games.parcheesi.steps`), bonus moves left out. Faster
than plain Python, so that a thousand positions can be compared with the encoding's formulas,
which know no moves.

A double of four numbers, a, a, 7-a, 7-a, is played by pieces that have all entered, so a node
is how often each piece used each number: 15 x 15 nodes, instead of 8 ** 4 sequences.
"""

from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib.games.parcheesi import DICE
from tdlib.games.parcheesi.steps import (
    BONUS,
    NUMBER,
    PIECE,
    PIECES,
    SEATS,
    USED,
    WIDTH,
    Rules,
    View,
    all_home,
    follow,
    moves,
    pack,
    place,
    view,
)
from tdlib.types import Array

_WEIGHT = np.where(DICE[:, 0] == DICE[:, 1], 1, 2)  # [21] of 36
_DOUBLES = np.flatnonzero(_WEIGHT == 1)

_SHARES = [x for x in product(range(3), repeat=PIECES) if sum(x) <= 2]  # of one number: 15
_NODES = np.array(list(product(_SHARES, repeat=2)))  # [225, 2, 4] of both numbers
_INDEX = {node.tobytes(): i for i, node in enumerate(_NODES)}


def _neighbours(step: int) -> np.ndarray:
    """The node with one more, or less, use of that number by that piece: [225, 8].

    Where there is none, the node itself; no such move is legal.
    """
    found = np.zeros((len(_NODES), WIDTH), np.int32)
    for (i, node), slot in product(enumerate(_NODES), range(WIDTH)):
        other = node.copy()
        other[NUMBER[slot], PIECE[slot]] += step
        found[i, slot] = _INDEX.get(other.tobytes(), i)
    return found


_NEXT, _BEFORE = _neighbours(1), _neighbours(-1)
_FLOW = _NODES.sum(-1) @ [1 << USED, 1 << USED + 2]  # [225] numbers used
_ALL = _NODES.sum((1, 2)) == 4  # [225] all four used
_FIRST = _NODES.sum((1, 2)) == 0


def default_rules(*, must_enter: bool) -> Rules:
    """Those of `parcheesi.game`, but for this option."""
    return Rules(
        must_enter=jnp.bool_(must_enter),
        castles=jnp.int32(0),
        larger_die=jnp.bool_(False),
        third_double=jnp.int32(0),
        move_blockade=jnp.bool_(False),
        own_blockade=jnp.bool_(True),
        entry_capture=jnp.bool_(True),
    )


def hit_and_blockade(rules: Rules, pieces: Array) -> tuple[Array, Array]:
    """Rolls that capture of each player, of 108 by three opponents [4], and blockades [4]."""
    after = (np.arange(SEATS)[:, None] + np.arange(1, SEATS)[None]) % SEATS  # [4, 3]
    look = jax.vmap(lambda own, foes: chances(rules, own, foes))
    could_hit, blockade = look(pieces, pieces[after])
    return jnp.zeros(SEATS, jnp.int32).at[after].add(could_hit), blockade


def chances(rules: Rules, own: Array, foes: Array) -> tuple[Array, Array]:
    """Of the 36 rolls: how many can capture of each opponent [3], and cannot use both dice [].

    own [4]: pieces, ascending; foes [3, 4]: those of the next seat, of the one after, ...
    """
    assert own.shape == (PIECES,) and foes.shape == (SEATS - 1, PIECES)

    def look(numbers: Array, times: int) -> View:
        seen = view(rules, own, foes, jnp.arange(1, SEATS), numbers, jnp.int32(times))
        return jax.tree.map(lambda x: x[None], seen)

    hits, both = jax.vmap(lambda dice: _two_dice(look(dice, 1)))(jnp.asarray(DICE))
    double = jnp.asarray(DICE[_DOUBLES] * [1, -1] + [0, 7])
    hits_four = jax.vmap(lambda numbers: _four_numbers(look(numbers, 2)))(double)
    hits = jnp.where(own[0] > 0, hits.at[_DOUBLES].set(hits_four), hits)
    return (hits * _WEIGHT[:, None]).sum(0), (~both * _WEIGHT).sum()


def _two_dice(views: View) -> tuple[Array, Array]:
    """Whether a play captures of each opponent [3], and whether both dice can be used []."""
    start, roll, lane = views.start[0], views.roll[0], jnp.int32(0)
    first = moves(views, lane, start, jnp.int32(0))  # [8]
    own, flow, _ = follow(roll, start, jnp.int32(0), first)
    flow &= (1 << BONUS) - 1  # no bonus
    second = jax.vmap(lambda own, flow: moves(views, lane, own, flow))(own, flow)  # [8, 8]
    by_sum = flow >> USED == 5  # both numbers at once
    completed = (first > 0) & (by_sum | (second > 0).any(-1))
    both = completed.any()
    played = (first > 0) & (completed | ~both)
    hits = _captures(first, played) | _captures(second, played[:, None])
    return hits, both


def _four_numbers(views: View) -> Array:
    """Whether a play of four numbers captures of each opponent: [3]. Nobody is at start."""
    roll = views.roll[0]
    numbers = jnp.stack([roll & 7, roll >> 3 & 7])
    steps = (numbers[None, :, None] * _NODES).sum(1)  # [225, 4]
    pieces = place(views.start[0], np.arange(PIECES))[None] + steps
    own = jax.vmap(pack)(pieces)  # [225]; those beyond home are never reached
    made = jax.vmap(lambda own, flow: moves(views, jnp.int32(0), own, flow))(own, _FLOW)
    legal = made > 0  # [225, 8]

    def spread(_: Array, nodes: tuple[Array, Array]) -> tuple[Array, Array]:
        reached, done = nodes
        reached |= (reached[_BEFORE] & legal[_BEFORE, np.arange(WIDTH)[None]]).any(-1)
        return reached, done | (legal & done[_NEXT]).any(-1)

    won = own == all_home(roll)  # ends the roll
    # a loop, since XLA would otherwise find the moves anew in each of the four rounds
    reached, done = lax.fori_loop(0, 4, spread, (jnp.asarray(_FIRST), _ALL | won))
    return _captures(made, reached[:, None] & done[_NEXT])


def _captures(made: Array, played: Array) -> Array:
    """Which opponents lose a piece by the moves made, where played: [3] bool."""
    bit = (made >> 7) - 1  # of the piece captured, four an opponent, the first highest
    foe = jnp.where((bit >= 0) & played, SEATS - 2 - bit // PIECES, -1)
    return (foe.reshape(-1, 1) == np.arange(SEATS - 1)[None]).any(0)
