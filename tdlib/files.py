"""Files that appear whole or not at all, and what says by which program they were made."""

import contextlib
import datetime
import functools
import os
import subprocess
import tempfile
import time
import tomllib
from importlib import metadata
from pathlib import Path

from tdlib import paths

_SUFFIX = ".tmp"
_LONG_DEAD = 3600  # seconds; a write takes far less, so the process that began it was killed


def write(path: Path, content: bytes) -> None:
    """Put a file in its place in one step, after its content is on the disk."""
    handle, name = tempfile.mkstemp(suffix=_SUFFIX, prefix=".", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _sync(path.parent)


def sweep(folder: Path) -> None:
    """Remove what killed processes have left of their writing."""
    for path in folder.glob(f".*{_SUFFIX}"):
        with contextlib.suppress(FileNotFoundError):  # another process has just finished it
            if time.time() - path.stat().st_mtime > _LONG_DEAD:
                path.unlink()


def now() -> str:
    """Date and time, UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


@functools.cache
def version() -> str:
    """Of tdlib, with the commit if it is run from a repository."""
    try:
        text = (paths.ROOT / "pyproject.toml").read_text()
        number = tomllib.loads(text)["project"]["version"]
    except (OSError, KeyError):
        number = metadata.version("tdlib")
    if not (paths.ROOT / ".git").exists():
        return number
    command = ["git", "-C", str(paths.ROOT), "describe", "--always", "--dirty"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return number
    return f"{number}+{told.stdout.strip()}" if told.returncode == 0 else number


def _sync(folder: Path) -> None:
    """Make the new name last, too, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
