"""Backgammon and hypergammon in plain Python, seen by the player who moves.

Each player numbers the 24 points from its own side and moves towards lower numbers:

    13 14 15 16 17 18 | 19 20 21 22 23 24     25 = bar (enters on 24..19)
    12 11 10  9  8  7 |  6  5  4  3  2  1      0 = borne off; 6..1 is the home board

The mover's point x is the other player's point 25 - x. A position is 28 numbers in the mover's
view: 0-23 net chequers on the mover's points 1..24 (mover positive, opponent negative), then
mover on the bar, opponent on the bar, mover off, opponent off. A position after a play keeps
that view; `flip` hands the turn over.

Rules as in T. Keith's "Rules of Backgammon", without cube. Hypergammon has its own start.
"""

from functools import lru_cache
from random import Random

Position = tuple[int, ...]
Dice = tuple[int, int]

BAR, THEIR_BAR, OFF, THEIR_OFF = 24, 25, 26, 27
HOME = 6


def _start(men: dict[int, int]) -> Position:
    position = [0] * 28
    for point, count in men.items():
        position[point - 1] += count
        position[24 - point] -= count  # the opponent's point `point` is the mover's 25 - point
    return tuple(position)


START = {
    "backgammon": _start({24: 2, 13: 5, 8: 3, 6: 5}),
    "hypergammon": _start({24: 1, 23: 1, 22: 1}),
}


def plays(position: Position, dice: Dice) -> set[Position]:
    """All positions that a legal play of `dice` leads to; the position itself if none can move.

    As many dice as possible must be used; if either of two different dice can be used but not
    both, the larger must be. Two plays that end in the same position are one.
    """
    a, b = max(dice), min(dice)
    if a == b:
        reached = {position}
        for _ in range(4):
            further = {after for before in reached for after in moves(before, a)}
            if not further:
                break
            reached = further
        return reached
    larger, smaller = moves(position, a), moves(position, b)
    both = {after for middle in larger for after in moves(middle, b)}
    both |= {after for middle in smaller for after in moves(middle, a)}
    return set(both or larger or smaller or {position})


@lru_cache(maxsize=1 << 16)
def moves(position: Position, die: int) -> frozenset[Position]:
    """All positions after one of the mover's chequers has moved by one die."""
    occupied = [point for point in range(1, 25) if position[point - 1] > 0]
    if position[BAR]:
        steps = [_step(position, 25, 25 - die)]
    else:
        steps = [
            _step(position, point, max(point - die, 0))
            for point in occupied
            if point > die or _may_bear_off(point, die, occupied)
        ]
    return frozenset(step for step in steps if step is not None)


def _may_bear_off(point: int, die: int, occupied: list[int]) -> bool:
    """Whether a chequer `die` or fewer pips from off may leave, nobody being on the bar."""
    rearmost = max(occupied)
    return rearmost <= HOME and point in (die, rearmost)


def _step(position: Position, source: int, target: int) -> Position | None:
    """Take one chequer from `source` to `target`, hitting a blot; None if the point is held."""
    after = list(position)
    after[BAR if source == 25 else source - 1] -= 1
    if target == 0:
        after[OFF] += 1
    elif after[target - 1] <= -2:
        return None
    elif after[target - 1] == -1:
        after[target - 1] = 1
        after[THEIR_BAR] += 1
    else:
        after[target - 1] += 1
    return tuple(after)


def flip(position: Position) -> Position:
    """The same position in the other player's view."""
    points = tuple(-count for count in reversed(position[:24]))
    return (*points, position[THEIR_BAR], position[BAR], position[THEIR_OFF], position[OFF])


def pips(position: Position) -> int:
    """The mover's pip count, a chequer on the bar counting 25."""
    return 25 * position[BAR] + sum(p * max(position[p - 1], 0) for p in range(1, 25))


def over(position: Position) -> bool:
    """Whether one player has borne off everything."""
    return pips(position) == 0 or pips(flip(position)) == 0


def points(position: Position) -> int:
    """What the mover has won: 0 unfinished, else +-1 single, 2 gammon, 3 backgammon.

    Gammon: the loser has borne off nothing. Backgammon: moreover it still has a chequer on the
    bar or in the winner's home board.
    """
    if pips(position) == 0:
        if position[THEIR_OFF]:
            return 1
        stranded = position[THEIR_BAR] or any(count < 0 for count in position[:HOME])
        return 3 if stranded else 2
    if pips(flip(position)) == 0:
        return -points(flip(position))
    return 0


def random_positions(
    rng: Random, n: int, *, game: str = "backgammon"
) -> list[tuple[Position, Dice]]:
    """`n` unfinished positions, each with a roll, from games played at random to the end.

    Every other game starts late, with both sides scattered on their last twelve points, because
    whole random games are long and seldom show the bear-off. Games of random players are full
    of hits, so chequers on the bar need no such help.
    """
    men = sum(max(count, 0) for count in START[game])
    found: list[tuple[Position, Dice]] = []
    late = False
    while len(found) < n:
        position = _scattered(rng, men) if late else START[game]
        late = not late
        while not over(position):
            dice = (rng.randint(1, 6), rng.randint(1, 6))
            if rng.random() < 0.1:
                found.append((position, dice))
            position = flip(rng.choice(sorted(plays(position, dice))))
    return found[:n]


def _scattered(rng: Random, men: int) -> Position:
    """Both sides at random on their own points 1..`depth`, which never share a point."""
    position = [0] * 28
    depth = rng.choice([4, 6, 6, 9, 12])
    for _ in range(men):
        position[rng.randrange(depth)] += 1
        position[23 - rng.randrange(depth)] -= 1
    return tuple(position)
