"""Abalearn: importing this registers the judges of its claims."""

from tdlib import stats
from tdlib.claims import published, rules
from tdlib.claims.evidence import Evidence
from tdlib.claims.judges import judge
from tdlib.claims.rules import Judgement


@judge("abalearn-tab1")
def moves(evidence: Evidence) -> Judgement:
    """Table 1: legal moves per position of random games; whole games are resampled."""
    games = evidence.table("L-COMPLEX")
    width = stats.ratio(games.choices, games.plies, evidence.rng)
    paper = published.span(published.cell("abalearn2003_table1", "Abalone", "branching_factor"))
    word = rules.meets(width, rules.widened(paper, 0.1), rules.widened(paper, 0.25))
    return Judgement(word, (("moves per position", width),), note="random play alone")
