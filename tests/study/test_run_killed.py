"""A run that is killed again and again ends with the same numbers as one that is not."""

import os
import random
import subprocess
import sys

import numpy as np

from tdlib import paths
from tdlib.study import drive
from tdlib.study.store import Store
from tests.tiny_experiments import LONG

KILLS = 3
SECONDS = 300  # after which something is wrong


def start(store):
    command = [
        sys.executable, "-m", "tests.tiny_experiments", "run", LONG.id, "--scale", "paper",
        "--store", str(store.root), "--workers", "1",
    ]  # fmt: skip
    environment = os.environ | {"PYTHONPATH": str(paths.ROOT)}
    return subprocess.Popen(
        command, cwd=paths.ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )


def progress(store):
    """Tests, and games that networks were saved after."""
    tested = sum(map(len, store.rows(LONG).values()))
    return tested + sum(max(store.saved(LONG, run), default=0) for run in range(LONG.runs))


def killed_at(process, store, goal):
    """Kill it with no warning once it has come so far; whether it was still running."""
    for _ in range(SECONDS * 20):
        try:
            process.wait(timeout=0.05)
            return False
        except subprocess.TimeoutExpired:
            if progress(store) >= goal:
                break
    process.kill()
    process.communicate()
    return True


def test_killing_changes_nothing(tmp_path):
    whole, broken = Store(tmp_path / "whole"), Store(tmp_path / "broken")
    draw = random.Random(0)
    everything = LONG.runs * (len(LONG.checkpoints) + LONG.games)
    for goal in sorted(draw.sample(range(1, everything - 200), KILLS)):
        assert killed_at(start(broken), broken, goal)
        broken.load(LONG)  # nothing is damaged
    process = start(broken)
    unbroken = drive.run([LONG], whole, workers=1)
    assert (unbroken.stored, unbroken.computed) == (0, LONG.runs * len(LONG.checkpoints))
    out, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0 and " tests loaded, " in out

    one, two = whole.load(LONG), broken.load(LONG)
    assert len(one) == LONG.runs * len(LONG.checkpoints) and one.equals(two)
    for run in range(LONG.runs):
        assert whole.saved(LONG, run) == broken.saved(LONG, run) == list(LONG.checkpoints)
        for games in LONG.checkpoints:
            a, b = (store.network(LONG, run, games) for store in (whole, broken))
            assert (a.plies, a.capped) == (b.plies, b.capped)
            for x, y in zip(a.weights, b.weights, strict=True):
                np.testing.assert_array_equal(x, y, strict=True)
