"""Claims about pachisi and Parcheesi alone: the thesis's own numbers, and made ones."""

import numpy as np
import pandas as pd
import pytest

from tdlib.claims import scorecard
from tdlib.claims.rules import (
    INCONCLUSIVE,
    NO_RESULTS,
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
)
from tdlib.papers.matthews2006.claims.race_games import _recovers
from tests.claims.test_matthews import CLAIMS, as_ours, flat, verdict
from tests.made_evidence import Made


@pytest.mark.parametrize(
    ("id", "word"),
    [
        ("6.3-f", REPRODUCED), ("fig6.14-b", REPRODUCED), ("6.4-b", REPRODUCED),
        ("6.4-c", REPRODUCED), ("fig6.22-b", REPRODUCED), ("fig7.11-b", REPRODUCED),
        ("fig7.14-a", REPRODUCED), ("fig6.14-a", PARTLY), ("fig6.14-c", PARTLY),
        ("fig6.22-a", PARTLY), ("fig7.11-a", PARTLY), ("fig6.22-c", INCONCLUSIVE),
        ("6.3-g", PARTLY), ("6.3-h", NO_RESULTS), ("7.4-c", NO_RESULTS), ("7.4-d", NO_RESULTS),
    ],
)  # fmt: skip
def test_what_the_appendix_itself_says(id, word):
    assert verdict(id, as_ours) == word


PACHISI = {"M_A13": 18, "M_A14": 6, "M_A15": 16, "M_A16": 3, "M_A17": 10}
PARCHEESI = {"M_A20": 25, "M_A22": 30, "M_A23": 31, "M_A24": 29, "M_A25": 33, "M_A26": 30}


@pytest.mark.parametrize(
    ("id", "means", "word"),
    [
        ("6.3-f", {**PACHISI, "M_A15": 60}, NOT_REPRODUCED),
        ("6.3-f", {**PACHISI, "M_A15": lambda g: 55 if g == 5e3 else 20}, PARTLY),
        ("6.3-f", {**PACHISI, "M_A15": 50}, INCONCLUSIVE),
        ("fig6.14-a", PACHISI, REPRODUCED),
        ("fig6.14-a", {**PACHISI, "M_A17": lambda g: 20 if g == 5e3 else 10}, PARTLY),
        ("fig6.14-a", {**PACHISI, "M_A16": 9}, NOT_REPRODUCED),
        ("fig6.14-b", {**PACHISI, "M_A16": 12}, PARTLY),
        ("fig6.14-b", {**PACHISI, "M_A16": 12, "M_A14": 20}, NOT_REPRODUCED),
        ("fig6.14-c", PACHISI, REPRODUCED),
        ("fig6.14-c", {**PACHISI, "M_A13": 10}, NOT_REPRODUCED),
        ("fig6.22-c", PARCHEESI, REPRODUCED),
        ("fig6.22-c", {**PARCHEESI, "M_A23": 26}, PARTLY),
        ("6.3-h", {"M_A13": 10, "M_PAFULL": 20}, REPRODUCED),
        ("6.3-h", {"M_A13": 10, "M_PAFULL": 10.3}, PARTLY),
        ("6.3-h", {"M_A13": 20, "M_PAFULL": 10}, NOT_REPRODUCED),
        ("7.4-d", {"M_A19": 20, "M_PAFULL_COMBINED": 30}, REPRODUCED),
        ("6.4-c", {"M_A21": 25.2}, PARTLY),
        ("6.4-c", {"M_A21": 20}, NOT_REPRODUCED),
        ("fig6.22-a", PARCHEESI, REPRODUCED),
        ("fig6.22-a", {**PARCHEESI, "M_A20": lambda g: 25 if g < 12e3 else 40}, PARTLY),
        ("fig6.22-a", {**PARCHEESI, "M_A20": 40}, NOT_REPRODUCED),
        ("fig6.22-b", PARCHEESI, NOT_REPRODUCED),
        ("fig7.11-a", {"M_A13": 10, "M_A18": 60, "M_A19": 60}, REPRODUCED),
        ("fig7.11-a", {"M_A13": 60, "M_A18": 60, "M_A19": 60}, NOT_REPRODUCED),
        ("fig7.11-a", {"M_A13": 10, "M_A18": 40, "M_A19": 40}, NOT_REPRODUCED),
        ("fig7.11-a", {"M_A13": 10, "M_A18": 40, "M_A19": 60}, PARTLY),
        ("fig7.11-b", {"M_A18": 60, "M_A19": 50}, PARTLY),
        ("fig7.11-b", {"M_A18": 50, "M_A19": 60}, NOT_REPRODUCED),
        ("fig7.14-a", {"M_A27": 30, "M_A28": 20, "M_A20": 10}, NOT_REPRODUCED),
        ("7.4-c", {"M_A18": 60, "M_A19": 70, "M_A18_AGAIN": 60, "M_A19_AGAIN": 70},
         REPRODUCED),
        ("7.4-c", {"M_A18": 70, "M_A19": 70, "M_A18_AGAIN": 60, "M_A19_AGAIN": 70}, PARTLY),
        ("7.4-c", {"M_A18": 60, "M_A19": 70, "M_A18_AGAIN": 70, "M_A19_AGAIN": 60},
         NOT_REPRODUCED),
    ],
)  # fmt: skip
def test_other_evidence_gives_other_verdicts(id, means, word):
    assert verdict(id, flat(**means)) == word


def test_maxima_far_from_the_published_ones():
    high = dict.fromkeys(PARCHEESI, 60)
    assert verdict("6.4-b", flat(**high)) == NOT_REPRODUCED


def test_noise_of_single_runs():
    def jumps(size):
        return lambda games: 40 + size * (games // 5_000 % 2)

    for size, word in ((12, REPRODUCED), (3, PARTLY), (0.2, NOT_REPRODUCED)):
        load = flat(M_A1=jumps(0.5), **{name: jumps(size) for name in PACHISI})
        assert verdict("6.3-g", load) == word


def identical(player, rate, runs=40, seed=0):
    """Made rows of `identical_players`; rate [4]: how often each seat wins."""
    rng, rows = np.random.default_rng(seed), []
    for run in range(runs):
        wins = rng.multinomial(500, rate, size=20).cumsum(axis=0)
        for games, mine in zip(range(500, 10_001, 500), wins, strict=True):
            counts = {f"{kind}_{k}": mine[k] for kind in ("seat", "turn") for k in range(4)}
            rows.append({"experiment": player, "run": run, "games": games, **counts})
    return pd.DataFrame(rows)


def judged(id, rows):
    return scorecard.judge(CLAIMS[id], Made(measured={"identical-players": rows})).first


@pytest.mark.parametrize(
    ("rate", "word"),
    [
        ([0.26, 0.25, 0.245, 0.245], REPRODUCED),  # 1.5 points from the first to the last
        ([0.27, 0.25, 0.25, 0.23], PARTLY),
        ([0.25] * 4, NOT_REPRODUCED),
    ],
)
def test_a_spread_that_stays(rate, word):
    found = judged("matthews-fig5.1-a", identical("first", rate))
    assert found.verdict == word and "always the same player" in found.note


@pytest.mark.parametrize(
    ("rate", "word"),
    [([0.25] * 4, PARTLY), ([0.30, 0.24, 0.24, 0.22], NOT_REPRODUCED)],
)
def test_a_spread_that_falls(rate, word):
    # Of equal players the spread falls below 3 points long before 5,000 games: known exactly
    assert judged("matthews-fig5.1-b", identical("random", rate, runs=200)).verdict == word


def test_too_few_repetitions_decide_nothing():
    found = judged("matthews-fig5.1-a", identical("first", [0.25] * 4, runs=5))
    assert found.verdict == INCONCLUSIVE and "needs 20 repetitions" in found.note


def test_runs_that_recover():
    rates = np.array([[0, 10, 4, 10], [0, 10, 4, 5], [0, 10, 6, 12], [10, 8, 5, 11.0]])
    assert _recovers(rates).tolist() == [True, False, False, True]


def speeds(**changes):
    """Made rows of `training_time`, in the order that the thesis states."""
    rates = {"M-A8": 80, "M-A1": 20, "M-A13": 22, "M-A20": 5, "M-A11": 90, "M-A12": 70}
    rates |= {"M-A5": 30, "M-A7": 15, "M-A18": 30, "M-A19": 20, "M-A27": 9, "M-A28": 4}
    rates |= {id.replace("_", "-"): rate for id, rate in changes.items()}
    return pd.DataFrame(
        [
            {"experiment": id, "round": k, "game_rate": rate * (1 + (k - 2) / 200)}
            for id, rate in rates.items()
            for k in range(5)
        ]
    )


@pytest.mark.parametrize(
    ("changes", "word", "smart"),
    [
        ({}, REPRODUCED, 4),
        ({"M_A1": 40, "M_A5": 50}, REPRODUCED, 4),  # backgammon and pachisi in either order
        ({"M_A27": 3}, PARTLY, 3),
        ({"M_A20": 20}, PARTLY, 3),
        ({"M_A13": 81}, NOT_REPRODUCED, 3),
    ],
)
def test_speeds_of_games_and_inputs(changes, word, smart):
    source = Made(measured={"training-time": speeds(**changes)})
    found = scorecard.judge(CLAIMS["matthews-5.7-a"], source).first
    assert found.verdict == word and f"fastest in {smart} of 4 games" in found.note


def seen(column, **means):
    """Made rows of `visited`: five runs at five points of training."""
    return pd.DataFrame(
        [
            {"experiment": id.replace("_", "-"), "run": run, "games": 10_000 * point,
             column: mean * (1 + (run - 2) / 50 + (point - 3) / 10)}
            for id, mean in means.items() for run in range(5) for point in range(1, 6)
        ]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("alone", "word"),
    [(6.0, REPRODUCED), (5.05, PARTLY), (4.97, INCONCLUSIVE), (4.0, NOT_REPRODUCED)],
)
def test_heuristic_company_may_show_less(alone, word):
    rows = seen("entropy", M_A13=alone, M_A15=5.0, M_A17=4.8)
    found = scorecard.judge(CLAIMS["matthews-6.3-i"], Made(measured={"visited": rows})).first
    assert found.verdict == word


@pytest.mark.parametrize(
    ("rate", "positions", "word"),
    [
        (40, 9e4, REPRODUCED), (40, 7e4, PARTLY), (32, 9e4, PARTLY),
        (32, 7e4, NOT_REPRODUCED), (36, 8e4, INCONCLUSIVE),
    ],
)  # fmt: skip
def test_random_company_may_show_more(rate, positions, word):
    rows = seen("distinct", M_A23=positions, M_A24=8e4)
    source = Made(flat(M_A23=rate, M_A24=36), measured={"visited": rows})
    assert scorecard.judge(CLAIMS["matthews-6.4-f"], source).first.verdict == word
