"""The values of Abalone positions, by hand and against plain Python on boards as text."""

import itertools
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games import abalone
from tdlib.show.notation.abalone import parse
from tdlib.values import abalone as values
from tests.reference import abalone as twin

SIDES = ("black", "white")
SEATS = pytest.mark.parametrize("seat", [0, 1])

#       I O O O O O          Nine black stones, ten white ones: white has ejected 5, black 4.
#      H . . . . . .
#     G . . . . . . .        Distances to the centre: black 6 x 1 (around E5), B3 3, A1 4 = 13;
#    F . . . @ @ O . .       white 5 x 4 (row I), F7 2, E7 2, C3 2, B2 3, A5 4 = 33.
#   E . . . @ @ @ O . .
#    D . . . @ @ . . .       Rows, black: the seven have, in each of three directions, rows of
#     C . . O . . . .        2, 3 and 2; A1 and B3 stand alone (A1-B2 is an enemy).
#      B . O @ . . .         White: row I of 5; E7-F7 and B2-C3, pairs.
#       A @ . . . O
BOARD = """
    OOOOO
   ......
  .......
 ...@@O..
...@@@O..
 ...@@...
  ..O....
   .O@...
    @...O @
"""


def valued(value, weights, seat, board=BOARD):
    result = jax.jit(value)(weights, parse(board), jnp.int32(seat))
    assert result.shape == () and result.dtype == jnp.float32
    return float(result)


def both(seat, black_minus_white):
    return black_minus_white if seat == 0 else -black_minus_white


@SEATS
def test_material_is_stones_ejected_less_stones_lost(seat):
    assert valued(values.material, (), seat) == both(seat, 4 - 5)


@SEATS
def test_centre_is_distances_and_a_hundred_a_stone(seat):
    assert valued(values.centre, values.Centre(), seat) == both(seat, 33 - 13 - 100)
    assert valued(values.centre, values.Centre(2.0, 10.0), seat) == both(seat, 40 - 10)


@pytest.mark.parametrize(
    "heuristic, black_minus_white",
    [
        ("gravity", (4 * 9 - 13) - (4 * 10 - 33)),
        ("rows", 3 * (1 + 2 + 1) - (2 + 1 + 1)),
        ("packed", 2 * 3 * (1 + 2 + 1) - 2 * (4 + 1 + 1)),
        ("kill", 2**4 - 2**5),
    ],
)
@SEATS
def test_four_heuristics_of_friedman_and_ibarra(seat, heuristic, black_minus_white):
    only = values.Friedman(0.0, 0.0, 0.0, 0.0)._replace(**{heuristic: 1.0})
    assert valued(values.friedman, only, seat) == both(seat, black_minus_white)


@SEATS
def test_heuristics_are_added_and_have_options(seat):
    everything = (23 - 7) + (12 - 4) + (24 - 12) + (16 - 32)
    assert valued(values.friedman, values.Friedman(), seat) == both(seat, everything)
    rows = values.Friedman(0.0, 1.0, 0.0, 0.0, windows=True)
    # black: a three has 2 pairs and 1 window; white's five 4 pairs and 3 windows
    expected = 3 * (1 + (2 + 2) + 1) - ((4 + 6) + 1 + 1)
    assert valued(values.friedman, rows, seat) == both(seat, expected)
    kill = values.Friedman(0.0, 0.0, 0.0, 1.0, base=3.0)
    assert valued(values.friedman, kill, seat) == both(seat, 3**4 - 3**5)
    gravity = values.Friedman(1.0, 0.0, 0.0, 0.0, border=10.0)
    assert valued(values.friedman, gravity, seat) == both(seat, (14 * 9 - 13) - (14 * 10 - 33))


@SEATS
def test_aba_pro_measures_from_a_point_between_the_sides(seat):
    # A black and a white line of three: centres of mass E3 and E7, so the point is
    # 0.35 E3 + 0.35 E7 + 0.3 E5 = E5, and both have distances 1, 2, 3.
    board = twin.board_of("E2 E3 E4", "E6 E7 E8")
    state = abalone.from_cells(np.array([".@O".index(c) for c in board], np.int8), 0)
    value = values.aba_pro(values.AbaPro(), state, jnp.int32(seat))
    assert float(value) == pytest.approx(0, abs=1e-4)
    # Without a weight of the centre the point is row 0.7 * 4, column 0.7 * 4 (counted from 0),
    # nearer to black's cells (4, 1..3) than to white's (4, 5..7).
    half = values.aba_pro(values.AbaPro(0.35, 0.0, 8.0), state, jnp.int32(seat))
    black = sum(max(1.2, abs(c - 2.8), abs(1.2 - (c - 2.8))) for c in (1, 2, 3))
    white = sum(max(1.2, abs(c - 2.8), abs(1.2 - (c - 2.8))) for c in (5, 6, 7))
    assert float(half) == pytest.approx(both(seat, white - black), abs=1e-4)


@SEATS
def test_a_lost_stone_counts_eight_steps_in_aba_pro(seat):
    board = twin.board_of("E2 E3 E4", "E6 E7 E8")
    fewer = twin.board_of("E2 E3 E4", "E7")  # same centre of mass, distances 2 instead of 6
    states = [
        abalone.from_cells(np.array([".@O".index(c) for c in b], np.int8), 0)
        for b in (board, fewer)
    ]
    one, two = (float(values.aba_pro(values.AbaPro(), s, jnp.int32(seat))) for s in states)
    assert two - one == pytest.approx(both(seat, 2 * 8 - 4), abs=1e-4)


@pytest.mark.parametrize(
    "after, pushes, closeness, border",
    [
        # E3 E4 E5 against E6: the three go on and push
        ("....@@@O.", 1, 0 + 1 + 2, 0),
        # E3 goes back to E2, E1 stays empty
        (".@.@@O...", -1, 3 + 1 + 0, 0),
    ],
)
def test_order_rates_a_move(after, pushes, closeness, border):
    # E . . @ @ @ O . . .  black to move; three black stones elsewhere would change nothing
    def state(row, seat):
        cells = "." * 26 + row + "." * 26
        return abalone.from_cells(np.array([".@O".index(c) for c in cells], np.int8), seat)

    key = values.order(values.Order(1.0, 10.0, 100.0), state("..@@@O...", 0), state(after, 1))
    assert float(key) == closeness + 10 * border + 100 * pushes


# Plain Python: sums over cells and pairs of cells of the board as text.


def cells_of(board, side):
    return [twin._CELLS[i] for i, c in enumerate(board) if c == twin.SYMBOL[side]]


def steps(one, two):
    up, right = one[0] - two[0], one[1] - two[1]
    return max(abs(up), abs(right), abs(up - right))


def off_centre(board, side):
    return sum(steps(cell, (4, 4)) for cell in cells_of(board, side))


def plain_rows(board, side, windows):
    """Points for runs, walked cell by cell; or for every pair and every three in a line."""
    own, points = set(cells_of(board, side)), 0
    for up, right in ((0, 1), (1, 1), (1, 0)):
        for row, column in own:
            run = 1
            while (row + run * up, column + run * right) in own:
                run += 1
            if windows:
                points += (run >= 2) + 2 * (run >= 3)
            elif (row - up, column - right) not in own:
                points += min(run, 3) - 1
    return points


def plain_friedman(weights, board, side):
    own = cells_of(board, side)
    gravity = sum(4 - steps(cell, (4, 4)) for cell in own)
    packed = sum(steps(a, b) == 1 for a, b in itertools.permutations(own, 2))
    kill = weights.base ** twin.ejected(board)[side] - 1
    rows = plain_rows(board, side, weights.windows)
    terms = zip(weights[:4], (gravity, rows, packed, kill), strict=True)
    return sum(weight * term for weight, term in terms)


def plain_aba_pro(weights, board, side):
    masses = [
        [sum(c[axis] for c in cells_of(board, s)) / len(cells_of(board, s)) for axis in (0, 1)]
        for s in SIDES
    ]
    aim = [weights.side * (masses[0][i] + masses[1][i]) + weights.centre * 4 for i in (0, 1)]

    def cube(cell):  # x + y + z = 0
        row, column = cell[0] - aim[0], cell[1] - aim[1]
        return column, -row, row - column

    far = sum(sum(map(abs, cube(cell))) / 2 for cell in cells_of(board, side))
    return -(far + weights.lost * (14 - len(cells_of(board, side))))


def plain_centre(weights, board, side):
    ejected = twin.ejected(board)[side]
    return weights.ejected * ejected - weights.distance * off_centre(board, side)


@pytest.mark.parametrize(
    "value, weights, plain",
    [
        (values.centre, values.Centre(), plain_centre),
        (values.friedman, values.Friedman(), plain_friedman),
        (values.friedman, values.Friedman(3.0, 5.0, 7.0, 0.5, 1.5), plain_friedman),
        (values.friedman, values.Friedman(0.0, 1.0, 0.0, 0.0, windows=True), plain_friedman),
        (values.aba_pro, values.AbaPro(), plain_aba_pro),
        (values.aba_pro, values.AbaPro(0.2, 0.6, 5.0), plain_aba_pro),
    ],
    ids=lambda x: getattr(x, "__name__", str(x)),
)
def test_values_of_random_positions(value, weights, plain):
    boards = [board for board, _ in twin.random_positions(Random(5), 300)]
    cells = np.array([[".@O".index(c) for c in board] for board in boards], np.int8)
    states = jax.vmap(abalone.from_cells, (0, None))(cells, 0)
    for seat, side in enumerate(SIDES):
        found = jax.jit(jax.vmap(value, (None, 0, None)))(weights, states, seat)
        own = np.array([plain(weights, board, side) for board in boards])
        other = np.array([plain(weights, board, twin.OTHER[side]) for board in boards])
        assert np.allclose(found, own - other, rtol=1e-5, atol=1e-3)


def test_order_of_the_moves_of_random_positions():
    weights = values.Order(-1.0, 0.5, 100.0)
    before, after, expected, seats = [], [], [], []
    for board, side in twin.random_positions(Random(6), 20):
        for kind, result in twin.moves(board, side):
            before.append(board)
            after.append(result)
            seats.append(SIDES.index(side))
            border = sum(steps(cell, (4, 4)) == 4 for cell in cells_of(result, side))
            push = 1 if kind in ("push", "eject") else -1
            expected.append(-off_centre(result, side) + 0.5 * border + 100 * push)
    assert len(expected) > 500

    def states(boards, seats):
        cells = np.array([[".@O".index(c) for c in board] for board in boards], np.int8)
        return jax.vmap(abalone.from_cells)(cells, seats)

    seats = np.array(seats, np.int32)
    keys = jax.jit(jax.vmap(values.order, (None, 0, 0)))(
        weights, states(before, seats), states(after, 1 - seats)
    )
    assert keys.tolist() == expected
