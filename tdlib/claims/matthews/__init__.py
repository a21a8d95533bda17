"""Matthews 2006: which rule judges which claim of the ledger."""

from collections.abc import Callable

import numpy as np

from tdlib.claims.evidence import Evidence
from tdlib.claims.judgement import Judgement
from tdlib.claims.ledger import Claim
from tdlib.claims.matthews import all_games, beyond, facts, levels, orderings

Judge = Callable[[Claim, Evidence, np.random.Generator], Judgement]

_CURVES = ("6.1", "6.2", "6.3", "6.5", "6.6", "6.7", "6.9", "6.10", "6.11", "6.12", "6.13",
           "6.15", "6.16", "6.17", "6.18", "6.19", "6.20", "6.21", "7.3", "7.4", "7.6", "7.7",
           "7.9", "7.10", "7.12", "7.13")  # fmt: skip
_BEST = ("6.1-a", "6.1-b", "6.1-c", "6.2-a", "6.2-b", "6.2-c", "6.3-a", "6.3-b", "6.3-c",
         "6.3-d", "6.3-e", "6.4-a", "7.2-a", "7.2-b", "7.3-a", "7.3-b", "7.4-a", "7.4-b",
         "7.5-a", "7.5-b", "7.5-c")  # fmt: skip
_SINGLE: dict[str, Judge] = {
    "tab3.2": facts.throws,
    "tab4.1": beyond.earlier_programs,
    "tab4.2": beyond.earlier_networks,
    "tab5.1": facts.inputs,
    "5.2-a": beyond.step_size,
    "5.5-a": all_games.accurate,
    "tabA.4": levels.final_mean,
    "tabA.6": levels.final_mean,
    "6.1-d": levels.two_means,
    "6.1-e": beyond.specialised,
    "fig6.4-d": orderings.levels_off,
    "6.2-d": orderings.handicap,
    "6.5-a": all_games.slight_advantage,
    "6.5-b": all_games.much_weaker,
    "fig7.5-a": orderings.overtaken,
    "fig7.8-b": orderings.slower_then_higher,
    "7.6-a": all_games.no_harm,
    "7.6-b": all_games.smart_at_first,
    "8-a": all_games.gains,
    "8-b": all_games.sufficient,
    "8-c": beyond.fifty_backgammon,
    "8-d": beyond.against_earlier,
    "8-e": beyond.fifty_hypergammon,
    "8-f": beyond.length_or_units,
    "8-g": beyond.more_and_longer,
}
JUDGES: dict[str, Judge] = {
    **{f"matthews-fig{figure}": levels.curve for figure in _CURVES},
    **{f"matthews-{section}": levels.best for section in _BEST},
    **{f"matthews-{name}": judge for name, judge in _SINGLE.items()},
    **dict.fromkeys(orderings.ABOVE, orderings.above),
    **dict.fromkeys(orderings.ALIKE, orderings.alike),
    **dict.fromkeys(orderings.ALWAYS, orderings.always_above),
}
JOINT = {"matthews-5.5-b": beyond.jointly}  # judged after the claims they are made of
NOT_YET = {  # why no rule judges them so far
    "matthews-tab3.1": "notebooks/01_games_and_boards.ipynb compares all cells",
    **dict.fromkeys(
        ("matthews-fig5.1-a", "matthews-fig5.1-b"), "needs four equal Parcheesi players"
    ),
    "matthews-5.7-a": "needs the speed of all four games on one machine",
    **dict.fromkeys(
        [f"matthews-{x}" for x in (
            "6.3-f", "fig6.14-a", "fig6.14-b", "fig6.14-c", "6.3-g", "6.3-h", "6.3-i",
            "fig7.11-a", "fig7.11-b", "7.4-c", "7.4-d")],
        "pachisi is not trained yet",
    ),
    **dict.fromkeys(
        [f"matthews-{x}" for x in (
            "6.4-b", "6.4-c", "fig6.22-a", "fig6.22-b", "fig6.22-c", "6.4-f",
            "fig7.14-a")],
        "Parcheesi is not trained yet",
    ),
}  # fmt: skip
