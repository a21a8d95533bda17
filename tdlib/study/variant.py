"""An experiment with a reader's settings, under a name of its own.

    own = variant.of(registry.find("M-A8"), "paper", lam=0.9, hidden=10)
    print(variant.forecast(own))       what it would cost, before anything is computed
    rows = drive.load_or_run(own)

It is trained at quick scale at most and stored with the other local results, which are not
committed; no verdict counts it.
"""

import dataclasses
from typing import Any

from tqdm import tqdm

from tdlib import encodings
from tdlib.study import plan
from tdlib.study.experiment import Experiment
from tdlib.study.scale import scaled
from tdlib.study.store import Store, opened

GROUP = "variants"


def of(e: Experiment, scale: str, **settings: Any) -> Experiment | None:
    """The experiment with other settings; None if it has these anyway.

    Args:
      e: as it is at paper scale.
      scale: of the notebook; a variant is small even where that is paper.
      settings: such as alpha, lam, hidden, encoding. Another encoding has its usual options.
    """
    wanted = dataclasses.replace(e, **settings, stated={}, assumed={})
    changed = [name for name in settings if getattr(wanted, name) != getattr(e, name)]
    if not changed:
        return None
    encodings.make(e.game, wanted.encoding)  # or it says which there are
    named = dataclasses.replace(
        wanted,
        id="-".join((e.id, *(f"{name}-{settings[name]}" for name in changed))),
        group=GROUP,
        title=", ".join(f"{name} {settings[name]}" for name in changed),
        encoding_options=() if "encoding" in changed else e.encoding_options,
    )
    return scaled(named, "smoke" if scale == "smoke" else "quick")


def forecast(own: Experiment | None, store: Store | None = None, seconds: float = 2.0) -> str:
    """What training and testing a variant would cost on this machine.

    store: where its results would be; None means where those of its scale are. seconds: of
    training to measure, besides compiling.
    """
    if own is None:
        return "All settings are the paper's: nothing to train."
    place = opened(store, own.scale)
    found = list(plan.costs([own], place, workers=1, seconds=seconds))
    size = f"{own.title}: {own.runs} × {own.games:,} games, tests of {own.eval_games} games"
    if not found:
        return f"{size}; stored already."
    hours = sum(cost.hours for cost in found)
    clock = tqdm.format_interval(3600 * hours)
    return f"{size}; predicted time {clock} (minutes:seconds), besides compiling."
