"""Trained networks tested again: what the claims ask for beyond the thesis's own tests.

M-BEST       the best network of a table, chosen by its tests, in fresh games
M-CROSS      last networks of A.1 and A.3 against players they never met in training, and
             against each other (section 6.1)
M-ERR        one network tested twenty times, to see how tests scatter (section 5.5)
S-OPPONENT   last networks against other readings of pubeval (`sensitivity`)
S-PACHISI    untrained and last networks of pachisi with other habits (`pachisi_readings`)
"""

from tdlib.papers.matthews2006 import pachisi_readings
from tdlib.papers.matthews2006.tables import EXPERIMENTS
from tdlib.study.retest import Retest


def _cross(source: str, opponent: str | None = None, rivals: str | None = None) -> Retest:
    return Retest(
        group="M-CROSS", source=source, networks="last", opponent=opponent, rivals=rivals
    )


RETESTS = (
    *(Retest(group="M-BEST", source=e.id, networks="best") for e in EXPERIMENTS),
    *(_cross(source, opponent="random") for source in ("M-A1", "M-A3")),
    *(_cross(source, rivals="M-A7") for source in ("M-A1", "M-A3")),
    _cross("M-A3", rivals="M-A1"),
    *(
        Retest(group="M-ERR", source=id, networks="same")
        for id in ("M-A7", "M-A12", "M-A19", "M-A28")
    ),
    # Networks of hypergammon that never met pubeval in training: what another reading of
    # pubeval does to them needs no training
    *(
        Retest(group="S-OPPONENT", source=id, networks="last", opponent=opponent)
        for opponent in ("pubeval-counts", "pubeval-contact")
        for id in ("M-A8", "M-A9", "M-A11", "M-A12")
    ),
    *pachisi_readings.RETESTS,
)
