"""Intervals, p-values and fits, against hand numbers and SciPy."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tdlib import stats
from tdlib.stats import Interval


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_an_interval_shows_its_three_numbers():
    assert f"{Interval(1, 0.5, 2.25):.1f}" == "1.0 [0.5, 2.2]"
    assert f"{Interval.exactly(0.25):.0%}" == "25% [25%, 25%]"


def test_a_rising_function_maps_all_three_numbers():
    assert Interval(1, 0, 2).map(lambda x: 10 * x + 1) == (11, 1, 21)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0)],
)  # Newcombe's centre (p + z²/2n) / (1 + z²/n), by hand with z = 1.95996
def test_wilson_by_hand(successes, trials, low, high):
    found = stats.wilson(successes, trials)
    assert found.value == successes / trials
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 2)])
def test_wilson_refuses_impossible_counts(successes, trials):
    with pytest.raises(ValueError, match="expected 0 <= successes <= trials"):
        stats.wilson(successes, trials)


def test_equal_seeds_give_equal_intervals_and_others_do_not():
    values = np.random.default_rng(0).exponential(size=50)
    first, again, other = (
        stats.mean(values, np.random.default_rng(seed), resamples=200) for seed in (1, 1, 2)
    )
    assert first == again != other


def test_the_bootstrap_agrees_with_scipy(rng):
    values = rng.exponential(size=200)
    ours = stats.mean(values, rng, resamples=4000)
    theirs = scipy_stats.bootstrap(
        (values,), np.mean, n_resamples=4000, method="percentile", rng=rng
    ).confidence_interval
    assert ours.value == values.mean()
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=0.02)


def test_arrays_of_one_sample_are_drawn_together(rng):
    plies = rng.integers(1, 100, size=30)
    assert stats.ratio(3 * plies, plies, rng, resamples=50) == (3, 3, 3)


def test_samples_are_drawn_apart(rng):
    values = rng.normal(size=30)
    apart = stats.bootstrap(
        lambda x, y: x.mean() - y.mean(), [values], [values], rng=rng, resamples=50
    )
    assert apart.value == 0
    assert apart.low < 0 < apart.high


def test_a_ratio_of_sums_weighs_long_games_more(rng):
    # 10 plays in 1 ply, 10 plays in 9 plies: 20 plays in 10 plies
    assert stats.ratio(np.array([10, 10]), np.array([1, 9]), rng).value == 2


def test_the_bootstrap_covers_as_often_as_it_says():
    # 300 samples of 40 games: 95 % would be 285 hits with a deviation of 4. The percentile
    # bootstrap of so few skewed values is known to fall a little short. Seeds are fixed.
    rng = np.random.default_rng(3)
    found = [stats.mean(rng.exponential(size=40), rng, resamples=300) for _ in range(300)]
    assert 265 <= sum(interval.low <= 1 <= interval.high for interval in found) <= 297


@pytest.mark.parametrize("arrays", [[], [np.zeros(2), np.zeros(3)], [np.zeros(0)]])
def test_the_bootstrap_refuses_unequal_or_empty_arrays(rng, arrays):
    with pytest.raises(ValueError, match="equally long"):
        stats.bootstrap(np.mean, arrays, rng=rng)


RUNS, OTHERS = [40, 42, 44, 46, 48], [35, 36, 37]  # means 44 and 36, variances 10 and 1


def test_the_mean_of_runs_by_hand():
    # t(4) = 2.7764, the error sqrt(10 / 5) = 1.4142
    assert stats.t_mean(RUNS) == pytest.approx((44, 40.0735, 47.9265), abs=1e-4)
    theirs = scipy_stats.ttest_1samp(RUNS, 0).confidence_interval(0.9)
    assert stats.t_mean(RUNS, level=0.9)[1:] == pytest.approx(tuple(theirs))


def test_predictions_by_hand():
    # of one run: 2.7764 * sqrt(10) * sqrt(1 + 1/5); of the mean of five: sqrt(2/5)
    assert stats.predicted(RUNS) == pytest.approx((44, 34.3822, 53.6178), abs=1e-4)
    assert stats.predicted(RUNS, of=5) == pytest.approx((44, 38.4471, 49.5529), abs=1e-4)


def test_contrasts_are_welch_for_two_groups_and_add_up_for_more():
    found, p = stats.contrast((1, -1), RUNS, OTHERS)
    assert found == stats.welch(RUNS, OTHERS) and p == stats.above(RUNS, OTHERS)
    # Four equal groups of five: the error of (a + b - c - d) / 2 is that of one mean.
    found, p = stats.contrast((0.5, 0.5, -0.5, -0.5), *[[-2, -1, 0, 1, 2]] * 4)
    reach = scipy_stats.t.ppf(0.975, 16) * np.sqrt(2.5 / 5)
    assert found == pytest.approx((0, -reach, reach)) and p == pytest.approx(0.5)


def test_random_effects_by_hand():
    values = [1.0, 2.0, 4.0, 5.0]  # variance 10/3
    found, between = stats.random_effects(values, [1.0] * 4)
    assert found == pytest.approx(stats.t_mean(values))  # equal errors, equal weights
    assert between == pytest.approx(np.sqrt(10 / 3 - 1))
    assert stats.random_effects(values, [9.0] * 4)[1] == 0  # less spread than error
    # Weights 1 and 1/4: mean 1.4, Q 0.8 < 1, so no spread between them.
    found, between = stats.random_effects([1.0, 3.0], [1.0, 2.0])
    assert (found.value, between) == (pytest.approx(1.4), 0)


def test_welch_by_hand_and_scipy():
    # error sqrt(2 + 1/3) = 1.5275; degrees (7/3)^2 / (4/4 + (1/9)/2) = 5.158; t 2.547
    found = stats.welch(RUNS, OTHERS)
    assert found == pytest.approx((8, 4.1093, 11.8907), abs=1e-4)
    theirs = scipy_stats.ttest_ind(RUNS, OTHERS, equal_var=False, alternative="greater")
    assert stats.above(RUNS, OTHERS) == pytest.approx(theirs.pvalue)
    assert stats.above(RUNS, OTHERS, by=8) == pytest.approx(0.5)
    assert stats.above(OTHERS, RUNS) == pytest.approx(1 - theirs.pvalue)


def test_a_mean_above_a_bound():
    theirs = scipy_stats.ttest_1samp(RUNS, 41, alternative="greater")
    assert stats.mean_above(RUNS, 41) == pytest.approx(theirs.pvalue)


def test_groups_without_spread_are_known_exactly():
    assert stats.welch([0, 0], [2, 2]) == (-2, -2, -2)
    assert (stats.above([2, 2], [0, 0]), stats.above([0, 0], [2, 2])) == (0, 1)
    assert stats.t_mean([3, 3, 3]) == (3, 3, 3) and stats.mean_above([3, 3], 3) == 1
    assert stats.welch([0.3, 0.3, 0.3], [1, 2, 3]).value == pytest.approx(-1.7)


def test_two_one_sided_tests():
    # difference 0, error sqrt(4/3 + 1/3) = 1.2910, degrees (5/3)^2 / (8/9 + 1/18) = 2.941
    one, two = [40, 42, 44], [41, 42, 43]
    p = scipy_stats.t.sf(3 / np.sqrt(5 / 3), 50 / 17)
    assert stats.equivalent(one, two, 3) == pytest.approx(p)
    assert stats.equivalent(RUNS, OTHERS, 3) > 0.98


def test_newcombe_by_his_example():
    # Newcombe (1998), table II: 56 of 70 against 48 of 80
    assert stats.newcombe((56, 70), (48, 80)) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)


def test_rank_correlations_are_those_of_scipy(rng):
    one, two = rng.integers(0, 5, (2, 12))  # with ties
    assert stats.spearman(one, two) == pytest.approx(scipy_stats.spearmanr(one, two).statistic)
    assert stats.spearman(one, np.ones(12)) == 0


def test_the_permutation_p_value_by_hand():
    # of the 24 orders of four only the right one, or three more, correlate as much
    assert stats.spearman_p([1, 2, 3, 4], [10, 20, 30, 40]) == 1 / 24
    assert stats.spearman_p([1, 2, 3, 4], [20, 10, 30, 40]) == 4 / 24
    assert stats.spearman_p([1, 2, 3], [5, 5, 5]) == 1
    with pytest.raises(ValueError, match="at most 8 values, not of 9"):
        stats.spearman_p(range(9), range(9))


def test_a_logistic_fit_by_hand():
    # two groups: the intercept is the log odds of the first, the slope what the second adds
    design = [[1, 0], [1, 1]]
    found = stats.logistic(design, [0.2, 0.5], [100, 10])
    assert found == pytest.approx([np.log(0.25), -np.log(0.25)], abs=1e-4)
    # one coefficient, games of unequal weight: 30 of 40 won
    assert stats.logistic([[1], [1]], [1, 0.5], [20, 20]) == pytest.approx(
        [np.log(3)], abs=1e-4
    )


def test_a_logistic_fit_of_separated_shares_needs_a_penalty():
    design, shares = [[1, -1], [1, 1]], [0, 1]
    found = stats.logistic(design, shares, [50, 50], ridge=1e-6)
    assert np.isfinite(found).all() and found[0] == pytest.approx(0, abs=1e-6) and found[1] > 5


def test_holm_by_hand():
    # in order 0.005 * 4, 0.01 * 3, 0.03 * 2, 0.04 * 1, none below the one before
    assert stats.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert stats.holm([0.9, 0.8]) == [1, 1] and stats.holm([]) == []


@pytest.mark.parametrize("values", [[1], [], [1, np.nan], [[1, 2], [3, 4]]])
def test_runs_are_two_or_more_numbers(values):
    with pytest.raises(ValueError, match="two or more finite numbers"):
        stats.t_mean(values)
