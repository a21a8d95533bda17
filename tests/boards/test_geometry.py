"""Geometry: every place is where the rules put it, and no two places overlap."""

from itertools import combinations, pairwise
from math import dist

import numpy as np
import pytest

from tdlib.show.boards import abalone, backgammon, cross, kalah, pachisi, parcheesi

CROSSES = {"pachisi": (pachisi, 83), "parcheesi": (parcheesi, 71)}  # last path number but home


def apart(places, least):
    return all(dist(a, b) > least - 1e-9 for a, b in combinations(places, 2))


# Geometry: abalone


def test_abalone_neighbours_are_one_apart_and_all_other_cells_farther():
    for (r, c), (s, d) in combinations(abalone.CELLS, 2):
        steps = max(abs(r - s), abs(c - d), abs(r - s - c + d))
        gap = dist(abalone.cell_xy(r, c), abalone.cell_xy(s, d))
        assert gap == pytest.approx(1) if steps == 1 else gap > 1.7


def test_abalone_rows_run_from_a_at_the_bottom_to_i_and_cells_from_left_to_right():
    assert len(set(map(tuple, abalone.CELLS.tolist()))) == 61
    xy = [abalone.cell_xy(*cell) for cell in abalone.CELLS]  # I5 .. I9, H4 .. A5
    assert xy == sorted(xy, key=lambda p: (-p[1], p[0]))
    assert abalone.cell_xy(4, 4) == (0, 0)  # E5


def test_ejected_abalone_marbles_lie_apart_from_the_board_and_from_each_other():
    beside = [abalone.lost_xy(seat, i) for seat in range(2) for i in range(6)]
    assert apart(beside, 2 * abalone.SMALL)
    for x, y in beside:  # outside the slanting side of the hexagon, at the marble's rim
        corner = (abalone.SIDE + 0.12) * abalone.HEIGHT
        assert abs(x) * abalone.HEIGHT + abs(y) / 2 > corner + abalone.SMALL


# Geometry: the cross


def test_the_cross_has_96_squares_no_two_on_one_spot_and_none_in_the_centre():
    squares = [cross.track_xy(s) for s in range(68)]
    squares += [cross.column_xy(k, n) for k in range(4) for n in range(1, 8)]
    assert len(set(squares)) == 96
    assert all(min(abs(x), abs(y)) <= 1 and 2 <= max(abs(x), abs(y)) <= 9 for x, y in squares)


def test_the_track_runs_counter_clockwise_from_the_end_of_the_lower_arm():
    track = [cross.track_xy(s) for s in range(68)]
    assert [track[17 * k] for k in range(4)] == [(0, -9), (9, 0), (0, 9), (-9, 0)]
    assert track[1:10] == [*((1, y) for y in range(-9, -1)), (2, -1)]
    area = sum(x * v - y * u for (x, y), (u, v) in pairwise([*track, track[0]])) / 2
    assert area > 0


@pytest.mark.parametrize("game_name", CROSSES)
@pytest.mark.parametrize("seat", range(4))
def test_a_man_always_steps_to_an_adjacent_square(game_name, seat):
    board, last = CROSSES[game_name]
    path = [cross.square_xy(board.place(seat, p)) for p in range(1, last + 1)]
    for (x, y), (u, v) in pairwise(path):
        assert max(abs(x - u), abs(y - v)) == 1
    assert max(map(abs, path[-1])) == 2  # the last square touches the centre


@pytest.mark.parametrize(
    ("seat", "squares"),
    [
        (0, (0, 17, 34, 51, 67, 0)),
        (1, (17, 34, 51, 0, 16, 17)),
        (2, (34, 51, 0, 17, 33, 34)),
        (3, (51, 0, 17, 34, 50, 51)),
    ],
)
def test_pachisi_path_numbers_stand_on_their_absolute_squares(seat, squares):
    for path, square in zip((8, 25, 42, 59, 75, 76), squares, strict=True):
        assert pachisi.place(seat, path) == ("track", square)


def test_outgoing_and_returning_pachisi_men_use_the_same_private_squares():
    for path in range(1, 8):
        assert pachisi.place(2, path) == pachisi.place(2, 84 - path) == ("column", 2, path)


def test_parcheesi_men_enter_five_squares_after_the_end_of_their_arm():
    for seat in range(4):
        assert parcheesi.place(seat, 1) == ("track", 17 * seat + 5)
        assert parcheesi.place(seat, 64) == ("track", 17 * seat)
        assert parcheesi.place(seat, 65) == ("column", seat, 7)


def test_pachisi_castles_are_the_end_square_and_the_fourth_of_both_outer_columns():
    assert [cross.track_xy(s) for s in (0, 4, 64)] == [(0, -9), (1, -6), (-1, -6)]


def test_men_that_wait_or_are_home_overlap_nothing():
    waiting = [cross.start_xy(k, i) for k in range(4) for i in range(4)]
    home = [cross.home_xy(k, i) for k in range(4) for i in range(4)]
    assert apart(waiting, 2 * cross.NESTLING)
    assert apart(home, 2 * cross.HOMED)
    assert all(min(abs(x), abs(y)) > 1.5 + cross.NESTLING for x, y in waiting)
    assert all(max(abs(x), abs(y)) < 1.5 - cross.HOMED for x, y in home)


@pytest.mark.parametrize("count", range(1, 10))
def test_men_sharing_a_square_stay_inside_it_and_apart(count):
    radius, offsets = cross.SHARED.get(count, cross.CROWD)
    assert len(offsets) >= count
    assert apart(offsets[:count], 2 * radius)
    assert all(max(abs(x), abs(y)) + radius < 0.5 for x, y in offsets)


# Geometry: backgammon


def test_the_first_players_home_board_is_the_lower_right():
    for number in range(1, 7):
        x, y = backgammon.man_xy(0, number, 0)
        assert backgammon.BAR_X1 < x < backgammon.RIGHT
        assert y < 1
    xs = [backgammon.point_x(number) for number in range(1, 13)]
    assert xs == sorted(xs, reverse=True)
    assert [backgammon.point_x(25 - number) for number in range(1, 13)] == pytest.approx(xs)


def test_a_point_is_the_other_seats_25_minus_it():
    for place in range(1, 25):
        assert backgammon.man_xy(1, place, 2) == backgammon.man_xy(0, 25 - place, 2)


def test_backgammon_men_never_overlap():
    foot = [(seat, p) for seat in range(2) for p in (*range(1, 13), 25)]
    upper = [(0, p) for p in range(13, 25)]
    stood = {backgammon.man_xy(s, p, level) for s, p in foot + upper for level in range(5)}
    assert len(stood) == 5 * (24 + 2)
    assert apart(stood, 2 * backgammon.RADIUS)


def test_fifteen_men_of_each_seat_fit_into_the_trays_without_overlap():
    rows = [backgammon.slat_box(s, i)[1::2] for s in range(2) for i in range(15)]
    rows.sort()
    assert rows[0][0] > 0
    assert rows[-1][1] < backgammon.TOP
    assert all(a[1] <= b[0] + 1e-9 for a, b in pairwise(rows))
    assert backgammon.slat_box(0, 14)[3] < backgammon.TOP / 2 - 0.65


# Geometry: kalah


@pytest.mark.parametrize("pits", [1, 3, 6, 8])
def test_facing_pits_stand_above_each_other_and_stores_at_their_owners_right(pits):
    for i in range(pits):
        (x, low), (u, high) = kalah.cup_xy(pits, i), kalah.cup_xy(pits, 2 * pits - i)
        assert x == u
        assert low < high
    store_south, store_north = kalah.cup_xy(pits, pits), kalah.cup_xy(pits, 2 * pits + 1)
    assert store_north[0] < -kalah.PIT - kalah.STORE
    assert store_south[0] > pits - 1 + kalah.PIT + kalah.STORE


@pytest.mark.parametrize("cup", [0, 6])
@pytest.mark.parametrize("seeds", [*range(25), 36, 48, 72])
def test_seeds_lie_inside_their_cup_without_touching(cup, seeds):
    spots, size = kalah.seeds_xy(6, cup, seeds)
    assert len(spots) == seeds
    assert apart(spots, 2 * size)
    x0, y0 = kalah.cup_xy(6, cup)
    width, straight = (kalah.STORE, kalah.LENGTH) if cup == 6 else (kalah.PIT, 0)
    for x, y in spots:
        assert np.hypot(x - x0, max(abs(y - y0) - straight, 0)) + size <= width
