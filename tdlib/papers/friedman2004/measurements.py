"""What is played and timed for Friedman & Ibarra 2004."""

from tdlib.papers.friedman2004 import timing
from tdlib.papers.friedman2004.experiments import CONTESTS, PAPER
from tdlib.study import contests, registry
from tdlib.study.measure import Measurement
from tdlib.study.scale import scaled


def measured(scale: str) -> list[Measurement]:
    """All of it, at a scale."""
    games = contests.measurement(PAPER, [scaled(c, scale) for c in CONTESTS])
    timings = [timing.timing(t) for t in (timing.timed(scale), timing.timed4(scale))]
    return [games, *timings, timing.initial_timing(scale)]


registry.register(measured=measured)
