"""Pachisi otherwise: how its learners may pass, and inputs that are not truncated.

How the thesis's learners passed is an inference (`tables`). Three other readings of its tests
need no training: the networks of A.13-A.19 are tested again with other habits (S-PACHISI). One
needs it: the text taken literally, by which learners pass as they like in training as well,
shown where games end all the same (not by self-play). S-A18-reevaluated evaluates a position
again after each update, as an independent program did. M-PAFULL tries what sections 6.3 and 7.4
suspect, that inputs which do not tell two pieces from three or four make weak players. Training
is shorter here; results are compared with those of the tables after as many games.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

from tdlib.papers.matthews2006 import tables
from tdlib.study.experiment import Experiment
from tdlib.study.retest import Retest

GROUP = "S-PACHISI"
TABLES = tuple(e for e in tables.EXPERIMENTS if e.game == "pachisi")
_GAMES = 20_000
_BY_ID = {e.id: e for e in TABLES}


class Reading(NamedTuple):
    """Habits of learners in tests, in place of those of the tables."""

    name: str
    words: str  # what is different
    ours: str  # what the tables have instead
    habits: Mapping[str, Any]


READINGS = (
    Reading(
        "FORCED",
        "a learner passes in tests only if nothing can move",
        "it may pass at any time",
        {"passes": "forced", "wins": "taken"},
    ),
    Reading(
        "NOT-ON-GRACE",
        "with a grace a learner passes in tests only if nothing can move",
        "it may pass at any time",
        {"passes": "not_on_grace", "wins": "taken"},
    ),
    Reading(
        "WIN-VALUED",
        "in tests a move that wins the game counts like any other",
        "such a move is always taken",
        {},
    ),
)
RETESTS = tuple(
    Retest(
        group=GROUP,
        source=e.id,
        networks="ends",
        reading=reading.name,
        habits=tuple(reading.habits.items()),
    )
    for reading in READINGS
    for e in TABLES
)


def _shorter(id: str, like: str, group: str, words: str, **changes: Any) -> Experiment:
    main = _BY_ID[like]
    return dataclasses.replace(
        main,
        id=id,
        group=group,
        title=f"{main.title}: {words}",
        games=_GAMES,
        checkpoints=tuple(c for c in main.checkpoints if c <= _GAMES),
        stated={},
        assumed={},
        **changes,
    )


def _full(id: str, like: str) -> Experiment:
    options = {**dict(_BY_ID[like].encoding_options), "truncated": False}
    words = "up to four pieces on a place are told apart"
    return _shorter(id, like, "pachisi-untruncated", words, encoding_options=options)


FREE_PASS = tuple(
    _shorter(
        f"S-A{n}-free-pass",
        f"M-A{n}",
        "pachisi-free-pass",
        "passing is free in training too",
        habits={"wins": "taken"},
    )
    for n in (14, 15, 16, 17)
)
REEVALUATED = _shorter(
    "S-A18-reevaluated",
    "M-A18",
    "pachisi-reevaluated",
    "the prediction is evaluated again after each update",
    reevaluate=True,
)
UNTRUNCATED = (_full("M-PAFULL", "M-A13"), _full("M-PAFULL-COMBINED", "M-A19"))
EXPERIMENTS = (*FREE_PASS, REEVALUATED, *UNTRUNCATED)
