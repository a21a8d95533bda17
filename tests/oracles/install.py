"""Fetch the independent programs, if they are not there yet."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
# Debian puts gnubg in a directory that the path of root does not have.
SEARCHED = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"])


class Unavailable(Exception):
    """Why an oracle cannot be asked, and what to do about it, in one sentence."""


def gnubg() -> str:
    """The path of gnubg, installed with apt if need be."""
    found = shutil.which("gnubg", path=SEARCHED)
    if found:
        return found
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        raise Unavailable("gnubg is missing; install it (Debian: apt-get install gnubg) first.")
    wanted = [apt, "install", "-y", "--no-install-recommends", "gnubg"]
    if not (_runs([apt, "update"]) and _runs(wanted)):
        raise Unavailable(f"gnubg is missing and `{' '.join(wanted)}` failed.")
    found = shutil.which("gnubg", path=SEARCHED)
    if found is None:
        raise Unavailable("gnubg was installed but is not on the path.")
    return found


def package(module: str, distribution: str) -> None:
    """Make `module` importable, in the version that pyproject.toml pins for the oracles."""
    if importlib.util.find_spec(module):
        return
    extras = tomllib.loads(PYPROJECT.read_text())["project"]["optional-dependencies"]
    pin = next(line for line in extras["oracles"] if line.startswith(distribution))
    ways = (
        [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable, pin],
        [sys.executable, "-m", "pip", "install", pin],
    )
    if not any(_runs(way) for way in ways):
        raise Unavailable(f"{pin} is missing and neither uv nor pip could install it.")
    importlib.invalidate_caches()


def _runs(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0
