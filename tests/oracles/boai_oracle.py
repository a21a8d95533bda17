"""Abalone moves by abalone-boai.

Its own list of legal moves copies the whole game once per try. We try the same lines and
directions and let it judge and make each move, but put the board back ourselves.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import install
from engines import Case

from tests.reference import abalone as twin

ROW_LENGTHS = (5, 6, 7, 8, 9, 8, 7, 6, 5)  # I to A, the order of its rows and of our string


def cases(rng: Random, game: str, n: int) -> Iterator[Case]:
    """Positions of the twin's random games, and the moves; every fourth without broadsides."""
    install.package("abalone", "abalone-boai")
    for i, (board, to_move) in enumerate(twin.random_positions(rng, n)):
        broadside = i % 4 > 0
        record = {"board": board, "to_move": to_move, "broadside": broadside}
        yield record, sorted(_moves(board, to_move, broadside))


def _moves(board: str, to_move: str, broadside: bool) -> set[str]:
    from abalone.enums import Direction, Marble, Player
    from abalone.game import Game, IllegalMoveException

    symbols = {Marble.BLACK: "@", Marble.WHITE: "O", Marble.BLANK: "."}
    marbles = {symbol: marble for marble, symbol in symbols.items()}
    game = Game(first_turn=Player.BLACK if to_move == "black" else Player.WHITE)
    game.board = start = _rows([marbles[symbol] for symbol in board])
    reached = set()
    # A cell names the in-line move of its marble and all before it, a pair a broadside.
    for line in list(game.generate_own_marble_lines()):
        if isinstance(line, tuple) and not broadside:
            continue
        for direction in Direction:
            game.board = [list(row) for row in start]
            try:
                game.move(line, direction)
            except IllegalMoveException:
                continue
            reached.add("".join(symbols[marble] for row in game.board for marble in row))
    return reached


def _rows(cells: list[Any]) -> list[list[Any]]:
    remaining = iter(cells)
    return [[next(remaining) for _ in range(length)] for length in ROW_LENGTHS]
