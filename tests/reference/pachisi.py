"""Pachisi in plain Python: the slow twin with which the fast rules are compared.

Four players, teams {0, 2} and {1, 3}, each piece on its own path of numbers p:

    0          Charkoni, not started          76         own end square again, lap complete
    1 .. 7     down the own middle column     77 .. 83   up the own middle column
    8 .. 75    outer track                    84         Charkoni, home

For 8 <= p <= 76 the absolute square is (17 * player + p - 8) mod 68; squares 0, 4 and 13 mod 17
are castles. Rules: Matthews 2006, section 3.3, and the rules of pachisi it cites.

Where the sources are silent: a forced pass counts as a pass in the pass history; the player
named as next in a finished game is the next one with a piece not home.
"""

from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

START, END_OUT, END_BACK, HOME = 0, 8, 76, 84
TRACK, ARM = 68, 17
CASTLES = (0, 4, 13)  # mod ARM
WEIGHTS = {25: 1, 10: 6, 2: 15, 3: 20, 4: 15, 5: 6, 6: 1}  # of 64: 0, 1, .. 6 cowries up
THROWS = tuple(WEIGHTS)
GRACES = (25, 10, 6)

Pieces = tuple[tuple[int, ...], ...]  # [player][piece] path numbers, ascending per player
Bools = tuple[bool, ...]  # [player]

NOBODY: Bools = (False,) * 4


@dataclass(frozen=True)
class Rules:
    """The options, each named as in the fast rules."""

    exact: bool = False  # a piece needs the exact count to go home
    free_entry: str = "once"  # without grace: once per player | never | none_out
    entry: str = "count"  # a piece enters to p = throw (count) or to p = 1 (first)
    grace_on_pass: bool = True  # a grace gives another throw even if it was not used
    capture_throws_again: bool = False
    extra_circuit: bool = True
    passing: str = "free"  # free | no_pass_after_three | not_twice | forced_only
    start: str = "random"

    def __post_init__(self) -> None:
        for name, allowed in (
            ("free_entry", ("once", "never", "none_out")),
            ("entry", ("count", "first")),
            ("passing", ("free", "no_pass_after_three", "not_twice", "forced_only")),
            ("start", ("random",)),
        ):
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"{name} must be one of {allowed}, got {getattr(self, name)!r}"
                )


class Choice(NamedTuple):
    """One way to use a throw."""

    moved: tuple[int, int] | None  # (from, to), None for a pass
    captured: int  # number of enemy pieces sent back
    pieces: Pieces
    entered: Bools
    seat: int  # who throws next


class Turn(NamedTuple):
    """A position and a throw, all that `choices` needs."""

    pieces: Pieces
    entered: Bools
    player: int
    throw: int
    run: int  # passes in a row just before, any player, at most 3
    passed: Bools  # whether each player passed on its previous throw


def plays(
    pieces: Pieces,
    entered: Bools,
    player: int,
    throw: int,
    *,
    run: int = 0,
    passed: Bools = NOBODY,
    **options: Any,
) -> set[tuple[Pieces, Bools, int]]:
    """The distinct positions this throw can lead to: (pieces, entered, next player)."""
    turn = Turn(pieces, entered, player, throw, run, passed)
    return {(c.pieces, c.entered, c.seat) for c in choices(turn, **options)}


def choices(turn: Turn, **options: Any) -> list[Choice]:
    """Pass first, then the pieces from the rearmost on, going home before staying out.

    Two own pieces on the same p are one choice. None at all once the game is over.
    """
    rules = Rules(**options)
    if over(turn.pieces):
        return []
    moves = [
        _move(turn, p, target, rules)
        for p in sorted(set(turn.pieces[turn.player]))
        for target in targets(turn, p, rules)
        if not refused(turn.pieces, turn.player, target)
    ]
    return [_pass(turn, rules), *moves] if not moves or _may_pass(turn, rules) else moves


def targets(turn: Turn, p: int, rules: Rules) -> list[int]:
    """Where a piece at p may go, before looking at who stands there."""
    if p == HOME:
        return []
    if p == START:
        if turn.throw in GRACES or _enters_free(turn, rules):
            return [turn.throw if rules.entry == "count" else 1]
        return []
    far = p + turn.throw
    targets = []
    if far <= HOME or not rules.exact:
        targets.append(min(far, HOME))
    if rules.extra_circuit and p <= END_BACK < far:
        targets.append(END_OUT + far - END_BACK)
    return targets


def _enters_free(turn: Turn, rules: Rules) -> bool:
    if rules.free_entry == "once":
        return not turn.entered[turn.player]
    none_out = all(p in (START, HOME) for p in turn.pieces[turn.player])
    return rules.free_entry == "none_out" and none_out


def refused(pieces: Pieces, player: int, target: int) -> bool:
    """A castle held by an enemy may not be landed on."""
    s = square(player, target)
    return s is not None and s % ARM in CASTLES and bool(enemies_on(pieces, player, s))


def _may_pass(turn: Turn, rules: Rules) -> bool:
    """Whether the pass is allowed although a piece could move."""
    return {
        "free": True,
        "no_pass_after_three": turn.run < 3,
        "not_twice": not turn.passed[turn.player],
        "forced_only": False,
    }[rules.passing]


def _pass(turn: Turn, rules: Rules) -> Choice:
    again = turn.throw in GRACES and rules.grace_on_pass
    seat = next_player(turn.pieces, turn.player, again)
    return Choice(None, 0, turn.pieces, turn.entered, seat)


def _move(turn: Turn, p: int, target: int, rules: Rules) -> Choice:
    board = [list(row) for row in turn.pieces]
    board[turn.player][board[turn.player].index(p)] = target
    s = square(turn.player, target)
    captured = enemies_on(turn.pieces, turn.player, s)
    for enemy, i in captured:
        board[enemy][i] = START
    pieces = tuple(tuple(sorted(row)) for row in board)
    entered = tuple(e or k == turn.player for k, e in enumerate(turn.entered))
    again = turn.throw in GRACES or (rules.capture_throws_again and bool(captured))
    seat = next_player(pieces, turn.player, again)
    return Choice((p, target), len(captured), pieces, entered, seat)


def square(player: int, p: int) -> int | None:
    """The absolute outer square 0..67 of a piece, None off the outer track."""
    return (ARM * player + p - END_OUT) % TRACK if END_OUT <= p <= END_BACK else None


def enemies_on(pieces: Pieces, player: int, s: int | None) -> list[tuple[int, int]]:
    """(enemy, piece index) of everything the other team has on outer square s."""
    return [
        (enemy, i)
        for enemy in ((player + 1) % 4, (player + 3) % 4)
        for i, p in enumerate(pieces[enemy])
        if s is not None and square(enemy, p) == s
    ]


def is_safe(player: int, p: int) -> bool:
    """Private column, castle or home; not the start."""
    s = square(player, p)
    return p != START if s is None else s % ARM in CASTLES


def finished(row: tuple[int, ...]) -> bool:
    return all(p == HOME for p in row)


def next_player(pieces: Pieces, player: int, again: bool) -> int:
    """Who throws next; players with four pieces home are left out, even after a grace."""
    order = range(player if again else player + 1, player + 5)
    return next(k % 4 for k in order if not finished(pieces[k % 4]))


def winner(pieces: Pieces) -> int | None:
    """The team (0: players 0 and 2, 1: players 1 and 3) with eight pieces home, if any."""
    wins = (t for t in (0, 1) if finished(pieces[t]) and finished(pieces[t + 2]))
    return next(wins, None)


def over(pieces: Pieces) -> bool:
    return winner(pieces) is not None


def initial() -> tuple[Pieces, Bools]:
    """Pieces and `entered` at the beginning; any player may start."""
    return ((START,) * 4,) * 4, NOBODY


def throw_cowries(rng: Random) -> int:
    return rng.choices(THROWS, tuple(WEIGHTS.values()))[0]


def pass_history(turn: Turn, choice: Choice) -> tuple[int, Bools]:
    """`run` and `passed` for the throw after this one."""
    did = choice.moved is None
    passed = tuple(did if k == turn.player else b for k, b in enumerate(turn.passed))
    return min(turn.run + 1, 3) if did else 0, passed


def valid(pieces: Pieces, entered: Bools) -> bool:
    """Whether the two teams share no outer square and whoever is out has entered."""
    shared = any(enemies_on(pieces, k, square(k, p)) for k in range(4) for p in pieces[k])
    return not shared and all(e or not any(row) for row, e in zip(pieces, entered, strict=True))
