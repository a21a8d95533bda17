"""Backgammon and hypergammon plays by GNU Backgammon, through the Python inside it.

Its hypergammon variation evaluates moves from a database that must first be computed, and
without it lists nothing. Three men a side with twelve borne off have the same plays in its
standard game, so that is what it is shown.
"""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import install
from engines import Case

from tests.reference import backgammon

INSIDE = Path(__file__).with_name("gnubg_inside.py")
STOP = re.compile(r"(bar|off|\d+)(\*?)")


def cases(rng: Random, game: str, n: int) -> Iterator[Case]:
    """Positions of the twin's random games, and gnubg's plays."""
    positions = backgammon.random_positions(rng, n, game=game)
    for (position, dice), moves in zip(positions, ask(positions), strict=True):
        after = {apply(position, move) for move in moves} or {position}
        record = {"position": list(position), "dice": list(dice)}
        yield record, [list(each) for each in after]


def ask(positions: list[tuple[backgammon.Position, backgammon.Dice]]) -> list[list[str]]:
    """What gnubg's `hint` lists for each position and roll, in its own notation."""
    program = install.gnubg()
    with tempfile.TemporaryDirectory() as folder:
        queries, answers = Path(folder, "queries.json"), Path(folder, "answers.json")
        queries.write_text(json.dumps(positions))
        done = subprocess.run(
            [program, "-t", "-q", "-r", "-p", str(INSIDE)],
            env=os.environ | {"QUERIES": str(queries), "ANSWERS": str(answers), "HOME": folder},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if not answers.exists():
            last = (done.stderr or done.stdout).strip().splitlines()[-1:]
            raise install.Unavailable(f"gnubg gave no answers: {' '.join(last)}")
        return json.loads(answers.read_text())


def apply(position: backgammon.Position, move: str) -> backgammon.Position:
    """The position after a move such as "bar/22*/20 6/off(2)"."""
    for part in move.split():
        path, _, times = part.rstrip(")").partition("(")
        stops = [STOP.fullmatch(stop) for stop in path.split("/")]
        assert all(stops), f"cannot read {part!r}"
        for _ in range(int(times or 1)):
            for source, target in pairwise(stops):
                position = _hop(position, source[1], target[1], bool(target[2]))
    return position


def _hop(position: backgammon.Position, source: str, target: str, hits: bool):
    after = list(position)
    after[backgammon.BAR if source == "bar" else int(source) - 1] -= 1
    place = backgammon.OFF if target == "off" else int(target) - 1
    if after[place] < 0:
        # The converse may fail: the second man of "8/5*(2)" has a star and nothing to hit.
        assert hits, f"{source}/{target} lands on an enemy without saying so"
        assert after[place] == -1, f"{source}/{target} lands on a held point"
        after[place] = 0
        after[backgammon.THEIR_BAR] += 1
    after[place] += 1
    return tuple(after)
