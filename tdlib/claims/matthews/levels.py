"""Numbers that Matthews states and we measure: learning curves, best networks, some means."""

import numpy as np

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, appendix
from tdlib.claims.judgement import Judgement, Ours
from tdlib.claims.ledger import Claim
from tdlib.stats import NOT_REPRODUCED, PARTLY, REPRODUCED

Rng = np.random.Generator


def curve(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """A figure of five learning curves and the table behind it."""
    theirs = appendix(claim.published["table"])
    return rules.curve(evidence.curves(_only(claim)), theirs)


def final_mean(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """The last line of a table."""
    theirs = appendix(claim.published["table"]).rates[:, -1]
    return rules.level(evidence.final(_only(claim)), theirs)


def best(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """The best single network of an experiment; beside it, ours in fresh games."""
    said = claim.published
    evaluations = np.isfinite(appendix(said["table"]).rates).sum()
    id = _only(claim)
    found = rules.maximum(
        evidence.curves(id), said["table_best_percent"], int(evaluations), rng
    )
    again = evidence.again(id)
    note = found.note or "the best of ours has not been tested again"
    if again:
        fresh = stats.wilson(*again).map(lambda rate: 100 * rate)
        note = f"the best of ours in {again[1]:,} fresh games: {fresh:.1f}"
    return found._replace(note=note)


def two_means(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """6.1-d: two means after 10,000 games, and which is larger."""
    said = claim.published
    means = {"M-A3": said["vs_pubeval_percent"], "M-A1": said["self_play_percent"]}
    ours: Ours = ()
    inside = []
    for id, theirs in means.items():
        good, band = rules.predicts(id, evidence.at(id, said["at_games"]), theirs, of=5)
        inside.append(good)
        ours += ((id, band),)
    same_sign = ours[0][1].value > ours[1][1].value
    if not same_sign or not any(inside):
        word = NOT_REPRODUCED
    else:
        word = REPRODUCED if all(inside) else PARTLY
    note = "intervals are those of the mean of five further runs"
    return Judgement(word, ours, note=note)


def _only(claim: Claim) -> str:
    (id,) = claim.experiment
    return id
