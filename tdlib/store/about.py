"""What says which settings a folder of results belongs to: its `experiment.json`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tdlib.experiments import SEMANTICS, fingerprint
from tdlib.files import now, version, write

NAME = "experiment.json"


class Damaged(ValueError):
    """A file that is not what it should be."""


def describe(
    folder: Path, *, id: str, paper: str, title: str, settings: Mapping[str, Any]
) -> None:
    """Say what the folder holds, if it is new."""
    path = folder / NAME
    if path.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "experiment": id,
        "paper": paper,
        "title": title,
        "hash": fingerprint(settings),
        "semantics": SEMANTICS,
        "config": settings,
        "begun": now(),
        "version": version(),
    }
    write(path, (json.dumps(about, indent=2) + "\n").encode())


def check(folder: Path, hash: str) -> None:
    """Whether the folder, if it exists, is said to hold settings of that hash."""
    path = folder / NAME
    if not folder.is_dir():
        return
    try:
        found = json.loads(path.read_bytes())
        told = {found["hash"], fingerprint(found["config"], found["semantics"])}
    except (OSError, ValueError, KeyError, TypeError):
        told = {"unreadable"}
    if told != {hash}:
        raise Damaged(
            f"{path}: it should hold the settings with the hash {hash}. If the other"
            " files belong there, delete it; it is written anew when something is computed"
        )
