"""Which doubles of four numbers, a, a, 7-a, 7-a, let a Parcheesi player capture something.

They are played by pieces that have all entered, and by all four numbers or not at all, unless
the game is won before. A node is how often each piece has used each number: 15 ways to share
the first number, or part of it, between the pieces, times 15 for the second. So there are 225
nodes instead of 8 ** 4 sequences, and a word holds many of them:

    row   how the first number is shared: one word each
    bit   how the second number is shared: 17 not used, 16 + 4k used by piece k, 4k + i used by
          piece k and then by i

A set of nodes is an array [15, N] of words, the last axis being players (`columns`). A
play captures if, at one of its nodes, a piece stands where it captures; such a node must be
within reach, and the roll be completed from there.

A move is legal if the node that it leads to is: pieces may stand there, no three of them
together, and no two that stood together when the roll fell do so again elsewhere. What remains
is that a piece may not jump from behind a blockade of two others to beyond it.
"""

from itertools import combinations
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.games.parcheesi.steps import HOME, PIECES
from tdlib.kernels.compute_once import columns, once, unknown_one
from tdlib.kernels.written_out import any_of
from tdlib.types import Array

_NOT_YET, _ONCE_BY_0 = 17, 16
_SHARES: dict[int, tuple[int, ...]] = {_NOT_YET: ()}  # bit -> the pieces that used the number
_SHARES |= {_ONCE_BY_0 + 4 * k: (k,) for k in range(PIECES)}
_SHARES |= {4 * k + i: (k, i) for k in range(PIECES) for i in range(PIECES)}
_USES = np.array([[used.count(i) for i in range(PIECES)] for used in _SHARES.values()])


def _words(holds: np.ndarray) -> np.ndarray:
    """[21, ...] bool, for each bit in turn -> words [...]."""
    return np.tensordot(1 << np.array(list(_SHARES)), holds, axes=1)


_ONCE, _TWICE = (int(_words(_USES.sum(1) == n)) for n in (1, 2))
_ENDED_BY = [sum(1 << 4 * k + i for k in range(PIECES)) for i in range(PIECES)]
_USED = _words(_USES[..., None] == np.arange(3))  # [4, 3]: by piece i, y times
_EXCESS = _words(  # [4, 4, 5]: by piece k, v - 2 times more than by piece i
    (_USES[:, None, :] - _USES[:, :, None])[..., None] == np.arange(5) - 2
)
_ROWS: list[tuple[int, ...]] = [(), *((k,) for k in range(PIECES))]
_ROWS += [(k, i) for k in range(PIECES) for i in range(k, PIECES)]
_LEVELS = (range(1), range(1, 5), range(5, 15))  # rows by uses of the first number
_TIMES = np.array([[row.count(i) for i in range(PIECES)] for row in _ROWS])  # [15, 4]
_STEPS = [  # row, piece, and the row that its use of the first number leads to
    (row, i, _ROWS.index(tuple(sorted((*used, i)))))
    for row, used in enumerate(_ROWS)
    for i in range(PIECES)
    if len(used) < 2
]


class _Pieces(NamedTuple):
    """Words of bits, by how often a piece has used the first number."""

    stands: Array  # [4, 3, N], where piece i may stand
    home: Array  # [4, 3, N], is home
    takes: Array  # [3, 4, 3, N], captures from each opponent
    ahead: Array  # [4, 4, 5, N], piece k is ahead of i, having used it v - 2 times more


class _Nodes(NamedTuple):
    """Sets of nodes."""

    legal: Array  # [15, N]
    won: Array  # [15, N]
    takes: Array  # [3, 15, N], something is captured from each opponent
    behind: Array  # [15, 4, N], piece i is behind a blockade of two others
    beyond: Array  # [15, 4, N], is beyond one


@columns
def doubles(at: Array, land: Array, take: Array) -> Array:
    """Of the six doubles, how many can capture of each opponent: [3, N].

    at, land [4, N], take [3, 4, N]: see `parcheesi_chances.Sight`; nobody is at start.
    """
    number = np.repeat([1, 2, 3], at.shape[-1])  # a and 7-a are the same double
    at, land, take = (jnp.concatenate([x, x, x], axis=-1) for x in (at, land, take))
    one = unknown_one(land)
    pieces = once(lambda: _pieces(number, at, land, take), one)
    nodes = once(lambda: _nodes(at, pieces), one)
    reached = once(lambda: _reached(nodes), one)
    done = once(lambda: _completed(nodes), one)
    played = reached & done
    hits = any_of(played[row][None] & nodes.takes[:, row] for row in range(len(_ROWS))) != 0
    return 2 * hits.reshape(len(take), 3, -1).sum(1)


def _pieces(number: np.ndarray, at: Array, land: Array, take: Array) -> _Pieces:
    """number [N], at, land [4, N], take [3, 4, N]."""
    times = np.arange(3)
    far = times[:, None, None] * number + times[None, :, None] * (7 - number)  # [3, 3, N]

    def where(there: Array) -> Array:
        """[..., 4, 3, 3, N] bool, by piece and uses of each number -> words [..., 4, 3, N]."""
        used = _USED.reshape(*(1,) * (there.ndim - 4), PIECES, 1, 3, 1)
        return any_of(jnp.moveaxis(jnp.where(there, used, 0), -2, 0))

    def among(window: Array) -> Array:
        distance = far.reshape(*(1,) * (window.ndim - 1), *far.shape)
        return window[..., None, None, :] >> distance & 1 == 1

    gap = at[None, :, None] - at[:, None, None]  # [4, 4, 1, N]
    gap += ((np.arange(5) - 2)[:, None] * number)[None, None]
    excess = [((v - 2) * (7 - number))[None, None, None] for v in range(5)]
    return _Pieces(
        stands=where(among(land) | (far == 0)[None]),
        home=where(at[:, None, None] + far[None] == HOME),
        takes=where(among(take)),
        ahead=any_of(
            jnp.where(gap + excess[v] > 0, _EXCESS[:, :, v, None, None], 0) for v in range(5)
        ),
    )


def _nodes(at: Array, pieces: _Pieces) -> _Nodes:
    """at [4, N]."""
    piece = np.arange(PIECES)
    stands, home = (x[piece[None], _TIMES] for x in (pieces.stands, pieces.home))  # [15, 4, N]
    takes = pieces.takes[:, piece[None], _TIMES]  # [3, 15, 4, N]
    more = _TIMES[:, None, :] - _TIMES[:, :, None] + 2
    ahead = pieces.ahead[piece[None, :, None], piece[None, None, :], more]  # [15, 4, 4, N]
    together = ~(ahead | ahead.swapaxes(1, 2) | home[:, :, None])
    behind, beyond = [], []
    for i in range(PIECES):
        pairs = list(combinations([k for k in range(PIECES) if k != i], 2))
        behind.append(any_of(together[:, k, m] & ahead[:, i, k] for k, m in pairs))
        beyond.append(any_of(together[:, k, m] & ahead[:, k, i] for k, m in pairs))
    stand = stands[:, 0] & stands[:, 1] & stands[:, 2] & stands[:, 3]
    return _Nodes(
        legal=stand & ~_crowded(at, together),
        won=home[:, 0] & home[:, 1] & home[:, 2] & home[:, 3],
        takes=any_of(takes[:, :, i] for i in range(PIECES)),
        behind=jnp.stack(behind, axis=1),
        beyond=jnp.stack(beyond, axis=1),
    )


def _crowded(at: Array, together: Array) -> Array:
    """Nodes [15, N] with three pieces together, or two that met again; at [4, N].

    together [15, 4, 4, N]: nodes with these two on the same square.
    """
    three = (
        together[:, i, k] & together[:, k, m] for i, k, m in combinations(range(PIECES), 3)
    )
    crowded = any_of(three)
    for i, k in combinations(range(PIECES), 2):
        unmoved = np.where(_TIMES[:, i] + _TIMES[:, k] == 0, _USED[i, 0] & _USED[k, 0], 0)
        meet = together[:, i, k] & ~unmoved[:, None]
        crowded |= jnp.where((at[i] == at[k])[None], meet, 0)
    return crowded


def _reached(nodes: _Nodes) -> Array:
    """The nodes within reach of the first one: [15, N]."""
    rows = {0: jnp.full_like(nodes.legal[0], 1 << _NOT_YET)}
    for level in _LEVELS:
        for row, i, to in _STEPS:
            if to in level:
                jumps = nodes.behind[row, i] & nodes.beyond[to, i]
                rows[to] = rows.get(to, 0) | rows[row] & nodes.legal[to] & ~jumps
        words = jnp.stack([rows[row] for row in level])
        legal, behind, beyond = _level(nodes, level)
        for i in range(PIECES):
            jumps = jnp.where(behind[i] >> _NOT_YET & 1 == 1, beyond[i], 0)
            words |= (words >> _NOT_YET & 1) << _ONCE_BY_0 + 4 * i & legal & ~jumps
        for i in range(PIECES):
            jumps = (behind[i] & _ONCE) >> _ONCE_BY_0 - i & beyond[i]
            words |= (words & _ONCE) >> _ONCE_BY_0 - i & legal & ~jumps
        rows |= dict(zip(level, words, strict=True))
    return jnp.stack([rows[row] for row in range(len(_ROWS))])


def _completed(nodes: _Nodes) -> Array:
    """The nodes from which all four numbers can be used, or the game be won: [15, N]."""
    rows = {row: nodes.won[row] | (_TWICE if row in _LEVELS[-1] else 0) for row in range(15)}
    for level in reversed(_LEVELS):
        for row, i, to in _STEPS:
            if row in level:
                rows[row] |= rows[to] & ~(nodes.behind[row, i] & nodes.beyond[to, i])
        legal, behind, beyond = _level(nodes, level)
        words = jnp.stack([rows[row] for row in level]) & legal
        for i in range(PIECES):
            jumps = behind[i] & (beyond[i] & _ENDED_BY[i]) << _ONCE_BY_0 - i
            words |= (words & _ENDED_BY[i]) << _ONCE_BY_0 - i & legal & ~jumps
        for i in range(PIECES):
            jumps = jnp.where(behind[i] >> _NOT_YET & 1 == 1, beyond[i], 0)
            words |= ((words & ~jumps) >> _ONCE_BY_0 + 4 * i & 1) << _NOT_YET & legal
        rows |= dict(zip(level, words, strict=True))
    return jnp.stack([rows[row] for row in range(len(_ROWS))])


def _level(nodes: _Nodes, level: range) -> tuple[Array, Array, Array]:
    """legal [R, N], behind [4, R, N], beyond [4, R, N] of some rows."""
    rows = slice(level.start, level.stop)
    behind, beyond = (x[rows].swapaxes(0, 1) for x in (nodes.behind, nodes.beyond))
    return nodes.legal[rows], behind, beyond
