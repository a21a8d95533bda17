"""Pictures: every place and every man is drawn once, and the last play is marked."""

from io import BytesIO
from itertools import combinations
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure

from tdlib import games
from tdlib.games import abalone as abalone_rules
from tdlib.show import boards
from tdlib.show.boards import abalone, backgammon, cross, ink, kalah, pachisi, parcheesi

GAMES = ("backgammon", "hypergammon", "pachisi", "parcheesi", "kalah", "abalone")
CROSSES = {"pachisi": (pachisi, 83), "parcheesi": (parcheesi, 71)}  # last path number but home


def position(seat=0, **fields):
    """A stand-in with the fields of a State that a board reads."""
    return SimpleNamespace(seat=np.int32(seat), **{k: np.array(v) for k, v in fields.items()})


def chequers(white, black, seat=0):
    men = np.zeros((2, 26), np.int32)
    for row, side in enumerate((white, black)):
        for place, count in side.items():
            men[row, place] = count
    return position(seat, men=men)


def marbles(text, seat=0):
    stones = np.zeros((2, 3), np.uint32)  # three rows of nine bits in a word
    for (row, column), mark in zip(abalone.CELLS, "".join(text.split()), strict=True):
        if mark != ".":
            stones["@O".index(mark), row // 3] |= np.uint32(1 << (9 * (row % 3) + column))
    return position(seat, stones=stones)


# One play of each game that takes a man: (before, after).
PLAYS = {
    # White 8/4* with a three and a one, hitting the blot there
    "backgammon": (
        chequers({24: 2, 13: 5, 8: 3, 6: 5}, {24: 1, 21: 1, 13: 5, 8: 3, 6: 5}, 0),
        chequers({24: 2, 13: 5, 8: 2, 6: 5, 4: 1}, {25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, 1),
    ),
    "hypergammon": (
        chequers({24: 1, 23: 1, 5: 1}, {24: 1, 23: 1, 0: 1}, 0),
        chequers({24: 1, 23: 1, 1: 1}, {25: 1, 23: 1, 0: 1}, 1),
    ),
    # South sows S1 into the empty S2 and takes the nine seeds of N5
    "kalah": (
        position(0, cups=[1, 0, 3, 5, 6, 7, 12, 8, 1, 2, 0, 9, 10, 11]),
        position(1, cups=[0, 0, 3, 5, 6, 7, 22, 8, 1, 2, 0, 0, 10, 11]),
    ),
    # Black pushes F6-F8 to the right and ejects the marble of F9
    "abalone": (
        marbles("OO.OO OOOOO. ..OO..O ....@@@O ..@...@.. ..@..... ...@@.. .@@@@. .@@..", 0),
        marbles("OO.OO OOOOO. ..OO..O .....@@@ ..@...@.. ..@..... ...@@.. .@@@@. .@@..", 1),
    ),
    # seat 0 goes from square 30 to 35, where a man of seat 1 stands
    "pachisi": (
        position(0, pieces=[[0, 0, 3, 38], [0, 2, 26, 84], [8, 76, 80, 84], [20, 77, 77, 84]]),
        position(1, pieces=[[0, 0, 3, 43], [0, 0, 2, 84], [8, 76, 80, 84], [20, 77, 77, 84]]),
    ),
    # seat 0 goes from square 22 to 24, where a man of seat 1 stands, and 20 onwards
    "parcheesi": (
        position(0, pieces=[[0, 1, 18, 31], [0, 3, 12, 72], [0, 40, 64, 71], [0, 9, 72, 72]]),
        position(1, pieces=[[0, 1, 20, 51], [0, 0, 12, 72], [0, 40, 64, 71], [0, 9, 72, 72]]),
    ),
}
MEN = {"backgammon": 30, "hypergammon": 6, "pachisi": 16, "parcheesi": 16, "abalone": 28}


def drawn(game_name, state, **options):
    return boards.draw(game_name, Figure().add_subplot(), state, **options)


def tagged(ax, tag):
    """The shapes whose tag begins with the words of `tag`, in drawing order."""
    words = tag.split(" ")
    found = [shape.get_label().removeprefix("_").split(" ") for shape in ax.patches]
    return [a for a, w in zip(ax.patches, found, strict=True) if w[: len(words)] == words]


def middle(shape):
    box = shape.get_path().get_extents()
    return round(float(box.intervalx.mean()), 6), round(float(box.intervaly.mean()), 6)


def marks(ax):
    return sum(len(tagged(ax, tag)) for tag in ("arrived", "left", "taken", "seed arrived"))


# What is on the picture


@pytest.mark.parametrize(
    ("game_name", "squares"),
    [
        ("pachisi", [0, 4, 13, 17, 21, 30, 34, 38, 47, 51, 55, 64]),
        ("parcheesi", [0, 5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63]),
    ],
)
def test_castles_are_drawn_on_their_squares(game_name, squares):
    shapes = tagged(drawn(game_name, PLAYS[game_name][0]), "castle")
    assert {middle(s) for s in shapes} == {cross.track_xy(s) for s in squares}


@pytest.mark.parametrize(
    ("game_name", "tag", "count"),
    [
        ("abalone", "cell", 61),
        ("kalah", "cup", 14),
        ("backgammon", "point", 24),
        ("pachisi", "square", 68),
        ("parcheesi", "square", 68),
        ("pachisi", "private", 28),
        ("parcheesi", "private", 28),
    ],
)
def test_every_place_is_drawn_exactly_once(game_name, tag, count):
    shapes = tagged(drawn(game_name, PLAYS[game_name][0]), tag)
    assert len(shapes) == len({middle(s) for s in shapes}) == count


@pytest.mark.parametrize("game_name", MEN)
@pytest.mark.parametrize("which", [0, 1])
def test_every_man_is_drawn_once_and_by_itself(game_name, which):
    ax = drawn(game_name, PLAYS[game_name][which])
    men = tagged(ax, "man")
    assert len(men) == len({middle(m) for m in men}) == MEN[game_name]
    seats = 4 if game_name in CROSSES else 2
    assert [len(tagged(ax, f"man {k}")) for k in range(seats)] == [len(men) // seats] * seats


@pytest.mark.parametrize("game_name", CROSSES)
def test_men_stand_on_the_square_of_their_path_number(game_name):
    board, last = CROSSES[game_name]
    for path in range(1, last + 1):
        laid = cross.men(board.RULES, np.array([[0] * 4, [0, 0, 0, path], [0] * 4, [0] * 4]))
        (man,) = (m for m in laid if m.place[0] != "start")
        assert (man.seat, man.xy) == (1, cross.square_xy(board.place(1, path)))


def test_abalone_marbles_lie_on_their_cells():
    state = PLAYS["abalone"][0]
    cells = np.asarray(abalone_rules.cells(state))
    ax = drawn("abalone", state)
    for seat in range(2):
        held = {
            tuple(np.round(abalone.cell_xy(*abalone.CELLS[i]), 6))
            for i in np.flatnonzero(cells == seat + 1)
        }
        assert held <= {middle(m) for m in tagged(ax, f"man {seat}")}


def test_a_backgammon_stack_of_more_than_five_shows_five_men_and_their_number():
    ax = drawn("backgammon", chequers({6: 9, 0: 6}, {1: 15}))
    assert len(tagged(ax, "man 0")) == 5 + 6
    assert len(tagged(ax, "man 1")) == 5
    assert [s.get_label() for s in tagged(ax, "stack")] == ["_stack 9", "_stack 15"]


def test_kalah_draws_and_counts_the_seeds_of_any_board():
    cups = [3, 0, 17, 5, 1, 22, 8, 40]
    ax = drawn("kalah", position(cups=cups))
    assert len(tagged(ax, "seed")) == sum(cups)
    assert [s.get_label() for s in tagged(ax, "count")] == [f"_count {n}" for n in cups]


def test_only_pachisi_men_that_completed_the_circuit_carry_a_ring():
    pieces = [[1, 7, 8, 75], [0, 76, 77, 83], [84] * 4, [0] * 4]
    assert len(tagged(drawn("pachisi", position(pieces=pieces)), "returning")) == 3


# The last play


@pytest.mark.parametrize("coordinates", [False, True])
@pytest.mark.parametrize("game_name", GAMES)
def test_the_last_play_is_marked_if_and_only_if_before_is_given(game_name, coordinates):
    before, after = PLAYS[game_name]
    assert marks(drawn(game_name, after, coordinates=coordinates)) == 0
    ax = drawn(game_name, after, before=before, coordinates=coordinates)
    assert len(tagged(ax, "taken")) == 1
    assert tagged(ax, "left")
    assert tagged(ax, "arrived") or tagged(ax, "seed arrived")
    assert marks(drawn(game_name, after, before=after)) == 0


def test_a_hit_man_is_crossed_on_the_bar_and_the_hitter_ringed():
    before, after = PLAYS["backgammon"]
    ax = drawn("backgammon", after, before=before)
    assert middle(tagged(ax, "taken")[0]) == pytest.approx(backgammon.man_xy(1, 25, 0))
    assert [middle(s) for s in tagged(ax, "arrived")] == [backgammon.man_xy(0, 4, 0)]
    left = [middle(s) for s in tagged(ax, "left")]
    assert left == [backgammon.man_xy(0, 8, 2), backgammon.man_xy(1, 21, 0)]


def test_men_borne_off_are_marked_in_the_tray():
    before = chequers({1: 2, 2: 1, 0: 12}, {1: 15})
    after = chequers({2: 1, 0: 14}, {1: 15}, 1)
    ax = drawn("backgammon", after, before=before)
    assert len(tagged(ax, "arrived")) == len(tagged(ax, "left")) == 2


def test_sown_and_captured_seeds_are_marked():
    before, after = PLAYS["kalah"]
    ax = drawn("kalah", after, before=before)
    assert len(tagged(ax, "seed arrived")) == 10
    assert {middle(s) for s in tagged(ax, "left")} == {kalah.cup_xy(6, 0), kalah.cup_xy(6, 11)}
    assert middle(tagged(ax, "taken")[0]) == pytest.approx(kalah.cup_xy(6, 11))


def test_seeds_cleared_at_the_end_of_a_kalah_game_are_not_shown_as_captured():
    before = position(0, cups=[0, 0, 1, 20, 4, 2, 0, 21])
    after = position(1, cups=[0, 0, 0, 21, 0, 0, 0, 27])
    ax = drawn("kalah", after, before=before)
    assert len(tagged(ax, "left")) == 3
    assert not tagged(ax, "taken")


def test_an_ejected_marble_is_crossed_beside_the_board():
    before, after = PLAYS["abalone"]
    ax = drawn("abalone", after, before=before)
    assert [middle(s) for s in tagged(ax, "arrived")] == [
        pytest.approx(abalone.cell_xy(5, 8))  # F9
    ]
    assert [middle(s) for s in tagged(ax, "left")] == [
        pytest.approx(abalone.cell_xy(5, 5))  # F6
    ]
    white = [m for m in tagged(ax, "man 1") if abs(middle(m)[0]) > 3]
    assert middle(tagged(ax, "taken")[0]) in [middle(m) for m in white]


@pytest.mark.parametrize(
    ("game_name", "start", "end"), [("pachisi", 30, 35), ("parcheesi", 22, 24)]
)
def test_a_capture_marks_both_squares_and_crosses_the_captive_in_its_corner(
    game_name, start, end
):
    before, after = PLAYS[game_name]
    ax = drawn(game_name, after, before=before)
    assert cross.track_xy(start) in [middle(s) for s in tagged(ax, "left")]
    assert cross.track_xy(end) in [middle(s) for s in tagged(ax, "arrived")]
    assert middle(tagged(ax, "taken")[0]) == pytest.approx(cross.start_xy(1, 1))


# Who moves next


@pytest.mark.parametrize("game_name", GAMES)
def test_one_wedge_shows_who_moves_next_and_differs_between_the_seats(game_name):
    wedges = []
    for state in PLAYS[game_name]:
        (wedge,) = tagged(drawn(game_name, state), "mover")
        wedges.append(middle(wedge) + wedge.get_facecolor())
    assert wedges[0] != wedges[1]


@pytest.mark.parametrize(
    ("game_name", "state"),
    [
        ("backgammon", chequers({0: 15}, {1: 15}, 1)),
        ("kalah", position(1, cups=[0, 0, 9, 0, 0, 3])),
        ("abalone", marbles("OOOOO OOO... " + "." * 40 + "@@@@@ @@@@@", 1)),
        ("pachisi", position(1, pieces=[[84] * 4, [0] * 4, [84] * 4, [0] * 4])),
        ("parcheesi", position(1, pieces=[[72] * 4, [0] * 4, [0] * 4, [0] * 4])),
    ],
)
def test_nobody_moves_next_when_the_game_is_over(game_name, state):
    assert not tagged(drawn(game_name, state), "mover")


# Figures


@pytest.mark.parametrize("game_name", GAMES)
def test_svg_is_the_same_bytes_every_time_and_for_jax_and_numpy_arrays(game_name):
    before, after = PLAYS[game_name]
    text = boards.svg(game_name, after, before=before, coordinates=True)
    assert text.startswith("<?xml")
    assert text == boards.svg(game_name, after, before=before, coordinates=True)
    after = SimpleNamespace(**{k: jnp.asarray(v) for k, v in vars(after).items()})
    assert text == boards.svg(game_name, after, before=before, coordinates=True)


@pytest.mark.parametrize("game_name", GAMES)
def test_a_new_game_can_be_drawn(game_name):
    state = games.make(game_name).init(jax.random.key(0))
    assert isinstance(boards.figure(game_name, state), Figure)


@pytest.mark.parametrize(
    ("game_name", "numbers"),
    [("backgammon", 24), ("kalah", 14), ("abalone", 18), ("pachisi", 68), ("parcheesi", 68)],
)
def test_coordinates_are_drawn_on_demand_and_inside_the_picture(game_name, numbers):
    state = PLAYS[game_name][0]
    assert not tagged(drawn(game_name, state), "number")
    ax = drawn(game_name, state, coordinates=True)
    written = tagged(ax, "number")
    assert len(written) == numbers
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    boxes = [shape.get_path().get_extents() for shape in written]
    assert all(x0 < b.x0 and b.x1 < x1 and y0 < b.y0 and b.y1 < y1 for b in boxes)
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("game_name", GAMES)
def test_a_figure_has_the_asked_size_and_undistorted_boards(game_name):
    picture = boards.figure(game_name, PLAYS[game_name][0], size=5.0)
    width, height = picture.get_size_inches()
    (ax,) = picture.axes
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    assert max(width, height) == pytest.approx(5)
    assert width / height == pytest.approx((x1 - x0) / (y1 - y0))


def test_lines_are_as_wide_relative_to_the_board_at_every_size():
    widths = []
    for size in (2.0, 6.0):
        picture = boards.figure("kalah", PLAYS["kalah"][0], size=size)
        picture.draw_without_rendering()
        widths.append(tagged(picture.axes[0], "cup")[0].get_linewidth())
    assert widths[1] == pytest.approx(3 * widths[0])


def test_a_strip_draws_its_positions_in_a_row_under_their_titles():
    before, after = PLAYS["kalah"]
    picture = boards.strip("kalah", [before, after], ["first", "then"], moves=True)
    assert [ax.get_title() for ax in picture.axes] == ["first", "then"]
    assert [marks(ax) > 0 for ax in picture.axes] == [False, True]
    left, right = (ax.get_position() for ax in picture.axes)
    assert left.x1 < right.x0
    assert left.y0 == pytest.approx(right.y0)


def test_figures_place_their_boards_themselves_whatever_the_style_says():
    with rc_context({"figure.constrained_layout.use": True}):
        strip = boards.strip("kalah", PLAYS["kalah"], ["first", "then"])
        before = [ax.get_position().bounds for ax in strip.axes]
        for _ in range(2):  # matplotlib warns if it is asked to lay these out
            strip.savefig(BytesIO())
    assert [ax.get_position().bounds for ax in strip.axes] == before


def test_a_strip_needs_one_title_per_state():
    with pytest.raises(ValueError, match="1 titles for 2 states"):
        boards.strip("kalah", PLAYS["kalah"], ["only one"])


def test_an_unknown_game_is_refused_and_the_known_ones_are_named():
    with pytest.raises(ValueError, match=r"'chess'; expected one of backgammon, .*abalone"):
        boards.draw("chess", Figure().add_subplot(), None)


def test_the_accent_and_the_seats_colours_are_all_different():
    assert len({ink.ACCENT, *ink.SEATS, ink.INK, ink.IVORY}) == 7
