"""Learning curves as tables and as charts: numbers by hand, and what must be seen."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from tdlib import paths, stats
from tdlib.claims.evidence import Curves
from tdlib.papers.matthews2006.tables import EXPERIMENTS
from tdlib.show import curves, plots
from tdlib.show.plots import learning
from tdlib.study import registry
from tdlib.study.experiment import training_hash
from tdlib.study.store import Store
from tests.tiny_experiments import SELF

pytestmark = pytest.mark.usefixtures("house_style")

GAMES = np.array([0, 1000, 5000])
OURS = Curves(GAMES, np.array([[10, 40, 60], [20, 50, 62], [30, 60, 64.0]]), 500)
PAPER = Curves(GAMES, np.array([[20, 45, 60], [20, 55, np.nan], [20, 50, 70]]), 5000)


def rows(**columns):
    """Rows of two runs of an experiment at 0, 20, 40 and 60 games; the second lacks its end."""
    table = pd.DataFrame(
        [(SELF.id, training_hash(SELF), run, games, 20, 2 * run + games // 10) for run in (0, 1)
         for games in (0, 20, 40, 60)][:-1],
        columns=["experiment", "config", "run", "games", "eval_games", "wins"],
    )  # fmt: skip
    return table.assign(**columns)


def test_a_band_is_the_interval_of_the_mean_by_student():
    table = curves.bands(OURS.games, OURS.rates)
    first = table.iloc[0]
    reach = 4.302653 * 10 / 3**0.5  # t of 2 degrees of freedom; sd 10, three runs
    assert (first.runs, first["mean"], first.sd) == (3, 20, 10)
    assert (first.low, first.high) == pytest.approx((20 - reach, 20 + reach))
    assert table.games.tolist() == [0, 1000, 5000]


def test_a_gap_of_the_paper_is_left_out_and_one_run_has_no_band():
    assert curves.bands(PAPER.games, PAPER.rates).runs.tolist() == [3, 3, 2]
    alone = curves.bands(OURS.games, OURS.rates[:1])
    assert alone["mean"].tolist() == [10, 40, 60]
    assert alone[["sd", "low", "high"]].isna().all(axis=None)


def test_only_whole_runs_make_a_curve():
    found = curves.of(SELF, rows())
    assert found.games.tolist() == [0, 20, 40, 60]
    assert found.rates.tolist() == [[0, 10, 20, 30]]  # percent of 20 games
    assert found.runs == (0,)
    with pytest.raises(ValueError, match="no run of T-SELF has results at all"):
        curves.of(SELF, rows()[lambda x: x.games < 60])


def test_rows_of_other_settings_are_no_part_of_a_curve():
    other = rows(config="smoke").assign(run=5)
    assert curves.of(SELF, pd.concat([rows(), other])).runs == (0,)


def test_tables_put_both_side_by_side_with_the_difference():
    table = curves.side_by_side(OURS, PAPER)
    assert table.loc["1,000", "paper"] == "50.0 ± 5.0 (3)"
    assert table.loc["1,000", "ours"] == "50.0 ± 10.0 (3)"
    assert table.loc["1,000", "ours less paper [95 %]"].startswith("+0.0 [-")
    assert table.loc["5,000", "paper"] == "65.0 ± 7.1 (2)"
    both = curves.tables({"a": OURS}, {"a": PAPER, "b": PAPER}, {"a": "A.1", "b": "A.2"})
    assert both.index.get_level_values("table").unique().tolist() == ["A.1"]
    assert curves.tables({}, {}, {"a": "A.1"}).empty


def test_shorter_training_is_compared_where_both_have_been():
    short = Curves(GAMES[:2], OURS.rates[:, :2], 500)
    assert curves.finals({"a": short}, {"a": PAPER}).loc["a", "games"] == "1,000"
    mine, theirs = {"a": short, "b": OURS}, {"a": PAPER, "b": PAPER}
    line = curves.contrasts(mine, theirs, [("a", "b", 5000)]).iloc[0]
    assert line.name == "a less b" and line.games == "1,000"
    assert line["ours [95 %]"].startswith("+0.0 [")
    one = {name: Curves(c.games, c.rates[:1], 500) for name, c in mine.items()}
    assert curves.contrasts(one, theirs, [("a", "b", 0)]).iloc[0]["ours [95 %]"] == (
        "+0.0 (too few runs)"
    )
    assert curves.contrasts(mine, theirs, []).empty


def test_tidy_has_a_line_for_each_test():
    table = curves.tidy(ours={"a": OURS}, paper={"a": PAPER})
    assert len(table) == 18
    assert table.iloc[1].tolist() == ["ours", "a", 1, 1000, 40, 500]


def test_the_reference_curves_are_those_of_the_store():
    table = curves.reference(EXPERIMENTS, Store(paths.store_dir("paper")))
    written = curves.FILE.read_text() if curves.FILE.exists() else curves.as_csv(table[:0])
    assert written == curves.as_csv(table), "write it again: python -m tdlib.show.curves"


def test_a_reference_curve_is_of_finished_runs_alone(monkeypatch):
    monkeypatch.setattr(Store, "load", lambda store, e: rows(date="x"))
    table = curves.reference([SELF], Store("nowhere"))
    assert table.columns.tolist() == list(curves.COLUMNS)
    assert table.runs.tolist() == [1, 1, 1, 1]
    assert table["mean"].tolist() == pytest.approx([0.0, 0.1, 0.2, 0.3])
    assert table.opponent.unique().tolist() == ["random"]
    assert curves.as_csv(table).splitlines()[4].endswith("60,1,0.30000,,,,random,20")


def test_our_runs_are_thin_our_mean_thick_and_the_paper_hollow():
    _, ax = plt.subplots()
    learning.learning_curve(ax, OURS, PAPER, opponent="pubeval", colour="#123456", title="A")
    paper, *runs, mean = ax.lines
    assert (paper.get_color(), paper.get_linestyle()) == (plots.INK.paper, "--")
    assert paper.get_markerfacecolor() == "white"
    assert [line.get_ydata().tolist() for line in runs] == OURS.rates.tolist()
    assert mean.get_ydata().tolist() == [20, 50, 62]
    assert mean.get_lw() > 2 > 1 > runs[0].get_lw()
    assert {line.get_color() for line in (*runs, mean)} == {"#123456"}
    assert len(ax.collections) == 2  # a band for each


def test_the_axes_start_at_zero_and_name_opponent_and_games():
    _, ax = plt.subplots()
    learning.learning_curve(ax, OURS, PAPER, opponent="pubeval")
    assert ax.get_ylim() == (0, 80) and ax.get_xlim() == (0, 5000)
    assert ax.get_ylabel() == "won against pubeval\n(500/5,000 games a point)"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "paper, mean of 3 runs", "ours, mean of 3 runs",
    ]  # fmt: skip


def test_two_runs_have_no_band():
    _, ax = plt.subplots()
    learning.learning_curve(ax, Curves(GAMES, OURS.rates[:2], 500), None, opponent="x")
    assert not ax.collections


def test_a_comparison_shows_both_and_the_difference_with_its_interval():
    ours = {"unary": OURS, "smart": Curves(GAMES, OURS.rates + 1, 500)}
    fig = learning.compared(ours, {"unary": PAPER, "smart": PAPER}, opponent="x")
    left, right = fig.axes
    assert [text.get_text() for text in left.get_legend().get_texts()] == [
        "unary", "smart", "ours: mean of 3 runs, 95 % band", "paper: mean of 3 runs"
    ]  # fmt: skip
    assert [tick.get_text() for tick in right.get_xticklabels()] == ["1k", "5k"]
    interval, dot = right.lines[:2]
    expected = stats.welch(OURS.rates[:, 1], PAPER.rates[:, 1])
    assert interval.get_ydata() == pytest.approx([expected.low, expected.high])
    assert dot.get_ydata() == pytest.approx([0.0])


def test_one_run_has_a_difference_without_interval():
    _, ax = plt.subplots()
    learning.differences(ax, {"unary": Curves(GAMES, OURS.rates[:1], 500)}, {"unary": PAPER})
    assert [list(line.get_ydata()) for line in ax.lines[:-1]] == [[-10.0], [-5.0]]


def test_checkpoints_of_a_difference_are_spread_from_the_first_to_the_last():
    assert learning._spread(range(0, 50_001, 5_000)) == [5_000, 10_000, 15_000, 30_000, 50_000]
    assert learning._spread([0, 5]) == [5]
    assert learning._spread([0]) == [0]


def test_two_conditions_lie_apart_by_the_welch_interval():
    _, ax = plt.subplots()
    higher = Curves(GAMES, OURS.rates + 2, 500)
    learning.apart(ax, higher, OURS, names=("50 units", "10 units"), since=1000)
    assert ax.lines[0].get_xdata().tolist() == [1000, 5000]
    assert ax.lines[0].get_ydata() == pytest.approx([2, 2])
    assert ax.get_ylabel() == "50 units less 10 units,\npoints, 95 % band"


def test_panels_show_what_there_is():
    titles = {"unary": "Figure 1", "smart": "Figure 2"}
    fig = learning.panels({"unary": OURS}, {"smart": PAPER}, titles, opponent="x")
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["Figure 1", "Figure 2"]
    assert [len(ax.lines) for ax in fig.axes] == [4, 1]


def test_overlays_tell_conditions_by_colour_and_sources_by_dashes():
    _, ax = plt.subplots()
    learning.overlay(ax, {"smart": OURS}, {"smart": PAPER}, opponent="x", title="A")
    paper, ours = ax.lines
    assert paper.get_color() == ours.get_color() == learning.COLOURS["smart"]
    assert (paper.get_linestyle(), ours.get_linestyle()) == ("--", "-")


def test_any_measure_is_drawn_over_training_with_levels_to_compare():
    _, ax = plt.subplots()
    learning.over_training(ax, {"unary": OURS}, ylabel="lost", levels={"pubeval": 12.0})
    assert ax.get_ylabel() == "lost" and ax.get_ylim()[0] == 0
    assert ax.lines[-1].get_ydata() == [12, 12]
    assert [text.get_text() for text in ax.texts] == ["pubeval"]


def test_a_readers_curve_is_black_beside_stored_ones_as_far_as_it_goes():
    _, ax = plt.subplots()
    short = Curves(GAMES[:2], OURS.rates[:, :2], 500)
    learning.yours(ax, {"lam 0.5": short}, {"unary": OURS}, games=1000, opponent="pubeval")
    stored, *_, mine = ax.lines
    assert (stored.get_color(), mine.get_color()) == (learning.COLOURS["unary"], plots.INK.text)
    assert stored.get_xdata().tolist() == mine.get_xdata().tolist() == [0, 1000]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "unary (stored, 3 runs)", "yours: lam 0.5 (3 runs)"
    ]  # fmt: skip


def test_stored_curves_are_those_of_the_repository():
    found = curves.stored("M-A8")
    assert found.games.tolist() == list(registry.find("M-A8").checkpoints)
    assert 50 < found.rates[:, -1].mean() < 62  # percent of games against pubeval
