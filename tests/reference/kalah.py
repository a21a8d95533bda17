"""Kalah(m, n) in plain Python: any number m of pits a side, n seeds in each at the start.

            North m .. 2  1                  a board is a tuple
    store N                 store S          (S1..Sm, store S, N1..Nm, store N)
            South 1  2 .. m                  South is 0, North is 1

Seeds run counter-clockwise, past the own store and never into the opponent's. Pit i of one side
faces pit m + 1 - i of the other.

Two rule sets differ when the last seed falls in an own empty pit that faces an empty pit: it
stays there (default), or it goes to the store (`empty_capture`, the rules of Irving, Donkers &
Uiterwijk 2000, "Solving Kalah").
"""

from random import Random

Board = tuple[int, ...]
Play = tuple[Board, int, bool]  # board after the sowing, who sows next, is the game over


def start(pits: int, seeds: int) -> Board:
    """The opening board; South (0) sows first."""
    return ((seeds,) * pits + (0,)) * 2


def plays(board: Board, mover: int, *, empty_capture: bool = False) -> dict[int, Play]:
    """What each legal pit (1..m, counted along the mover's way of sowing) leads to.

    If the game ends, the seeds left in the pits are already in their owners' stores. A finished
    board has no plays.
    """
    if over(board):
        return {}
    side = len(board) // 2
    return {
        pit: _sow(board, mover, pit, empty_capture)
        for pit in range(1, side)
        if board[mover * side + pit - 1]
    }


def _sow(board: Board, mover: int, pit: int, empty_capture: bool) -> Play:
    side = len(board) // 2
    own_store = mover * side + side - 1
    their_store = (1 - mover) * side + side - 1
    cups = list(board)

    place = mover * side + pit - 1
    in_hand, cups[place] = cups[place], 0
    while in_hand:
        place = (place + 1) % len(cups)
        if place != their_store:
            cups[place] += 1
            in_hand -= 1

    on_own_side = mover * side <= place < own_store
    if on_own_side and cups[place] == 1:
        facing = 2 * side - 2 - place
        if cups[facing] or empty_capture:
            cups[own_store] += cups[place] + cups[facing]
            cups[place] = cups[facing] = 0

    next_mover = mover if place == own_store else 1 - mover
    ended = over(tuple(cups))
    return (_swept(cups) if ended else tuple(cups)), next_mover, ended


def over(board: Board) -> bool:
    """Whether the pits of either side are all empty, whoever is to move."""
    side = len(board) // 2
    return not any(board[: side - 1]) or not any(board[side:-1])


def _swept(cups: list[int]) -> Board:
    side = len(cups) // 2
    empty = (0,) * (side - 1)
    return (*empty, sum(cups[:side]), *empty, sum(cups[side:]))


def difference(board: Board) -> int:
    """South's store minus North's: the score once the game is over."""
    return board[len(board) // 2 - 1] - board[-1]


def perft(board: Board, mover: int, depth: int, *, empty_capture: bool = False) -> int:
    """Number of ways to sow `depth` times in a row; a finished game has no continuation."""
    if depth == 0:
        return 1
    return sum(
        perft(after, next_mover, depth - 1, empty_capture=empty_capture)
        for after, next_mover, _ in plays(board, mover, empty_capture=empty_capture).values()
    )


def solve(pits: int, seeds: int, empty_capture: bool = False) -> int:
    """Final store difference for the first player when both play perfectly."""
    return Solver(empty_capture).value(start(pits, seeds), 0)


class Solver:
    """Exact values by alpha-beta search with a memory of proven bounds.

    What is still to be won depends on the pits alone, so positions are remembered from the
    mover's side with both stores emptied. Max and min follow the player to move, not the depth,
    because a sowing that ends in the store is followed by another of the same player.
    """

    def __init__(self, empty_capture: bool = False) -> None:
        self.empty_capture = empty_capture
        self.bounds: dict[Board, tuple[int, int]] = {}

    def value(self, board: Board, mover: int) -> int:
        """Final store difference for `mover`, who sows now, by zero-width windows (MTD(f))."""
        sign = 1 if mover == 0 else -1
        pits = _for_mover(board, mover)
        low, high = -sum(pits), sum(pits)
        guess = 0
        while low < high:
            beta = guess + 1 if guess == low else guess
            guess = self._search(pits, beta - 1, beta)
            low, high = (low, guess) if guess < beta else (guess, high)
        return sign * difference(board) + low

    def _search(self, pits: Board, alpha: int, beta: int) -> int:
        """A bound on the mover's further gain that decides whether it reaches `beta`."""
        total = sum(pits)
        low, high = self.bounds.get(pits, (-total, total))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        best = -total
        children = plays(pits, 0, empty_capture=self.empty_capture).values()
        for after, next_mover, ended in sorted(children, key=_promise, reverse=True):
            gain = difference(after)
            if not ended:
                rest, floor = _for_mover(after, next_mover), max(alpha, best)
                if next_mover == 0:
                    gain += self._search(rest, floor - gain, beta - gain)
                else:
                    gain -= self._search(rest, gain - beta, gain - floor)
            best = max(best, gain)
            if best >= beta:
                break
        self.bounds[pits] = (best, high) if best >= beta else (low, best)
        return best


def _for_mover(board: Board, mover: int) -> Board:
    """The board with `mover`'s side first and both stores empty."""
    side = len(board) // 2
    south, north = board[: side - 1], board[side:-1]
    own, theirs = (south, north) if mover == 0 else (north, south)
    return (*own, 0, *theirs, 0)


def _promise(play: Play) -> tuple[bool, int]:
    """Which sowing to search first: another turn, then what goes to the store."""
    after, next_mover, _ = play
    return next_mover == 0, difference(after)


def random_positions(
    rng: Random, n: int, *, pits: int = 6, seeds: int = 4, empty_capture: bool = False
) -> list[tuple[Board, int]]:
    """`n` unfinished boards, each with the player to sow, from games played at random."""
    found: list[tuple[Board, int]] = []
    while len(found) < n:
        board, mover, ended = start(pits, seeds), 0, False
        while not ended:
            if rng.random() < 0.3:
                found.append((board, mover))
            choices = plays(board, mover, empty_capture=empty_capture)
            board, mover, ended = choices[rng.choice(sorted(choices))]
    return found[:n]
