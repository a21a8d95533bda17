"""Hypergammon solved: what every position is worth if both sides play perfectly.

    solve    compute it, or continue a computation that was killed; minutes for three chequers
    load     read what was computed before
    solved   either of the two, with a progress bar

There are two objectives. In "wins" all wins count the same, and a value is a probability. In
"money" a value is a number of points: 1, 2 for a gammon, 3 for a backgammon, no cube. Games
with one or two chequers a side follow the same rules and are solved in a moment.

A solution is one npz file in the local store; a damaged file is refused by name. The endgames
of Kalah are the subject of `exact.kalah`.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import jax
import numpy as np
from tqdm import tqdm

from tdlib import paths
from tdlib.exact import iteration, places, sweeps
from tdlib.exact.solutions import keep, kept, refused
from tdlib.files import now, sweep, version

TOTAL = {"wins": 1.0, "money": 0.0}  # objective -> what both players' values add up to
OBJECTIVES = tuple(TOTAL)
TOLERANCE = 1e-8  # of Bellman's equation, at every position
ROUNDS = 15  # from one saving to the next
_PATIENCE = 1000  # sweeps; three chequers need fewer than a hundred


class Solution(NamedTuple):
    """Values for the player about to roll, and how they were computed."""

    objective: str
    chequers: int  # of each side
    values: np.ndarray  # [N, N] float64, by the mover's configuration and the opponent's
    residual: float  # the largest difference between the two sides of Bellman's equation
    sweeps: int
    seconds: float
    version: str
    date: str

    @property
    def total(self) -> float:
        """What both players' values add up to."""
        return TOTAL[self.objective]

    def value(self, own: Sequence[int], other: Sequence[int]) -> float:
        """Of a position, given the places of the mover's chequers and of the opponent's."""
        for men in (own, other):
            if len(men) != self.chequers:
                raise ValueError(f"expected the places of {self.chequers} chequers, not {men}")
        return float(self.values[places.number(own), places.number(other)])

    def after(self, own: Sequence[int], other: Sequence[int]) -> float:
        """The same to the player that has just moved; `own` are that player's chequers."""
        return self.total - self.value(other, own)


_KINDS = {k: v for k, v in Solution.__annotations__.items() if k != "values"}


def file(objective: str, chequers: int, folder: Path | None = None) -> Path:
    """Where a solution is kept; ValueError if there is no such objective."""
    if objective not in TOTAL:
        raise ValueError(f"unknown objective {objective!r}; expected {' or '.join(TOTAL)}")
    return (folder or paths.exact_dir()) / f"hypergammon-{chequers}-{objective}.npz"


def load(objective: str, chequers: int = 3, *, folder: Path | None = None) -> Solution:
    """A finished solution; ValueError says how to compute one."""
    path = file(objective, chequers, folder)
    command = f"python -m tdlib solve hypergammon --objective {objective} --chequers {chequers}"
    if not path.exists():
        raise ValueError(f"hypergammon is not solved here yet ({path.name}); first: {command}")
    found = _read(path, objective, chequers)
    if found.residual > TOLERANCE:
        raise ValueError(f"{path} is not finished; the same command goes on: {command}")
    return found


def rules(objective: str, chequers: int) -> sweeps.Rules:
    """What the sweeps need to know about the game."""
    where = places.configurations(chequers)
    gammon = (where > 0).all(1)
    points = 1 + gammon + (gammon & (where.max(1) >= 19))  # the winner's home board, the bar
    won = points if objective == "money" else np.ones(len(where))
    return sweeps.Rules(
        places.steps(chequers),
        places.sharing(chequers),
        np.append(won, 0.0).astype(np.float64),
        TOTAL[objective],
    )


def solve(
    objective: str,
    chequers: int = 3,
    *,
    folder: Path | None = None,
    tell: Callable[[float], None] = lambda residual: None,
) -> Solution:
    """The solution; what its file does not hold yet is computed.

    An interrupted computation gives the same numbers as an uninterrupted one: the iteration
    uses earlier rounds, but it is saved only where it starts without them. `tell` is called
    with the residual after every sweep.
    """
    path, game = file(objective, chequers, folder), rules(objective, chequers)
    path.parent.mkdir(parents=True, exist_ok=True)
    sweep(path.parent)
    with jax.enable_x64(True):
        if path.exists():
            found = _read(path, objective, chequers)
        else:
            values = np.asarray(sweeps.start(game))[:-1, :-1]
            found = Solution(objective, chequers, values, np.inf, 0, 0.0, version(), now())
        while found.residual > TOLERANCE:
            if found.sweeps >= _PATIENCE:
                raise ValueError(f"{path}: no solution after {found.sweeps} sweeps")
            found = _improved(found, game, tell)
            keep(path, found.values, {name: getattr(found, name) for name in _KINDS})
    return found


def _improved(found: Solution, game: sweeps.Rules, tell: Callable[[float], None]) -> Solution:
    """The same after some more sweeps."""
    began = time.monotonic()
    values, residual, taken = iteration.improve(
        lambda values: sweeps.sweep(game, values),
        jax.numpy.asarray(np.pad(found.values, (0, 1))),
        rounds=ROUNDS,
        tolerance=TOLERANCE,
        tell=tell,
    )
    return found._replace(
        values=np.asarray(values)[:-1, :-1],
        residual=residual,
        sweeps=found.sweeps + taken,
        seconds=found.seconds + time.monotonic() - began,
        version=version(),
        date=now(),
    )


def solved(objective: str, chequers: int = 3, *, folder: Path | None = None) -> Solution:
    """The solution; if it has to be computed, with a progress bar."""
    with tqdm(desc=f"hypergammon, {objective}", unit=" sweeps", delay=1) as bar:

        def tell(residual: float) -> None:
            bar.set_postfix_str(f"{residual:.1e} of {TOLERANCE:.0e}", refresh=False)
            bar.update()

        return solve(objective, chequers, folder=folder, tell=tell)


def command(game: str, objective: str | None, chequers: int) -> list[str]:
    """`python -m tdlib solve`: print what the opening is worth."""
    start = (24, 23, 22)[:chequers]
    for name in (objective,) if objective else OBJECTIVES:
        found = solved(name, chequers)
        effort = f"{found.sweeps} sweeps in {found.seconds:.0f} s, error {found.residual:.0e}"
        print(f"{name}: the opening is worth {found.value(start, start):.6f} ({effort})")
    return []


def _read(path: Path, objective: str, chequers: int) -> Solution:
    """What a file holds, finished or not; ValueError if it is damaged or of something else."""
    values, about = kept(path, _KINDS)
    found = Solution(values=values, **{k: kind(about[k]) for k, kind in _KINDS.items()})
    size = len(places.configurations(chequers))
    expected = objective, chequers, (size, size), np.dtype(np.float64)
    described = found.objective, found.chequers, values.shape, values.dtype
    if described != expected:
        raise refused(path, f"it should be of {expected}, found {described}")
    if not np.isfinite(values).all():
        raise refused(path, "it should hold finite numbers")
    return found
