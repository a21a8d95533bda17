"""Experiments say what they mean, and their hash hangs on that and on nothing else."""

import dataclasses
import json

import pytest

from tdlib import experiments, schedules
from tdlib.experiments import LEARNER, config, fingerprint, scaled
from tests.tiny_experiments import SELF


def test_numbers_become_constant_schedules_and_options_pairs():
    e = dataclasses.replace(SELF, epsilon=0.1, game_options={"b": 2, "a": 1})
    assert e.epsilon == schedules.constant(0.1) and e.explores and not SELF.explores
    assert e.game_options == (("a", 1), ("b", 2))
    assert e == dataclasses.replace(e, game_options={"a": 1, "b": 2}) and hash(e)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"hidden": -1}, "hidden must be a whole number, 0 or more, not -1"),
        ({"runs": 0}, "runs must be a whole number, 1 or more, not 0"),
        ({"eval_games": 2.5}, "eval_games must be a whole number, 1 or more, not 2.5"),
        ({"bias": 1}, "bias must be True or False, not 1"),
        ({"kappa": -1.5}, "kappa must be from -1 to 1, not -1.5"),
        ({"gamma": float("nan")}, "gamma must be a finite number, not nan"),
        ({"targets": (0.1, 0.5, ())}, r"targets must be \(loss, draw, \(win, ...\)\)"),
        ({"checkpoints": (0, 61)}, r"checkpoints must be numbers of games from 0 to 60"),
        ({"quick_games": 61}, "quick_games must be None or a number of games from 1 to 60"),
        ({"checkpoints": ()}, "checkpoints must be numbers of games"),
        ({"evaluation": ("random", "random")}, "evaluation must be 2 names like `seats`"),
        ({"evaluation": (LEARNER,)}, "evaluation must be 2 names like `seats`"),
        ({"outputs": 3}, "outputs must be 1 or 2, the seats, not 3"),
        ({"scale": "tiny"}, "unknown scale 'tiny'; expected one of smoke"),
        ({"stated": {"alpha": "section 1"}}, "neither stated nor assumed: bias, checkpoints"),
        ({"stated": {"alfa": "section 1"}}, "stated, but no settings: alfa"),
        ({"stated": {"lam": "1"}, "assumed": {"lam": "2"}}, "as well as assumed: lam"),
    ],
)
def test_what_makes_no_sense_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(SELF, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "x"},
        {"paper": "x"},
        {"runs": 9},
        {"games": 99, "checkpoints": (7, 99)},
        {"scale": "quick", "quick_games": 7},
        {"alpha": schedules.constant(0.3)},
        {"encoding_options": ()},
    ],
)
def test_the_hash_does_not_hang_on_words_and_on_how_far_it_goes(changes):
    assert fingerprint(config(dataclasses.replace(SELF, **changes))) == fingerprint(
        config(SELF)
    )


def test_the_hash_hangs_on_every_other_setting():
    others = {
        "id": "T-OTHER", "game": "backgammon", "game_options": {"a": 1}, "encoding": "smart",
        "encoding_options": {"normalise": False}, "hidden": 4, "outputs": 1, "span": 0.5,
        "bias": False, "alpha": 0.2, "lam": 0.6, "epsilon": 0.1, "gamma": 0.9, "kappa": -1,
        "penalty": 0.01, "targets": (0.1, 0.5, (0.6, 0.75, 0.9)), "rewards": "x",
        "reevaluate": True, "seats": (LEARNER, "random"), "rotate": False, "max_plies": 999,
        "evaluation": ("random", LEARNER), "eval_games": 21, "eval_max_plies": 999, "seed": 1,
    }  # fmt: skip
    assert others.keys() == config(SELF).keys()
    changed = [
        fingerprint(config(dataclasses.replace(SELF, **{k: v}))) for k, v in others.items()
    ]
    assert len({*changed, fingerprint(config(SELF))}) == len(others) + 1


def test_the_hash_hangs_on_the_meaning_of_the_code_and_is_the_same_everywhere():
    assert fingerprint({"a": 1.0, "b": [2]}, "1") == fingerprint({"b": [2], "a": 1.0}, "1")
    assert fingerprint({"a": 1.0}, "1") != fingerprint({"a": 1.0}, "2")
    assert fingerprint({}, "1").startswith("5358e433")  # of the text ["1",{}]


def test_settings_survive_json():
    assert json.loads(json.dumps(config(SELF))) == config(SELF)


def test_paper_scale_changes_nothing():
    assert scaled(SELF, "paper") is SELF


@pytest.mark.parametrize(
    "id, games, checkpoints, runs",
    [
        ("M-A1", 10_000, (0, 2500, 5000, 7500, 10_000), 2),
        ("M-A8", 5_000, (0, 1000, 2000, 3000, 4000, 5000), 2),  # as in the paper
        ("M-A13", 500, (0, 125, 250, 375, 500), 2),
        ("M-A20", 5_000, (0, 1250, 2500, 3750, 5000), 2),
        ("M-50HG", 15_000, (0, 5000, 10_000, 15_000), 1),
    ],
)
def test_quick_is_a_tenth_with_the_checkpoints_of_the_paper(id, games, checkpoints, runs):
    e = scaled(experiments.find(id), "quick")
    assert (e.games, e.checkpoints, e.runs) == (games, checkpoints, runs)
    assert e.eval_games == 500 and e.scale == "quick"


def test_smoke_is_ten_games():
    e = scaled(experiments.find("M-A1"), "smoke")
    assert (e.games, e.checkpoints, e.runs, e.eval_games) == (10, (0, 5, 10), 1, 10)


def test_an_unknown_scale_is_refused():
    with pytest.raises(ValueError, match="unknown scale 'big'; expected one of smoke, quick"):
        scaled(SELF, "big")


def test_experiments_are_found_by_id():
    assert experiments.find("M-A10").id == "M-A10"
    with pytest.raises(ValueError, match=r"unknown experiment 'M-A29'; expected one of M-A1, "):
        experiments.find("M-A29")


def test_experiments_are_selected_by_id_paper_and_pattern():
    def ids(*names):
        return [e.id for e in experiments.select(names)]

    assert ids("M-A2", "M-A1", "M-A2") == ["M-A2", "M-A1"]
    assert ids("M-A1?") == [f"M-A{n}" for n in range(10, 20)]
    assert len(ids("matthews2006")) == 33 and ids() == list(experiments.EXPERIMENTS)
    with pytest.raises(ValueError, match=r"unknown experiment 'M'; expected a paper \(matth"):
        ids("M-A1", "M")
