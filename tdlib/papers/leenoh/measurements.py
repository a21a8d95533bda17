"""What is played for Lee & Noh."""

from tdlib.papers.leenoh.experiments import COMPLEX, PAPER
from tdlib.study import contests, registry
from tdlib.study.scale import scaled

registry.register(
    measured=lambda scale: [contests.measurement(PAPER, [scaled(COMPLEX, scale)])]
)
