"""What Matthews says is higher, lower, alike or steady within one game."""

import numpy as np

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence
from tdlib.claims.judges import judge
from tdlib.claims.rules import INCONCLUSIVE, PARTLY, REPRODUCED, Judgement


@judge("matthews-fig6.4-a", one="M-A3", two="M-A1", at=(5_000, 10_000, 15_000))
@judge("matthews-fig6.4-c", one="M-A1", two="M-A2")
@judge("matthews-fig6.8-a", one="M-A10", two="M-A8", at=(1_000, 5_000, 10_000))
@judge("matthews-fig6.8-c", one="M-A8", two="M-A9")
@judge("matthews-fig6.22-d", one="M-A22", two="M-A21")
@judge("matthews-fig7.1", one="M-A5", two="M-A4")
@judge("matthews-fig7.2", one="M-A7", two="M-A6")
@judge("matthews-7.1-a", one="M-A1", two="M-A6")
@judge("matthews-7.2-c", one="M-A1", two="M-A5")
@judge("matthews-fig7.8-a", one="M-A11", two="M-A8", also="M-A12")
def above(
    evidence: Evidence, one: str, two: str, at: tuple[int, ...] = (), also: str = ""
) -> Judgement:
    """The mean of one experiment above that of two, at the end or after some games each.

    also: an experiment shown beside the first; the ledger's outcome does not depend on it.
    """
    if at:
        pairs = [(f"at {x:,}", evidence.at(one, x), evidence.at(two, x)) for x in at]
    else:
        pairs = [(f"{one} - {two}", evidence.final(one), evidence.final(two))]
    found = rules.ordered(*pairs)
    if also:
        beside = stats.welch(evidence.final(also), evidence.final(two))
        found = found._replace(note=f"{also} - {two}: {beside:.1f}")
    return found


@judge("matthews-fig6.4-b", one="M-A3", two="M-A1", over=(75_000, 100_000), margin=3.0)
@judge("matthews-fig6.8-b", one="M-A10", two="M-A8", over=(35_000, 50_000), margin=3.0)
@judge("matthews-6.4-d", one="M-A22", two="M-A20", over=(50_000, 50_000), margin=3.0)
@judge("matthews-6.4-e", one="M-A25", two="M-A26", over=(50_000, 50_000), margin=3.0)
@judge("matthews-7.5-d", one="M-A20", two="M-A27", over=(50_000, 50_000), margin=5.0)
def alike(
    evidence: Evidence, one: str, two: str, over: tuple[int, int], margin: float
) -> Judgement:
    """Two means, over some checkpoints, that are nearly the same."""
    first, second = (evidence.over(id, *over) for id in (one, two))
    return rules.equivalent(f"{one} - {two}", first, second, margin)


@judge("matthews-fig6.4-d")
def levels_off(evidence: Evidence) -> Judgement:
    """Hardly any change after 10,000 games."""
    changes = rules.total_change(evidence.curves("M-A2"), 10_000)
    return rules.steady("change after 10,000 games", changes, 2.0)


@judge("matthews-6.2-d")
def handicap(evidence: Evidence) -> Judgement:
    """Log odds of self-play over random opponents, backgammon minus hypergammon."""
    groups = [_log_odds(evidence.final(id)) for id in ("M-A1", "M-A2", "M-A8", "M-A9")]
    rules.need_runs(*groups)
    found, p = stats.contrast((1, -1, -1, 1), *groups)
    return Judgement(rules.positive(found), (("log odds ratios", found),), p=p)


@judge("matthews-fig7.5-a")
def overtaken(evidence: Evidence) -> Judgement:
    """Smart inputs lead after 5,000 games, and end below both others."""
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


@judge("matthews-fig7.5-b", one="M-A7", two="M-A1", most=15)
@judge("matthews-fig7.14-b", one="M-A28", two="M-A20", most=8)
def always_above(evidence: Evidence, one: str, two: str, most: int) -> Judgement:
    """One mean above another at every trained checkpoint, and clearly at the end.

    most: checkpoints at which it has to be above for "partly".
    """
    first, second = evidence.curves(one), evidence.curves(two)
    final = rules.ordered(("at the end", evidence.last(first), evidence.last(second)))
    ahead = first.rates.mean(axis=0) > second.rates.mean(axis=0)
    trained = ahead[first.games > 0]
    word = rules.ladder(trained.all() and final.verdict == REPRODUCED, trained.sum() >= most)
    note = f"ahead at {trained.sum()} of {len(trained)} trained checkpoints"
    return final._replace(verdict=word, note=note)


@judge("matthews-fig7.8-b")
def slower_then_higher(evidence: Evidence) -> Judgement:
    """Combined below smart after 5,000 games, slightly above after 50,000."""
    soon = evidence.at("M-A12", 5_000), evidence.at("M-A11", 5_000)
    last = evidence.final("M-A12"), evidence.final("M-A11")
    rules.need_runs(*soon, *last)
    early, late = stats.welch(*soon), stats.welch(*last)
    word = rules.positive(stats.welch(*soon[::-1]), late)
    if word == REPRODUCED and late.high > 5:
        word = PARTLY
    if word == PARTLY and early.high >= 0 and late.low <= 0:
        word = INCONCLUSIVE
    return Judgement(word, (("at 5,000", early), ("at the end", late)))


def _log_odds(percent: np.ndarray) -> np.ndarray:
    share = np.clip(percent / 100, 1e-4, 1 - 1e-4)  # half a game of 5,000
    return np.log(share / (1 - share))
