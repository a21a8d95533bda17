"""Exact values and how they were computed: a record, and its file in the local store."""

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tdlib import paths
from tdlib.exact import places
from tdlib.files import write

TOTAL = {"wins": 1.0, "money": 0.0}  # objective -> what both players' values add up to
TOLERANCE = 1e-8  # of Bellman's equation, at every position


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


def checked(objective: str) -> str:
    """The objective itself; ValueError if there is none with that name."""
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
    keep(path, solution.values, {name: getattr(solution, name) for name in _KINDS})


def read(path: Path, objective: str, chequers: int) -> Solution:
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


def keep(path: Path, values: np.ndarray, about: Mapping[str, Any]) -> None:
    """Write values and what is known about them into one npz file, whole or not at all."""
    out = io.BytesIO()
    np.savez(out, values=values, about=np.array(json.dumps(about)))
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, out.getvalue())


def kept(path: Path, names: Iterable[str]) -> tuple[np.ndarray, dict[str, Any]]:
    """What `keep` wrote: values, and what these names say about them.

    A damaged zip or npz header can fail with almost any exception, even a MemoryError for an
    array that was never that large; whatever it is, the file is refused by name.
    """
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as parts:
            values, about = parts["values"], json.loads(str(parts["about"]))
        return values, {name: about[name] for name in names}
    except Exception as error:
        raise refused(path, f"it is not a whole solution ({error})") from error


def refused(path: Path, trouble: str) -> ValueError:
    return ValueError(f"{path}: {trouble}. Delete it to have it computed again")
