"""Learners between two games as npz files, which hold arrays only and nothing that is run."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Shapes = Mapping[str, tuple[int, ...]]


class Saved(NamedTuple):
    """A learner: its weights and how it came by them."""

    weights: Mapping[str, np.ndarray]  # float32
    games: int
    plies: int  # of all games so far
    capped: int  # games broken off among them
    seconds: float  # its share of the computing


class Owner(NamedTuple):
    """Whose weights they are; part of the file."""

    config: str  # the whole hash
    run: int


_COUNTS = ("games", "plies", "capped", "seconds")
_OWN = (*Owner._fields, *_COUNTS)


def packed(owner: Owner, learner: Saved) -> bytes:
    """The content of a file; ValueError if the weights are no numbers."""
    for name, array in learner.weights.items():
        if not np.isfinite(array).all():
            raise ValueError(
                f"weights {name!r} of run {owner.run} are not finite after {learner.games}"
            )
    about = {name: np.array(x) for name, x in owner._asdict().items()}
    about |= {name: np.array(getattr(learner, name)) for name in _COUNTS}
    out = io.BytesIO()
    np.savez(out, allow_pickle=False, **about, **learner.weights)
    return out.getvalue()


def read(path: Path, owner: Owner, games: int, shapes: Shapes | None) -> Saved:
    """The learner in a file; ValueError says what is wrong with it.

    shapes: of the weights; None accepts any.
    """
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            found = {name: file[name] for name in file.files}
    except (ValueError, OSError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"it is no whole npz file of plain arrays ({error})") from error
    if missing := [name for name in _OWN if name not in found or found[name].ndim]:
        raise ValueError(f"it should have the scalars {', '.join(missing)}")
    about: dict[str, Any] = {name: found.pop(name).item() for name in _OWN}
    expected = {**owner._asdict(), "games": games}
    for name, value in expected.items():
        if about[name] != value:
            raise ValueError(f"{name} should be {value!r}, found {about[name]!r}")
    shaped = {name: array.shape for name, array in found.items()}
    if shapes is not None and shaped != dict(shapes):
        raise ValueError(f"it should have weights {dict(shapes)}, found {shaped}")
    for name, array in found.items():
        if array.dtype != np.float32:
            raise ValueError(f"{name} should be float32, found {array.dtype}")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} should be finite numbers")
    return Saved(found, *(about[name] for name in _COUNTS))
