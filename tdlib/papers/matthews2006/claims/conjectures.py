"""What the thesis says of the cost of training, and what it suspects about exploration.

The rules are the ledger's. Where it is silent we chose: an entropy or a number of positions is
the mean over the points of a run's training; games are compared with unary inputs, and smart
inputs with each of the others in every game.
"""

import numpy as np
import pandas as pd

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, TooFew
from tdlib.claims.judges import judge
from tdlib.claims.rules import Judgement, Numbers

UNARY = {"hypergammon": "M-A8", "backgammon": "M-A1", "pachisi": "M-A13", "Parcheesi": "M-A20"}
SMART = {  # smart, combined
    "hypergammon": ("M-A11", "M-A12"),
    "backgammon": ("M-A5", "M-A7"),
    "pachisi": ("M-A18", "M-A19"),
    "Parcheesi": ("M-A27", "M-A28"),
}


@judge("matthews-5.7-a")
def speeds(evidence: Evidence) -> Judgement:
    """Hypergammon above backgammon and pachisi, these above Parcheesi; smart inputs above all.

    Our program, not the thesis's: it trains several learners at once.
    """
    rows = evidence.measured("training-time")
    rates = {id: x.game_rate.to_numpy() for id, x in rows.groupby("experiment")}
    needed = {*UNARY.values(), *(id for pair in SMART.values() for id in pair)}
    if lacking := sorted(needed - rates.keys()):
        raise TooFew(f"needs the speed of {', '.join(lacking)}")
    rules.need_runs(*rates.values())
    found = {id: stats.t_mean(rate) for id, rate in rates.items()}

    def above(one: str, *others: str) -> bool:
        return all(found[one].low > found[other].high for other in others)

    fast, *middle, slow = UNARY.values()
    fastest = above(fast, *middle, slow)
    smart = [above(one, UNARY[game], both) for game, (one, both) in SMART.items()]
    in_order = fastest and all(above(id, slow) for id in middle)
    ours: Numbers = tuple((game, found[id]) for game, id in UNARY.items())
    note = f"games a second of our program; smart inputs fastest in {sum(smart)} of 4 games"
    return Judgement(rules.ladder(in_order and all(smart), fastest), ours, note=note)


@judge("matthews-6.3-i")
def narrow_company(evidence: Evidence) -> Judgement:
    """Pieces in self-play more evenly spread than in either company of heuristic players."""
    alone, *others = (_seen(evidence, id, "entropy") for id in ("M-A13", "M-A15", "M-A17"))
    names = "three heuristic players", "a heuristic team"
    return rules.ordered(
        *((f"bits more than with {x}", alone, y) for x, y in zip(names, others, strict=True))
    )


@judge("matthews-6.4-f")
def random_company(evidence: Evidence) -> Judgement:
    """With two random players above two heuristic ones: rate at the end, positions seen."""
    ids = "M-A23", "M-A24"
    rates = [evidence.final(id) for id in ids]
    seen = [_seen(evidence, id, "distinct") for id in ids]
    rules.need_runs(*rates, *seen)
    ours = ("points", stats.welch(*rates)), ("positions", stats.welch(*seen))
    return Judgement(rules.by_parts(*(rules.beyond(x) for _, x in ours)), ours)


def _seen(evidence: Evidence, id: str, column: str) -> np.ndarray:
    """By run [R]: the mean over the points of its training."""
    rows: pd.DataFrame = evidence.measured("visited")
    means = rows[rows.experiment == id].groupby("run")[column].mean().to_numpy()
    evidence.count("runs", id, len(means))
    return means
