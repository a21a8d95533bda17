"""The code passes the same checks as `make lint`, so that `make test` holds them too."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("tool", ["ruff check .", "ruff format --check .", "mypy"])
def test_lint(tool):
    root = Path(__file__).parent.parent
    command = [sys.executable, "-m", *tool.split()]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
