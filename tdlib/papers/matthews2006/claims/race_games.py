"""What Matthews says about pachisi and Parcheesi alone: environments, inputs, best networks."""

from collections.abc import Sequence

import numpy as np

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Curves, Evidence, Lacking
from tdlib.claims.judges import judge
from tdlib.claims.rules import INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED, Judgement, Numbers
from tdlib.stats import Interval

UNARY_PACHISI = ("M-A13", "M-A14", "M-A15", "M-A16", "M-A17")
EQUALITY = {"pachisi": 50.0, "parcheesi": 25.0}  # percent, of players as strong as the tester
SLOW_UPTO = (5_000, 10_000, 15_000, 20_000, 25_000, 30_000)
DROP = 5.0  # points lost, and won back later


@judge("matthews-6.3-f")
def never_equal(evidence: Evidence) -> Judgement:
    """Final means and maxima of all unary networks of pachisi stay below equality."""
    equal = EQUALITY["pachisi"]
    ours: Numbers = ()
    best = []
    for id in UNARY_PACHISI:
        final, curves = evidence.final(id), evidence.curves(id)
        rules.need_runs(final)
        ours += ((id, stats.t_mean(final)),)
        most = float(np.nanmax(curves.rates))
        best.append(stats.wilson(round(most / 100 * curves.tests), curves.tests).percent)
    highest = max(best, key=lambda x: x.value)
    finals_below = all(mean.high < equal for _, mean in ours)
    above = any(mean.low > equal for _, mean in ours)
    word = rules.ladder(
        finals_below and highest.high < equal,
        finals_below,
        inconclusive=not finals_below and not above,
    )
    return Judgement(word, (*ours, ("highest of all", highest)))


@judge("matthews-fig6.14-a")
def three_others(evidence: Evidence) -> Judgement:
    """With three other players above teams of learners, at the end and at every checkpoint."""
    pairs = (("M-A15", "M-A17"), ("M-A14", "M-A16"))
    found = _finals(evidence, *pairs)
    ahead = np.concatenate([_ahead(evidence, *pair) for pair in pairs])
    if found.verdict == REPRODUCED and not ahead.all():
        found = found._replace(verdict=rules.ladder(False, ahead.mean() > 0.5))
    return found._replace(note=f"ahead at {ahead.sum()} of {ahead.size} trained checkpoints")


@judge("matthews-fig6.14-b", pairs=(("M-A15", "M-A14"), ("M-A17", "M-A16")))
@judge("matthews-fig6.22-c", pairs=(("M-A25", "M-A24"), ("M-A23", "M-A24")))
def both_above(evidence: Evidence, pairs: Sequence[tuple[str, str]]) -> Judgement:
    """Two differences at the end above zero: both, one of them, or neither."""
    found = _finals(evidence, *pairs)
    return found._replace(verdict=rules.by_parts(*(rules.beyond(x) for _, x in found.ours)))


@judge("matthews-fig6.14-c")
def not_worse(evidence: Evidence) -> Judgement:
    """Self-play at most 3 points below training with heuristic players, on average too."""
    found = _finals(evidence, ("M-A13", "M-A15"))
    ((_, apart),) = found.ours
    later = [evidence.over(id, 25_000, 50_000) for id in ("M-A13", "M-A15")]
    word = rules.ladder(
        apart.low > -3, apart.value > 0, inconclusive=apart.value <= 0 <= apart.high
    )
    p = stats.above(evidence.final("M-A13"), evidence.final("M-A15"), by=-3)
    note = f"mean of 25,000-50,000: {stats.welch(*later):.1f}"
    return found._replace(verdict=word, p=p, note=note)


@judge("matthews-6.3-g")
def noisy(evidence: Evidence) -> Judgement:
    """Steps between tests over their error, pachisi over backgammon; drops made good."""
    pachisi = [evidence.curves(id) for id in UNARY_PACHISI]
    steps = np.concatenate([_steps(curves) for curves in pachisi])
    backgammon = _steps(evidence.curves("M-A1"))
    rules.need_runs(steps, backgammon)
    ratio = stats.bootstrap(
        lambda x, y: np.median(x) / np.median(y), [steps], [backgammon], rng=evidence.rng
    )
    back = np.concatenate([_recovers(curves.rates) for curves in pachisi])
    word = rules.ladder(ratio.low > 1 and back.mean() >= 0.5, ratio.value > 1)
    share = stats.wilson(int(back.sum()), back.size).percent
    return Judgement(word, (("ratio of fluctuations", ratio), ("runs that recover", share)))


def _steps(curves: Curves) -> np.ndarray:
    """By run [R]: the median step between tests, in standard errors of such a difference."""
    share = np.clip(curves.rates[:, 1:] / 100, 0.5 / curves.tests, 1 - 0.5 / curves.tests)
    error = 100 * np.sqrt(share * (1 - share) / curves.tests)
    between = np.hypot(error[:, 1:], error[:, :-1])
    return np.nanmedian(np.abs(np.diff(curves.rates[:, 1:], axis=1)) / between, axis=1)


def _recovers(rates: np.ndarray) -> np.ndarray:
    """Which runs [R] fall by DROP points from some test to a later one, then rise as much."""
    highest_before = np.maximum.accumulate(rates, axis=1)
    highest_after = np.maximum.accumulate(rates[:, ::-1], axis=1)[:, ::-1]
    return (np.minimum(highest_before, highest_after) - rates >= DROP).any(axis=1)


@judge("matthews-6.3-h", full="M-PAFULL", truncated="M-A13")
@judge("matthews-7.4-d", full="M-PAFULL-COMBINED", truncated="M-A19")
def untruncated(evidence: Evidence, full: str, truncated: str) -> Judgement:
    """Inputs that are not truncated above those that are, after as many games."""
    curves = evidence.curves(full)
    games = int(curves.games[-1])
    found = rules.ordered((f"at {games:,}", curves.rates[:, -1], evidence.at(truncated, games)))
    wanted = evidence.claim.test["conditions"]
    return found._replace(note=f"shorter than the ledger asks ({wanted})")


@judge("matthews-6.4-b")
def six_maxima(evidence: Evidence) -> Judgement:
    """How many of six published maxima are in our distribution of such maxima."""
    ours: Numbers = ()
    words = []
    for table, theirs in evidence.claim.published["table_maxima_percent"].items():
        id = f"M-A{table.removeprefix('A.')}"
        found = rules.maximum(evidence.curves(id), theirs, 55, evidence.rng)
        ours += ((id, found.ours[0][1]),)
        words.append(found.verdict)
    good, open_ = words.count(REPRODUCED), words.count(INCONCLUSIVE)
    word = rules.ladder(good == 6, good >= 4, inconclusive=good < 4 <= good + open_)
    return Judgement(word, ours, note=f"{good} of 6 published maxima are in the range of ours")


@judge("matthews-6.4-c")
def above_equality(evidence: Evidence) -> Judgement:
    """Pupils of random players above the 25 percent of equally strong players."""
    rates = evidence.final("M-A21")
    rules.need_runs(rates)
    over = rates - EQUALITY["parcheesi"]
    word = rules.positive(stats.t_mean(over))
    p = stats.mean_above(rates, EQUALITY["parcheesi"])
    return Judgement(word, (("", stats.t_mean(rates)),), p=p)


@judge("matthews-fig6.22-a")
def slowest(evidence: Evidence) -> Judgement:
    """Self-play below the next lowest environment up to 30,000 games, random players left out.

    "Lowest up to 10,000 games only": at those checkpoints by its mean.
    """
    ours: Numbers = ()
    for games in SLOW_UPTO:
        others = [evidence.at(f"M-A{n}", games) for n in range(22, 27)]
        lowest = min(others, key=np.mean)
        alone = evidence.at("M-A20", games)
        rules.need_runs(alone, lowest)
        ours += ((f"at {games:,}", stats.welch(alone, lowest)),)
    early = [x for _, x in ours[:2]]
    word = rules.ladder(
        all(x.high < 0 for _, x in ours),
        all(x.value < 0 for x in early),
        inconclusive=any(x.low <= 0 <= x.value for x in early),
    )
    return Judgement(word, ours)


@judge("matthews-fig6.22-b")
def overtaken_observer(evidence: Evidence) -> Judgement:
    """Observing leads at 5,000 games, playing with one of each kind from 15,000 on."""
    observing, playing = "M-A26", "M-A25"
    soon = [evidence.at(id, 5_000) for id in (observing, playing)]
    later = [evidence.over(id, 15_000, 50_000) for id in (playing, observing)]
    return rules.ordered(
        ("observing ahead at 5,000", soon[0], soon[1]),
        ("playing ahead over 15,000-50,000", later[0], later[1]),
    )


@judge("matthews-fig7.11-a")
def features_required(evidence: Evidence) -> Judgement:
    """Smart and combined inputs above equality in pachisi, unary ones below."""
    rates = {id: evidence.final(id) for id in ("M-A18", "M-A19", "M-A13")}
    rules.need_runs(*rates.values())
    ours = tuple((id, stats.t_mean(x)) for id, x in rates.items())
    smart, combined, unary = (rules.beyond(x, EQUALITY["pachisi"]) for _, x in ours)
    held = (smart, combined, None if unary is None else not unary)
    refuted = unary is True or (smart is False and combined is False)
    return Judgement(NOT_REPRODUCED if refuted else rules.by_parts(*held), ours)


@judge("matthews-fig7.11-b")
def catches_up(evidence: Evidence) -> Judgement:
    """Smart above combined inputs over 5,000-45,000 games, no longer at 50,000."""
    smart, combined = (evidence.over(id, 5_000, 45_000) for id in ("M-A18", "M-A19"))
    found = rules.ordered(("over 5,000-45,000", smart, combined))
    ((_, apart),) = found.ours
    last = stats.welch(evidence.final("M-A18"), evidence.final("M-A19"))
    level = last.low <= 0 <= last.high
    word = rules.ladder(
        apart.low > 0 and level, apart.low > 0, inconclusive=apart.low <= 0 < apart.high
    )
    return Judgement(word, (*found.ours, ("at the end", last)), p=found.p)


@judge("matthews-7.4-c")
def better_best(evidence: Evidence) -> Judgement:
    """The best combined network of pachisi above the best smart one, in fresh games."""
    combined, smart = evidence.again("M-A19"), evidence.again("M-A18")
    if combined is None or smart is None:
        raise Lacking("the best networks of M-A18 and M-A19 have not been tested again")
    share = stats.newcombe(combined, smart)
    fresh = Interval(100 * share.value, 100 * share.low, 100 * share.high)
    one, two = (np.nanmax(evidence.curves(id).rates, axis=1) for id in ("M-A19", "M-A18"))
    rules.need_runs(one, two)
    drawn = stats.resampled(lambda x, y: x.max() - y.max(), [one], [two], rng=evidence.rng)
    positive = float((drawn > 0).mean())
    word = rules.ladder(fresh.low > 0 and positive >= 0.95, fresh.value > 0)
    note = f"{positive:.0%} of resampled differences of maxima are positive"
    return Judgement(word, (("in fresh games", fresh),), note=note)


@judge("matthews-fig7.14-a")
def overtaken_twice(evidence: Evidence) -> Judgement:
    """Smart inputs of Parcheesi lead, then combined ones overtake them, later unary ones."""
    smart, combined, unary = (evidence.curves(id) for id in ("M-A27", "M-A28", "M-A20"))
    rules.need_runs(smart.rates, combined.rates, unary.rates)
    games, runs = smart.games, [np.arange(len(x.rates)) for x in (smart, combined, unary)]

    def crossings(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> tuple[float, float]:
        lead = smart.rates[a].mean(axis=0)
        others = combined.rates[b].mean(axis=0), unary.rates[c].mean(axis=0)
        first, second = (_crossing(games, lead, other) for other in others)
        return first, second

    first, second = crossings(*runs)
    in_order = stats.resampled(
        lambda *x: float(np.less(*crossings(*x))), *([x] for x in runs), rng=evidence.rng
    )
    sure = float(in_order.mean())
    occur = np.isfinite([first, second]).all()
    word = rules.ladder(bool(occur) and sure >= 0.95, bool(occur))
    note = f"combined ahead from {first:,.0f}, unary from {second:,.0f} games (inf: never)"
    return Judgement(
        word, (("percent in this order", Interval.exactly(100 * sure)),), note=note
    )


def _crossing(games: np.ndarray, lead: np.ndarray, other: np.ndarray) -> float:
    """From how many games on `other` stays above `lead` [C], which it did not at first."""
    ahead = other > lead
    stays = np.logical_and.accumulate(ahead[::-1])[::-1]
    if not stays.any() or ahead[games > 0][0]:
        return float("inf")
    return float(games[stays.argmax()])


def _finals(evidence: Evidence, *pairs: tuple[str, str]) -> Judgement:
    """Differences at the end of training."""
    return rules.ordered(
        *((f"{a} - {b}", evidence.final(a), evidence.final(b)) for a, b in pairs)
    )


def _ahead(evidence: Evidence, one: str, two: str) -> np.ndarray:
    """At which trained checkpoints [C] the mean of one is above that of two."""
    first, second = evidence.curves(one), evidence.curves(two)
    return (first.rates.mean(axis=0) > second.rates.mean(axis=0))[first.games > 0]
