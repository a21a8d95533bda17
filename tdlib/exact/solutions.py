"""Exact values with their provenance: a record, and its file in the local store."""

import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tdlib import paths
from tdlib.exact import places
from tdlib.files import write

TOTAL = {"wins": 1.0, "money": 0.0}  # objective -> what both players' values add up to
TOLERANCE = 1e-8  # of Bellman's equation, at every position


class Solution(NamedTuple):
    """Values for the player about to roll, and how they were come by."""

    objective: str
    chequers: int  # of each side
    values: np.ndarray  # [N, N] float64, by the mover's configuration and the opponent's
    residual: float  # the largest difference of the two sides of Bellman's equation
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


def checked(objective: str) -> str:
    """The objective itself; ValueError if there is none of that name."""
    if objective not in TOTAL:
        raise ValueError(f"unknown objective {objective!r}; expected {' or '.join(TOTAL)}")
    return objective


def file(objective: str, chequers: int, folder: Path | None = None) -> Path:
    return (folder or paths.exact_dir()) / f"hypergammon-{chequers}-{checked(objective)}.npz"


def load(objective: str, chequers: int = 3, *, folder: Path | None = None) -> Solution:
    """A finished solution; ValueError says how to compute one."""
    path = file(objective, chequers, folder)
    command = f"python -m tdlib solve hypergammon --objective {objective} --chequers {chequers}"
    if not path.exists():
        raise ValueError(f"hypergammon is not solved here yet ({path.name}); first: {command}")
    found = read(path, objective, chequers)
    if found.residual > TOLERANCE:
        raise ValueError(f"{path} is not finished; the same command goes on: {command}")
    return found


def save(path: Path, solution: Solution) -> None:
    about = {name: getattr(solution, name) for name in _KINDS}
    out = io.BytesIO()
    np.savez(out, values=solution.values, about=np.array(json.dumps(about)))
    write(path, out.getvalue())


def read(path: Path, objective: str, chequers: int) -> Solution:
    """What a file holds, finished or not; ValueError if it is damaged or of something else."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as parts:
            values, about = parts["values"], json.loads(str(parts["about"]))
        found = Solution(values=values, **{k: kind(about[k]) for k, kind in _KINDS.items()})
    except (ValueError, OSError, KeyError, EOFError, TypeError, zipfile.BadZipFile) as error:
        raise _refused(path, f"it is no whole solution ({error})") from error
    size = len(places.configurations(chequers))
    expected = objective, chequers, (size, size), np.float64
    told = found.objective, found.chequers, values.shape, values.dtype
    if told != expected:
        raise _refused(path, f"it should be of {expected}, found {told}")
    if not np.isfinite(values).all():
        raise _refused(path, "it should hold finite numbers")
    return found


def _refused(path: Path, trouble: str) -> ValueError:
    return ValueError(f"{path}: {trouble}. Delete it to have it computed again")
