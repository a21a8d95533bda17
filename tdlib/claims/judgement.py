"""What is said about one claim."""

from typing import NamedTuple

from tdlib.stats import INCONCLUSIVE, NOT_REPRODUCED, PARTLY, REPRODUCED, Interval

NO_RESULTS, PENDING = "no results yet", "pending"
NOT_TESTABLE, NOT_COVERED = "not testable", "not covered yet"
DECIDED = (REPRODUCED, PARTLY, NOT_REPRODUCED)
VERDICTS = (*DECIDED, INCONCLUSIVE, PENDING, NO_RESULTS, NOT_TESTABLE, NOT_COVERED)

Ours = tuple[tuple[str, Interval], ...]  # what the number is, and the number with its interval


class Judgement(NamedTuple):
    """A verdict and what it rests on."""

    verdict: str  # one of VERDICTS
    ours: Ours = ()
    p: float | None = None  # that chance alone gives what the claim says
    note: str = ""

    @property
    def text(self) -> str:
        """Our numbers."""
        return "; ".join(f"{name} {_shown(number)}".strip() for name, number in self.ours)


def _shown(number: Interval) -> str:
    exact = number.low == number.high
    return f"{number.value:g}" if exact else format(number, ".1f")
