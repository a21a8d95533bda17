"""What is measured for Matthews 2006 after the training of its networks."""

from tdlib.papers.matthews2006 import (
    attributes,
    exact_losses,
    identical_players,
    passes,
    ties,
    training_time,
    visited,
)
from tdlib.papers.matthews2006.retests import RETESTS
from tdlib.papers.matthews2006.tables import PAPER
from tdlib.study import registry
from tdlib.study.experiment import Experiment
from tdlib.study.measure import Measurement
from tdlib.study.retest import retesting
from tdlib.study.scale import scaled


def measured(scale: str) -> list[Measurement]:
    """All of it, at a scale."""

    def find(id: str) -> Experiment:
        return scaled(registry.find(id), scale)

    groups = dict.fromkeys(retest.group for retest in RETESTS)
    again = [
        retesting(group, PAPER, [r for r in RETESTS if r.group == group], find)
        for group in groups
    ]
    kinds = exact_losses, attributes, passes, identical_players, ties, visited, training_time
    return [*again, *(kind.measurement(scale) for kind in kinds)]


registry.register(measured=measured)
