"""The smart features of backgammon in plain Python, by listing every play of every roll.

Matthews 2006, section 5.4: pip, worst, best, contact, exposure, hit and blockade. Positions are
those of `backgammon`: the mover is positive.
"""

from random import Random

from .backgammon import BAR, HOME, OFF, THEIR_BAR, Dice, Position, flip, moves, pips, plays

ROLLS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


def smart(position: Position) -> list[int]:
    """The features before division, the mover's first, without turn: 13 numbers."""
    sides = [position, flip(position)]
    mine, theirs = map(_places, sides)
    contact = sum(x > 25 - y for x in mine for y in theirs)
    (hits, short), (their_hits, their_short) = map(chances, sides)
    pip = [pips(side) for side in sides]
    worst = [max(_places(side), default=0) for side in sides]
    best = [0 if side[OFF] else min(_places(side)) for side in sides]
    exposure = [side[:24].count(1) for side in sides]
    hit, blockade = [their_hits, hits], [short, their_short]
    return [*pip, *worst, *best, contact, *exposure, *hit, *blockade]


def chances(position: Position) -> tuple[int, int]:
    """How many of the 36 rolls can hit, and how many cannot be used in full."""
    hits = short = 0
    for a, b in ROLLS:
        after = plays(position, (a, b))
        hits += any(p[THEIR_BAR] > position[THEIR_BAR] for p in after)
        short += _dice_used(position, (a, b)) < (4 if a == b else 2)
    return hits, short


def other_chances(position: Position) -> tuple[int, int, int]:
    """Of the 36 rolls: those that hit with one die alone, those that neither use all dice nor
    win, and those of which no die can be used."""
    direct = unfinished = stuck = 0
    for a, b in ROLLS:
        used = _dice_used(position, (a, b))
        direct += any(
            p[THEIR_BAR] > position[THEIR_BAR] for die in {a, b} for p in moves(position, die)
        )
        wins = any(not _places(p) for p in plays(position, (a, b)))
        unfinished += used < (4 if a == b else 2) and not wins
        stuck += used == 0
    return direct, unfinished, stuck


def _dice_used(position: Position, dice: Dice) -> int:
    """The greatest number of dice that can be used, by trying."""
    orders = [[dice[0]] * 4] if dice[0] == dice[1] else [list(dice), list(dice)[::-1]]
    most = 0
    for order in orders:
        reached = {position}
        for used, die in enumerate(order, start=1):
            reached = {after for before in reached for after in moves(before, die)}
            if not reached:
                break
            most = max(most, used)
    return most


def _places(position: Position) -> list[int]:
    """Where the mover's chequers stand, 25 being the bar, those borne off left out."""
    men = [*position[:24], position[BAR]]
    return [place for place, count in enumerate(men, start=1) for _ in range(count)]


def tight_positions(rng: Random, n: int, *, men: int) -> list[Position]:
    """Positions that games seldom show, each player having so many chequers.

    The mover has few chequers left, mostly at home or on the bar; the opponent holds points and
    leaves blots there, or closes its own home board.
    """
    found = []
    for _ in range(n):
        position = [0] * 28
        left, depth = rng.randint(1, men), rng.choice([HOME, HOME, HOME + 1, 12, 24])
        for _ in range(left):
            position[BAR if rng.random() < 0.1 else rng.randrange(depth)] += 1
        position[OFF] = men - left
        theirs = men
        region = rng.choice([range(HOME), range(18, 24), range(24)])
        free = [p for p in region if not position[p]]
        while theirs and free:
            p, count = rng.choice(free), min(theirs, rng.choice([1, 2, 2]))
            if rng.random() < 0.7:
                free.remove(p)
            position[p] -= count
            theirs -= count
        position[THEIR_BAR] = theirs
        found.append(tuple(position))
    return found
