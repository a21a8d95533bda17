"""What Matthews says about all four games. Nothing is judged before all four have results."""

from collections.abc import Callable

import numpy as np

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, Lacking
from tdlib.claims.judges import judge
from tdlib.claims.rules import PARTLY, PENDING, REPRODUCED, Judgement, Numbers
from tdlib.stats import Interval

Found = tuple[Interval, float | None]  # a number of one game, and the p-value of the claim
GAMES = ("backgammon", "hypergammon", "pachisi", "parcheesi")
UNARY = dict(zip(GAMES, ("M-A1", "M-A8", "M-A13", "M-A20"), strict=True))
SKILLED = dict(zip(GAMES, ("M-A3", "M-A10", "M-A15", "M-A22"), strict=True))
UNSKILLED = dict(zip(GAMES, ("M-A2", "M-A9", "M-A14", "M-A21"), strict=True))
SMART = dict(zip(GAMES, ("M-A5", "M-A11", "M-A18", "M-A27"), strict=True))
COMBINED = dict(zip(GAMES, ("M-A7", "M-A12", "M-A19", "M-A28"), strict=True))
EQUALITY = dict(zip(GAMES, (50.0, 50.0, 50.0, 25.0), strict=True))  # percent, if equally strong


@judge("matthews-6.5-a")
def slight_advantage(evidence: Evidence) -> Judgement:
    """A skilled opponent is worth at most 5 points more than self-play."""

    def apart(game: str) -> Found:
        skilled, alone = evidence.final(SKILLED[game]), evidence.final(UNARY[game])
        return _welch(skilled, alone)[0], stats.above(alone, skilled, by=-5)

    return _counted(apart, lambda x: _not(rules.beyond(x, 5)))


@judge("matthews-6.5-b")
def much_weaker(evidence: Evidence) -> Judgement:
    """Self-play is above training against unskilled opponents."""

    def apart(game: str) -> Found:
        return _welch(evidence.final(UNARY[game]), evidence.final(UNSKILLED[game]))

    return _counted(apart, rules.beyond)


@judge("matthews-7.6-a")
def no_harm(evidence: Evidence) -> Judgement:
    """Combined inputs do no harm, compared with the better of the two others."""

    def apart(game: str) -> Found:
        singles = [evidence.final(kind[game]) for kind in (UNARY, SMART)]
        return _welch(evidence.final(COMBINED[game]), max(singles, key=np.mean), by=-3)

    found = _counted(apart, lambda x: rules.beyond(x, -3))
    clear = sum(number.low > 0 for _, number in found.ours)
    if found.verdict == REPRODUCED and clear < 2:  # "and above 0 in at least two"
        found = found._replace(verdict=PARTLY)
    return found


@judge("matthews-7.6-b")
def smart_at_first(evidence: Evidence) -> Judgement:
    """After 5,000 games smart inputs are above both others."""

    def apart(game: str) -> Found:
        smart = evidence.at(SMART[game], 5_000)
        others = [evidence.at(kind[game], 5_000) for kind in (UNARY, COMBINED)]
        return min((_welch(smart, other) for other in others), key=lambda x: x[0].low)

    return _counted(apart, rules.beyond)


@judge("matthews-8-a")
def gains(evidence: Evidence) -> Judgement:
    """Combined inputs gain more than 10 points over untrained networks."""

    def gain(game: str) -> Found:
        change = evidence.final(COMBINED[game]) - evidence.at(COMBINED[game], 0)
        rules.need_runs(change)
        return stats.t_mean(change), stats.mean_above(change, 10)

    return _counted(gain, lambda x: rules.beyond(x, 10))


@judge("matthews-8-b")
def sufficient(evidence: Evidence) -> Judgement:
    """Self-play with combined inputs reaches the benchmark player; points above it.

    "At or above equality" is read as: the interval does not lie below it.
    """

    def over(game: str) -> Found:
        rates = evidence.final(COMBINED[game])
        rules.need_runs(rates)
        equal = EQUALITY[game]
        return stats.t_mean(rates - equal), stats.mean_above(rates, equal)

    return _counted(over, lambda x: x.high >= 0)


@judge("matthews-5.5-a")
def accurate(evidence: Evidence) -> Judgement:
    """Tests of one network scatter by 3 points at most; 95 % half-widths."""

    def scatter(game: str) -> Found:
        rates = evidence.curves(f"{COMBINED[game]}-REPEAT").rates[:, 0]
        rules.need_runs(rates, least=20)
        return stats.bootstrap(lambda x: 1.96 * x.std(ddof=1), [rates], rng=evidence.rng), None

    return _counted(scatter, lambda x: x.value <= 3)


def _counted(
    number: Callable[[str], Found], good: Callable[[Interval], bool | None]
) -> Judgement:
    """In how many of the four games a number is good; pending until all are there.

    good: None if the number's interval leaves it open.
    """
    ours: Numbers = ()
    chances, missing = [], []
    for game in GAMES:
        try:
            found, p = number(game)
            ours += ((game, found),)
            chances.append(p)
        except Lacking as lack:
            missing.append(str(lack))
    if len(missing) == len(GAMES):
        raise Lacking(missing[0])
    if missing:
        return Judgement(PENDING, ours, note="; ".join(missing))
    known = [p for p in chances if p is not None]
    word = rules.by_parts(*(good(x) for _, x in ours))
    return Judgement(word, ours, p=max(known, default=None))


def _not(held: bool | None) -> bool | None:
    return None if held is None else not held


def _welch(one: np.ndarray, two: np.ndarray, *, by: float = 0.0) -> Found:
    rules.need_runs(one, two)
    return stats.welch(one, two), stats.above(one, two, by=by)
