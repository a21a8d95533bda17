"""Intervals around measured numbers, and p-values.

A proportion of independent games gets a Wilson interval. Anything else (a mean, a ratio of
sums, a product) gets a percentile bootstrap that draws whole units, usually games, with
replacement; the plies of a game are not independent and are never drawn separately. The caller
passes the random generator, so equal seeds give equal intervals.

For trained networks the runs are the units: a mean gets Student's t interval, the difference of
two groups Welch's, and the mean of further runs a prediction interval.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special, stats

LEVEL = 0.95
RESAMPLES = 1_000


class Interval(NamedTuple):
    """A number and the interval around it; `format(interval, ".1f")` shows all three."""

    value: float
    low: float
    high: float

    def __format__(self, spec: str) -> str:
        value, low, high = (format(number, spec) for number in self)
        return f"{value} [{low}, {high}]"

    @classmethod
    def exactly(cls, value: float) -> "Interval":
        """A number known without error."""
        return cls(value, value, value)

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    @property
    def informative(self) -> bool:
        """Whether it is at most 100 times as wide as the number is large, or as one."""
        return self.high - self.low <= 100 * max(abs(self.value), 1)

    @property
    def percent(self) -> "Interval":
        """A share, as a percentage."""
        return self.map(lambda share: 100 * share)

    def map(self, function: Callable[[float], float]) -> "Interval":
        """The interval of an increasing function of the number."""
        return Interval(*map(function, self))


def wilson(successes: int, trials: int, *, level: float = LEVEL) -> Interval:
    """The proportion of successes in independent trials (Wilson 1927)."""
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"expected 0 <= successes <= trials > 0, not {successes} of {trials}")
    found = stats.binomtest(int(successes), int(trials))
    low, high = found.proportion_ci(level, method="wilson")
    return Interval(found.statistic, float(low), float(high))


def bootstrap(
    statistic: Callable[..., float],
    *samples: Sequence[ArrayLike],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval:
    """The percentile bootstrap of `statistic(*arrays of the 1st sample, *of the 2nd, ...)`.

    Args:
      samples: each a sequence of arrays [N] that belong together: entry i of all of them is
        unit i, drawn as one. Different samples are drawn independently of each other.
    """
    drawn = resampled(statistic, *samples, rng=rng, resamples=resamples)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    value = statistic(*(np.asarray(x) for sample in samples for x in sample))
    return Interval(float(value), float(low), float(high))


def resampled(
    statistic: Callable[..., float],
    *samples: Sequence[ArrayLike],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> np.ndarray:
    """The statistic of each of `resamples` samples drawn with replacement, see `bootstrap`."""
    lists = [[np.asarray(array) for array in sample] for sample in samples]
    for arrays in lists:
        if len({len(array) for array in arrays}) != 1 or len(arrays[0]) == 0:
            sizes = ", ".join(str(len(array)) for array in arrays)
            raise ValueError(f"arrays of one sample must be equally long, not {sizes}")
    drawn = np.empty(resamples)
    for i in range(resamples):
        chosen = [rng.integers(len(arrays[0]), size=len(arrays[0])) for arrays in lists]
        drawn[i] = statistic(
            *(x[some] for arrays, some in zip(lists, chosen, strict=True) for x in arrays)
        )
    return drawn


def mean(values: ArrayLike, rng: np.random.Generator, **options) -> Interval:
    """The mean of independent values [N]."""
    return bootstrap(np.mean, [values], rng=rng, **options)


def ratio(
    numerator: ArrayLike, denominator: ArrayLike, rng: np.random.Generator, **options
) -> Interval:
    """Sum over sum, unit i giving numerator[i] and denominator[i]: plays per ply over games."""
    return bootstrap(
        lambda x, y: x.sum() / y.sum(), [numerator, denominator], rng=rng, **options
    )


def newcombe(one: tuple[int, int], two: tuple[int, int], *, level: float = LEVEL) -> Interval:
    """The difference of two proportions, each (successes, trials): Newcombe 1998."""
    a, b = wilson(*one, level=level), wilson(*two, level=level)
    value = a.value - b.value
    below = np.hypot(a.value - a.low, b.high - b.value)
    above = np.hypot(a.high - a.value, b.value - b.low)
    return Interval(value, value - float(below), value + float(above))


def rates_above(one: tuple[int, int], two: tuple[int, int], *, by: float = 0.0) -> float:
    """The one-sided p-value that the first proportion is larger by more than `by`.

    Each (successes, trials) gets two trials more, one of them a success (Agresti & Caffo 2000),
    so that proportions of 0 and 1 have a spread as well.
    """
    rates = [(successes + 1) / (trials + 2) for successes, trials in (one, two)]
    spread = math.sqrt(
        sum(r * (1 - r) / (n + 2) for r, (_, n) in zip(rates, (one, two), strict=True))
    )
    return float(stats.norm.sf((rates[0] - rates[1] - by) / spread))


def rate_above(successes: int, trials: int, bound: float) -> float:
    """The exact one-sided p-value that a proportion is above a bound."""
    return float(stats.binomtest(successes, trials, bound, alternative="greater").pvalue)


def rates_equivalent(one: tuple[int, int], two: tuple[int, int], margin: float) -> float:
    """The p-value of two one-sided tests that proportions differ by less than the margin."""
    return max(rates_above(one, two, by=-margin), rates_above(two, one, by=-margin))


def spearman(one: ArrayLike, two: ArrayLike) -> float:
    """The rank correlation of two lists; 0 if one of them is constant."""
    return _correlation(_ranks(one), _ranks(two))


def spearman_p(one: ArrayLike, two: ArrayLike) -> float:
    """The one-sided p-value of a positive rank correlation, from all permutations of a few."""
    ranks = _ranks(one), _ranks(two)
    if len(ranks[0]) > 8:
        raise ValueError(f"all permutations of at most 8 values, not of {len(ranks[0])}")
    orders = np.array(list(itertools.permutations(ranks[1])))
    products = orders @ ranks[0]  # the correlation rises with the sum of products
    return float(np.mean(products >= ranks[0] @ ranks[1] - 1e-9))


def logistic(
    design: ArrayLike, shares: ArrayLike, weights: ArrayLike, *, ridge: float = 0.0
) -> np.ndarray:
    """The most likely coefficients [K] of share = 1 / (1 + exp(-design @ coefficients)).

    Args:
      design: [N, K].
      shares: observed, from 0 to 1 [N].
      weights: of each share, as a rule the number of games behind it [N].
      ridge: a small penalty on the squared coefficients, which keeps them finite where the
        shares are 0 on one side and 1 on the other.

    ArithmeticError if the fit does not converge.
    """
    x, y, w = (np.asarray(given, float) for given in (design, shares, weights))
    w = w / w.sum()

    def loss(c: np.ndarray) -> float:
        z = x @ c
        return float((w * (np.logaddexp(0, z) - y * z)).sum() + ridge * (c @ c) / 2)

    def gradient(c: np.ndarray) -> np.ndarray:
        return x.T @ (w * (special.expit(x @ c) - y)) + ridge * c

    def hessian(c: np.ndarray) -> np.ndarray:
        p = special.expit(x @ c)
        return (x.T * (w * p * (1 - p))) @ x + ridge * np.eye(len(c))

    start = np.zeros(x.shape[1])
    found = optimize.minimize(
        loss, start, jac=gradient, hess=hessian, method="trust-exact", options={"gtol": 1e-7}
    )
    if not found.success:
        raise ArithmeticError(f"a logistic fit did not converge: {found.message}")
    return found.x


def t_mean(values: ArrayLike, *, level: float = LEVEL) -> Interval:
    """The mean of independent values [N], by Student's t."""
    return predicted(values, of=math.inf, level=level)


def predicted(values: ArrayLike, *, of: float = 1, level: float = LEVEL) -> Interval:
    """Where the mean of `of` further values like these [N] will lie."""
    values = _several(values)
    spread = values.std(ddof=1) * math.sqrt(1 / len(values) + 1 / of)
    return _by_t(values.mean(), spread, len(values) - 1, level)


def contrast(
    weights: Sequence[float], *groups: ArrayLike, level: float = LEVEL
) -> tuple[Interval, float]:
    """A weighted sum of the means of independent groups whose spreads may differ (Welch).

    Also the one-sided p-value that it is above zero.
    """
    found = _contrast(weights, groups)
    return _by_t(*found, level), _p_above(*found, 0.0)


def welch(one: ArrayLike, two: ArrayLike, *, level: float = LEVEL) -> Interval:
    """The difference of the means of two groups [N], [M] whose spreads may differ."""
    return _by_t(*_contrast((1, -1), (one, two)), level)


def above(one: ArrayLike, two: ArrayLike, *, by: float = 0.0) -> float:
    """The p-value of Welch's one-sided test that the first mean is larger by more than `by`."""
    return _p_above(*_contrast((1, -1), (one, two)), by)


def random_effects(
    values: ArrayLike, errors: ArrayLike, *, level: float = LEVEL
) -> tuple[Interval, float]:
    """The mean of effects [K] that may truly differ, given the standard error of each [K].

    Also the standard deviation between the true effects (DerSimonian & Laird 1986). The
    interval is that of Hartung & Knapp (2001), by t with K - 1 degrees of freedom.
    """
    values, variances = _several(values), _several(errors) ** 2
    freedom = len(values) - 1
    weights = 1 / variances
    spread = (weights * (values - np.average(values, weights=weights)) ** 2).sum() - freedom
    between = max(0.0, spread / (weights.sum() - (weights**2).sum() / weights.sum()))
    weights = 1 / (variances + between)
    centre = np.average(values, weights=weights)
    error = np.sqrt(np.average((values - centre) ** 2, weights=weights) / freedom)
    return _by_t(float(centre), float(error), freedom, level), math.sqrt(between)


def mean_above(values: ArrayLike, bound: float) -> float:
    """The p-value of the one-sided t-test that the mean of values [N] is above a bound."""
    values = _several(values)
    error = values.std(ddof=1) / math.sqrt(len(values))
    return _p_above(float(values.mean()), error, len(values) - 1, bound)


def equivalent(one: ArrayLike, two: ArrayLike, margin: float) -> float:
    """The p-value of two one-sided tests that the means differ by less than the margin."""
    return max(above(one, two, by=-margin), above(two, one, by=-margin))


def holm(p: Sequence[float]) -> list[float]:
    """p-values [N], adjusted for their number (Holm 1979), in the same order."""
    order = np.argsort(p, kind="stable")
    steps = (len(p) - np.arange(len(p))) * np.asarray(p, float)[order]
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted.tolist()


def _several(values: ArrayLike) -> np.ndarray:
    found = np.asarray(values, float)
    if found.ndim != 1 or len(found) < 2 or not np.isfinite(found).all():
        raise ValueError(f"expected two or more finite numbers in a row, not {values!r}")
    return found


def _ranks(values: ArrayLike) -> np.ndarray:
    """Ranks from 1; equal values share the mean of theirs (a faster `scipy.stats.rankdata`)."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def _correlation(one: np.ndarray, two: np.ndarray) -> float:
    if min(one.std(), two.std()) == 0:
        return 0.0
    return float(np.corrcoef(one, two)[0, 1])


def _contrast(
    weights: Sequence[float], groups: Sequence[ArrayLike]
) -> tuple[float, float, float]:
    """A weighted sum of means, its standard error and degrees of freedom (Welch 1947).

    Written out because SciPy warns about groups without any spread, which weak players have.
    """
    several = [_several(group) for group in groups]
    value = sum(w * x.mean() for w, x in zip(weights, several, strict=True))
    parts = [w**2 * x.var(ddof=1) / len(x) for w, x in zip(weights, several, strict=True)]
    sizes = [len(x) - 1 for x in several]
    below = sum(part**2 / size for part, size in zip(parts, sizes, strict=True))
    freedom = sum(parts) ** 2 / below if below else float(sum(sizes))
    return float(value), math.sqrt(sum(parts)), freedom


def _p_above(value: float, error: float, freedom: float, bound: float) -> float:
    if error == 0:
        return float(value <= bound)
    return float(stats.t.sf((value - bound) / error, freedom))


def _by_t(value: float, spread: float, freedom: float, level: float) -> Interval:
    reach = stats.t.ppf((1 + level) / 2, freedom) * spread
    return Interval(float(value), float(value - reach), float(value + reach))
