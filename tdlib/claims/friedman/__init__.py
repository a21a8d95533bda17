"""Friedman & Ibarra 2004: which rule judges which claim of the ledger.

Games are the units, since nobody learns: proportions have Wilson intervals, their differences
Newcombe's. A stuck game, or one stopped at the limit, is one that nobody won.
"""

from collections.abc import Callable

import numpy as np

from tdlib.claims.evidence import Evidence
from tdlib.claims.friedman import behaviour, heuristics, speed
from tdlib.claims.judgement import NOT_TESTABLE, Judgement
from tdlib.claims.ledger import Claim

Judge = Callable[[Claim, Evidence, np.random.Generator], Judgement]


def _not_testable(claim: Claim, evidence: Evidence, rng: np.random.Generator) -> Judgement:
    return Judgement(NOT_TESTABLE, note=claim.test["why_not"])


_BY_NAME: dict[str, Judge] = {
    "tab1": heuristics.numbering,
    "tab2-a": speed.ratio,
    "tab2-b": speed.saving,
    "tab3-a": behaviour.cycles,
    "tab3-b": speed.initial_times,
    "tab4": heuristics.table,
    "con-a": heuristics.with_first,
    "con-b": heuristics.alone,
    "con-c": heuristics.stronger,
    "con-d": heuristics.not_different,
    "con-e": heuristics.all_four,
    "con-f": heuristics.second_better,
    "con-g": heuristics.first_no_worse,
    "con-h": speed.two_plies,
    "con-i": behaviour.lengths,
    "con-j": behaviour.missed_wins,
    "con-k": behaviour.cycles_broken,
    "intro-a": _not_testable,
    "res-a": speed.opening,
}
JUDGES: dict[str, Judge] = {f"friedman-{name}": judge for name, judge in _BY_NAME.items()}
