"""Hypergammon with one chequer a side solved in plain Python, and Bellman's equation for any.

Positions, plays and points are those of the plain-Python rules; nothing is shared with
`tdlib.exact`. A position is given by where each player's chequers are, in its own numbering.
"""

from itertools import product

from tests.reference import backgammon as rules

ROLLS = [((a, b), 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1)]  # of 36


def position(own, other):
    """The 28 numbers of chequers at these places; None if they share a point."""
    found = [0] * 28
    for place in own:
        found[{0: rules.OFF, 25: rules.BAR}.get(place, place - 1)] += 1
    for place in other:
        at = {0: rules.THEIR_OFF, 25: rules.THEIR_BAR}.get(place, 24 - place)
        if place in range(1, 25) and found[at] > 0:
            return None
        found[at] += 1 if place in (0, 25) else -1
    return tuple(found)


def places(found):
    """Where the mover's chequers and the opponent's are, ascending: the inverse."""
    own = [0] * found[rules.OFF] + [25] * found[rules.BAR]
    other = [0] * found[rules.THEIR_OFF] + [25] * found[rules.THEIR_BAR]
    for point in range(1, 25):
        own += [point] * max(found[point - 1], 0)
        other += [25 - point] * max(-found[point - 1], 0)
    return tuple(sorted(own)), tuple(sorted(other))


def worth(found, objective):
    """What a finished game is worth to the mover."""
    points = rules.points(found)
    return points if objective == "money" else float(points > 0)


def choices(found):
    """For each roll, its odds of 36 and the positions that its plays lead to."""
    return [(odds, rules.plays(found, roll)) for roll, odds in ROLLS]


def expected(rolls, objective, value):
    """The right side of Bellman's equation; value(position) is for the player about to roll."""
    total = 0 if objective == "money" else 1

    def after(reached):
        if rules.over(reached):
            return worth(reached, objective)
        return total - value(rules.flip(reached))

    return sum(odds / 36 * max(map(after, reached)) for odds, reached in rolls)


def solved(objective, rounds=40):
    """The values of all positions of one chequer a side, by position.

    What a play leads to is looked up once: as a number, or as the position that counts.
    """
    pairs = product(range(1, 26), repeat=2)
    todo = {p: choices(p) for p in (position([x], [y]) for x, y in pairs) if p is not None}
    total = 0 if objective == "money" else 1
    ends, goes_on = {}, {}
    for p, rolls in todo.items():
        ends[p] = [
            (odds, max((worth(r, objective) for r in reached if rules.over(r)), default=-9))
            for odds, reached in rolls
        ]
        goes_on[p] = [
            [rules.flip(r) for r in reached if not rules.over(r)] for _, reached in rolls
        ]
    values = dict.fromkeys(todo, 0.5)
    for _ in range(rounds):
        values = {
            p: sum(
                odds / 36 * max([best, *(total - values[r] for r in others)])
                for (odds, best), others in zip(ends[p], goes_on[p], strict=True)
            )
            for p in todo
        }
    return values
