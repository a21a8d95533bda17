"""Verdicts, and the ledger's decision rules: from numbers by run to a Judgement.

Margins, levels and outcomes are those of the ledger's `test` fields and `decision_rules`. Not
reproduced means that our numbers contradict the claim: an interval that lies wholly on the
wrong side, or wholly outside the margin, however wide it is. An interval that meets the margin
and is wider than it leaves the claim open, and so does one on both sides of zero whose value is
on the wrong one. In a case that none of a claim's three outcomes describes, its judge says why
the claim is partly reproduced or left open.
p-values are one-sided, in the direction claimed; a claim of several parts has the largest of
theirs.
"""

from typing import NamedTuple

import numpy as np

from tdlib import stats
from tdlib.claims.evidence import Curves, TooFew
from tdlib.stats import Interval

REPRODUCED, PARTLY, NOT_REPRODUCED = "reproduced", "partly", "not reproduced"
INCONCLUSIVE, PENDING, NO_RESULTS = "inconclusive", "pending", "no results yet"
NOT_TESTABLE, NOT_COVERED = "not testable", "not covered yet"
DECIDED = (REPRODUCED, PARTLY, NOT_REPRODUCED)
VERDICTS = (*DECIDED, INCONCLUSIVE, PENDING, NO_RESULTS, NOT_TESTABLE, NOT_COVERED)

LEVEL_MARGIN = 5.0  # points: levels that differ by less are at least partly the same,
LEVEL_SHARE = 0.25  # but of a published level below 20 % no more than this share
ACCURACY = 3.0  # points: the accuracy that the thesis claims for its tests
RUNS_OF_A_MAXIMUM = 5
RESAMPLES = 4_000

Numbers = tuple[tuple[str, Interval], ...]  # what each number is, and its interval
Pair = tuple[str, np.ndarray, np.ndarray]  # what is compared, and the rates by run of both


class Judgement(NamedTuple):
    """A verdict and the numbers behind it."""

    verdict: str  # one of VERDICTS
    ours: Numbers = ()
    p: float | None = None  # of what the claim says
    note: str = ""

    @property
    def text(self) -> str:
        """Our numbers."""
        return "; ".join(f"{name} {_shown(number)}".strip() for name, number in self.ours)

    def without_intervals(self) -> "Judgement":
        """The same numbers alone."""
        return self._replace(
            ours=tuple((name, Interval.exactly(round(x.value, 1))) for name, x in self.ours)
        )


def _shown(number: Interval) -> str:
    if number.low == number.high:
        return f"{number.value:g}"
    if not number.informative:
        return f"{number.value:.1f} (its interval says nothing)"
    return format(number, ".1f")


# From conditions to a verdict


def ladder(reproduced: bool, partly: bool, *, inconclusive: bool = False) -> str:
    """The first that holds: inconclusive, reproduced, partly; otherwise not reproduced."""
    if inconclusive:
        return INCONCLUSIVE
    return REPRODUCED if reproduced else PARTLY if partly else NOT_REPRODUCED


def by_parts(*held: bool | None) -> str:
    """Of a claim of several parts: all held, all but one, or fewer. None: a part is open.

    Open parts count as not held, but do not contradict a claim.
    """
    holding, failing = held.count(True), held.count(False)
    if holding >= len(held) - 1:
        return REPRODUCED if holding == len(held) else PARTLY
    return NOT_REPRODUCED if failing > 1 else INCONCLUSIVE


def beyond(number: Interval, bound: float = 0.0) -> bool | None:
    """Whether the number is above a bound; None if its interval contains the bound."""
    return True if number.low > bound else False if number.high <= bound else None


def positive(*numbers: Interval) -> str:
    """All above zero with their whole intervals, or with their values only.

    Not reproduced: one lies below zero with its whole interval.
    """
    if any(beyond(x) is False for x in numbers):
        return NOT_REPRODUCED
    values = all(x.value > 0 for x in numbers)
    return ladder(all(x.low > 0 for x in numbers), values, inconclusive=not values)


def inside(narrow: Interval, wide: Interval, margin: float) -> str:
    """Within the margin; not reproduced only if the wide interval lies outside it."""
    if outside(wide, margin):
        return NOT_REPRODUCED
    return ladder(
        -margin < narrow.low and narrow.high < margin,
        True,
        inconclusive=narrow.half_width > margin,
    )


def outside(difference: Interval, margin: float) -> bool:
    """Whether the whole interval of a difference is larger than the margin."""
    return difference.low > margin or difference.high < -margin


def meets(ours: Interval, close: tuple[float, float], near: tuple[float, float]) -> str:
    """What our interval says about a published number, given two ranges around that number.

    Reproduced: it meets the range `close`; partly: it meets the wider range `near`.
    Inconclusive: it extends beyond `near` at both ends, so it excludes nothing.
    """
    if not near[0] <= close[0] <= close[1] <= near[1]:
        raise ValueError(f"expected `near` {near} to contain `close` {close}")
    in_close, in_near = (ours.low <= high and ours.high >= low for low, high in (close, near))
    too_wide = ours.low < near[0] and ours.high > near[1]
    return ladder(in_close, in_near, inconclusive=too_wide)


def widened(span: tuple[float, float], fraction: float) -> tuple[float, float]:
    """A published range of positive numbers, wider by a fraction of each end."""
    low, high = span
    return low * (1 - fraction), high * (1 + fraction)


# From rates by run to a judgement


def need_runs(*groups: np.ndarray, least: int = 2) -> None:
    """TooFew unless every group has at least that many runs: one run has no spread."""
    fewest = min(map(len, groups))
    if fewest < least:
        raise TooFew(f"needs {least} runs of each experiment, there is {fewest}")


def level(ours: np.ndarray, theirs: np.ndarray, near: np.ndarray | None = None) -> Judgement:
    """Two final means, from rates by run.

    near: at which checkpoints the paper's mean is near ours [C], if the claim asks for it.
    """
    need_runs(ours, theirs)
    margin = min(LEVEL_MARGIN, LEVEL_SHARE * float(theirs.mean()))
    apart = stats.welch(ours, theirs)
    differ = not apart.low <= 0 <= apart.high
    far = differ and abs(apart.value) > margin
    band = None if near is None else float(near.mean())
    word = ladder(
        not differ and (band is None or band >= 0.8),
        not (far and (band is None or band < 0.5)),
        inconclusive=apart.half_width > margin and not outside(apart, margin),
    )
    notes = []
    if near is not None:
        places = f"at {near.sum()} of {len(near)} checkpoints"
        notes.append(f"the paper's mean is in our band {places}")
    alone = stats.t_mean(theirs).half_width
    if alone > margin:
        notes.append(f"the paper's runs alone leave {alone:.1f} points to each side open")
    numbers = (("", stats.t_mean(ours)), ("difference", apart))
    return Judgement(word, numbers, note="; ".join(notes))


def in_band(ours: Curves, theirs: Curves) -> np.ndarray:
    """At which common checkpoints the paper's mean is in our prediction band [C]."""
    common = np.intersect1d(ours.games, theirs.games)
    one = ours.rates[:, np.isin(ours.games, common)]
    two = theirs.rates[:, np.isin(theirs.games, common)]
    need_runs(one)
    means, runs = np.nanmean(two, axis=0), np.isfinite(two).sum(axis=0)
    return np.array(
        [
            expected(mine, mean, of=int(n))[0]
            for mine, mean, n in zip(one.T, means, runs, strict=True)
        ]
    )


def maximum(
    ours: Curves, theirs: float, evaluations: int, rng: np.random.Generator
) -> Judgement:
    """The paper's best of so many tests of five runs, against the best of five runs of ours.

    Five runs are drawn without replacement from all of ours. Their rates are used as measured:
    they contain the noise of a test already, as the paper's do.
    """
    have = min(RUNS_OF_A_MAXIMUM, len(ours.rates)) * ours.rates.shape[1]
    best = np.nanmax(ours.rates, axis=1)
    observed = ("best observed", Interval.exactly(float(best.max())))
    if have < evaluations:
        note = f"a maximum of {have} tests, the paper's of {evaluations}"
        return Judgement(INCONCLUSIVE, (observed,), note=note)
    order = rng.random((RESAMPLES, len(best))).argsort(axis=1)
    drawn = best[order[:, :RUNS_OF_A_MAXIMUM]].max(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    spread = Interval(float(np.median(drawn)), float(low), float(high))
    away = max(spread.low - theirs, theirs - spread.high)
    too_wide = spread.half_width > ACCURACY >= away
    word = ladder(away <= 0, away <= ACCURACY, inconclusive=too_wide)
    note = "" if len(best) > RUNS_OF_A_MAXIMUM else "five runs have one maximum, without spread"
    return Judgement(word, (("best of five runs", spread), observed), note=note)


def ordered(*pairs: Pair) -> Judgement:
    """Whether the first of each pair is above the second, at a level of 95 %."""
    for _, one, two in pairs:
        need_runs(one, two)
    found = [stats.welch(one, two) for _, one, two in pairs]
    p = max(stats.above(one, two) for _, one, two in pairs)
    named = tuple((pair[0], x) for pair, x in zip(pairs, found, strict=True))
    return Judgement(positive(*found), named, p=p)


def equivalent(name: str, one: np.ndarray, two: np.ndarray, margin: float) -> Judgement:
    """Whether two means differ by less than the margin: two one-sided tests."""
    need_runs(one, two)
    narrow, wide = stats.welch(one, two, level=0.9), stats.welch(one, two)
    word = inside(narrow, wide, margin)
    p = stats.equivalent(one, two, margin)
    return Judgement(word, ((name, wide),), p=p, note=f"90 % interval {narrow:.1f}")


def steady(name: str, changes: np.ndarray, margin: float) -> Judgement:
    """Whether a change [R], by run, is inside the margin."""
    need_runs(changes)
    found = stats.t_mean(changes)
    return Judgement(inside(found, found, margin), ((name, found),))


def expected(values: np.ndarray, theirs: float, of: int) -> tuple[bool, Interval]:
    """Whether the paper's mean of `of` runs lies in our prediction interval, and that interval.

    values [R]: ours by run.
    """
    need_runs(values)
    found = stats.predicted(values, of=of)
    return found.low <= theirs <= found.high, found


def total_change(curves: Curves, first: int) -> np.ndarray:
    """How much each run changes from `first` games on: least-squares slope times length."""
    some = curves.games >= first
    if some.sum() < 2:
        raise TooFew(f"needs results after more than {first:,} games")
    games = curves.games[some].astype(float)
    slopes = np.polyfit(games, curves.rates[:, some].T, 1)[0]
    return slopes * (games[-1] - games[0])
