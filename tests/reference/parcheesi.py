"""Parcheesi in plain Python: the slow twin with which the fast rules are compared.

Four players on their own. Each piece on its own path of numbers p (default castles):

    0          start circle                        65 .. 71   own home path, private
    1 .. 64    outer track, square 17k + 4 + p     72         home
               (mod 68); p = 64 is square 17k

Castles are the squares 0, 5, 12 mod 17, p = 1 being the one at 17k + 5. With the castles
0, 4, 13 a piece enters at 17k + 4 and still turns in behind 17k: 65 outer squares, the home
path is 66 .. 72 and home is 73.

Rules: Matthews 2006, section 3.4, and the Selchow & Righter instructions it cites.
Where they are silent: a play that wins is legal however few numbers it uses, also of the four
numbers of a double; the next player and the doubles of a finished game mean nothing.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

TRACK, ARM, HOME_PATH = 68, 17, 7
CAPTURE_BONUS, HOME_BONUS = 20, 10

Pieces = tuple[tuple[int, ...], ...]  # [player][piece] path numbers, ascending per player
Play = tuple[Pieces, int, int]  # pieces, next player, doubles already rolled in its turn
Around = dict[int, list[tuple[int, int]]]  # p -> (enemy, piece index) standing there


class Path:
    """Where the path numbers lie, for castles (home-path square, entry, third) mod 17."""

    def __init__(self, castles: tuple[int, int, int]):
        self.castles = castles
        self.track_end = TRACK + 1 - castles[1]  # p of the square 17k
        self.home = self.track_end + HOME_PATH + 1
        self.squares = [
            {p: (ARM * k + castles[1] + p - 1) % TRACK for p in range(1, self.track_end + 1)}
            for k in range(4)
        ]

    def square(self, player: int, p: int) -> int | None:
        """The absolute outer square 0..67 of a piece, None off the outer track."""
        return self.squares[player].get(p)

    def is_castle(self, s: int) -> bool:
        return s % ARM in self.castles

    def is_safe(self, player: int, p: int) -> bool:
        """Home path, home or castle; neither the start nor a blockade elsewhere."""
        s = self.square(player, p)
        return p != 0 if s is None else self.is_castle(s)


PATHS = {"0-5-12": Path((0, 5, 12)), "0-4-13": Path((0, 4, 13))}


@dataclass(frozen=True)
class Rules:
    """The options, each named as in the fast rules."""

    must_enter: bool = True  # a die showing five enters a piece if one can enter
    castles: str = "0-5-12"  # mod 17, the middle one being the entry; or "0-4-13"
    larger_die: bool = False  # if only one die can be used, it is the larger where possible
    third_double: str = "penalty"  # penalty | ends | played (and no fourth roll)
    move_blockade: bool = False  # the two pieces of a blockade may move on together
    own_blockade: bool = True  # a blockade stops its owner too
    double_choice: str = "all_or_nothing"  # or two_allowed: four numbers, or two dice
    entry_capture: bool = True  # a single enemy on the entry square is captured, else blocks

    def __post_init__(self) -> None:
        for name, allowed in (
            ("castles", tuple(PATHS)),
            ("third_double", ("penalty", "ends", "played")),
            ("double_choice", ("all_or_nothing", "two_allowed")),
        ):
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(f"{name} must be one of {allowed}, got {value!r}")

    @property
    def path(self) -> Path:
        return PATHS[self.castles]


def plays(
    pieces: Pieces, player: int, dice: tuple[int, int], *, doubles: int = 0, **options: Any
) -> set[Play]:
    """The distinct positions this roll can lead to; none once the game is over."""
    rules = Rules(**options)
    if winner(pieces, **options) is not None:
        return set()
    double = dice[0] == dice[1]
    third = double and doubles == 2
    boards = {pieces}
    if third and rules.third_double == "penalty":
        boards = {_penalty(pieces, player, rules.path.home)}
    elif not third or rules.third_double == "played":
        boards = Roll(pieces, player, dice, rules).boards()
    again = double and not third
    seat, rolled = (player, doubles + 1) if again else ((player + 1) % 4, 0)
    return {(board, seat, rolled) for board in boards}


def _penalty(pieces: Pieces, player: int, home: int) -> Pieces:
    """The piece nearest home that is not home goes back to start."""
    row = list(pieces[player])
    row[row.index(max(p for p in row if p != home))] = 0
    return _sorted(_replaced(pieces, player, tuple(row)))


class Roll:
    """The search through everything one roll allows. Pieces keep their index meanwhile."""

    def __init__(self, pieces: Pieces, player: int, dice: tuple[int, int], rules: Rules):
        self.pieces, self.player, self.dice, self.rules = pieces, player, dice, rules
        self.path = rules.path
        own = pieces[player]
        self.pairs = [
            (i, j, own[i])
            for i, j in combinations(range(4), 2)
            if own[i] == own[j] and 0 < own[i] < self.path.home
        ]
        self.seen: set[str] = set()  # what the search came across, for its features
        self._memory: dict[Pieces, Around] = {}

    def boards(self) -> set[Pieces]:
        a, b = self.dice
        if a != b or 0 in self.pieces[self.player]:
            return self.two_dice()
        four = self.four_numbers()
        if self.rules.double_choice == "two_allowed":
            two = self.two_dice()
            return two if not four else four | (two - {self.pieces})
        return four or {self.pieces}

    def two_dice(self) -> set[Pieces]:
        """Both dice if possible, else one, else no move."""
        ends = self._search(self.dice)
        wins = {board for board, _ in ends if self._won(board)}
        fewest_left = min(len(left) for _, left in ends)
        ends = {(board, left) for board, left in ends if len(left) == fewest_left}
        smaller = (min(self.dice),)
        if self.rules.larger_die and any(left == smaller for _, left in ends):
            ends = {(board, left) for board, left in ends if left == smaller}
        return {_sorted(board) for board in wins | {board for board, _ in ends}}

    def four_numbers(self) -> set[Pieces]:
        """All of a, a, 7-a, 7-a, or a win with fewer; empty if that is impossible."""
        a = self.dice[0]
        ends = self._search((a, a, 7 - a, 7 - a))
        return {_sorted(board) for board, left in ends if not left or self._won(board)}

    def _search(self, numbers: tuple[int, ...]) -> set[tuple[Pieces, tuple[int, ...]]]:
        """Every (board, numbers left) that some sequence reaches, bonus moves made."""
        reached = {(self.pieces, tuple(sorted(numbers)))}
        todo = list(reached)
        while todo:
            board, left = todo.pop()
            if self._won(board):
                continue
            steps = [
                (step, left[:i] + left[i + 1 :])
                for i, n in enumerate(left)
                for step in self._use(board, n)
            ]
            if len(left) == 2 and sum(left) == 5:
                steps += [(step, ()) for step in self._enter(board)]
            new = {(done, rest) for step, rest in steps for done in self._settle(*step)}
            todo += new - reached
            reached |= new
        return reached

    def _settle(self, board: Pieces, bonus: int) -> set[Pieces]:
        """The boards once the bonus, and any bonus it earns, is moved or lost."""
        if not bonus or self._won(board):
            return {board}
        steps = self._advance(board, bonus)
        self.seen.add(f"bonus {bonus} {'moved' if steps else 'lost'}")
        if any(again for _, again in steps):
            self.seen.add("bonus earns bonus")
        return {done for step in steps for done in self._settle(*step)} or {board}

    def _use(self, board: Pieces, n: int) -> list[tuple[Pieces, int]]:
        """Ways to use the number n: (board, bonus earned)."""
        entries = self._enter(board) if n == 5 else []
        if entries and self.rules.must_enter:
            return entries
        return entries + self._advance(board, n)

    def _enter(self, board: Pieces) -> list[tuple[Pieces, int]]:
        own = board[self.player]
        if 0 not in own:
            return []
        if self._blockaded(own, self._around(board), 1, landing=True):
            self.seen.add("entry blockaded")
            return []
        landed = self._land(board, own.index(0), 1)
        return [landed] if landed else []

    def _advance(self, board: Pieces, n: int) -> list[tuple[Pieces, int]]:
        """Every move of one piece by n."""
        own, around = board[self.player], self._around(board)
        moves = []
        for i, p in enumerate(own):
            q = p + n
            if p == 0 or q > self.path.home:
                continue
            way = range(p + 1, q + 1)
            if any(self._blockaded(own, around, r, landing=r == q) for r in way):
                self.seen.add("blockade in the way")
            elif landed := self._land(board, i, q):
                moves.append(landed)
        return moves

    def _blockaded(
        self, own: tuple[int, ...], around: Around, p: int, *, landing: bool
    ) -> bool:
        """Two pieces of one colour at p; an own pair always forbids a third piece."""
        if p != self.path.home and own.count(p) == 2 and (landing or self.rules.own_blockade):
            return True
        return len(around.get(p, ())) == 2

    def _around(self, board: Pieces) -> Around:
        """Where the enemies stand, by the mover's path numbers."""
        others = _replaced(board, self.player, ())
        if others not in self._memory:
            steps = {s: p for p, s in self.path.squares[self.player].items()}
            around: Around = {}
            for k, row in enumerate(others):
                for i, q in enumerate(row):
                    if (s := self.path.square(k, q)) in steps:
                        around.setdefault(steps[s], []).append((k, i))
            self._memory[others] = around
        return self._memory[others]

    def _land(self, board: Pieces, i: int, q: int) -> tuple[Pieces, int] | None:
        """Put own piece i on q: (board, bonus earned), None if it may not stand there."""
        own = board[self.player]
        if not self.rules.move_blockade and self._moves_pair(own, i, q):
            self.seen.add("moved blockade refused")
            return None
        entering = own[i] == 0
        bonus = HOME_BONUS if q == self.path.home else 0
        for enemy, found in self._around(board).get(q, ()):  # one at most: no blockade here
            castle = self.path.is_castle(self.path.squares[self.player][q])
            if castle and not (entering and self.rules.entry_capture):
                self.seen.add("entry refused" if entering else "castle refused")
                return None
            self.seen.add("entry capture" if entering else "capture")
            bonus = CAPTURE_BONUS
            board = _replaced(board, enemy, _with(board[enemy], found, 0))
        return _replaced(board, self.player, _with(own, i, q)), bonus

    def _moves_pair(self, own: tuple[int, ...], i: int, q: int) -> bool:
        """Whether a blockade of the beginning of the roll would stand together elsewhere."""
        return q < self.path.home and any(
            i in (a, b) and own[b if i == a else a] == q != at for a, b, at in self.pairs
        )

    def _won(self, board: Pieces) -> bool:
        return all(p == self.path.home for p in board[self.player])


def _with(row: tuple[int, ...], i: int, p: int) -> tuple[int, ...]:
    return (*row[:i], p, *row[i + 1 :])


def _replaced(board: Pieces, player: int, row: tuple[int, ...]) -> Pieces:
    return (*board[:player], row, *board[player + 1 :])


def _sorted(board: Pieces) -> Pieces:
    return tuple(tuple(sorted(row)) for row in board)


def winner(pieces: Pieces, **options: Any) -> int | None:
    """The player with four pieces home, if any."""
    home = Rules(**options).path.home
    return next((k for k, row in enumerate(pieces) if all(p == home for p in row)), None)


def over(pieces: Pieces, **options: Any) -> bool:
    return winner(pieces, **options) is not None


def initial() -> Pieces:
    """Any player may start."""
    return ((0,) * 4,) * 4


def valid(pieces: Pieces, **options: Any) -> bool:
    """Whether no two colours share a square and no colour has three on one."""
    path = Rules(**options).path
    squares = [path.square(k, p) for k, row in enumerate(pieces) for p in set(row)]
    outer = [s for s in squares if s is not None]
    crowded = any(row.count(p) > 2 for row in pieces for p in row if 0 < p < path.home)
    return not crowded and len(set(outer)) == len(outer)
