"""How far results of Matthews 2006 depend on our reading of the thesis: one change at a time.

Each experiment is one of seven tables (A.1, A.3-A.6, A.8, A.11), shortened, with one reading
changed that the text leaves open, or that shows what a feature is worth. The unchanged tables,
to which they are compared, are the main experiments themselves at the same checkpoints
(`BASES`).

These are no reproductions: nothing here was chosen for its result, and nothing that comes out
near the paper's numbers replaces what the main experiments found.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

from tdlib.papers.matthews2006 import tables
from tdlib.study.experiment import Experiment

GROUP = "sensitivity"

_UNARY = ("A1", "A3", "A8")
_ALL = (*_UNARY, "A11")
_SMART = ("A5", "A11")
_RAW = ("A4", "A6")
_CHECKPOINTS = {
    "A1": (10_000, 20_000),
    "A3": (10_000,),
    "A4": (10_000,),
    "A5": (5_000, 10_000),
    "A6": (10_000,),
    "A8": (1_000, 10_000, 50_000),
    "A11": (5_000, 10_000),
}
_RUNS = {"A1": 5, "A3": 5, "A4": 5, "A5": 5, "A6": 5, "A8": 10, "A11": 10}
_QUICK_GAMES = 1_000


class Reading(NamedTuple):
    """What the text could mean as well."""

    name: str
    words: str  # what is different
    ours: str  # what the main experiments have instead
    source: str  # what the thesis says, and where
    tables: tuple[str, ...]
    settings: Mapping[str, Any] = {}  # fields of `Experiment`
    rules: Mapping[str, Any] = {}  # game options
    inputs: Mapping[str, Any] = {}  # encoding options
    opponent: str | None = None  # who sits in pubeval's place


_NUMBERS = "5.6: a Java program, so probably float64; equal plays are not mentioned"
_FIXED = {"rotate": False, "eval_rotate": False}
READINGS = (
    Reading(
        "plain-counts", "bar and off as plain counts", "bar/2, off/15 (off/3)",
        "4.3.2: “represented by a single integer each”", _UNARY, inputs={"scaled": False},
    ),
    Reading(
        "whole-bar", "bar as a plain count", "bar/2",
        "4.3.2: “represented by a single integer each”; off is divided as before", _UNARY,
        inputs={"bar": "whole"},
    ),
    Reading(
        "extra-over", "fourth unit n − 3", "(n − 3)/2",
        "4.3.2: “the number of the player's pieces present if greater than three”",
        ("A1", "A3"), inputs={"extra": "over"},
    ),
    Reading(
        "extra-count", "fourth unit n", "(n − 3)/2",
        "4.3.2: “the number of the player's pieces present if greater than three”",
        ("A1", "A3"), inputs={"extra": "count"},
    ),
    Reading(
        "no-bias", "no bias units", "bias units",
        "2.2, equations 2.3 and 2.4: none is mentioned", (*_ALL, "A5"),
        settings={"bias": False},
    ),
    Reading(
        "reevaluated", "prediction evaluated again after each update", "evaluated once",
        "2.1: P_t is “the prediction made at time t”", _ALL, settings={"reevaluate": True},
    ),
    Reading(
        "end-observed", "last board predicted, then compared with the outcome",
        "outcome in place of the last prediction",
        "5.1: “At the end of a game, each output was given a value”", (*_ALL, "A5"),
        settings={"observe_end": True},
    ),
    Reading(
        "fixed-seat", "learner always in the same seat", "seats alternate",
        "5.6: the order of the players is not told", _ALL, settings=_FIXED,
    ),
    Reading(
        "coin", "a coin tells who begins, any first roll", "the higher die begins, no double",
        "3.1 refers to Keith (2006); not told", _ALL, rules={"start": "coin"},
    ),
    Reading(
        "learner-begins", "learner always in the first seat, which begins",
        "seats alternate, the higher die begins", "5.6: not told", ("A1", "A8", "A11"),
        settings=_FIXED, rules={"start": "seat_0"},
    ),
    Reading(
        "pubeval-after", "pubeval: weights by contact after the move", "before the move",
        "5.3.2: weights are applied “for any given board position”", ("A8", "A11"),
        opponent="pubeval-after",
    ),
    Reading(
        "pubeval-counts", "pubeval: plain counts in its inputs", "as Tesauro posted it",
        "4.3.2: “the number of player pieces greater than three present”, “two additional"
        " numeric inputs”", _ALL, opponent="pubeval-counts",
    ),
    Reading(
        "pubeval-contact", "pubeval: never its race weights", "race weights without contact",
        "5.3.2 says that both are used; a program may have failed to", _ALL,
        opponent="pubeval-contact",
    ),
    Reading(
        "raw-features", "features not divided", "divided by their greatest values",
        "7.1: “All subsequent experiments” divide; shows what that is worth", ("A11",),
        inputs={"normalise": False},
    ),
    Reading(
        "shares", "hit and blockade as probabilities, 0 to 1", "numbers of rolls, 0 to 36",
        "5.4.2: “the probability that”; 5.4.3: “each corresponded to the number of such"
        " rolls”", ("A4",), inputs={"chances": "shares"},
    ),
    Reading(
        "float64", "float64", "float32", _NUMBERS, _RAW, settings={"floats": "float64"}
    ),
    *(
        Reading(
            f"{width}-{which}", f"{width}, {words} of equals", "float32, the first of equals",
            _NUMBERS, _RAW, settings={"floats": width, "ties": which},
        )
        for width in ("float32", "float64")
        for which, words in (("last", "the last"), ("random", "any"))
    ),
    Reading(
        "backgammon-maxima", "divided by backgammon's greatest values", "by hypergammon's",
        "7.1: “its theoretical maximum value”; 5.6: one class for both games", ("A11",),
        inputs={"greatest": "backgammon"},
    ),
    Reading(
        "no-turn", "no turn units", "1 for the next player to move",
        "5.4.2 has them; shows what they are worth", ("A11",), inputs={"turn": "none"},
    ),
    Reading(
        "best-on-board", "best piece: of those not borne off", "0 once one is off",
        "5.4.2: “the distance of its most advanced piece from the goal”", ("A11",),
        inputs={"best": "board"},
    ),
    Reading(
        "exposure-bar", "exposure: the bar as well", "blots on points",
        "5.4.2: “pieces that are potentially vulnerable to being attacked”", ("A11",),
        inputs={"exposure": "bar"},
    ),
    Reading(
        "hit-one-die", "hit: by one die alone", "by any play of the roll",
        "5.4.3: “the number of such rolls that could result in a hit”, “easily computed”",
        _SMART, inputs={"hit": "die"},
    ),
    Reading(
        "blockade-unless-won", "blockade: not where the roll wins",
        "wherever dice remain unused",
        "5.4.2: “unable to use to make a complete legal move”", _SMART,
        inputs={"blockade": "unfinished"},
    ),
    Reading(
        "blockade-stuck", "blockade: nothing can move", "wherever dice remain unused",
        "5.4.2: “unable to use to make a complete legal move”", _SMART,
        inputs={"blockade": "stuck"},
    ),
)  # fmt: skip


def base(table: str) -> Experiment:
    """The main experiment of a table as it is compared: shorter, of the same identity."""
    checkpoints = _CHECKPOINTS[table]
    return dataclasses.replace(
        main(table),
        games=max(checkpoints),
        checkpoints=checkpoints,
        runs=_RUNS[table],
        quick_games=_QUICK_GAMES,
    )


def main(table: str) -> Experiment:
    """The experiment of a table as we read the thesis."""
    return next(e for e in tables.EXPERIMENTS if e.id == f"M-{table}")


def derived(table: str, reading: Reading) -> Experiment:
    """A table under another reading, shortened."""
    return under(reading, base(table), id=f"S-{table}-{reading.name}", group=GROUP)


def under(reading: Reading, e: Experiment, **names: Any) -> Experiment:
    """An experiment under another reading; names: what else is different, its id above all."""

    def instead(players: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            reading.opponent if reading.opponent and name == "pubeval" else name
            for name in players
        )

    return dataclasses.replace(
        e,
        title=f"{e.title}: {reading.words}",
        game_options=(*e.game_options, *reading.rules.items()),  # the latter count
        encoding_options=(*e.encoding_options, *reading.inputs.items()),
        seats=instead(e.seats),
        evaluation=instead(e.evaluation),
        **reading.settings,
        **names,
        stated={},
        assumed={},
    )


BASES = {table: base(table) for table in _CHECKPOINTS}
EXPERIMENTS = tuple(
    derived(table, reading)
    for table in BASES
    for reading in READINGS
    if table in reading.tables
)
