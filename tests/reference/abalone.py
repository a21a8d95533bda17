"""Abalone in plain Python.

A board is a string of 61 characters, row I first, each row left to right, '@' black, 'O' white,
'.' empty. Cell names are a row letter and the number of a diagonal:

          I 5 6 7 8 9
         H 4 . . . . 9                NW   NE        row up, same number / row up, number up
        G 3 . . . . . 9                 \\ /
       F 2 . . . . . . 9             W -- o -- E     same row
      E 1 . . . . . . . 9               / \\
       D 1 . . . . . . 8              SW   SE        row down, number down / same number
        C 1 . . . . . 7
         B 1 . . . . 6
          A 1 2 3 4 5

Moves as in the game's published rules: one, two or three marbles in a line step together; two
or three may push fewer enemies along their line; sideways ("broadside") steps never push.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

SYMBOL = {"black": "@", "white": "O"}
OTHER = {"black": "white", "white": "black"}
ROWS = "ABCDEFGHI"
DIRECTIONS = {
    "E": (0, 1),
    "W": (0, -1),
    "NE": (1, 1),
    "SW": (-1, -1),
    "NW": (1, 0),
    "SE": (-1, 0),
}
BACK = {"E": "W", "W": "E", "NE": "SW", "SW": "NE", "NW": "SE", "SE": "NW"}
MARBLES, TO_EJECT = 14, 6

_CELLS = [  # (row, number - 1) in the order of the board string
    (row, column)
    for row in range(8, -1, -1)
    for column in range(max(0, row - 4), min(8, row + 4) + 1)
]
_INDEX = {cell: index for index, cell in enumerate(_CELLS)}
CELL_NAMES = [f"{ROWS[row]}{column + 1}" for row, column in _CELLS]
NEIGHBOUR = {  # direction -> for each cell the index of the next one, None beyond the rim
    name: [_INDEX.get((row + up, column + right)) for row, column in _CELLS]
    for name, (up, right) in DIRECTIONS.items()
}

_LAYOUT_CELLS = {  # black's marbles, white's marbles
    "standard": (
        "A1 A2 A3 A4 A5 B1 B2 B3 B4 B5 B6 C3 C4 C5",
        "G5 G6 G7 H4 H5 H6 H7 H8 H9 I5 I6 I7 I8 I9",
    ),
    "belgian_daisy": (
        "A1 A2 B1 B2 B3 C2 C3 G7 G8 H7 H8 H9 I8 I9",
        "A4 A5 B4 B5 B6 C5 C6 G4 G5 H4 H5 H6 I5 I6",
    ),
    "german_daisy": (
        "B1 B2 C1 C2 C3 D2 D3 F7 F8 G7 G8 G9 H8 H9",
        "B5 B6 C5 C6 C7 D6 D7 F3 F4 G3 G4 G5 H4 H5",
    ),
    "snakes": (
        "A1 A2 A3 A4 A5 B6 C7 D4 D5 D8 E6 E8 F7 F8",
        "D2 D3 E2 E4 F2 F5 F6 G3 H4 I5 I6 I7 I8 I9",
    ),
    "alien_attack": (
        "A1 A3 A5 B2 B5 C2 C4 C6 D4 D5 G5 G7 H6 H7",
        "B3 B4 C3 C5 F5 F6 G4 G6 G8 H5 H8 I5 I7 I9",
    ),
    "the_wall": (
        "A3 C2 C3 C4 C5 C6 D1 D2 D3 D4 D5 D6 D7 D8",
        "F2 F3 F4 F5 F6 F7 F8 F9 G4 G5 G6 G7 G8 I7",
    ),
}


def board_of(black: str, white: str) -> str:
    """The board string with marbles on the named cells, e.g. board_of("A1 A2", "I9")."""
    colour = dict.fromkeys(black.split(), "@") | dict.fromkeys(white.split(), "O")
    assert set(colour) <= set(CELL_NAMES), f"no such cell in {black!r} or {white!r}"
    return "".join(colour.get(name, ".") for name in CELL_NAMES)


LAYOUTS = {name: board_of(black, white) for name, (black, white) in _LAYOUT_CELLS.items()}


def plays(board: str, to_move: str, *, broadside: bool = True) -> set[str]:
    """All boards that one legal move leads to (whether or not the game is over)."""
    return {after for kind, after in moves(board, to_move) if broadside or kind != "broadside"}


def classify(board: str, to_move: str) -> Counter[str]:
    """How many legal moves there are of each kind: single, in-line, push, eject, broadside."""
    return Counter(kind for kind, _ in moves(board, to_move))


def moves(board: str, to_move: str) -> Iterator[tuple[str, str]]:
    """Every legal move, a group of marbles and a direction, as (kind, board afterwards)."""
    own = SYMBOL[to_move]
    for tail, marble in enumerate(board):
        if marble != own:
            continue
        for direction in DIRECTIONS:
            target = NEIGHBOUR[direction][tail]
            if target is not None and board[target] == ".":
                yield "single", _shift(board, [tail], direction)
        # A line is found once, from its end, if it is followed in three of the six directions.
        for axis in ("E", "NE", "NW"):
            for group in _lines(board, tail, axis):
                for direction in DIRECTIONS:
                    if direction in (axis, BACK[axis]):
                        ordered = group if direction == axis else group[::-1]
                        move = _in_line(board, ordered, direction)
                    else:
                        move = _broadside(board, group, direction)
                    if move is not None:
                        yield move


def _lines(board: str, tail: int, axis: str) -> Iterator[list[int]]:
    """The lines of two and of three marbles of one colour that begin at `tail`."""
    second = NEIGHBOUR[axis][tail]
    if second is not None and board[second] == board[tail]:
        yield [tail, second]
        third = NEIGHBOUR[axis][second]
        if third is not None and board[third] == board[tail]:
            yield [tail, second, third]


def _in_line(board: str, group: list[int], direction: str) -> tuple[str, str] | None:
    """Move a line, its last marble leading, along itself; None if that is not legal."""
    own, following = board[group[0]], NEIGHBOUR[direction]
    front = following[group[-1]]
    if front is None or board[front] == own:
        return None
    run = []
    place: int | None = front
    while place is not None and board[place] not in (own, "."):
        run.append(place)
        place = following[place]
    behind_is_free = place is None or board[place] == "."
    if len(run) >= len(group) or not behind_is_free:
        return None
    kind = "in-line" if not run else "eject" if place is None else "push"
    return kind, _shift(board, group + run, direction)


def _broadside(board: str, group: list[int], direction: str) -> tuple[str, str] | None:
    """Move a line sideways into empty cells; None if one of them is not there or not empty."""
    targets = [NEIGHBOUR[direction][cell] for cell in group]
    if any(target is None or board[target] != "." for target in targets):
        return None
    return "broadside", _shift(board, group, direction)


def _shift(board: str, group: list[int], direction: str) -> str:
    """Every marble of `group` one cell further; what leaves the board is gone."""
    cells = list(board)
    for cell in group:
        cells[cell] = "."
    for cell in group:
        target = NEIGHBOUR[direction][cell]
        if target is not None:
            cells[target] = board[cell]
    return "".join(cells)


def ejected(board: str) -> dict[str, int]:
    """The score: how many enemy marbles each side has ejected."""
    return {side: MARBLES - board.count(SYMBOL[OTHER[side]]) for side in SYMBOL}


def over(board: str) -> bool:
    """Whether a side has ejected six marbles."""
    return max(ejected(board).values()) >= TO_EJECT


def winner(board: str) -> str | None:
    """The side that has ejected six marbles, if any."""
    return next((side for side, count in ejected(board).items() if count >= TO_EJECT), None)


def perft(board: str, to_move: str, depth: int, *, broadside: bool = True) -> int:
    """Number of sequences of `depth` moves; a finished game has no continuation."""
    if depth == 0:
        return 1
    if over(board):
        return 0
    after = plays(board, to_move, broadside=broadside)
    if depth == 1:
        return len(after)
    return sum(perft(b, OTHER[to_move], depth - 1, broadside=broadside) for b in after)


def random_positions(
    rng: Random, n: int, *, layout: str | None = None, broadside: bool = True
) -> list[tuple[str, str]]:
    """`n` unfinished boards, each with the side to move, from games played at random.

    Games start from `layout`, or from each layout in turn. Now and then a player pushes if it
    can: uniformly random players drift apart and hardly ever bring a game to its end.
    """
    names = [layout] if layout else list(LAYOUTS)
    found: list[tuple[str, str]] = []
    games = 0
    while len(found) < n:
        board, to_move = LAYOUTS[names[games % len(names)]], "black"
        games += 1
        for _ in range(600):
            if rng.random() < 0.1:
                found.append((board, to_move))
            choices = [m for m in moves(board, to_move) if broadside or m[0] != "broadside"]
            if rng.random() < 0.3:
                choices = [m for m in choices if m[0] in ("push", "eject")] or choices
            _, board = rng.choice(choices)
            to_move = OTHER[to_move]
            if over(board):
                break
    return found[:n]
