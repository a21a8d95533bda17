"""The plain-Python twins against numbers found elsewhere, and a few rules by hand.

Where the numbers come from:
  backgammon  plays of the opening position, equal in gnubg 1.07 and OpenSpiel 2.0.2
  kalah       perft equal in OpenSpiel `mancala`; exact values from a separate solver, whose
              6 x 4 value with empty capture is that of Irving, Donkers & Uiterwijk (2000)
  abalone     moves and perft equal in abalone-boai 1.0.0 and gym-abalone
"""

from random import Random

import pytest

from . import abalone, backgammon, kalah

# --- backgammon ---------------------------------------------------------------------------

OPENING_PLAYS = {  # row: larger die 1..6, column: smaller die
    "backgammon": [
        [42],
        [15, 75],
        [16, 17, 73],
        [14, 18, 17, 52],
        [8, 8, 9, 9, 4],
        [10, 14, 14, 14, 7, 11],
    ],
    "hypergammon": [
        [7],
        [6, 11],
        [7, 8, 15],
        [7, 8, 9, 15],
        [7, 8, 9, 9, 15],
        [7, 8, 9, 9, 9, 12],
    ],
}
OPENING_31 = """8/5 6/5, 24/23 13/10, 24/20, 24/23 24/21, 13/9, 24/21 6/5, 13/10 6/5, 24/23 6/3,
    24/23 8/5, 24/21 8/7, 13/10 8/7, 8/4, 6/2, 6/5 6/3, 8/7 6/3, 8/7 8/5"""


def position(own: dict[int, int], theirs: dict[int, int], off: int = 0, their_off: int = 0):
    """28 numbers from chequers in each player's own numbering, 25 being the bar."""
    cells = [0] * 24
    for point, count in own.items():
        if point < 25:
            cells[point - 1] += count
    for point, count in theirs.items():
        if point < 25:
            cells[24 - point] -= count
    return (*cells, own.get(25, 0), theirs.get(25, 0), off, their_off)


@pytest.mark.parametrize("game", ["backgammon", "hypergammon"])
def test_number_of_opening_plays_for_every_roll(game):
    start = backgammon.START[game]
    counts = [
        [len(backgammon.plays(start, (a, b))) for b in range(1, a + 1)] for a in range(1, 7)
    ]
    assert counts == OPENING_PLAYS[game]


def test_pip_counts_at_the_start():
    assert backgammon.pips(backgammon.START["backgammon"]) == 167
    assert backgammon.pips(backgammon.START["hypergammon"]) == 69


def test_the_sixteen_plays_of_an_opening_three_one():
    start = backgammon.START["backgammon"]
    expected = set()
    for play in OPENING_31.split(","):
        after = list(start)
        for move in play.split():
            source, target = map(int, move.split("/"))
            after[source - 1] -= 1
            after[target - 1] += 1
        expected.add(tuple(after))
    assert len(expected) == 16
    assert backgammon.plays(start, (3, 1)) == backgammon.plays(start, (1, 3)) == expected


def test_the_larger_die_must_be_played_if_only_one_can_be():
    # Own blot on 24. The opponent holds 15 (= 24-5-4): after 24/20 or 24/19 the other die is
    # blocked, so 5 must be played.
    start = position({24: 1, 1: 2}, {10: 2, 24: 1}, off=0)
    assert backgammon.plays(start, (5, 4)) == {position({19: 1, 1: 2}, {10: 2, 24: 1})}


def test_both_dice_must_be_used_if_that_is_possible_in_either_order():
    # Own men on 7 and 2. With 6-1, 7/1 leaves 2/1 for the ace; 7/6 lets the six bear off 6.
    start = position({7: 1, 2: 1}, {1: 3}, off=1)
    expected = {position({1: 2}, {1: 3}, off=1), position({2: 1}, {1: 3}, off=2)}
    assert backgammon.plays(start, (6, 1)) == expected


def test_nobody_moves_before_the_bar_is_empty():
    # Two on the bar; the opponent holds our 24 and 20, so only the three enters, once.
    start = position({25: 2, 6: 1}, {1: 2, 5: 2})
    assert backgammon.plays(start, (3, 1)) == {position({25: 1, 22: 1, 6: 1}, {1: 2, 5: 2})}
    assert backgammon.plays(start, (5, 1)) == {start}


def test_a_blot_may_be_hit_in_passing():
    start = position({10: 1}, {17: 1, 6: 2})
    assert position({5: 1}, {25: 1, 6: 2}) in backgammon.plays(start, (3, 2))  # 10/8*/5


def test_a_man_below_a_larger_die_leaves_only_if_none_is_behind_it():
    start = position({5: 1, 2: 1}, {1: 3})
    assert backgammon.moves(start, 4) == {position({2: 1, 1: 1}, {1: 3})}
    assert backgammon.moves(start, 6) == {position({2: 1}, {1: 3}, off=1)}


def test_one_two_or_three_points():
    assert backgammon.points(position({}, {6: 1}, off=3, their_off=2)) == 1
    assert backgammon.points(position({}, {18: 3}, off=3)) == 2
    assert backgammon.points(position({}, {19: 1, 6: 2}, off=3)) == 3
    assert backgammon.points(position({25: 1, 6: 2}, {}, their_off=3)) == -3
    assert backgammon.points(backgammon.START["hypergammon"]) == 0


@pytest.mark.parametrize(("game", "men"), [("backgammon", 15), ("hypergammon", 3)])
def test_random_positions_show_bar_bear_off_and_doubles(game, men):
    found = backgammon.random_positions(Random(1), 200, game=game)
    assert len(found) == 200
    for view in (view for board, _ in found for view in (board, backgammon.flip(board))):
        on_points = sum(max(count, 0) for count in view[:24])
        assert on_points + view[backgammon.BAR] + view[backgammon.OFF] == men
    assert sum(board[backgammon.BAR] > 0 for board, _ in found) >= 10
    assert sum(a == b for _, (a, b) in found) >= 10
    bears_off = (
        any(
            after[backgammon.OFF] > board[backgammon.OFF]
            for after in backgammon.plays(board, d)
        )
        for board, d in found
    )
    assert sum(bears_off) >= 10


# --- kalah --------------------------------------------------------------------------------

KALAH_VALUES = {  # empty_capture -> pits -> values for 1, 2, 3, ... seeds
    False: {
        1: [0, -2, 6, -2, 2, 0],
        2: [2, -2, -2, -10, 6, 8],
        3: [0, 4, 2, 2, 6, -8],
        4: [2, 6, 6],
        6: [2, 6],
    },
    True: {
        1: [0, -2, 6, -2, 2, 0],
        2: [2, -2, -2, -12, 6, 8],
        3: [0, 4, 2, 2, 6, -10],
        4: [2, 6, 8],
        6: [2, 10],
    },
}
KALAH_PERFT = {  # (pits, seeds, empty_capture) -> depth 1, 2, ...
    (6, 4, False): [6, 35, 185, 942, 4690, 23233, 114430],
    (6, 4, True): [6, 35, 185, 942, 4685, 23169, 113959],
    (6, 3, False): [6, 35, 182, 904, 4243, 19418, 87103],
    (6, 3, True): [6, 35, 182, 904, 4231, 19276, 85955],
    (4, 3, False): [4, 15, 50, 158, 488, 1510, 4637],
    (3, 3, False): [3, 8, 19, 48, 120, 280, 610],
}


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize("pits", [1, 2, 3, 4, 6])
def test_exact_values_of_small_kalah(pits, empty_capture):
    expected = KALAH_VALUES[empty_capture][pits]
    seeds = range(1, len(expected) + 1)
    assert [kalah.solve(pits, n, empty_capture) for n in seeds] == expected


@pytest.mark.parametrize("rules", KALAH_PERFT)
def test_kalah_perft(rules):
    pits, seeds, empty_capture = rules
    counts = [
        kalah.perft(kalah.start(pits, seeds), 0, depth, empty_capture=empty_capture)
        for depth in range(1, 8)
    ]
    assert counts == KALAH_PERFT[rules]


def test_the_solver_agrees_with_full_minimax():
    def minimax(board, mover):
        after = kalah.plays(board, mover).values()
        if not after:
            return kalah.difference(board)
        return (max, min)[mover](minimax(b, m) for b, m, _ in after)

    for board, mover in kalah.random_positions(Random(2), 40, pits=3, seeds=2):
        sign = 1 - 2 * mover
        assert kalah.Solver().value(board, mover) == sign * minimax(board, mover)


def test_thirteen_seeds_come_home_and_capture():
    #      0  0  0  0  0  1
    #   0                    0      South 6, thirteen seeds: the last falls in the pit they left
    #      1  0  0  0  0 13
    board = (1, 0, 0, 0, 0, 13, 0, 1, 0, 0, 0, 0, 0, 0)
    after, mover, ended = kalah.plays(board, 0)[6]
    assert after == (2, 1, 1, 1, 1, 0, 4, 0, 1, 1, 1, 1, 1, 0)
    assert mover == 1
    assert not ended


def test_empty_capture_takes_the_lone_seed_only_under_its_rule():
    board = (1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)  # S1 to S2, which faces the empty N5
    assert kalah.plays(board, 0)[1] == ((0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0), 1, False)
    swept = ((0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1), 1, True)
    assert kalah.plays(board, 0, empty_capture=True)[1] == swept


def test_the_game_ends_even_if_the_last_seed_earned_another_turn():
    board = (0, 0, 0, 0, 0, 1, 9, 2, 0, 0, 0, 0, 3, 7)
    assert kalah.plays(board, 0) == {6: ((0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 12), 0, True)}
    assert kalah.plays(kalah.plays(board, 0)[6][0], 0) == {}


# --- abalone ------------------------------------------------------------------------------

KINDS = ("single", "in-line", "push", "eject", "broadside")
ABALONE_MOVES = {
    "standard": (14, 20, 0, 0, 10),
    "belgian_daisy": (20, 24, 0, 0, 8),
    "german_daisy": (28, 36, 0, 0, 16),
    "snakes": (36, 10, 0, 0, 32),
    "alien_attack": (28, 10, 4, 2, 4),
    "the_wall": (36, 24, 0, 0, 42),
}
ABALONE_PERFT = {  # depth 1, 2, 3 with broadside moves, then without
    "standard": ([44, 1936, 98912], [34, 1156, 45356]),
    "belgian_daisy": ([52, 2692], [44, 1922]),
    "german_daisy": ([80, 6244], [64, 4044]),
    "snakes": ([78, 6153], [46, 2141]),
    "alien_attack": ([48, 2336, 114756], [44, 1958]),
    "the_wall": ([102, 9630], [60, 3524]),
}


@pytest.mark.parametrize("to_move", ["black", "white"])
@pytest.mark.parametrize("layout", abalone.LAYOUTS)
def test_kinds_of_opening_moves(layout, to_move):
    counts = abalone.classify(abalone.LAYOUTS[layout], to_move)
    assert tuple(counts[kind] for kind in KINDS) == ABALONE_MOVES[layout]
    assert len(abalone.plays(abalone.LAYOUTS[layout], to_move)) == counts.total()


@pytest.mark.parametrize("broadside", [True, False])
@pytest.mark.parametrize("layout", abalone.LAYOUTS)
def test_abalone_perft(layout, broadside):
    expected = ABALONE_PERFT[layout][0 if broadside else 1]
    counts = [
        abalone.perft(abalone.LAYOUTS[layout], "black", depth, broadside=broadside)
        for depth in range(1, len(expected) + 1)
    ]
    assert counts == expected


def test_a_layout_turned_by_180_degrees_swaps_or_keeps_the_colours():
    swap = str.maketrans("@O", "O@")
    for name, board in abalone.LAYOUTS.items():
        keeps = name in ("belgian_daisy", "german_daisy")
        assert board[::-1] == (board if keeps else board.translate(swap))


def test_two_push_one_and_three_push_two_but_equals_never_push():
    def pushes(black, white):
        return abalone.classify(abalone.board_of(black, white), "black")["push"]

    assert pushes("E3 E4", "E5") == 1
    assert pushes("E3 E4", "E5 E6") == 0
    assert pushes("E2 E3 E4", "E5 E6") == 1
    assert pushes("E2 E3 E4", "E5 E6 E7") == 0
    assert pushes("E1 E2 E3 E4", "E5 E6 E7") == 0  # no more than three marbles move
    assert pushes("E3 E4 E6", "E5") == 0  # an own marble behind the run blocks


def test_only_the_cell_behind_the_run_matters_when_three_push_one():
    #   E @ @ @ O . O    the landing cell is empty, what stands beyond it is of no account
    assert abalone.classify(abalone.board_of("E1 E2 E3", "E4 E6"), "black")["push"] == 2


def test_six_ejected_marbles_win():
    eight = abalone.board_of("A1", "E1 E2 E3 E4 E5 E6 E7 E8")
    assert abalone.ejected(eight) == {"black": 6, "white": 13}
    assert abalone.over(eight)
    board = abalone.LAYOUTS["standard"]
    assert abalone.winner(board) is None
    assert not abalone.over(board)


def test_random_abalone_positions_show_ejections_and_last_moves():
    found = abalone.random_positions(Random(3), 400)
    assert len({board for board, _ in found}) > 350
    assert sum(abalone.classify(*each)["eject"] > 0 for each in found) > 20
    assert any(abalone.over(after) for each in found for after in abalone.plays(*each))
