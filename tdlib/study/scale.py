"""How large everything is at each scale: the one place that decides it.

smoke    seconds: to see whether everything runs
quick    minutes: a newcomer's first run, wide intervals
paper    the papers' games, runs and checkpoints
"""

import dataclasses
from typing import TypeVar, overload

from tdlib import paths
from tdlib.study.contest import Contest
from tdlib.study.experiment import Experiment

T = TypeVar("T")
_QUICK_PLIES = 150  # of a contest: few games are longer, and those few would take most time


def by_scale(scale: str, *, smoke: T, quick: T, paper: T) -> T:
    """One of three sizes."""
    return {"smoke": smoke, "quick": quick, "paper": paper}[paths.checked(scale)]


@overload
def scaled(what: Experiment, scale: str) -> Experiment: ...
@overload
def scaled(what: Contest, scale: str) -> Contest: ...
def scaled(what: Experiment | Contest, scale: str) -> Experiment | Contest:
    """An experiment or a contest at a scale; at paper scale it is as it stands."""
    if paths.checked(scale) == "paper":
        return what
    return _experiment(what, scale) if isinstance(what, Experiment) else _contest(what, scale)


def _experiment(e: Experiment, scale: str) -> Experiment:
    """Quick: a tenth of the games (or `quick_games`), two runs, tests of 500 games; the paper's
    checkpoints that remain, and where these are fewer than four, quarters too. Smoke: ten games
    in one run, tested after 0, 5 and 10 of them by 10 games.
    """
    quick = scale == "quick"
    tenth = max(10, e.games // 10)
    games = (e.quick_games or tenth) if quick else 10
    marks = {c for c in e.checkpoints if c <= games} if quick else set()
    parts = 4 if quick else 2
    if len(marks) < parts:
        marks |= {games * part // parts for part in range(parts + 1)}
    return dataclasses.replace(
        e,
        scale=scale,
        games=max(marks),
        checkpoints=tuple(marks),
        runs=min(e.runs, 2 if quick else 1),
        quick_games=None,
        eval_games=min(e.eval_games, 500 if quick else 10),
    )


def _contest(c: Contest, scale: str) -> Contest:
    """Quick: `quick_games`, broken off where they get long. Smoke: two of a few plies."""
    games, plies = by_scale(
        scale, smoke=(2, 6), quick=(c.quick_games, _QUICK_PLIES), paper=(c.games, c.max_plies)
    )
    return dataclasses.replace(
        c, scale=scale, games=min(c.games, games), max_plies=min(c.max_plies, plies)
    )
