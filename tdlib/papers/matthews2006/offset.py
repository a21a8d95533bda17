"""By how much our networks differ from the thesis's over all tables: one number.

Each table has the mean of our runs less the mean of the thesis's, over the last 30 % of
checkpoints (the ledger's second analysis). Tables may truly differ, so their mean is that of
random effects. A.4 and A.6, whose inputs are not divided, differ for a reason of their own
(ties between saturated units) and are left out.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tdlib import stats
from tdlib.claims.evidence import Source
from tdlib.papers.matthews2006.appendix import appendix
from tdlib.stats import Interval

APART = ("A.4", "A.6")
TABLES = tuple(f"A.{n}" for n in range(1, 13))  # backgammon and hypergammon


class Offset(NamedTuple):
    """Ours less the thesis's, in points of win rate."""

    tables: dict[str, Interval]
    mean: Interval  # without the tables that stand apart
    between: float  # the standard deviation between tables


def offset(source: Source, tables: Sequence[str] = TABLES) -> Offset:
    """Of these tables of the appendix; Lacking names what has no results."""
    rates = {x: (source(f"M-A{x[2:]}").late(), appendix(x).late()) for x in tables}
    apart = {x: stats.welch(*pair) for x, pair in rates.items()}
    pooled = [x for x in tables if x not in APART]
    mean, between = stats.random_effects(
        [apart[x].value for x in pooled], [_error(*rates[x]) for x in pooled]
    )
    return Offset(apart, mean, between)


def _error(*groups: np.ndarray) -> float:
    """The standard error of the difference of two means."""
    return float(np.sqrt(sum(x.var(ddof=1) / len(x) for x in groups)))
