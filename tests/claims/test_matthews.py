"""Matthews' claims: his own appendix reproduces itself; other evidence gives other verdicts."""

import re

import numpy as np
import pytest

from tdlib.claims import judges, ledger, scorecard
from tdlib.claims.evidence import Curves, Lacking
from tdlib.claims.rules import (
    INCONCLUSIVE,
    NO_RESULTS,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    PARTLY,
    PENDING,
    REPRODUCED,
)
from tdlib.papers.matthews2006.appendix import appendix
from tdlib.study import registry
from tests.made_evidence import Made

CLAIMS = ledger.read().claims
WIDE = {  # with five runs a side their published spread is too wide for the ledger's margins
    "matthews-tabA.4", "matthews-tabA.6", "matthews-fig6.9", "matthews-fig6.10",
    "matthews-fig6.11", "matthews-fig7.10", "matthews-fig6.2", "matthews-fig6.12",
    "matthews-fig6.13",
}  # fmt: skip
FIVE = np.array([-1.0, -0.5, 0, 0.5, 1])


def as_ours(id):
    """The thesis's tables as if they were ours; its one gap is filled."""
    table = re.fullmatch(r"M-A(\d+)", id)
    if not table:
        raise Lacking(f"{id} has no results yet")
    found = appendix(f"A.{table[1]}")
    filled = np.where(np.isnan(found.rates), np.nanmean(found.rates, axis=0), found.rates)
    return found._replace(rates=filled)


def flat(**means):
    """Five runs of each experiment, at one level at all checkpoints, or at levels by games."""

    def load(id):
        name = id.replace("-", "_")
        if name not in means:
            raise Lacking(f"{id} has no results yet")
        e = registry.experiments().get(id)
        games = np.array(e.checkpoints if e else [0])
        level = means[name]
        rates = [level(g) if callable(level) else level for g in games]
        return Curves(games, np.array(rates) + FIVE[:, None], 5_000, tuple(range(5)))

    return load


def verdict(id, load, words=None):
    return scorecard.judge(CLAIMS[f"matthews-{id}"], Made(load), words).first.verdict


def test_the_appendix_is_read():
    found = appendix("A.1")
    assert found.rates.shape == (5, 21) and found.rates[0, 0] == pytest.approx(100 * 92 / 5000)
    assert np.isnan(appendix("A.26").rates[4, -1])
    with pytest.raises(ValueError, match=r"no table 'A.29'"):
        appendix("A.29")


NUMBERS = [
    id
    for id, claim in CLAIMS.items()
    if judges.find(id) and claim.kind == "number" and set(claim.experiment) < {
        f"M-A{n}" for n in range(1, 29)}
]  # fmt: skip


@pytest.mark.parametrize("id", NUMBERS)
def test_every_number_of_the_thesis_reproduces_itself(id):
    found = scorecard.judge(CLAIMS[id], Made(as_ours))
    assert found.first.verdict == (INCONCLUSIVE if id in WIDE else REPRODUCED)
    assert found.runs == "5" and found.below == "5 of 10 runs"


@pytest.mark.parametrize(
    ("id", "word"),
    [
        ("fig6.4-a", REPRODUCED), ("fig6.4-c", REPRODUCED), ("fig6.8-a", REPRODUCED),
        ("fig6.4-b", PARTLY), ("fig6.8-b", PARTLY),  # as `published_data_support` says
        ("fig6.4-d", REPRODUCED), ("6.2-d", REPRODUCED), ("fig7.1", REPRODUCED),
        ("fig7.2", REPRODUCED), ("7.1-a", REPRODUCED), ("7.2-c", REPRODUCED),
        ("fig7.5-a", REPRODUCED), ("fig7.5-b", REPRODUCED), ("fig7.8-a", REPRODUCED),
        ("fig7.8-b", REPRODUCED), ("6.5-a", INCONCLUSIVE), ("6.5-b", REPRODUCED),
        ("6.4-d", REPRODUCED), ("6.4-e", REPRODUCED), ("7.5-d", PARTLY),
        ("fig7.14-b", REPRODUCED), ("7.6-a", PARTLY), ("7.6-b", PARTLY),
        ("8-a", REPRODUCED), ("8-b", REPRODUCED),
        ("8-c", NO_RESULTS), ("6.1-e", NO_RESULTS), ("tab4.1", NOT_TESTABLE),
        ("fig5.1-a", NO_RESULTS), ("5.7-a", NO_RESULTS),
    ],
)  # fmt: skip
def test_orderings_and_trends_of_the_appendix(id, word):
    assert verdict(id, as_ours) == word


@pytest.mark.parametrize(
    ("id", "means", "word"),
    [
        ("6.1-d", {"M_A3": 39, "M_A1": 35}, PARTLY),
        ("6.1-d", {"M_A3": 20, "M_A1": 27.5}, NOT_REPRODUCED),
        ("6.2-d", {"M_A1": 50, "M_A2": 40, "M_A8": 60, "M_A9": 10}, NOT_REPRODUCED),
        ("fig7.5-a", {"M_A5": 30, "M_A1": 20, "M_A7": 40}, NOT_REPRODUCED),
        ("fig7.5-b", {"M_A7": 40, "M_A1": 40.5}, NOT_REPRODUCED),
        ("fig7.5-b", {"M_A7": 40.2, "M_A1": 40}, PARTLY),
        ("fig7.8-b", {"M_A12": 50, "M_A11": 40}, NOT_REPRODUCED),
        ("fig7.8-b", {"M_A12": lambda g: 40 if g < 9e3 else 60, "M_A11": 50}, PARTLY),
        ("8-c", {"M_50BG": 59, "M_A7": 50}, REPRODUCED),
        ("8-c", {"M_50BG": 55, "M_A7": 50}, PARTLY),
        ("8-c", {"M_50BG": 50, "M_A7": 51}, NOT_REPRODUCED),
        ("8-d", {"M_50BG": 62}, REPRODUCED),
        ("8-d", {"M_50BG": 59.5}, PARTLY),
        ("8-d", {"M_50BG": 55}, NOT_REPRODUCED),
        ("8-e", {"M_50HG": lambda g: 68 if g < 6e4 else 70}, REPRODUCED),
        ("8-e", {"M_50HG": 71}, PARTLY),
        ("8-e", {"M_50HG": 60}, NOT_REPRODUCED),
        ("8-f", {"M_10HG": lambda g: 68 if g < 6e4 else 70,
                 "M_50HG": lambda g: 68 if g < 6e4 else 70}, REPRODUCED),
        ("8-f", {"M_10HG": lambda g: 60 if g < 6e4 else 62,
                 "M_50HG": lambda g: 68 if g < 6e4 else 70}, PARTLY),
        ("8-f", {"M_10HG": 68, "M_50HG": 68}, NOT_REPRODUCED),
        ("8-g", {"M_10HG": 68, "M_50HG": 71, "M_10BG": 50, "M_50BG": 58}, REPRODUCED),
        ("8-g", {"M_10HG": 68, "M_50HG": 68, "M_10BG": 50, "M_50BG": 58}, PARTLY),
        ("8-g", {"M_10HG": 68, "M_50HG": 68, "M_10BG": 50, "M_50BG": 50}, INCONCLUSIVE),
        ("8-g", {"M_10HG": 71, "M_50HG": 68, "M_10BG": 60, "M_50BG": 50}, NOT_REPRODUCED),
        ("8-b", {"M_A7": 40, "M_A12": 60, "M_A19": 60, "M_A28": 40}, PARTLY),
        ("8-b", {"M_A7": 40, "M_A12": 40, "M_A19": 60, "M_A28": 40}, NOT_REPRODUCED),
        ("8-b", {"M_A7": 40, "M_A12": 60}, PENDING),
        ("6.5-a", {"M_A1": 40, "M_A3": 52, "M_A8": 50, "M_A10": 60, "M_A13": 5, "M_A15": 5,
                   "M_A20": 20, "M_A22": 20}, NOT_REPRODUCED),
        ("7.6-a", {"M_A1": 40, "M_A5": 30, "M_A7": 50, "M_A8": 50, "M_A11": 60, "M_A12": 60,
                   "M_A13": 9, "M_A18": 60, "M_A19": 60, "M_A20": 30, "M_A27": 30,
                   "M_A28": 30}, PARTLY),  # no harm anywhere, but better in one game only
    ],
)  # fmt: skip
def test_other_evidence_gives_other_verdicts(id, means, word):
    assert verdict(id, flat(**means)) == word


def test_step_sizes():
    def jumps(size):
        return lambda games: 40 + size * (games // 5_000 % 2)

    for fast, slow, shift, word in (
        (1, 1, 0, REPRODUCED), (9, 1, 0, PARTLY), (1, 1, 5, PARTLY), (9, 1, 5, NOT_REPRODUCED),
    ):  # fmt: skip
        load = flat(M_A1=lambda g, s=shift, f=fast: jumps(f)(g) + s, M_ALPHA=jumps(slow))
        assert verdict("5.2-a", load) == word


@pytest.mark.parametrize(
    ("pupil", "word"),
    [(60, REPRODUCED), (41, PARTLY), (40, INCONCLUSIVE), (35, NOT_REPRODUCED)],
)
def test_specialisation(pupil, word):
    away = {f"{id}_V_{whom}": 70 for id in ("M_A1", "M_A3") for whom in ("RANDOM", "M_A7")}
    load = flat(M_A1=40, M_A3=pupil, **away)

    def at_the_end(id):  # the tests against others are of last networks
        found = load(id)
        if "-V-" not in id:
            return found
        return found._replace(games=np.array([100_000]), rates=found.rates[::-1])

    assert verdict("6.1-e", at_the_end) == word


def test_joint_claims_wait_for_their_parts():
    parts = ("matthews-6.5-a", "matthews-6.5-b", "matthews-7.6-a")
    for words, expected in (
        ((REPRODUCED,) * 3, REPRODUCED),
        ((REPRODUCED, PARTLY, REPRODUCED), PARTLY),
        ((REPRODUCED, PARTLY, PARTLY), NOT_REPRODUCED),
        ((REPRODUCED, PENDING, REPRODUCED), PENDING),
        ((INCONCLUSIVE, REPRODUCED, REPRODUCED), INCONCLUSIVE),
        ((NO_RESULTS,) * 3, NO_RESULTS),
    ):
        assert verdict("5.5-b", as_ours, dict(zip(parts, words, strict=True))) == expected


def test_more_runs_than_the_paper_had_are_used():
    def twice(id):
        found = as_ours(id)
        return found._replace(rates=np.concatenate([found.rates] * 2), runs=tuple(range(10)))

    found = scorecard.judge(CLAIMS["matthews-fig6.1"], Made(twice))
    assert (found.first.verdict, found.runs, found.below) == (REPRODUCED, "10", "")
    assert verdict("tabA.4", twice) == INCONCLUSIVE  # 5.6 points to each side: still too wide


def test_late_checkpoints_are_a_second_analysis():
    """Equal at the end, 10 points apart over the last 30 % of training but one test."""

    def dips(id):
        found = as_ours(id)
        rates = np.full(found.rates.shape, 50.0) + FIVE[:, None]
        rates[:, :-1] -= 10 if id == "M-A2" else 0
        return found._replace(rates=rates)

    found = scorecard.judge(CLAIMS["matthews-fig6.4-c"], Made(dips))
    assert found.first.verdict == INCONCLUSIVE and found.first.ours[0][1].value == 0
    assert found.late.verdict == REPRODUCED  # 6 of the 7 tests from 70,000 to 100,000 games
    assert found.late.ours[0][1].value == pytest.approx(60 / 7)
    assert scorecard.judge(CLAIMS["matthews-6.1-d"], Made(as_ours)).late is None


def test_two_runs_decide_nothing():
    def two(id):
        found = as_ours(id)
        return found._replace(rates=found.rates[:2], runs=(0, 1))

    found = scorecard.judge(CLAIMS["matthews-fig6.4-c"], Made(two))
    assert found.first.verdict == INCONCLUSIVE and found.first.p is None
    assert found.first.text == "M-A1 - M-A2 37.4"  # without interval
    assert found.first.note == "two runs are too few for an interval"
    assert found.below == "2 of 10 runs"


def test_training_that_ends_early_leaves_final_claims_open():
    def short(id):
        return as_ours(id).upto(10_000)

    found = scorecard.judge(CLAIMS["matthews-fig6.4-c"], Made(short)).first
    assert found.verdict == INCONCLUSIVE and found.ours
    assert found.note.startswith("after 10,000 of 100,000 games")
    assert verdict("6.1-d", short) == REPRODUCED  # is about 10,000 games
    best = scorecard.judge(CLAIMS["matthews-6.1-a"], Made(short)).first
    assert best.verdict == INCONCLUSIVE and "maximum of 15 tests" in best.note
