"""The smart features of pachisi and Parcheesi in plain Python, as they are defined.

Matthews 2006, section 5.4: turn, pip, worst, best, contact, exposure, hit and blockade, each of
four players. Hit and blockade are found by making all plays.
"""

from collections.abc import Iterable
from itertools import combinations_with_replacement

from . import pachisi, parcheesi
from .pachisi import Bools, Pieces


def pachisi_smart(turn: pachisi.Turn) -> list[float]:
    """32 features before division."""
    squares = [[pachisi.square(k, p) for p in row] for k, row in enumerate(turn.pieces)]
    contact, exposure = [], []
    for k, row in enumerate(turn.pieces):
        enemies = [s for other in ((k + 1) % 4, (k + 3) % 4) for s in squares[other]]
        ahead = [
            {pachisi.square(k, q) for q in range(max(p + 1, pachisi.END_OUT), 77)} for p in row
        ]
        contact.append(_count(s in track for track in ahead for s in enemies if s is not None))
        outside = [s for s in squares[k] if s is not None]
        exposure.append(_count(s % pachisi.ARM not in pachisi.CASTLES for s in outside))
    chances = pachisi_chances(turn.pieces, turn.entered)
    return [*_progress(turn.pieces, turn.player, pachisi.HOME), *contact, *exposure, *chances]


def pachisi_chances(pieces: Pieces, entered: Bools) -> list[float]:
    """Hit of four players, then blockade of four."""
    hit, blockade = [0.0] * 4, [0.0] * 4
    for player in (k for k in range(4) if not pachisi.finished(pieces[k])):
        for throw, weight in pachisi.WEIGHTS.items():
            turn = pachisi.Turn(pieces, entered, player, throw, 0, pachisi.NOBODY)
            found = pachisi.choices(turn)
            blockade[player] += weight / 64 * (len(found) == 1)
            for victim in ((player + 1) % 4, (player + 3) % 4):
                before = pieces[victim].count(0)
                captures = any(c.pieces[victim].count(0) > before for c in found)
                hit[victim] += weight / 128 * captures
    return [*hit, *blockade]


def parcheesi_plain(pieces: Pieces, player: int) -> list[float]:
    """The first 24 features before division: all but hit and blockade."""
    path = parcheesi.PATHS["0-5-12"]
    squares = [[path.square(k, p) for p in row] for k, row in enumerate(pieces)]
    contact, exposure = [], []
    for k, row in enumerate(pieces):
        enemies = [s for other in range(4) if other != k for s in squares[other]]
        ahead = [{path.square(k, q) for q in range(p + 1, path.track_end + 1)} for p in row]
        contact.append(_count(s in track for track in ahead for s in enemies if s is not None))
        alone = [s for s in squares[k] if s is not None and squares[k].count(s) == 1]
        exposure.append(_count(not path.is_castle(s) for s in alone))
    return [*_progress(pieces, player, path.home), *contact, *exposure]


class _WithoutBonus(parcheesi.Roll):
    def _settle(self, board: Pieces, bonus: int) -> set[Pieces]:
        return {board}


def parcheesi_chances(pieces: Pieces, **options: bool) -> list[float]:
    """Hit of four players, then blockade of four."""
    hit, blockade = [0.0] * 4, [0.0] * 4
    rules = parcheesi.Rules(**options)
    for player in range(4):
        for dice in combinations_with_replacement(range(1, 7), 2):
            weight = 1 if dice[0] == dice[1] else 2
            roll = _WithoutBonus(pieces, player, dice, rules)
            blockade[player] += weight / 36 * all(left for _, left in roll._search(dice))
            boards = roll.boards()
            for victim in {0, 1, 2, 3} - {player}:
                before = pieces[victim].count(0)
                hit[victim] += weight / 108 * any(x[victim].count(0) > before for x in boards)
    return [*hit, *blockade]


def _progress(pieces: Pieces, player: int, home: int) -> list[int]:
    """Turn, pip, worst and best of four players."""
    left = [[home - p for p in row] for row in pieces]
    turn = [int(k == player) for k in range(4)]
    return [*turn, *map(sum, left), *map(max, left), *map(min, left)]


def _count(found: Iterable[bool]) -> int:
    return sum(found)
