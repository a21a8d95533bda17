"""Choi's measurements: what is asked for at each scale, and by which hashes it is found."""

import collections
from typing import NamedTuple

import numpy as np
import pytest

from tdlib.papers.choi2013 import exams, experiments, ladder, measurements, records, style
from tdlib.study import drive, measure
from tdlib.study.experiment import training_hash
from tdlib.study.measure import Measurement
from tdlib.study.network import untrained
from tdlib.study.scale import scaled
from tdlib.study.store import Store

SCALES = ("smoke", "quick", "paper")


def found(scale):
    return {m.id: m for m in measurements.measured(scale)}


def asked(scale):
    """Subjects of all measurements; nothing needs to be stored for that."""
    store = Store("none")
    return {id: m.asked(store) for id, m in found(scale).items()}


@pytest.mark.parametrize("scale", SCALES)
def test_each_subject_is_asked_for_once_and_names_a_row(scale):
    for m in measurements.measured(scale):
        subjects = m.asked(Store("none"))
        assert subjects and len(set(subjects)) == len(subjects), m.id
        assert {len(x) for x in subjects} == {m.subject} and m.key >= m.subject
        assert m.key <= len(m.row._fields)


@pytest.mark.parametrize("id", ["judged", "style", "predictions", "distinct", "speed"])
def test_scales_never_share_what_depends_on_their_size(id):
    """After smoke, quick played no comparison player again (bug 1)."""
    smoke, quick, paper = (set(asked(scale)[id]) for scale in SCALES)
    assert not smoke & quick and not smoke & paper and not quick & paper


def test_games_of_the_ladder_are_part_of_what_is_asked_for():
    number = ladder.Row._fields.index("eval_games")
    assert number < ladder.SUBJECT
    smoke, paper = ({x[number] for x in asked(scale)["ladder"]} for scale in ("smoke", "paper"))
    assert smoke == {2} and paper == {50, 200, 500, 1_000}


def test_four_games_do_not_stand_in_for_fifty(tmp_path):
    store, smoke, quick = Store(tmp_path), found("smoke")["style"], found("quick")["style"]
    row = style.Style(
        *smoke.asked(store)[0], 4, 4, *[0] * 2, 0.0, 0, 0, 0.0, 0, 0, 0.0, 0, "", ""
    )
    smoke.table(store).add([row])
    assert len(measure.load(smoke, store)) == 1 and measure.load(quick, store).empty
    assert len(measure.missing(quick, store)) == len(quick.asked(store))


def test_networks_of_other_settings_are_never_read(tmp_path):
    store, m = Store(tmp_path), found("smoke")["ladder"]
    subject = next(x for x in m.asked(store) if x[0] != ladder.MINIMAX)
    mine = ladder.Row(*subject, 1, 0, 5, 60, 0.1)
    m.table(store).add([mine, mine._replace(config="00000000"), mine._replace(test="00000000")])
    frame = measure.load(m, store)
    assert len(m.table(store).load()) == 3
    assert frame[["config", "test"]].values.tolist() == [list(subject[1:3])]


@pytest.mark.parametrize(
    "module, name, hash",
    [
        (ladder, "LANES", ladder.games_hash),
        (ladder, "MAX_PLIES", ladder.games_hash),
        (exams, "EXPLORE", lambda: exams.judged_hash(4)),
        (style, "EXPLORE", lambda: style.predictions_hash(4)),
        (style, "PHASES", lambda: style.predictions_hash(4)),
        (style, "OPPONENT", lambda: style.style_hash(4)),
        (style, "OTHERS_GAMES", lambda: style.style_hash(4)),
    ],
)
def test_a_changed_constant_changes_the_hash(module, name, hash, monkeypatch):
    """Constants that results depend on stood outside the hash (bug 9)."""
    before = hash()
    monkeypatch.setattr(module, name, getattr(module, name) + 1)
    assert hash() != before


def test_the_number_of_games_changes_the_hash():
    for hash in (exams.judged_hash, style.style_hash, style.predictions_hash):
        assert hash(4) != hash(5)


def test_of_each_pair_as_many_games_as_anybody_asks_for():
    rungs = measurements.rungs("paper")
    pairs = collections.Counter(subject[:-1] for subject in rungs)
    assert set(pairs.values()) == {1}
    full = scaled(experiments.FULL, "paper")
    last = max(full.checkpoints)
    assert ladder.of_network(full, 0, last, 1, 4, 500) in rungs  # the final test
    assert ladder.of_network(full, 0, 0, 1, 2, 1_000) in rungs  # before training
    assert ladder.of_network(full, 0, 0, 1, 4, 50) in rungs  # the series
    assert ladder.of_network(full, 0, last, 2, 7, 500) in rungs
    depths = {subject[5:7] for subject in rungs if subject[0] == ladder.MINIMAX}
    assert depths == {(d, less) for d in range(2, 8) for less in range(1, d)}


def test_only_stored_networks_are_measured(tmp_path):
    store, m = Store(tmp_path), found("smoke")["style"]
    e = scaled(experiments.FULL, "smoke")
    named = [x for x in m.asked(store) if x[0] == e.id]
    last = max(e.checkpoints)
    assert [(x[1], x[3], x[4]) for x in named] == [(training_hash(e), 0, last)]
    known = {e.id: e}
    assert list(records.choosers(known, store, named)) == []
    store.save(untrained(e, 0)._replace(games=last))
    ((subject, choose),) = records.choosers(known, store, named)
    cups = np.array([[4] * 6 + [0]] * 2).reshape(1, 14)
    assert subject == named[0] and 0 <= choose(cups, np.zeros(1, int), None)[0] < 6


def test_a_wider_network_values_positions_alike():
    e = scaled(experiments.FULL, "smoke")
    network = untrained(e, 0)
    hidden, output = ladder.widened(network)
    assert hidden.shape[0] == max(ladder.HIDDEN, e.hidden)
    assert (np.asarray(hidden)[e.hidden :] == 0).all()
    np.testing.assert_array_equal(output[:, : e.hidden], network.weights.output[:, : e.hidden])
    np.testing.assert_array_equal(output[:, -1], network.weights.output[:, -1])


class Word(NamedTuple):
    name: str
    length: int


WORDS = Measurement(
    id="words", paper="toys", title="letters of words", row=Word, subject=1, key=1,
    asked=lambda store: [("one",), ("three",), ("lost",)],
    compute=lambda store, todo: ([Word(name, len(name))] for (name,) in todo if name != "lost"),
)  # fmt: skip


@pytest.fixture
def training(monkeypatch):
    """What was trained, at which scale and how; nothing is."""
    calls = []
    monkeypatch.setattr(measurements, "measured", lambda scale: [WORDS])

    def nothing(chosen, store, **how):
        calls.append((chosen, how))
        return drive.Summary(5, 0, 0.0, 0.0, [], [])

    monkeypatch.setattr(drive, "run", nothing)
    return calls


def test_networks_are_trained_and_then_measured(training, tmp_path, capsys):
    store = measurements.load_or_measure("smoke", store=Store(tmp_path))
    ((chosen, how),) = training
    assert [e.id for e in chosen] == list(measurements.SIZES["smoke"].members)
    assert {e.scale for e in chosen} == {"smoke"} and how == {"compute": True, "fresh": False}
    said = "5 tests loaded, 0 computed; {} measurements loaded, {} computed\n"
    assert capsys.readouterr().out == said.format(0, 2)
    assert measure.load(WORDS, store).length.tolist() == [3, 5]
    measurements.load_or_measure("smoke", store=store)
    assert capsys.readouterr().out == said.format(2, 0)


def test_nothing_is_measured_unless_it_may_be(training, tmp_path, capsys):
    store = measurements.load_or_measure("paper", store=Store(tmp_path), compute=False)
    assert training[0][1]["compute"] is False
    assert capsys.readouterr().out.endswith("0 measurements loaded, 0 computed\n")
    assert measure.load(WORDS, store).empty
