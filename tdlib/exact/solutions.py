"""Exact values in files of the local store: an array, and how it was computed."""

import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tdlib.files import write


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
