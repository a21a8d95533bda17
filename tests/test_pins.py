"""pyproject.toml, requirements.lock and environment.yml ask for the same versions."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
LOCKS = ["requirements.lock", ".ci/requirements-extras.lock"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]


def pins(lines) -> dict[str, str]:
    """Versions by normalised name; every line must be an exact pin."""
    found = {}
    for line in lines:
        match = re.fullmatch(r"([A-Za-z0-9._-]+)==([^\s;]+)", line)
        assert match, f"not an exact pin: {line}"
        found[re.sub(r"[-_.]+", "-", match[1]).lower()] = match[2]
    return found


def locked(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text()
    return pins(re.findall(r"^[A-Za-z0-9][^\s;]*", text, re.MULTILINE))


def test_the_lock_holds_every_direct_dependency():
    direct = pins(PROJECT["dependencies"] + EXTRAS["dev"])
    lock = locked("requirements.lock")
    assert {name: lock.get(name) for name in direct} == direct


def test_the_lock_of_extras_agrees_with_the_lock():
    direct = pins(EXTRAS["bench"] + EXTRAS["oracles"])
    lock, extras = locked("requirements.lock"), locked(".ci/requirements-extras.lock")
    assert {name: extras.get(name) for name in direct} == direct
    shared = lock.keys() & extras.keys()
    assert {name: extras[name] for name in shared} == {name: lock[name] for name in shared}


def test_the_conda_environment_repeats_the_direct_dependencies():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    (pip,) = [entry["pip"] for entry in environment if isinstance(entry, dict)]
    lines = [line for line in pip if not line.startswith("-e ")]
    assert pins(lines) == pins(PROJECT["dependencies"] + EXTRAS["dev"])
    assert f"python{PROJECT['requires-python']}" in environment


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_with_hashes_and_names_no_registry(name):
    text = (ROOT / name).read_text()
    requirements = re.split(r"\n(?=[A-Za-z0-9])", text)[1:]
    assert all("--hash=sha256:" in requirement for requirement in requirements)
    assert not re.search(r"https?:|file:|--(extra-)?index|--find-links|-i ", text)
