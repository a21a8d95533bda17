"""Parcheesi, one number at a time: which pieces may use it, and what follows.

While a roll is played the search holds a *node* in two words: `own`, the mover's four pieces in
the order they had when the roll fell (7 bits each, the first piece highest), and `flow`:

    bits 0..11   opponents' pieces captured in this roll, see `parcheesi.finals.foes_key`
    bits 12..15  how often the first and the second number were used, two bits each
    bits 16..17  the bonus to be moved next: 0 none, 1 ten (a piece came home), 2 twenty (a
                 capture)

The pieces keep their order because two that stood together when the roll fell may not meet
again. Opponents' pieces do nothing but leave the board, so all questions about them are
answered by two tables made once for the roll (`View`).
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.kernels import bits
from tdlib.kernels.written_out import ascending
from tdlib.types import Array

SEATS = PIECES = 4
TRACK, QUARTER = 68, 17
CASTLES = ((0, 5, 12), (0, 4, 13))  # modulo 17; the second of each is the entry square
LAST, HOME = 64, 72  # last path number on the track, and home; one more with the other castles
PATH = HOME + 2
WIDTH = 8  # moves of a node: two numbers times four pieces
NUMBER, PIECE = np.divmod(np.arange(WIDTH), PIECES)  # [8] which number, [8] which piece
USED, BONUS = 12, 16  # bit numbers in `flow`
TIMES, MATES, OPEN, MUST_ENTER, MAY_PASS, LARGER, FURTHER = 6, 8, 24, 25, 26, 27, 28  # `roll`
IS_CASTLE = np.array(  # [2, 74]
    [np.isin((np.arange(PATH) + entry - 1) % QUARTER, (a, entry, b)) for a, entry, b in CASTLES]
)


class Rules(NamedTuple):
    """The options of `parcheesi.game`, as arrays, so that all games share what is compiled."""

    must_enter: Array  # [] bool
    castles: Array  # [] int32, index of CASTLES
    larger_die: Array  # [] bool
    third_double: Array  # [] int32: 0 penalty, 1 ends the turn, 2 played
    move_blockade: Array  # [] bool
    own_blockade: Array  # [] bool
    entry_capture: Array  # [] bool


class View(NamedTuple):
    """All that matters of a position, a roll and the options; path numbers are the mover's.

    `roll` holds, from the lowest bit: the two numbers (3 bits each); how often each may be used
    (2 bits: 1, or 2 in a double of four numbers, or 0 if the roll is not played); which pieces
    i and j stood together (bit 4i + j of 16); whether the opponents leave the entry square
    open; whether fives must enter; whether own blockades may be passed; whether one die must be
    the larger; whether home is 73 instead of 72.
    """

    start: Array  # [] int32, the mover's pieces, packed
    roll: Array  # [] int32
    free: Array  # [74] int32, squares ahead of p before the next opponents' blockade
    hit: Array  # [74] int32, who stands alone on p: 0 nobody, -1 one who is safe there, else
    #             1 + the capture bit


def home(roll: Array) -> Array:
    """The path number of home."""
    return HOME + (roll >> FURTHER & 1)


def all_home(roll: Array) -> Array:
    """Four pieces home, packed."""
    return home(roll) * sum(1 << 7 * i for i in range(PIECES))


def flag(roll: Array, bit: int) -> Array:
    """Whether `View.roll` has this bit."""
    return roll >> bit & 1 == 1


def pack(pieces: Array) -> Array:
    """Four path numbers [4] in one word [], the first highest."""
    assert pieces.shape == (PIECES,)
    return (pieces << 7 * np.arange(PIECES)[::-1]).sum()


def place(own: Array, piece: np.ndarray | int) -> Array:
    """Where the piece of that number stands, or the pieces."""
    return own >> 7 * (PIECES - 1 - piece) & 127


def in_order(own: Array) -> Array:
    """The same pieces, packed, ascending."""
    a, b, c, d = ascending(*(place(own, i) for i in range(PIECES)))
    return a << 21 | b << 14 | c << 7 | d


def view(
    rules: Rules, own: Array, foes: Array, after: Array, numbers: Array, times: Array
) -> View:
    """The tables of a roll.

    own [4], foes [3, 4]: pieces, the opponents in any order; after [3]: how many seats each of
    them comes after the mover; numbers [2], times []: what the roll gives.
    """
    assert (
        own.shape == (PIECES,) and foes.shape == (SEATS - 1, PIECES) and numbers.shape == (2,)
    )
    last, home = LAST + rules.castles, HOME + rules.castles
    ahead = (foes + QUARTER * after[:, None] - 1) % TRACK + 1  # as the mover counts
    on_way = (foes >= 1) & (foes <= last) & (ahead <= last)
    ahead = jnp.where(on_way, ahead, home)  # where nobody is looked for
    other = ~np.eye(PIECES, dtype=bool)
    blockade = on_way & ((ahead[:, :, None] == ahead[:, None, :]) & other[None]).any(-1)
    safe = jnp.asarray(IS_CASTLE)[rules.castles, ahead]
    safe = jnp.where(ahead == 1, ~rules.entry_capture, safe)  # reached only by entering
    bit = np.arange(foes.size)[::-1].reshape(foes.shape)  # the first piece has the highest
    alone = jnp.where(on_way & ~blockade, jnp.where(safe, -1, bit + 1), 0)

    path = np.arange(PATH)[:, None]
    ahead, blockade, alone = (x.reshape(1, -1) for x in (ahead, blockade, alone))
    free = jnp.where(blockade & (ahead > path), ahead - path - 1, TRACK).min(-1)
    hit = jnp.where(ahead == path, alone, 0).sum(-1)
    mates = (own[:, None] == own[None]) & ((own > 0) & (own < home))[None] & other
    mates &= ~rules.move_blockade
    open_ = (free[0] > 0) & (hit[1] >= 0)
    roll = numbers[0] | numbers[1] << 3 | times << TIMES | bits.pack(mates.ravel()) << MATES
    roll |= open_ << OPEN | rules.must_enter << MUST_ENTER | ~rules.own_blockade << MAY_PASS
    roll |= rules.larger_die << LARGER | rules.castles << FURTHER
    return View(pack(own), roll, free, hit)


def moves(views: View, lane: Array, own: Array, flow: Array) -> Array:
    """The moves of one node: [8] int32, 0 where illegal, else the new place + 128 * capture.

    capture is 0, or 1 + the bit of the piece captured. views: View with [B] in front;
    lane, own, flow []: the game and its node. A bonus is moved as the first number.
    """
    roll = views.roll[lane]
    first, second, times = roll & 7, roll >> 3 & 7, roll >> TIMES & 3
    bonus = flow >> BONUS
    number = jnp.where(bonus > 0, 10 * bonus, jnp.where(NUMBER == 0, first, second))
    unused = flow >> USED + 2 * NUMBER & 3 < times
    # of two equal numbers the second waits for the first, or all plays would be found twice
    waits = (NUMBER == 1) & (first == second) & (flow >> USED & 3 < times)
    available = jnp.where(bonus > 0, NUMBER == 0, unused & ~waits)

    at = place(own, PIECE)
    others = [place(own, (PIECE + k) % PIECES) for k in (1, 2, 3)]
    five = (bonus == 0) & (number == 5)
    # 1-4 and 2-3 enter by their sum; the first number stands for both
    by_sum = (NUMBER == 0) & (flow >> USED == 0) & (first + second == 5)
    open_ = _entry_open(roll, own)
    # pieces at start are alike and come first: only the last of them enters
    enters = (five | by_sum) & open_ & ((others[0] > 0) | (PIECE == PIECES - 1))
    must_enter = five & open_ & (place(own, 0) == 0) & flag(roll, MUST_ENTER)
    to = jnp.where(at == 0, 1, at + number)
    walks = (to <= home(roll)) & ~must_enter

    hit = views.hit[lane, jnp.minimum(to, PATH - 1)]
    legal = available & jnp.where(at == 0, enters, walks) & (hit >= 0)
    legal &= to - at <= views.free[lane, at]
    legal &= ~_blocked(roll, at, to, others) & ~_meets_again(roll, to, others)
    captures = (hit > 0) & (flow >> jnp.maximum(hit - 1, 0) & 1 == 0)
    return jnp.where(legal, to + 128 * jnp.where(captures, hit, 0), 0)


def follow(roll: Array, own: Array, flow: Array, moves: Array) -> tuple[Array, Array, Array]:
    """Where the moves [8] of a node lead: own [8], flow [8], state [8].

    state: 0 nowhere, 1 the roll goes on, 2 the roll is over. Without a legal move a bonus is
    lost, and a node without a bonus is itself the end; slot 0 stands for either.
    """
    at, to, capture = place(own, PIECE), moves & 127, moves >> 7
    bonus, stuck = flow >> BONUS, (moves == 0).all()
    own_to = jnp.where(stuck, own, own + (to - at << 7 * (PIECES - 1 - PIECE)))
    won = own_to == all_home(roll)  # ends the game at once
    earned = jnp.where(to == home(roll), 1, jnp.where(capture > 0, 2, 0))
    earned = jnp.where(won | stuck, 0, earned)

    number = jnp.where(NUMBER == 0, roll & 7, roll >> 3 & 7)
    both = (at == 0) & (number != 5)  # entered by the sum
    spent = jnp.where(stuck | (bonus > 0), 0, jnp.where(both, 5, 1 << 2 * NUMBER))
    captured = jnp.where(capture > 0, 1 << jnp.maximum(capture - 1, 0), 0)
    flow_to = (flow & (1 << BONUS) - 1) + captured + (spent << USED) + (earned << BONUS)

    all_used = flow_to >> USED == 5 * (roll >> TIMES & 3)  # and no bonus
    over = won | all_used | (stuck & (bonus == 0))
    exists = jnp.where(stuck, np.arange(WIDTH) == 0, moves > 0)
    return own_to, flow_to, jnp.where(exists, 1 + over, 0)


def _entry_open(roll: Array, own: Array) -> Array:
    """Whether the entry square is held by no blockade and nobody who is safe there: [] bool."""
    own_there = sum((place(own, i) == 1).astype(jnp.int32) for i in range(PIECES))
    return flag(roll, OPEN) & (own_there < 2)


def _blocked(roll: Array, at: Array, to: Array, others: list[Array]) -> Array:
    """Whether two of the other own pieces stand together on the way: [8] bool."""
    blocked = jnp.zeros(WIDTH, bool)
    for x, y in ((0, 1), (0, 2), (1, 2)):
        square = others[x]
        passed = (at < square) & (square < to) & ~flag(roll, MAY_PASS)
        in_way = passed | (square == to)  # there is never room for a third
        blocked |= (square == others[y]) & in_way & (square < home(roll))
    return blocked


def _meets_again(roll: Array, to: Array, others: list[Array]) -> Array:
    """Whether a piece would stand again with the one it stood with at first: [8] bool."""
    meets = jnp.zeros(WIDTH, bool)
    for k, square in enumerate(others, start=1):
        paired = roll >> MATES + PIECES * PIECE + (PIECE + k) % PIECES & 1 == 1
        meets |= paired & (square == to)
    return meets & (to < home(roll))
