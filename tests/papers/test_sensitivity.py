"""Each experiment of the sensitivity analysis changes one reading, and the main ones stay."""

import dataclasses

import pytest

from tdlib.papers.matthews2006 import second_readings, sensitivity
from tdlib.study.experiment import test_hash as hash_of_test
from tdlib.study.experiment import test_settings as settings_of_test
from tdlib.study.experiment import training_hash, training_settings
from tdlib.study.network import opponent, shapes
from tdlib.study.registry import find

READING = {reading.name: reading for reading in sensitivity.READINGS}
# What a reading changes, by the field of the experiment
CHANGED = {
    "plain-counts": {"encoding_options": {"scaled": False}},
    "whole-bar": {"encoding_options": {"bar": "whole"}},
    "extra-over": {"encoding_options": {"extra": "over"}},
    "extra-count": {"encoding_options": {"extra": "count"}},
    "no-bias": {"bias": False},
    "reevaluated": {"reevaluate": True},
    "end-observed": {"observe_end": True},
    "fixed-seat": {"rotate": False, "eval_rotate": False},
    "coin": {"game_options": {"start": "coin"}},
    "learner-begins": {
        "rotate": False, "eval_rotate": False, "game_options": {"start": "seat_0"}
    },
    "raw-features": {"encoding_options": {"normalise": False}},
    "shares": {"encoding_options": {"normalise": False, "chances": "shares"}},
    "float64": {"floats": "float64"},
    "float32-last": {"ties": "last"},
    "float32-random": {"ties": "random"},
    "float64-last": {"floats": "float64", "ties": "last"},
    "float64-random": {"floats": "float64", "ties": "random"},
    "backgammon-maxima": {"encoding_options": {"normalise": True, "greatest": "backgammon"}},
    "no-turn": {"encoding_options": {"normalise": True, "turn": "none"}},
    "best-on-board": {"encoding_options": {"normalise": True, "best": "board"}},
    "exposure-bar": {"encoding_options": {"normalise": True, "exposure": "bar"}},
    "hit-one-die": {"encoding_options": {"normalise": True, "hit": "die"}},
    "blockade-unless-won": {"encoding_options": {"normalise": True, "blockade": "unfinished"}},
    "blockade-stuck": {"encoding_options": {"normalise": True, "blockade": "stuck"}},
}  # fmt: skip


def config(e):
    found = training_settings(e) | settings_of_test(e)
    options = ("game_options", "encoding_options")
    return found | {name: dict(found[name]) for name in options if name in found}


def place(e):
    """Table and reading of an experiment."""
    _, table, name = e.id.split("-", 2)
    return table, name


@pytest.mark.parametrize("e", sensitivity.EXPERIMENTS, ids=lambda e: e.id)
def test_exactly_one_reading_differs_from_the_main_experiment(e):
    table, name = place(e)
    main, ours = config(find(f"M-{table}")), config(e)
    expected = dict(CHANGED.get(name, {}))
    if name.startswith("pubeval-"):
        expected["evaluation"] = ["learner", name]
        if table == "A3":
            expected["seats"] = ["learner", name]
    changed = {k: v for k, v in ours.items() if main.get(k) != v}
    assert changed == {"id": e.id, **expected} and main.keys() <= ours.keys()


@pytest.mark.parametrize("e", sensitivity.EXPERIMENTS, ids=lambda e: e.id)
def test_everything_that_an_experiment_names_exists(e):
    names = {*e.seats, *e.evaluation} - {"learner"}
    assert all(opponent(e, name).name == name for name in names)
    assert shapes(e).hidden[0] == 10
    table = place(e)[0]
    assert e.games == max(e.checkpoints) == {"A1": 20_000, "A8": 50_000}.get(table, 10_000)
    assert e.runs == (10 if table in ("A8", "A11") else 5)


def test_readings_have_names_words_and_a_source():
    assert len(READING) == len(sensitivity.READINGS)
    assert len({e.id for e in sensitivity.EXPERIMENTS}) == sum(
        len(reading.tables) for reading in sensitivity.READINGS
    )
    for reading in sensitivity.READINGS:
        assert reading.words and reading.ours and reading.source and reading.tables


@pytest.mark.parametrize("e", second_readings.EXPERIMENTS, ids=lambda e: e.id)
def test_second_readings_are_whole_tables_with_one_change(e):
    id, _, ending = e.id.rpartition("-")
    main = find(id)
    name, _ = second_readings.TABLES[ending]
    changed = {k: v for k, v in config(e).items() if config(main).get(k) != v}
    expected = {"id": e.id, **CHANGED[name]}
    if inputs := CHANGED[name].get("encoding_options"):
        expected["encoding_options"] = dict(main.encoding_options) | inputs
    assert changed == expected
    assert (e.games, e.checkpoints, e.runs) == (main.games, main.checkpoints, 10)


@pytest.mark.parametrize("table, base", sensitivity.BASES.items())
def test_the_main_results_are_what_readings_are_compared_with(table, base):
    main = find(f"M-{table}")
    assert training_hash(base) == training_hash(main)  # so the stored rows are used
    assert hash_of_test(base) == hash_of_test(main)
    assert set(base.checkpoints) <= set(main.checkpoints)


@pytest.mark.parametrize(
    "id, training, test",
    [
        ("M-A1", "7687d425", "bdc24b12"),
        ("M-A3", "5f8cec2b", "74917bf7"),
        ("M-A8", "8255b204", "b3d7021a"),
        ("M-A11", "128cac08", "0d023735"),
    ],
)
def test_settings_that_come_later_leave_stored_results_valid(id, training, test):
    e = find(id)
    assert (training_hash(e), hash_of_test(e)) == (training, test)  # as results are stored
    later = {"observe_end": True, "eval_rotate": False, "floats": "float64", "ties": "last"}
    for name, value in later.items():
        other = dataclasses.replace(e, **{name: value}, stated={}, assumed={})
        assert (training_hash(other), hash_of_test(other)) != (training, test)
        assert config(other).items() >= config(e).items()
