"""What notebook 20 does by hand or draws is what the library computes."""

import dataclasses

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest

from tdlib import paths
from tdlib.exact import kalah as exact
from tdlib.learning import online
from tdlib.papers.choi2013 import endgames, exams, experiments
from tdlib.papers.choi2013.claims import measures
from tdlib.show.plots import predictions
from tdlib.study import train
from tdlib.study.network import stacked, untrained

CELLS = nbformat.read(paths.NOTEBOOKS / "20_choi_kalah.ipynb", 4).cells


def notebook(*beginnings):
    """The names that these cells define, after the imports."""
    known = {}
    for words in ("import jax\n", *beginnings):
        (cell,) = [x for x in CELLS if x.cell_type == "code" and words in x.source]
        exec(cell.source, known)
    return known


def test_ten_lines_learn_as_the_library_does():
    """Without random moves, so that both play the same games."""
    known = notebook("game, see =", "def play_and_learn")
    known["start"] = known["State"](np.array(([4] * 6 + [0]) * 2), np.int32(0))
    e = dataclasses.replace(experiments.FULL, epsilon=0.0, stated={}, assumed={})
    network = untrained(e, 0)
    weights, rng = network.weights, np.random.default_rng(0)
    for _ in range(3):
        weights = known["play_and_learn"](weights, rng, random_moves=0.0)
    begun = online.begin(stacked([network]))
    found = online.train(train.task(e), (), train.condition([network]), begun, [3])
    for ours, theirs, first in zip(weights, found.weights, network.weights, strict=True):
        np.testing.assert_allclose(ours, np.asarray(theirs)[0], atol=1e-5)
        assert np.abs(ours - first).max() > 0.001


@pytest.fixture(scope="module")
def asked():
    """An untrained network in the two smallest of the endgames."""
    solved = exact.solve(seeds=8)
    table = endgames.load()
    pits = [x for x in endgames.CUPS if not x.endswith("store")]
    small = table[(table.set == "learned") & (table[pits].sum(axis=1) <= 8)]
    assert len(small) >= 2
    paper = exams.exam(solved, endgames.positions(small[:2]))
    weights = untrained(experiments.FULL, 0).weights
    return paper, exams.valued(paper, experiments.FULL, weights)


def test_all_legal_moves_are_valued_and_one_of_each_position_is_chosen(asked):
    paper, table = asked
    assert len(table) == paper.moves.legal.sum()
    assert (table.groupby("position").chosen.sum() == 1).all()
    best = table.groupby("position").value.transform("max")
    assert (table.value[table.chosen] == best[table.chosen]).all()
    assert table.margin.max() == paper.moves.final[paper.moves.legal].max()
    mixed = table.groupby("position").sound.transform("nunique") == 2
    assert (table.matters == mixed).all()


def test_values_are_drawn_beside_the_truth(asked):
    _, table = asked
    _, axes = plt.subplots(1, 2)
    predictions.against_truth(axes[0], table.margin, table.value, table.chosen)
    _, other, taken = axes[0].lines
    assert len(taken.get_xdata()) == table.chosen.sum()
    assert len(other.get_xdata()) == (~table.chosen).sum()
    predictions.right_over_wrong(axes[1], [0.1, 0.6, 0.4, 0.3], [0.2, 0.5, 0.6, 0.9])
    assert axes[1].texts[0].get_text().startswith("75 % of 4 decisions")
    plt.close("all")


def test_effects_are_adjusted_for_their_number():
    rng = np.random.default_rng(0)
    base = rng.normal(20, 5, 10)
    rates = {f"same {i}": base + rng.normal(0, 1, 10) for i in range(8)}
    rates |= {"far": base + 40, "near": base + 4}
    found = measures.effects(rates, base).set_index("setting")
    assert found.more["far"] == pytest.approx(40)
    assert found.low["near"] > 0 and not found.differs["near"]  # one of ten such intervals
    assert found.differs.sum() == 1 and found.differs["far"]
    single = measures.effects({"one": base[:1]}, base[:1])
    assert single.low[0] == single.high[0] == 0 and not single.differs[0]
