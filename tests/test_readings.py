"""Figures and tables of other readings, from rows made by hand."""

import matplotlib.pyplot as plt
import pandas as pd

from tdlib.show import readings
from tdlib.study.registry import find
from tdlib.study.store import Store
from tests import made_rows


def stored(tmp_path, **wins):
    """A store with two runs of experiments, `M_A8` for M-A8, that won so often."""
    store = Store(tmp_path)
    for id, count in wins.items():
        e = find(id.replace("_", "-"))
        rows = [made_rows.row(e, run, g, count + run) for run in (0, 1) for g in e.checkpoints]
        store.add(e, rows)
    return store


def test_a_second_reading_stands_beside_ours_and_the_paper(tmp_path):
    store = stored(tmp_path, M_A8=2500, M_A8_INTEGERS=2600, M_A9=2000)
    both, alone = readings.beside(store)
    assert (both.table, alone.table) == ("A.8", "A.9") and alone.other is None
    assert both.other.rates.mean() - both.ours.rates.mean() == 2
    table = readings.beside_table([both, alone])
    assert table.games.tolist() == [1_000, 5_000, 50_000]
    # table A.8 ends at a mean of 57.96; ours end at 50.01 and 52.01: 7.95 and 5.95 less
    last = table.iloc[-1]
    assert last.paper == "58.0" and last["our reading"].startswith("-8.0 [")
    assert last["the other"].startswith("-6.0 [")
    fig = readings.beside_panels([both, alone])
    names = [text.get_text() for text in fig.axes[0].get_legend().get_texts()]
    assert names == ["our reading, 2 runs", "bar and off as plain counts, 2 runs"]
    assert [ax.get_title() for ax in fig.axes] == [
        "A.8: bar and off as plain counts",
        "A.9: bar and off as plain counts (not stored)",
    ]
    plt.close(fig)


def test_effects_are_sorted_in_each_panel():
    found = pd.DataFrame(
        {
            "table": ["A8"] * 3, "games": [1_000] * 3, "words": ["b", "a", "c"],
            "effect": [1.0, 4.0, -2.0], "low": [0.0, 3.0, -3.0], "high": [2.0, 5.0, -1.0],
            "p": [0.5, 0.001, 0.5],
        }
    )  # fmt: skip
    gaps = pd.DataFrame({"table": ["A8"], "games": [1_000], "gap": [9.3]})
    fig = readings.effect_panels(found, gaps, limit=13)
    (ax,) = fig.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]
    assert 9.3 in [line.get_xdata()[0] for line in ax.lines]  # the paper is on the axis
    plt.close(fig)
