"""What Matthews says is higher, lower, alike or steady within one game."""

from typing import NamedTuple

import numpy as np

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence
from tdlib.claims.judgement import Judgement
from tdlib.claims.ledger import Claim
from tdlib.stats import INCONCLUSIVE, NOT_REPRODUCED, PARTLY, REPRODUCED, Interval

Rng = np.random.Generator


class Contrast(NamedTuple):
    """One experiment against another: one minus two."""

    one: str
    two: str
    at: tuple[int, ...] = ()  # after how many games; none: at the end
    over: tuple[int, int] = (0, 0)  # averaged over these checkpoints


ABOVE = {  # "95% Welch CI of mean(one) - mean(two) over runs lies above 0"
    "matthews-fig6.4-a": Contrast("M-A3", "M-A1", at=(5_000, 10_000, 15_000)),
    "matthews-fig6.4-c": Contrast("M-A1", "M-A2"),
    "matthews-fig6.8-a": Contrast("M-A10", "M-A8", at=(1_000, 5_000, 10_000)),
    "matthews-fig6.8-c": Contrast("M-A8", "M-A9"),
    "matthews-fig7.1": Contrast("M-A5", "M-A4"),
    "matthews-fig7.2": Contrast("M-A7", "M-A6"),
    "matthews-7.1-a": Contrast("M-A1", "M-A6"),
    "matthews-7.2-c": Contrast("M-A1", "M-A5"),
    "matthews-fig7.8-a": Contrast("M-A11", "M-A8"),
    "matthews-fig6.22-d": Contrast("M-A22", "M-A21"),
}
ALIKE = {  # "90% CI of mean(one) - mean(two) lies inside" a margin of points
    "matthews-fig6.4-b": (Contrast("M-A3", "M-A1", over=(75_000, 100_000)), 3.0),
    "matthews-fig6.8-b": (Contrast("M-A10", "M-A8", over=(35_000, 50_000)), 3.0),
    "matthews-6.4-d": (Contrast("M-A22", "M-A20", over=(50_000, 50_000)), 3.0),
    "matthews-6.4-e": (Contrast("M-A25", "M-A26", over=(50_000, 50_000)), 3.0),
    "matthews-7.5-d": (Contrast("M-A20", "M-A27", over=(50_000, 50_000)), 5.0),
}
ALWAYS = {  # "positive at all trained checkpoints", partly: at so many or more
    "matthews-fig7.5-b": (Contrast("M-A7", "M-A1"), 15),
    "matthews-fig7.14-b": (Contrast("M-A28", "M-A20"), 8),
}
BESIDES = {  # shown with a contrast; the ledger's outcome does not hang on it
    "matthews-fig7.8-a": Contrast("M-A12", "M-A8"),
}


def above(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """One mean above another, at the end or at each of some checkpoints."""
    contrast = ABOVE[claim.id]
    found = rules.ordered(*_pairs(contrast, evidence))
    if claim.id in BESIDES:
        other = BESIDES[claim.id]
        ((name, one, two),) = _pairs(other, evidence)
        found = found._replace(note=f"{name}: {stats.welch(one, two):.1f}")
    return found


def alike(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """Two means that are nearly the same."""
    contrast, margin = ALIKE[claim.id]
    one, two = (evidence.over(id, *contrast.over) for id in contrast[:2])
    return rules.equivalent(f"{contrast.one} - {contrast.two}", one, two, margin)


def levels_off(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """fig6.4-d: hardly any change after 10,000 games."""
    changes = rules.total_change(evidence.curves("M-A2"), 10_000)
    return rules.steady("change after 10,000 games", changes, 2.0, rng)


def handicap(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """6.2-d: log odds of self-play over random opponents, backgammon minus hypergammon."""
    groups = [evidence.final(id) for id in ("M-A1", "M-A2", "M-A8", "M-A9")]
    rules.need_runs(*groups)

    def statistic(*rates: np.ndarray) -> float:
        a, b, c, d = (_log_odds(x.mean()) for x in rates)
        return (a - b) - (c - d)

    drawn = stats.resampled(statistic, *([x] for x in groups), rng=rng)
    low, high = np.quantile(drawn, [0.025, 0.975])
    found = Interval(statistic(*groups), float(low), float(high))
    p = (1 + np.sum(drawn <= 0)) / (1 + len(drawn))
    word = REPRODUCED if found.low > 0 else PARTLY if found.value > 0 else NOT_REPRODUCED
    return Judgement(word, (("log odds ratios", found),), p=float(p))


def overtaken(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """fig7.5-a: smart inputs lead at 5,000 games, and end below both others."""
    smart, unary, combined = "M-A5", "M-A1", "M-A7"
    found = rules.ordered(
        ("smart - unary at 5,000", evidence.at(smart, 5_000), evidence.at(unary, 5_000)),
        ("unary - smart at the end", evidence.final(unary), evidence.final(smart)),
        ("combined - smart at the end", evidence.final(combined), evidence.final(smart)),
    )
    uncertain = sum(number.low <= 0 < number.value for _, number in found.ours)
    if found.verdict == PARTLY and uncertain > 1:  # "signs right, one CI contains 0"
        found = found._replace(verdict=INCONCLUSIVE)
    return found


def always_above(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """One mean above another at every trained checkpoint, and clearly at the end."""
    contrast, most = ALWAYS[claim.id]
    one, two = evidence.curves(contrast.one), evidence.curves(contrast.two)
    final = rules.ordered(("at the end", one.rates[:, -1], two.rates[:, -1]))
    ahead = one.rates.mean(axis=0) > two.rates.mean(axis=0)
    trained = ahead[one.games > 0]
    if trained.all() and final.verdict == REPRODUCED:
        word = REPRODUCED
    else:
        word = PARTLY if trained.sum() >= most else NOT_REPRODUCED
    note = f"ahead at {trained.sum()} of {len(trained)} trained checkpoints"
    return final._replace(verdict=word, note=note)


def slower_then_higher(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """fig7.8-b: combined below smart at 5,000 games, slightly above at 50,000."""
    soon = evidence.at("M-A12", 5_000), evidence.at("M-A11", 5_000)
    last = evidence.final("M-A12"), evidence.final("M-A11")
    rules.need_runs(*soon, *last)
    early, late = stats.welch(*soon), stats.welch(*last)
    if early.value >= 0 or late.value <= 0:
        word = NOT_REPRODUCED
    elif early.high < 0 < late.low and late.high <= 5:
        word = REPRODUCED
    else:
        word = INCONCLUSIVE if early.high >= 0 and late.low <= 0 else PARTLY
    return Judgement(word, (("at 5,000", early), ("at the end", late)))


def _pairs(contrast: Contrast, evidence: Evidence) -> list[rules.Pair]:
    name = f"{contrast.one} - {contrast.two}"
    ids = contrast[:2]
    if not contrast.at:
        one, two = (evidence.final(id) for id in ids)
        return [(name, one, two)]
    return [
        (f"at {games:,}", evidence.at(contrast.one, games), evidence.at(contrast.two, games))
        for games in contrast.at
    ]


def _log_odds(percent: float) -> float:
    share = min(max(percent / 100, 1e-4), 1 - 1e-4)  # half a game of 5,000
    return float(np.log(share / (1 - share)))
