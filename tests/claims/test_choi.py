"""Choi's claims: made-up tables give the verdicts that the ledger's rules ask for."""

import numpy as np
import pandas as pd
import pytest

from tdlib.claims import judges, ledger, scorecard
from tdlib.claims.evidence import Evidence
from tdlib.claims.rules import (
    INCONCLUSIVE,
    NO_RESULTS,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    PARTLY,
    REPRODUCED,
)
from tdlib.papers.choi2013.claims import endgame as endgame_rules
from tdlib.papers.choi2013.claims import measures
from tdlib.papers.choi2013.experiments import EPOCHS, FULL, HAND, SERIES
from tests.made_evidence import Made

CLAIMS = {id: x for id, x in ledger.read().claims.items() if x.paper == "choi2013"}


def ladder(rate, *, runs=4, depths=(1, 2, 3, 4), own=1, games=None):
    """rate(experiment, games, run, opponent) -> percent, of all series."""
    members = dict.fromkeys([HAND, *(e for group in SERIES.values() for e in group.values())])
    lines = [
        (e.id, run, at, own, d, 1_000, round(10 * rate(e, at, run, d)), 0)
        for e in members
        for at in (games or e.checkpoints)
        for run in range(runs)
        for d in depths
    ]
    columns = ["experiment", "run", "games", "depth", "opponent", "eval_games", "wins", "draws"]
    return pd.DataFrame(lines, columns=columns)


def verdict(id, **tables):
    return scorecard.judge(CLAIMS[f"choi-{id}"], Made(measured=tables)).first.verdict


def test_every_claim_has_a_rule_or_cannot_be_tested():
    for id, claim in CLAIMS.items():
        if id == "choi-6.2-b":  # needs only the endgames themselves
            assert judges.find(id)
        else:
            untestable = claim.kind == "not-testable"
            found, *_ = scorecard.judge(claim, Made())
            assert found.verdict == (NOT_TESTABLE if untestable else NO_RESULTS), id


@pytest.mark.parametrize("faster, wilder, word", [
    (True, True, REPRODUCED), (True, False, PARTLY), (False, False, NOT_REPRODUCED),
])  # fmt: skip
def test_step_sizes(faster, wilder, word):
    def rate(e, games, run, d):
        alpha = e.alpha.start
        swing = ((6 if wilder else 0.3) if alpha > 0.1 else 1) * (-1) ** (games // 1_000)
        swing *= 1 + 0.2 * run
        return 30 + (100 * alpha if faster else -100 * alpha) + swing + 0.3 * run

    assert verdict("6.1-a", ladder=ladder(rate)) == word


def test_series_and_the_best_combination():
    def rate(e, games, run, d):
        return 20 + 10 * e.lam.start + 0.2 * e.hidden - 5 * e.span + 0.5 * run

    table = ladder(rate, games=(1_000, 2_000, 5_000, EPOCHS))
    assert verdict("6.1-c", ladder=table) == REPRODUCED
    assert verdict("6.1-d", ladder=table) == REPRODUCED
    assert verdict("5-b", ladder=table) == REPRODUCED
    assert verdict("6.1-b", ladder=table) == REPRODUCED  # all step sizes alike
    # lambda 1 and 40 units are a little better than what was chosen
    assert verdict("6.1-e", ladder=table) == PARTLY


@pytest.mark.parametrize("steps, word", [(12, REPRODUCED), (24, PARTLY)])
def test_one_size_of_six_that_falls_must_fall_clearly(steps, word):
    """A slope with an interval just below zero is no surprise among six."""

    def rate(e, games, run, d):
        falls = e.hidden == 5 and games > 5_000
        wobble = (run - 1.5) * 4 * (games - 7_500) / 5_000
        fallen = falls * steps * (games - 5_000) / 5_000
        return 40 + 0.2 * e.hidden + 0.5 * run + wobble - fallen

    table = ladder(rate, games=(1_000, 2_000, 5_000, 7_000, EPOCHS))
    found = scorecard.judge(CLAIMS["choi-6.1-d"], Made(measured={"ladder": table})).first
    assert found.verdict == word, found


def test_missing_settings_are_told():
    table = ladder(
        lambda e, games, run, d: 20 + e.hidden + run + games / 1e4, games=(1_000, 5_000, EPOCHS)
    )
    some = table[~table.experiment.isin(["C-HIDDEN-10", "C-HIDDEN-20"])]
    found, *_ = scorecard.judge(CLAIMS["choi-6.1-d"], Made(measured={"ladder": some}))
    assert found.verdict == REPRODUCED and "4 of 6 settings" in found.note


def test_randomness():
    table = ladder(lambda e, games, run, d: 10 + 20 * (e.epsilon.start > 0) + run)
    same = pd.DataFrame(
        {"experiment": ["C-RANDOM-0.0"] * 3, "games": 1_000, "distinct": [9, 5, 7]}
    )
    assert verdict("5-c", ladder=table, distinct=same) == REPRODUCED
    assert verdict("5-c", ladder=table, distinct=same.assign(distinct=900)) == PARTLY


@pytest.mark.parametrize("equal, word", [(3, REPRODUCED), (2, PARTLY), (0.4, NOT_REPRODUCED)])
def test_plies_gained(equal, word):
    def rate(e, games, run, d):
        return 100 / (1 + np.exp(d - equal - 0.05 * run))

    table = ladder(rate, games=(FULL.games,), depths=range(1, 8))
    assert verdict("6.2-d", ladder=table) == word


def test_the_depth_of_equals_is_where_scores_cross_half():
    depths = np.arange(1, 8.0)
    scores = 1 / (1 + np.exp(0.8 * (depths - 3.5)))
    hundred = np.full(7, 100)
    found = measures.depth_of_equals(100 * scores, hundred, depths)
    assert found == pytest.approx(3.5, abs=1e-4)
    assert measures.depth_of_equals(np.full(7, 90), hundred, depths) == 8
    assert measures.depth_of_equals(np.zeros(7), hundred, depths) == 0
    won_or_lost = 100 * (depths < 4)
    assert measures.depth_of_equals(won_or_lost, hundred, depths) == pytest.approx(
        3.5, abs=0.01
    )


def test_the_depth_of_equals_weighs_tests_by_their_games():
    # run 4 of C-FULL at depth 2; a test of 500 games is ten tests of 50
    points = np.array([455, 325, 225, 250, 25, 39.5, 10])
    games, depths = np.array([500] * 4 + [50] * 3), np.arange(1, 8.0)
    found = measures.depth_of_equals(points, games, depths)
    copies = games // 50
    same = measures.depth_of_equals(
        np.repeat(points / copies, copies), np.full(43, 50), np.repeat(depths, copies)
    )
    assert found == pytest.approx(same, abs=1e-5) and found == pytest.approx(3.88, abs=0.01)
    alike = measures.depth_of_equals(points / games, np.ones(7), depths)
    assert abs(alike - found) > 0.5  # as if all tests were of one length


def test_rows_of_two_configurations_are_not_mixed():
    table = ladder(lambda e, games, run, d: 20 + run, games=(EPOCHS,)).assign(config="quick")
    assert not Evidence(Made(measured={"ladder": table})).measured("ladder").empty
    mixed = pd.concat([table, table[:1].assign(config="smoke")])
    first = table.experiment[0]
    with pytest.raises(ValueError, match=f"mix several configurations of {first}$"):
        Evidence(Made(measured={"ladder": mixed})).measured("ladder")


def endgame(right, *, runs=3, positions=4):
    """right(games, network) -> decisions kept of 20; networks are numbered by position."""
    lines = [
        (f"C-END-{p + 1}", run, games, "own", 20, right(games, runs * p + run), 0.3 + run / 100)
        for p in range(positions)
        for run in range(runs)
        for games in range(0, 20_001, 1_000)
    ]
    columns = ["experiment", "run", "games", "set", "decisions", "sound", "error"]
    return pd.DataFrame(lines, columns=columns)


def test_endgames():
    soon = endgame(lambda games, n: 20 if games >= 5_000 + 1_000 * (n % 5) else 10)
    late = endgame(lambda games, n: 20 if games >= 15_000 + 1_000 * (n % 2) else 10)
    never = endgame(lambda games, n: 19)
    assert verdict("6.2-a", endgames=soon) == REPRODUCED
    assert verdict("6.2-a", endgames=late) == PARTLY
    assert verdict("6.2-a", endgames=never) == NOT_REPRODUCED
    assert verdict("6.2-c", endgames=soon) == REPRODUCED
    table = ladder(lambda e, games, run, d: min(60, games / 2_000) + run)
    assert verdict("6.2-e", endgames=soon, ladder=table) == REPRODUCED
    assert verdict("7-a", endgames=soon.assign(sound=soon.sound - (soon.games == 0) * soon.run),
                   ladder=table) == REPRODUCED  # fmt: skip


def test_networks_of_few_endgames_do_not_decide_about_endgames():
    """All networks of two endgames become perfect and none of two: half, or any other share."""
    half = endgame(lambda games, n: 20 if n < 30 else 19, runs=15)
    assert verdict("6.2-a", endgames=half) == INCONCLUSIVE
    one = endgame(lambda games, n: 19, runs=15, positions=1)
    assert verdict("6.2-a", endgames=one) == INCONCLUSIVE


def test_a_ratio_around_one_decides_nothing():
    slow = endgame(lambda games, n: 20 if games >= 1_000 * 2 ** (n % 4) else 10)
    table = ladder(lambda e, games, run, d: 30 + run if games >= 2_000 * (1 + run) else 10)
    assert verdict("6.2-e", endgames=slow, ladder=table) == INCONCLUSIVE
    fast = ladder(lambda e, games, run, d: 30 + run if games else 10)
    late = endgame(lambda games, n: 20 if games >= 15_000 + 1_000 * (n % 3) else 10)
    assert verdict("6.2-e", endgames=late, ladder=fast) == NOT_REPRODUCED


def test_whether_six_plies_are_needed_cannot_be_tested_on_positions_chosen_for_it():
    found = scorecard.judge(CLAIMS["choi-6.2-b"], Made()).first
    assert found.verdict == NOT_TESTABLE and "his position is lost" in found.note


def test_endgames_learned_together_do_not_speak_for_one_alone():
    together = endgame(lambda games, run: 20).assign(experiment="C-ENDS", set="learned")
    for id in ("6.2-a", "6.2-c", "6.2-e", "7-a"):
        assert verdict(id, endgames=together) == NO_RESULTS


def test_endgames_count_by_position():
    mixed = endgame(lambda games, n: 20 if games and n < 6 else 10, runs=6, positions=2)
    mixed = mixed.assign(right=mixed.sound / mixed.decisions)
    games, right = endgame_rules.curves(mixed, "right")
    assert right.shape == (2, len(games)) and right[:, -1].tolist() == [1.0, 0.5]
    assert endgame_rules.lasting(mixed).tolist() == [1_000] * 6 + [np.inf] * 6
    assert endgame_rules.perfect(mixed).tolist() == [100, 0]


def test_style_and_predictions():
    many = pd.DataFrame({
        "experiment": ["C-FULL"] * 3 + ["random"], "games": [FULL.games] * 3 + [0],
        "run": [0, 1, 2, 0], "eval_games": 100, "moves": 1_000, "nearest": [500, 520, 480, 300],
        "nearest_expected": 300.0, "captures_open": 200, "captures": [150, 160, 155, 90],
        "captures_expected": 90.0, "kept": [80, 75, 85, 50],
    })  # fmt: skip
    assert verdict("6.3-c", style=many) == REPRODUCED
    assert verdict("6.3-c", style=many.assign(kept=50)) == PARTLY
    told = pd.DataFrame(
        [("C-FULL", FULL.games, run, phase, 0.3 - 0.05 * phase - 0.001 * run * phase, 0.25)
         for run in range(3) for phase in (1, 2, 3, 4)],
        columns=["experiment", "games", "run", "phase", "brier", "baseline"],
    )  # fmt: skip
    assert verdict("6.3-d", predictions=told) == REPRODUCED
