"""Each rule reaches each of its verdicts, on evidence made by hand."""

import numpy as np
import pytest

from tdlib.claims import rules
from tdlib.claims.evidence import Curves, TooFew
from tdlib.claims.rules import INCONCLUSIVE, NOT_REPRODUCED, PARTLY, REPRODUCED
from tdlib.stats import Interval

FIVE = np.array([-2.0, -1, 0, 1, 2])  # runs: standard deviation 1.58, error 0.71


def curves(rates, games=(0, 10, 20, 30)):
    rates = np.asarray(rates, float)
    return Curves(np.array(games), rates, 5_000, tuple(range(len(rates))))


@pytest.fixture
def rng():
    return np.random.default_rng(5)


# Welch of 5 and 5 such runs: t(8) is 2.306, the error 1, so 2.3 points to each side.
@pytest.mark.parametrize(
    ("shift", "spread", "word"),
    [
        (2, 1, REPRODUCED),
        (-4, 1, PARTLY),
        (6, 1, NOT_REPRODUCED),
        (0, 3, INCONCLUSIVE),  # 6.9 to each side, more than 5
        (8, 3, INCONCLUSIVE),
        (20, 3, NOT_REPRODUCED),  # wholly outside
    ],
)
def test_levels(shift, spread, word):
    found = rules.level(40 + shift + spread * FIVE, 40 + spread * FIVE)
    assert found.verdict == word
    assert found.ours[1][1].value == pytest.approx(shift)
    assert ("alone leave 5.9 points" in found.note) == (spread == 3)  # 2.776 * 3 * 0.7071


@pytest.mark.parametrize(("theirs", "word"), [(40, PARTLY), (16, PARTLY), (8, NOT_REPRODUCED)])
def test_small_levels_have_small_margins(theirs, word):
    """3 points are less than 5 and than a quarter of 16, but not than a quarter of 8."""
    assert rules.level(theirs - 3 + FIVE / 2, theirs + FIVE / 2).verdict == word


# The band of a five-run mean is 2.776 * 1.58 * sqrt(2/5) = 2.8 points to each side.
@pytest.mark.parametrize(
    ("shifts", "word", "inside"),
    [
        ((0, 2, -2, 1), REPRODUCED, 4),
        ((0, 0, 9, 1), PARTLY, 3),
        ((9, 9, 9, 1), PARTLY, 1),  # the final mean agrees: not the worst
        ((0, 0, 0, 6), PARTLY, 3),
        ((9, 9, 9, 6), NOT_REPRODUCED, 0),
    ],
)
def test_curves(shifts, word, inside):
    ours = curves(40 + np.array(shifts) + FIVE[:, None])
    theirs = curves(np.full(4, 40) + FIVE[:, None])
    near = rules.in_band(ours, theirs)
    found = rules.level(ours.rates[:, -1], theirs.rates[:, -1], near)
    assert found.verdict == word
    assert f"{inside} of 4 checkpoints" in found.note


def test_curves_meet_at_common_checkpoints_and_skip_gaps():
    theirs = np.full((5, 3), 40) + FIVE[:, None]
    theirs[4, 2] = np.nan
    ours = curves(40 + np.zeros(2) + FIVE[:, None], games=(0, 30))
    assert rules.in_band(ours, curves(theirs, games=(0, 20, 30))).tolist() == [True, True]


# Five runs whose best tests are 50 to 54 percent; with five of five there is one maximum, with
# five of ten it lies between the fifth and the first.
@pytest.mark.parametrize(
    ("theirs", "word"),
    [
        (54.0, REPRODUCED),
        (51.5, PARTLY),
        (56.5, PARTLY),
        (50.9, NOT_REPRODUCED),
        (57.1, NOT_REPRODUCED),
    ],
)
def test_maxima(theirs, word, rng):
    best = curves(np.array([40, 45, 48, 52.0]) + FIVE[:, None])
    found = rules.maximum(best, theirs, 20, rng)
    assert found.verdict == word
    assert found.ours[0] == ("best of five runs", (54, 54, 54))
    assert "without spread" in found.note


def test_no_maximum_is_above_the_largest_rate_observed(rng):
    rates = 50 + rng.normal(0, 0.7, (10, 15))
    (_, spread), (name, observed) = rules.maximum(curves(rates, range(15)), 50, 75, rng).ours
    assert (name, observed.value) == ("best observed", rates.max())
    lowest = np.sort(rates.max(axis=1))[4]  # the best of the five worst runs
    assert lowest <= spread.low < spread.value <= spread.high <= rates.max()


def test_maxima_of_too_few_tests_or_too_unequal_runs_say_nothing(rng):
    few = rules.maximum(curves(np.full((4, 4), 50.0)), 51, 20, rng)
    assert few.verdict == INCONCLUSIVE and "maximum of 16 tests, the paper's of 20" in few.note
    unequal = np.full((10, 4), 30.0)
    unequal[0] = 50  # in half of the draws of five
    assert rules.maximum(curves(unequal), 50, 20, rng).verdict == INCONCLUSIVE


@pytest.mark.parametrize(
    ("shifts", "word"),
    [((3,), REPRODUCED), ((2,), PARTLY), ((0,), INCONCLUSIVE), ((-3,), NOT_REPRODUCED),
     ((3, 3), REPRODUCED), ((3, 2), PARTLY), ((3, -1), INCONCLUSIVE),
     ((3, -3), NOT_REPRODUCED)],
)  # fmt: skip
def test_orderings(shifts, word):
    found = rules.ordered(*(("x", 40 + s + FIVE, 40 + FIVE) for s in shifts))
    assert found.verdict == word
    assert (found.p < 0.025) == (word == REPRODUCED)


# 90 %: t(8) is 1.86, so 1.9 points to each side.
@pytest.mark.parametrize(
    ("shift", "spread", "word"),
    [(1, 1, REPRODUCED), (2, 1, PARTLY), (-6, 1, NOT_REPRODUCED), (0, 2, INCONCLUSIVE),
     (15, 2, NOT_REPRODUCED)],
)  # fmt: skip
def test_equivalence(shift, spread, word):
    found = rules.equivalent("x", 40 + shift + spread * FIVE, 40 + spread * FIVE, 3.0)
    assert found.verdict == word
    assert (found.p < 0.05) == (word == REPRODUCED)


@pytest.mark.parametrize(
    ("changes", "word"),
    [(FIVE / 2, REPRODUCED), (1.5 + FIVE / 2, PARTLY), (5 + FIVE, NOT_REPRODUCED),
     (4 * FIVE, INCONCLUSIVE)],
)  # fmt: skip
def test_steadiness(changes, word):
    assert rules.steady("x", changes, 2.0).verdict == word


def test_total_change_is_the_slope_times_the_length():
    found = rules.total_change(curves([[9, 1, 2, 3], [0, 5, 5, 5]]), 10)
    assert found == pytest.approx([2, 0])
    with pytest.raises(TooFew, match="after more than 30 games"):
        rules.total_change(curves([[1, 2, 3, 4]]), 30)


def test_one_run_is_not_enough():
    for rule in (
        lambda: rules.level(FIVE[:1], FIVE),
        lambda: rules.ordered(("x", FIVE, FIVE[:1])),
        lambda: rules.equivalent("x", FIVE[:1], FIVE, 3),
        lambda: rules.expected(FIVE[:1], 0, of=1),
    ):
        with pytest.raises(TooFew, match="needs 2 runs of each experiment, there is 1"):
            rule()


def test_predictions():
    assert rules.expected(40 + FIVE, 44, of=1)[0]  # 4.8 points to each side
    assert not rules.expected(40 + FIVE, 44, of=5)[0]  # 2.8


@pytest.mark.parametrize(
    ("held", "word"),
    [
        ([True, True], REPRODUCED),
        ([True, False], PARTLY),
        ([False, False], NOT_REPRODUCED),
        ([True, True, False], PARTLY),
        ([True, False, False], NOT_REPRODUCED),
        ([True, None], PARTLY),
        ([None, False], INCONCLUSIVE),
        ([True, None, None], INCONCLUSIVE),
        ([None, False, False], NOT_REPRODUCED),
    ],
)
def test_claims_of_several_parts(held, word):
    assert rules.by_parts(*held) == word


def test_the_ladder_takes_the_first_that_holds():
    assert rules.ladder(True, True, inconclusive=True) == INCONCLUSIVE
    assert rules.ladder(True, False) == REPRODUCED
    assert rules.ladder(False, True) == PARTLY
    assert rules.ladder(False, False) == NOT_REPRODUCED


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (61, 62, REPRODUCED),
        (50, 60, REPRODUCED),  # touching is meeting
        (50, 59, PARTLY),
        (85, 90, PARTLY),
        (30, 47, NOT_REPRODUCED),
        (97, 99, NOT_REPRODUCED),
        (40, 70, REPRODUCED),
        (47, 97, INCONCLUSIVE),
    ],
)
def test_verdicts_on_a_published_60_to_80(low, high, word):
    ours = Interval((low + high) / 2, low, high)
    assert rules.meets(ours, (60, 80), rules.widened((60, 80), 0.2)) == word


def test_near_must_contain_close():
    with pytest.raises(ValueError, match="contain"):
        rules.meets(Interval.exactly(1), (0, 5), (1, 4))
