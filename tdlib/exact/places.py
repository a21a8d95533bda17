"""The chequers of one player as a number, and all that dice can do to them.

A configuration is where a player's own chequers are, in its own numbering (0 off, 25 bar), and
its index counts multisets in colexicographic order: chequers at p_1 <= p_2 <= p_3 have

    index = C(p_1, 1) + C(p_2 + 1, 2) + C(p_3 + 2, 3)

so 0 is all off, and three chequers have 3,276. A position with a player to move is a pair, the
mover's own index and the opponent's.

The opponent matters to a step in two ways only: it may hold the target, or have a blot there,
and both depend only on the target and on its own configuration. So what one die can do is three
small tables, in which one more index, N, stands for what is impossible.
"""

import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

BAR = 25
HOME = 6
MOST = 3  # chequers; four would need tables of some 5 GB


class Steps(NamedTuple):
    """One chequer moved by one die, seen from each of W = N + 1 configurations."""

    following: np.ndarray  # [6, K, W] int32, the mover's index after the k-th way; N: none
    target: np.ndarray  # [6, K, W] int32, where the chequer lands, 0 if it is off
    hit: np.ndarray  # [25, W] int32, the opponent's index by target; N: it holds that point


def configurations(chequers: int) -> np.ndarray:
    """Where the chequers are, ascending, by index: [N, chequers] int32."""
    if chequers not in range(1, MOST + 1):
        raise ValueError(f"chequers must be from 1 to {MOST}, not {chequers!r}")
    found = itertools.combinations_with_replacement(range(BAR + 1), chequers)
    return np.array(sorted(found, key=lambda places: places[::-1]), np.int32)


def index(places: Iterable[Any]) -> Any:
    """The index of a configuration, given one number or array for each chequer, ascending."""
    total, factorial = 0, 1
    for j, place in enumerate(places):
        factorial *= j + 1
        rising = place
        for k in range(1, j + 1):
            rising = rising * (place + k)
        total = total + rising // factorial
    return total


def number(places: Sequence[int]) -> int:
    """The index of chequers at these places, in any order."""
    if not all(0 <= place <= BAR for place in places):
        raise ValueError(f"places must be from 0 (off) to {BAR} (bar), not {list(places)}")
    return index(sorted(places))


@functools.cache
def steps(chequers: int) -> Steps:
    """What each die can do with that many chequers a side."""
    where = configurations(chequers)
    none = len(where)
    following = np.full((6, chequers, none + 1), none, np.int32)
    target = np.zeros_like(following)
    hit = np.tile(np.arange(none + 1, dtype=np.int32), (BAR, 1))
    for here, places in enumerate(where.tolist()):
        for die in range(1, 7):
            for way, source in enumerate(_sources(places, die)):
                onto = max(source - die, 0)
                following[die - 1, way, here] = number(_moved(places, source, onto))
                target[die - 1, way, here] = onto
        for place in {*places} - {0, BAR}:
            blot = places.count(place) == 1
            hit[BAR - place, here] = number(_moved(places, place, BAR)) if blot else none
    return Steps(following, target, hit)


def sharing(chequers: int) -> np.ndarray:
    """Pairs that are not positions, because both players hold one point: [W, W] bool."""
    where = configurations(chequers)
    on = np.zeros((len(where) + 1, BAR + 1), np.float32)
    np.put_along_axis(on[:-1], where, 1, axis=1)
    points = on[:, 1:BAR]
    return points @ points[:, ::-1].T > 0


def _sources(places: list[int], die: int) -> list[int]:
    """The places from which a chequer could move if the opponent were not on the board."""
    occupied = sorted({*places} - {0}, reverse=True)
    if BAR in occupied:
        return [BAR]
    rearmost = max(occupied, default=0)
    return [x for x in occupied if x > die or (rearmost <= HOME and x in (die, rearmost))]


def _moved(places: list[int], source: int, target: int) -> list[int]:
    rest = list(places)
    rest.remove(source)
    return [*rest, target]
