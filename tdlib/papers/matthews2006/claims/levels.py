"""Numbers that Matthews states and we measure: learning curves, best networks, some means."""

import numpy as np

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence
from tdlib.claims.judges import judge
from tdlib.claims.rules import Judgement, Numbers
from tdlib.papers.matthews2006.appendix import appendix

_FIGURES = (
    "6.1", "6.2", "6.3", "6.5", "6.6", "6.7", "6.9", "6.10", "6.11", "6.12", "6.13", "6.15",
    "6.16", "6.17", "6.18", "6.19", "6.20", "6.21", "7.3", "7.4", "7.6", "7.7", "7.9", "7.10",
    "7.12", "7.13",
)  # fmt: skip
_SECTIONS = (
    "6.1-a", "6.1-b", "6.1-c", "6.2-a", "6.2-b", "6.2-c", "6.3-a", "6.3-b", "6.3-c", "6.3-d",
    "6.3-e", "6.4-a", "7.2-a", "7.2-b", "7.3-a", "7.3-b", "7.4-a", "7.4-b", "7.5-a", "7.5-b",
    "7.5-c",
)  # fmt: skip


@judge(*(f"matthews-fig{figure}" for figure in _FIGURES))
def curve(evidence: Evidence) -> Judgement:
    """A figure of five learning curves, and the table behind it."""
    ours = evidence.curves(_only_experiment(evidence))
    theirs = appendix(evidence.claim.published["table"]).upto(ours.games[-1])
    near = rules.in_band(ours, theirs)
    return rules.level(evidence.last(ours), evidence.last(theirs), near)


@judge("matthews-tabA.4", "matthews-tabA.6")
def final_mean(evidence: Evidence) -> Judgement:
    """The last line of a table."""
    theirs = appendix(evidence.claim.published["table"])
    return rules.level(evidence.final(_only_experiment(evidence)), evidence.last(theirs))


@judge(*(f"matthews-{section}" for section in _SECTIONS))
def best(evidence: Evidence) -> Judgement:
    """The best single network of an experiment; in the note, ours in fresh games."""
    said = evidence.claim.published
    evaluations = np.isfinite(appendix(said["table"]).rates).sum()
    id = _only_experiment(evidence)
    found = rules.maximum(
        evidence.curves(id), said["table_best_percent"], int(evaluations), evidence.rng
    )
    fresh = "the best of ours has not been tested again"
    if again := evidence.again(id):
        won = stats.wilson(*again).percent
        fresh = f"the best of ours in {again[1]:,} fresh games: {won:.1f}"
    return found._replace(note="; ".join(filter(None, (found.note, fresh))))


@judge("matthews-6.1-d")
def two_means(evidence: Evidence) -> Judgement:
    """Two means after 10,000 games, and which is larger."""
    said = evidence.claim.published
    means = {"M-A3": said["vs_pubeval_percent"], "M-A1": said["self_play_percent"]}
    ours: Numbers = ()
    near = []
    for id, theirs in means.items():
        good, band = rules.expected(evidence.at(id, said["at_games"]), theirs, of=5)
        near.append(good)
        ours += ((id, band),)
    same_sign = ours[0][1].value > ours[1][1].value
    word = rules.ladder(same_sign and all(near), same_sign and any(near))
    return Judgement(word, ours, note="intervals are those of the mean of five further runs")


def _only_experiment(evidence: Evidence) -> str:
    (id,) = evidence.claim.experiment
    return id
