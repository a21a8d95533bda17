"""Experiments say what they mean, and hashes depend on that and on nothing else."""

import dataclasses
import json
import subprocess
import sys

import pytest

from tdlib.learning.records import constant
from tdlib.study import experiment, identity, registry
from tdlib.study.experiment import LEARNER, training_hash, training_settings
from tdlib.study.experiment import test_hash as hash_of_test
from tdlib.study.experiment import test_settings as settings_of_test
from tdlib.study.identity import fingerprint
from tests.tiny_experiments import SELF


def test_numbers_become_constant_schedules_and_options_pairs():
    e = dataclasses.replace(SELF, epsilon=0.1, game_options={"b": 2, "a": 1})
    assert e.epsilon == constant(0.1) and e.explores and not SELF.explores
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
        {"alpha": constant(0.3)},
        {"encoding_options": ()},
    ],
)
def test_hashes_do_not_depend_on_words_and_on_how_far_it_goes(changes):
    other = dataclasses.replace(SELF, **changes)
    assert training_hash(other) == training_hash(SELF)
    assert hash_of_test(other) == hash_of_test(SELF)


TRAINING = {
    "game": "backgammon", "game_options": {"a": 1}, "encoding": "smart",
    "encoding_options": {"normalise": False}, "hidden": 4, "outputs": 1, "span": 0.5,
    "bias": False, "alpha": 0.2, "lam": 0.6, "epsilon": 0.1, "gamma": 0.9, "kappa": -1,
    "penalty": 0.01, "targets": (0.1, 0.5, (0.6, 0.75, 0.9)), "rewards": "x",
    "reevaluate": True, "observe_end": True, "seats": (LEARNER, "random"), "rotate": False,
    "max_plies": 999, "habits": {"passes": "forced"}, "floats": "float64", "ties": "last",
}  # fmt: skip
TESTS = {
    "evaluation": ("random", LEARNER), "eval_games": 21, "eval_max_plies": 999,
    "eval_rotate": False, "eval_habits": {"wins": "taken"},
}  # fmt: skip
BOTH = {"id": "T-OTHER", "seed": 1}


def test_hashes_depend_on_every_other_setting():
    def hashes(name, value):
        other = dataclasses.replace(SELF, **{name: value})
        return training_hash(other), hash_of_test(other)

    ours = training_hash(SELF), hash_of_test(SELF)
    changed = {name: hashes(name, x) for name, x in (TRAINING | TESTS | BOTH).items()}
    for name, (training, test) in changed.items():
        assert (training != ours[0]) == (name not in TESTS), name
        assert (test != ours[1]) == (name not in TRAINING), name
    assert len({x for x, _ in changed.values()}) == len(TRAINING) + len(BOTH) + 1
    assert len({x for _, x in changed.values()}) == len(TESTS) + len(BOTH) + 1


def test_every_setting_is_part_of_a_hash_or_says_how_far_it_goes():
    known = {field.name for field in dataclasses.fields(SELF)}
    free = {"paper", "group", "title", "games", "checkpoints", "runs", "quick_games", "scale",
            "stated", "assumed"}  # fmt: skip
    assert known == TRAINING.keys() | TESTS.keys() | BOTH.keys() | free


def test_lanes_of_tests_are_part_of_their_hash(monkeypatch):
    """Constants that results depend on stood outside the hash (bug 9)."""
    before = fingerprint(settings_of_test(SELF))
    assert before == hash_of_test(SELF)
    monkeypatch.setattr(experiment, "LANES", 51)
    assert fingerprint(settings_of_test(SELF)) != before


def test_hashes_depend_on_the_meaning_of_the_code_and_are_the_same_everywhere(monkeypatch):
    assert fingerprint({"a": 1.0, "b": [2]}) == fingerprint({"b": [2], "a": 1.0})
    # the sha256 of ["1","float32, threefry2x32 partitionable",{}] begins so
    assert fingerprint({}) == "f2226dcd"
    for name in ("SEMANTICS", "NUMERICS"):
        with monkeypatch.context() as patch:
            patch.setattr(identity, name, "2")
            assert fingerprint({}) != "f2226dcd"


def test_a_setting_that_has_its_default_is_not_part_of_the_hash():
    assert "observe_end" not in training_settings(SELF)
    other = dataclasses.replace(SELF, observe_end=True)
    assert training_settings(other) == training_settings(SELF) | {"observe_end": True}


def test_settings_survive_json():
    for settings in (training_settings(SELF), settings_of_test(SELF)):
        assert json.loads(json.dumps(settings)) == settings


def test_experiments_are_found_by_id():
    assert registry.find("M-A10").id == "M-A10"
    with pytest.raises(ValueError, match=r"unknown experiment 'M-A29'; expected one of M-A1, "):
        registry.find("M-A29")


def test_experiments_are_selected_by_id_paper_and_pattern():
    def ids(*names):
        return [e.id for e in registry.select(names)]

    assert ids("M-A2", "M-A1", "M-A2") == ["M-A2", "M-A1"]
    assert ids("M-A1?") == [f"M-A{n}" for n in range(10, 20)]
    known = registry.experiments()
    assert ids("matthews2006") == [id for id, e in known.items() if e.paper == "matthews2006"]
    assert ids() == list(known) != ids("matthews2006")
    with pytest.raises(
        ValueError, match=r"unknown experiment 'M'; expected a pattern, one of matth"
    ):
        ids("M-A1", "M")


def test_the_order_of_papers_does_not_depend_on_which_was_imported_first():
    code = (
        "import tdlib.papers.choi2013.experiments\n"
        "from tdlib.study import registry\n"
        "print(*dict.fromkeys(e.paper for e in registry.experiments().values()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["matthews2006", "choi2013"]
