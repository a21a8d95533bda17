"""The ledger's decision rules: pure functions of percentages by run, each giving a Judgement.

Margins, levels and outcomes are those of the `test` fields and `decision_rules` of the ledger.
Where an interval reaches farther to each side than the margin a claim names, the verdict is
inconclusive, whatever else it says. Cases that a claim's three outcomes leave open are partly
reproduced. p-values are one-sided, for the direction that is claimed; of a claim with several
parts, the largest.
"""

import numpy as np

from tdlib import stats
from tdlib.claims.evidence import FIVE, Curves, TooFew
from tdlib.claims.judgement import Judgement
from tdlib.stats import INCONCLUSIVE, NOT_REPRODUCED, PARTLY, REPRODUCED, Interval

LEVEL_MARGIN = 5.0  # points: levels that differ by less are at least partly the same
ACCURACY = 3.0  # points: what the thesis says of its tests
RESAMPLES = 4_000

Pair = tuple[str, np.ndarray, np.ndarray]  # what is compared, and rates by run of both


def need_runs(*groups: np.ndarray, least: int = 2) -> None:
    """TooFew unless every group has so many runs: fewer have no spread."""
    fewest = min(map(len, groups))
    if fewest < least:
        raise TooFew(f"needs {least} runs of each experiment, there is {fewest}")


def level(ours: np.ndarray, theirs: np.ndarray, band: float | None = None) -> Judgement:
    """Final rates by run.

    band: the share of checkpoints at which the paper's mean is near, if the claim asks for it.
    """
    need_runs(ours, theirs)
    apart = stats.welch(ours, theirs)
    differ = not apart.low <= 0 <= apart.high
    if apart.half_width > LEVEL_MARGIN:
        word = INCONCLUSIVE
    elif not differ and (band is None or band >= 0.8):
        word = REPRODUCED
    elif differ and abs(apart.value) > LEVEL_MARGIN and (band is None or band < 0.5):
        word = NOT_REPRODUCED
    else:
        word = PARTLY
    numbers = (("", stats.t_mean(ours)), ("difference", apart))
    alone = stats.t_mean(theirs).half_width
    hopeless = f"the paper's runs alone leave {alone:.1f} points to each side open"
    return Judgement(word, numbers, note=hopeless if alone > LEVEL_MARGIN else "")


def curve(ours: Curves, theirs: Curves) -> Judgement:
    """Whole learning curves: final means, and the paper's means in our prediction band."""
    common = np.intersect1d(ours.games, theirs.games)
    one = ours.rates[:, np.isin(ours.games, common)]
    two = theirs.rates[:, np.isin(theirs.games, common)]
    need_runs(one)
    inside = []
    for mine, mean, runs in zip(
        one.T, np.nanmean(two, axis=0), np.isfinite(two).sum(axis=0), strict=True
    ):
        band = stats.predicted(mine, of=int(runs))
        inside.append(band.low <= mean <= band.high)
    last = two[:, -1]
    found = level(one[:, -1], last[np.isfinite(last)], float(np.mean(inside)))
    told = f"the paper's mean is in our band at {sum(inside)} of {len(inside)} checkpoints"
    return found._replace(note="; ".join(filter(None, (told, found.note))))


def maximum(
    ours: Curves, theirs: float, evaluations: int, rng: np.random.Generator
) -> Judgement:
    """The best of so many tests of five runs, against the best of five of ours."""
    have = min(FIVE, len(ours.rates)) * ours.rates.shape[1]
    if have < evaluations:
        most = Interval.exactly(float(np.nanmax(ours.rates)))
        told = f"a maximum of {have} tests, the paper's of {evaluations}"
        return Judgement(INCONCLUSIVE, (("best", most),), note=told)
    shuffled = rng.random((RESAMPLES, len(ours.rates))).argsort(axis=1)
    rates = ours.rates[shuffled[:, :FIVE]]  # [resamples, five, C]
    drawn = 100 * rng.binomial(ours.tests, rates / 100).max(axis=(1, 2)) / ours.tests
    low, high = np.quantile(drawn, [0.025, 0.975])
    spread = Interval(float(np.median(drawn)), float(low), float(high))
    outside = max(spread.low - theirs, theirs - spread.high)
    if spread.half_width > ACCURACY:
        word = INCONCLUSIVE
    elif outside <= 0:
        word = REPRODUCED
    else:
        word = PARTLY if outside <= ACCURACY else NOT_REPRODUCED
    return Judgement(word, (("best of five runs", spread),))


def ordered(*pairs: Pair) -> Judgement:
    """Whether the first of each pair is above the second, at a level of 95 %."""
    for _, one, two in pairs:
        need_runs(one, two)
    found = [stats.welch(one, two) for _, one, two in pairs]
    p = max(stats.above(one, two) for _, one, two in pairs)
    if all(x.low > 0 for x in found):
        word = REPRODUCED
    else:
        word = PARTLY if all(x.value > 0 for x in found) else NOT_REPRODUCED
    named = tuple((pair[0], x) for pair, x in zip(pairs, found, strict=True))
    return Judgement(word, named, p=p)


def equivalent(name: str, one: np.ndarray, two: np.ndarray, margin: float) -> Judgement:
    """Whether two means differ by less than the margin: two one-sided tests."""
    need_runs(one, two)
    narrow, wide = stats.welch(one, two, level=0.9), stats.welch(one, two)
    word = inside(narrow, wide, margin)
    p = stats.equivalent(one, two, margin)
    return Judgement(word, ((name, wide),), p=p, note=f"90 % interval {narrow:.1f}")


def steady(
    name: str, changes: np.ndarray, margin: float, rng: np.random.Generator
) -> Judgement:
    """Whether a change [R], by run, is inside the margin."""
    need_runs(changes)
    found = stats.mean(changes, rng)
    return Judgement(inside(found, found, margin), ((name, found),))


def predicts(name: str, values: np.ndarray, theirs: float, of: int) -> tuple[bool, Interval]:
    """Whether the paper's mean of so many runs is where ours [R] let expect it."""
    need_runs(values)
    found = stats.predicted(values, of=of)
    return found.low <= theirs <= found.high, found


def total_change(curves: Curves, first: int) -> np.ndarray:
    """By how much each run changes from `first` games on: least-squares slope times length."""
    some = curves.games >= first
    if some.sum() < 2:
        raise TooFew(f"needs results after more than {first:,} games")
    games = curves.games[some].astype(float)
    slopes = np.polyfit(games, curves.rates[:, some].T, 1)[0]
    return slopes * (games[-1] - games[0])


def all_but(failing: int) -> str:
    """The verdict of a claim about several games that so many contradict."""
    return REPRODUCED if not failing else PARTLY if failing == 1 else NOT_REPRODUCED


def inside(narrow: Interval, wide: Interval, margin: float) -> str:
    """The verdict on a difference within the margin, if the wide interval can rule it out."""
    if narrow.half_width > margin:
        return INCONCLUSIVE
    if -margin < narrow.low and narrow.high < margin:
        return REPRODUCED
    return NOT_REPRODUCED if wide.low > margin or wide.high < -margin else PARTLY
