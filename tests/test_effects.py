"""Effects of readings, from rows made by hand."""

import pandas as pd
import pytest

from tdlib.papers.matthews2006 import effects, sensitivity
from tdlib.study import registry
from tdlib.study.experiment import training_hash
from tdlib.study.registry import find
from tdlib.study.store import Store
from tests import made_rows


def row(e, run, wins, games=None):
    return {
        "experiment": e.id,
        "config": training_hash(e),
        "run": run,
        "games": max(e.checkpoints) if games is None else games,
        "wins": wins,
        "eval_games": e.eval_games,
    }


def test_effects_are_differences_of_means_over_runs():
    found = effects.cases(["A8"], scale="paper")
    rows = []
    for case in found:
        shift = 500 if case.reading and case.reading.name == "no-bias" else 0
        rows += [row(case.experiment, run, 2400 + shift + 10 * run) for run in range(10)]
        rows.append(row(case.experiment, 0, 0, games=1_000))  # one run tells nothing
    table = effects.effects(found, pd.DataFrame(rows)).set_index("reading")
    moved, still = table.loc["no-bias"], table.loc["coin"]
    assert moved.effect == pytest.approx(10) and moved.rate == pytest.approx(58.9)
    assert moved.ours == pytest.approx(48.9) and moved.runs == 10 and moved.games == 50_000
    # ten runs of each, sd of 0..9 is 3.02765, in percent 0.605530; t of 18 degrees is 2.10092
    half = 2.10092 * 0.605530 * (2 / 10) ** 0.5
    assert (moved.low, moved.high) == pytest.approx((10 - half, 10 + half), rel=1e-4)
    assert still.effect == 0 and still.p == 1 and moved.p < 1e-9


def test_gaps_are_those_to_the_papers_runs_and_readings_are_held_against_them():
    found = effects.cases(["A8"], scale="paper")
    rows = pd.DataFrame(
        row(case.experiment, run, 2300 + (100 if case.reading else 0) + 10 * run, 10_000)
        for case in found
        for run in range(2)
    )
    gaps = effects.gaps(found, rows)
    (gap,) = gaps.to_dict("records")
    # table A.8 after 10,000 games: 2273 2417 2483 2501 2475
    assert gap["paper"] == pytest.approx(2429.8 / 50) and gap["ours"] == pytest.approx(46.1)
    assert gap["gap"] == pytest.approx(2.496) and gap["low"] < 2.496 < gap["high"]
    (line,) = effects.explained(effects.effects(found, rows), gaps).to_dict("records")
    assert line["effect"] == pytest.approx(2) and line["left"] == pytest.approx(0.496)
    assert line["readings"] == 11 and line["games"] == 10_000


def test_p_values_are_adjusted_for_all_readings_and_checkpoints():
    found = effects.cases(["A11"], scale="paper")
    rows = [
        row(case.experiment, run, 2500 + 40 * run + (190 if case.reading else 0), games)
        for case in found
        for run in range(10)
        for games in case.experiment.checkpoints
    ]
    table = effects.effects(found, pd.DataFrame(rows))
    assert len(table) == 2 * (len(found) - 1) == 34
    # each alone: 190 with a standard error of 54.2, t of 18 degrees 3.508, p 0.00251
    assert table.p.tolist() == pytest.approx([34 * 0.002510] * 34, rel=1e-3)


def test_a_published_number_may_be_lacking():
    found = effects.cases(scale="quick")
    assert {case.table for case in found} == {"A8"}
    rows = [
        row(case.experiment, run, 200 + run, games)
        for case in found
        for run in range(2)
        for games in case.experiment.checkpoints
    ]
    assert effects.gaps(found, pd.DataFrame(rows)).games.tolist() == [0, 1_000]


def test_what_is_not_measured_yet_is_left_out():
    found = effects.cases(["A8", "A1"], scale="paper")
    coin, bias = (
        next(c.experiment for c in found if c.reading and c.reading.name == name)
        for name in ("coin", "no-bias")
    )
    ours = next(c.experiment for c in found if c.table == "A8" and c.reading is None)
    rows = [row(e, run, 2400 + run) for e in (ours, coin) for run in range(2)]
    rows.append(row(bias, 0, 2400))  # one run tells nothing
    rows += [row(bias, run, 2400, games=1_000) for run in range(2)]  # nor where ours is not
    kept = effects.measured(found, pd.DataFrame(rows))
    assert [case.experiment for case in kept] == [ours, coin]
    readings = [row(c.experiment, run, 1) for c in found if c.reading for run in range(2)]
    assert effects.measured(found, pd.DataFrame(readings)) == []  # without ours


def test_cases_are_each_table_and_its_readings():
    found = effects.cases(scale="paper")
    assert [c.table for c in found if c.reading is None] == [
        "A1",
        "A3",
        "A4",
        "A5",
        "A6",
        "A8",
        "A11",
    ]
    assert [c.experiment for c in found if c.reading] == list(sensitivity.EXPERIMENTS)
    few = effects.cases(scale="smoke", seed=3)
    assert len(few) == 2 and {(c.experiment.runs, c.experiment.seed) for c in few} == {(2, 3)}
    assert {c.experiment.runs for c in effects.cases(scale="paper", runs=4)} == {4}
    with pytest.raises(ValueError, match="unknown table 'A9'; expected some of A1, A3, "):
        effects.cases(["A9"], scale="quick")


def test_the_same_networks_against_another_opponent_are_compared_one_by_one(tmp_path):
    store = Store(tmp_path)
    assert effects.opponents(store, scale="paper").empty
    source, m = find("M-A9"), registry.measurements("paper")["S-OPPONENT"]
    for run, wins in enumerate((2000, 2100, 2200)):
        tests = [made_rows.row(source, run, games, 0) for games in source.checkpoints[:-1]]
        store.add(source, [*tests, made_rows.row(source, run, 50_000, wins)])
    for subject in m.asked(store):
        if subject[0] == "M-A9-V-PUBEVAL-COUNTS":
            run = subject[3]
            test = made_rows.row(source, run, 50_000, 2050 + 100 * run)
            m.table(store).add([test._replace(experiment=subject[0], test=subject[2])])
    (line,) = effects.opponents(store, scale="paper").to_dict("records")
    assert (line["table"], line["opponent"], line["runs"]) == ("A9", "pubeval-counts", 3)
    assert (line["effect"], line["low"], line["high"]) == pytest.approx((1, 1, 1))
    # table A.9 after 50,000 games: 2082 2028 2068 2007 1978
    assert line["gap"] == pytest.approx((2032.6 - 2100) / 50)
