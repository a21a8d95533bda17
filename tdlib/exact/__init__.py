"""Hypergammon solved: what every position is worth if both sides play perfectly.

    solve    compute it, or continue a computation that was killed; minutes for three chequers
    load     read what was computed before
    solved   either of the two, with a progress bar

There are two objectives. In "wins" all wins count the same, and a value is a probability. In
"money" a value is a number of points: 1, 2 for a gammon, 3 for a backgammon, no cube. One or
two chequers a side make smaller games with the same rules, which are solved in a moment.

A solution is one npz file in the local store; a damaged file is refused by name.
"""

import time
from collections.abc import Callable
from pathlib import Path

import jax
import numpy as np
from tqdm import tqdm

from tdlib.exact import iteration, places, sweeps
from tdlib.exact.solutions import TOLERANCE, TOTAL, Solution, checked, file, load, read, save
from tdlib.files import now, sweep, version

__all__ = ["OBJECTIVES", "TOLERANCE", "Solution", "file", "load", "rules", "solve", "solved"]

OBJECTIVES = tuple(TOTAL)
ROUNDS = 15  # from one saving to the next
_PATIENCE = 1000  # sweeps; three chequers need fewer than a hundred


def rules(objective: str, chequers: int) -> sweeps.Rules:
    """What the sweeps need to know about the game."""
    where = places.configurations(chequers)
    gammon = (where > 0).all(1)
    points = 1 + gammon + (gammon & (where.max(1) >= 19))  # the winner's home board, the bar
    won = points if checked(objective) == "money" else np.ones(len(where))
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
    game, path = rules(objective, chequers), file(objective, chequers, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    sweep(path.parent)
    with jax.enable_x64(True):
        if path.exists():
            found = read(path, objective, chequers)
        else:
            values = np.asarray(sweeps.start(game))[:-1, :-1]
            found = Solution(objective, chequers, values, np.inf, 0, 0.0, version(), now())
        while found.residual > TOLERANCE:
            if found.sweeps >= _PATIENCE:
                raise ValueError(f"{path}: no solution after {found.sweeps} sweeps")
            found = _improved(found, game, tell)
            save(path, found)
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
