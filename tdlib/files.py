"""Files that appear whole or not at all, and which version of tdlib wrote them."""

import contextlib
import datetime
import functools
import hashlib
import os
import platform
import subprocess
import tempfile
import time
import tomllib
from importlib import metadata
from pathlib import Path

from tdlib import paths

_SUFFIX = ".tmp"
_HOST = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
_LONG_DEAD = 3600  # seconds; a write takes far less, so the process that began it was killed


def write(path: Path, content: bytes) -> None:
    """Put a file in its place in one step, after its content is on the disk."""
    writer = f".{_HOST}-{os.getpid()}-"
    handle, name = tempfile.mkstemp(suffix=_SUFFIX, prefix=writer, dir=path.parent)
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
    """Remove half-written files of processes that were killed."""
    for path in folder.glob(f".*{_SUFFIX}"):
        with contextlib.suppress(FileNotFoundError):  # another process has just finished it
            if _abandoned(path):
                path.unlink()


def _abandoned(path: Path) -> bool:
    """Whether its writer is gone: a process of this machine, or of another one long ago."""
    host, _, rest = path.name.removeprefix(".").partition("-")
    writer = rest.partition("-")[0]
    if os.name == "posix" and host == _HOST and writer.isdecimal():
        try:
            os.kill(int(writer), 0)
        except ProcessLookupError:
            return True
        except OSError:  # it runs, for another user
            return False
    return time.time() - path.stat().st_mtime > _LONG_DEAD


def now() -> str:
    """Date and time, UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


@functools.cache
def version() -> str:
    """The version of tdlib, with the commit if it is run from a repository."""
    try:
        text = (paths.ROOT / "pyproject.toml").read_text()
        number = tomllib.loads(text)["project"]["version"]
    except (OSError, KeyError):
        number = metadata.version("tdlib")
    if not (paths.ROOT / ".git").exists():
        return number
    command = ["git", "-C", str(paths.ROOT), "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return number
    return f"{number}+{done.stdout.strip()}" if done.returncode == 0 else number


def _sync(folder: Path) -> None:
    """Put the new name on the disk, too, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
