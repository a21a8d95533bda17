"""The experiments of Matthews 2006 are those of the thesis, and everything they name exists."""

import collections

import pytest

from tdlib import encodings, games, players
from tdlib.papers.matthews2006 import tables as matthews2006
from tdlib.study import registry
from tdlib.study.experiment import LEARNER, training_settings
from tdlib.study.experiment import test_settings as settings_of_test
from tdlib.study.scale import scaled

ALL = {e.id: e for e in matthews2006.EXPERIMENTS}
TABLES = [e for e in ALL.values() if e.id[:3] == "M-A" and e.id[3:].isdigit()]


def test_there_is_one_for_each_table_two_of_chapter_8_and_three_controls():
    assert [e.id for e in TABLES] == [f"M-A{n}" for n in range(1, 29)]
    assert list(ALL)[28:] == ["M-50BG", "M-50HG", "M-10BG", "M-10HG", "M-ALPHA"]
    assert set(ALL) <= set(registry.experiments())


def test_the_appendix_has_1990_networks():
    assert sum(e.runs * len(e.checkpoints) for e in TABLES) == 1990
    assert sum(e.runs * e.games for e in TABLES) == 8_750_000
    assert {e.eval_games for e in TABLES} == {5_000}


@pytest.mark.parametrize(
    "game, tables, rows, inputs",
    [
        ("backgammon", range(1, 8), 21, {"unary": 196, "smart": 15, "combined": 211}),
        ("hypergammon", range(8, 13), 15, {"unary": 196, "smart": 15, "combined": 211}),
        ("pachisi", range(13, 20), 11, {"unary": 696, "smart": 32, "combined": 728}),
        ("parcheesi", range(20, 29), 11, {"unary": 632, "smart": 32, "combined": 664}),
    ],
)
def test_tables_by_game_with_the_inputs_of_table_5_1(game, tables, rows, inputs):
    for number in tables:
        e = ALL[f"M-A{number}"]
        assert (e.game, len(e.checkpoints)) == (game, rows)
        encoding = encodings.make(e.game, e.encoding, **dict(e.encoding_options))
        assert len(encoding.names) == inputs[e.encoding]


@pytest.mark.parametrize("e", ALL.values(), ids=ALL)
def test_everything_that_is_named_exists(e):
    game = games.make(e.game, **dict(e.game_options))
    assert e.outputs == game.seats == len(e.seats) == len(e.evaluation)
    for name in {*e.seats, *e.evaluation} - {LEARNER}:
        assert players.make(name, game).choose


def test_environments():
    def company(id):
        return dict(collections.Counter(ALL[id].seats))

    assert [company(f"M-A{n}") for n in (1, 2, 3)] == [
        {LEARNER: 2}, {LEARNER: 1, "random": 1}, {LEARNER: 1, "pubeval": 1},
    ]  # fmt: skip
    assert ALL["M-A16"].seats[::2] == ALL["M-A17"].seats[::2] == (LEARNER, LEARNER)  # a team
    assert [company(f"M-A{n}") for n in (21, 22, 25, 26)] == [
        {LEARNER: 1, "random": 3},
        {LEARNER: 1, "heuristic": 3},
        {LEARNER: 2, "random": 1, "heuristic": 1},
        {"random": 2, "heuristic": 2},
    ]
    smart = [e for e in TABLES if e.encoding != "unary"]
    assert all(set(e.seats) == {LEARNER} for e in smart)


def test_controls_differ_in_one_setting_from_what_they_control():
    def differences(id, other):
        one, two = (
            training_settings(ALL[name]) | settings_of_test(ALL[name]) for name in (id, other)
        )
        return {x for x in one | two if one.get(x) != two.get(x)} - {"id"}

    assert differences("M-10BG", "M-50BG") == differences("M-10HG", "M-50HG") == {"hidden"}
    assert differences("M-ALPHA", "M-A1") == {"alpha"}
    for name in ("M-10BG", "M-50BG", "M-10HG", "M-50HG"):
        assert ALL[name].games == max(ALL[name].checkpoints) >= 150_000
    for name, setting in (("M-10BG", "hidden"), ("M-10HG", "runs"), ("M-ALPHA", "alpha")):
        assert "not in the thesis" in ALL[name].assumed[setting]


def test_only_tables_4_and_6_are_not_normalised():
    raw = [e.id for e in ALL.values() if ("normalise", False) in e.encoding_options]
    assert raw == ["M-A4", "M-A6"]


def test_targets():
    assert ALL["M-A1"].targets == ALL["M-50HG"].targets == (0.1, 0.1, (0.6, 0.75, 0.9))
    assert ALL["M-A13"].targets == ALL["M-A28"].targets == (0.1, 0.1, (0.9,))


def test_what_is_assumed_has_a_reason():
    for e in ALL.values():
        assert {"bias", "rotate", "reevaluate", "max_plies", "epsilon"} <= e.assumed.keys()
        assert all(len(reason) > 10 for reason in e.assumed.values())
    assert "for ever" in ALL["M-A13"].assumed["habits"]
    assert "checkpoints" in ALL["M-50BG"].assumed and "seats" in ALL["M-A26"].assumed


@pytest.mark.parametrize("scale", ["smoke", "quick"])
def test_smaller_scales_keep_everything_but_numbers(scale):
    for e in ALL.values():
        small = scaled(e, scale)
        assert small.games < e.games and small.games == max(small.checkpoints)
        assert training_settings(small) == training_settings(e)
        same = settings_of_test(small) | {"eval_games": e.eval_games}
        assert same == settings_of_test(e)


def test_learners_of_pachisi_pass_in_training_only_if_they_must_and_freely_in_tests():
    for e in ALL.values():
        pachisi = e.game == "pachisi"
        assert dict(e.habits) == ({"passes": "forced", "wins": "taken"} if pachisi else {})
        assert dict(e.eval_habits) == ({"wins": "taken"} if pachisi else {})
        assert e.observe_end == pachisi
        assert {"habits", "eval_habits", "observe_end"} <= e.assumed.keys() or not pachisi
