"""What is measured of the networks of Matthews 2006 after their training."""

from tdlib.papers.matthews2006 import attributes, exact_losses, ties
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
    others = (exact_losses, attributes, ties)
    return [*again, *(other.measurement(scale) for other in others)]


registry.register(measured=measured)
