"""The house style holds, and figures are the same bytes every time."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from tdlib.show import plots
from tdlib.show.plots import outcomes
from tdlib.stats import Interval

pytestmark = pytest.mark.usefixtures("house_style")


def drawn():
    fig, ax = plt.subplots()
    numbers = [Interval(2, 1, 3), None]
    plots.compare(ax, ["a", "b"], numbers, [None, (1, 4)], spec=".1f")
    return fig


def test_equal_figures_give_equal_bytes(tmp_path):
    for folder in ("first", "second"):
        plots.publish(drawn(), "01_x", scale="paper", alt="x", root=tmp_path / folder)
    for name in ("01_x.png", "01_x.svg"):
        first, second = (tmp_path / f / "figures" / name for f in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()


def test_a_published_figure_tells_nothing_about_its_making(tmp_path):
    plots.publish(drawn(), "01_x", scale="smoke", alt="x", root=tmp_path)
    svg = (tmp_path / "figures/smoke/01_x.svg").read_text()
    png = (tmp_path / "figures/smoke/01_x.png").read_bytes()
    assert "date" not in svg and "Matplotlib" not in svg and "<text" not in svg
    assert b"Software" not in png and b"tEXt" not in png


def test_a_figure_is_shown_once_with_its_alternative_text(tmp_path):
    fig = drawn()
    shown = plots.publish(fig, "01_x", scale="smoke", alt="two lines", root=tmp_path)
    assert shown.alt == "two lines"
    assert shown.data == (tmp_path / "figures/smoke/01_x.png").read_bytes()
    assert not plt.fignum_exists(fig.number)


def test_the_numbers_of_a_figure_are_saved_beside_it(tmp_path):
    data = pd.DataFrame({"lambda": [0.0, 0.3], "error": [1 / 3, 2.0]})
    plots.publish(drawn(), "01_x", scale="smoke", alt="x", data=data, root=tmp_path)
    plots.publish(drawn(), "01_y", scale="smoke", alt="x", root=tmp_path)
    saved = (tmp_path / "figures/smoke/01_x.csv").read_bytes()
    assert saved == b"lambda,error\n0,0.333333\n0.3,2\n"
    assert not (tmp_path / "figures/smoke/01_y.csv").exists()


def test_a_figure_that_places_its_axes_itself_is_left_as_it_is(tmp_path):
    fig = plt.figure(layout="none")
    ax = fig.add_axes((0, 0, 1, 1))
    plots.publish(fig, "01_x", scale="smoke", alt="x", root=tmp_path)
    assert fig.get_layout_engine() is None
    assert ax.get_position().bounds == (0, 0, 1, 1)


def test_a_curve_has_a_band_as_wide_as_its_intervals():
    _, ax = plt.subplots()
    plots.curve(ax, [0, 1], [Interval(2, 1, 3), Interval(5, 4, 7)], label="a", colour="#123456")
    (line,), (band,) = ax.lines, ax.collections
    assert line.get_linestyle() == "-" and line.get_ydata().tolist() == [2, 5]
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}
    assert corners == {(0, 1), (0, 3), (1, 4), (1, 7)}


def test_ours_is_solid_and_the_paper_grey_dashed_and_hollow():
    _, ax = plt.subplots()
    plots.compare(ax, ["a"], [Interval(2, 1, 3)], [(1, 4)])
    paper, interval, dot = ax.lines[:3]
    assert (paper.get_color(), paper.get_linestyle()) == (plots.INK.paper, "--")
    assert paper.get_markerfacecolor() == "white"
    assert list(paper.get_xdata()) == [1, 4]
    assert (interval.get_color(), interval.get_linestyle()) == (plots.INK.ours, "-")
    assert list(interval.get_xdata()) == [1, 3] and list(dot.get_xdata()) == [2]


def test_our_number_is_written_and_the_first_name_is_on_top():
    ax = drawn().axes[0]
    assert [text.get_text() for text in ax.texts] == ["2.0 [1.0, 3.0]"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert ax.yaxis_inverted()


@pytest.mark.parametrize(
    ("ours", "paper", "names"),
    [
        (Interval(2, 1, 3), None, ["ours, 95 % interval"]),
        (None, (1, 2), ["paper"]),
    ],
)
def test_the_legend_names_only_what_is_drawn(ours, paper, names):
    _, ax = plt.subplots()
    plots.compare(ax, ["a"], [ours], [paper])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == names


def test_a_distribution_has_shares_that_sum_to_one_with_what_lies_beyond():
    _, ax = plt.subplots()
    values = np.array([-5, 0.6, 1.5, 99.0])
    plots.distribution(ax, {"x": values}, bins=np.array([0, 1, 2]))
    assert ax.patches[0].get_data().values.tolist() == [0.5, 0.5]
    assert ax.lines[0].get_xdata() == [values.mean()]


def test_shares_fill_the_bar_and_name_each_kind_once():
    _, ax = plt.subplots()
    plots.shares(ax, {"a": {"won": 0.25, "lost": 0.75}, "b": {"won": 0.98, "lost": 0.02}})
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == pytest.approx([0.25, 0.75, 0.98, 0.02])
    assert [text.get_text() for text in ax.texts] == ["25%", "75%", "98%"]  # 2 % has no room
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["won", "lost"]
    assert [label.get_text() for label in ax.get_xticklabels()][:2] == ["0%", "20%"]


def test_logarithmic_numbers_are_written_in_full():
    fig, ax = plt.subplots()
    plots.plain_log(ax).set_xlim(1, 1000)
    fig.canvas.draw()
    assert {"1", "1,000"} <= {label.get_text() for label in ax.get_xticklabels()}


def test_offsets_end_with_their_mean():
    ax = plt.figure().add_subplot()
    plots.offsets(ax, {"A.1": Interval(-1, -2, 0.5)}, Interval(-1.5, -2, -1))
    assert [x.get_text() for x in ax.get_yticklabels()] == ["A.1", "mean of tables"]
    assert {x.get_text() for x in ax.texts} == {"-1.0 [-2.0, +0.5]", "-1.5 [-2.0, -1.0]"}


def test_a_forest_shows_effects_the_gap_and_what_lies_beyond_the_edge():
    _, ax = plt.subplots()
    numbers = [Interval(2, 1, 3), Interval(-40, -45, -35)]
    plots.forest(ax, ["a", "b"], numbers, differs=[False, True], gap=4, limit=10)
    zero, gap, pale, dot, far, arrow = ax.lines
    assert list(zero.get_xdata()) == [0, 0] and list(gap.get_xdata()) == [4, 4]
    assert (gap.get_color(), gap.get_linestyle()) == (plots.INK.paper, "--")
    assert list(pale.get_xdata()) == [1, 3] and list(dot.get_xdata()) == [2]
    assert pale.get_color() != plots.INK.ours and arrow.get_color() == plots.INK.ours
    assert list(far.get_xdata()) == [-10, -10] and arrow.get_marker() == "<"
    texts = [text.get_text() for text in ax.texts]
    assert texts == ["+2.0 [+1.0, +3.0]", "-40.0 [-45.0, -35.0]"]


def test_won_grows_from_the_left_lost_from_the_right_and_the_paper_is_a_dashed_frame():
    _, ax = plt.subplots()
    outcomes.duel(ax, ["a", "b"], [(30, 20, 50), None], [(1, 3, 0), (0, 0, 4)], intervals=False)
    bars = [(bar.get_x(), bar.get_width()) for bar in ax.patches if bar.get_fill()]
    assert np.allclose(bars, [(0, 1), (0, 0.3), (1, -0.2)])
    frames = [bar for bar in ax.patches if not bar.get_fill()]
    assert [(f.get_x(), f.get_width(), f.get_linestyle()) for f in frames] == [
        (0, 0.25, "--"), (0.25, 0.75, "--"),
    ]  # fmt: skip


def test_series_stand_beside_each_other_and_gaps_are_left_out():
    _, ax = plt.subplots()
    both = {"a": [Interval(2, 1, 3), None], "b": [None, Interval(5, 4, 6)]}
    outcomes.side_by_side(ax, ["x", "y"], both)
    dots = [line for line in ax.lines if line.get_marker() != "None"]
    assert [line.get_ydata()[0] for line in dots] == [2, 5]
    assert dots[0].get_xdata()[0] < 0 and dots[1].get_xdata()[0] > 1
