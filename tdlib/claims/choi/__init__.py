"""Choi 2013: which rule judges which claim of the ledger."""

from collections.abc import Callable

import numpy as np

from tdlib.claims.choi import endgame, series, strength
from tdlib.claims.evidence import Evidence
from tdlib.claims.judgement import Judgement
from tdlib.claims.ledger import Claim

Judge = Callable[[Claim, Evidence, np.random.Generator], Judgement]

JUDGES: dict[str, Judge] = {
    "choi-5-b": series.small_weights,
    "choi-5-c": series.randomness,
    "choi-6.1-a": series.step_size,
    "choi-6.1-b": series.good_alpha,
    "choi-6.1-c": series.traces,
    "choi-6.1-d": series.hidden_units,
    "choi-6.1-e": series.best_combination,
    "choi-6.2-a": endgame.perfection,
    "choi-6.2-b": endgame.plies,
    "choi-6.2-c": endgame.order_not_value,
    "choi-6.2-d": strength.two_plies,
    "choi-6.2-e": strength.slower,
    "choi-6.3-a": strength.features,
    "choi-6.3-b": strength.slower_with_features,
    "choi-6.3-c": strength.style,
    "choi-6.3-d": strength.later_is_better,
    "choi-7-a": strength.promising,
}
NOT_YET = {  # cannot be tested; what can be said instead
    "choi-5-a": "notebooks/20_choi_kalah.ipynb has minimax against itself",
    "choi-4-a": "notebooks/01_games_and_boards.ipynb counts positions",
}
