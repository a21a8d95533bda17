"""Compare the library's legal plays with independent programs: `make oracles`.

    gnubg         backgammon and hypergammon: every play that `hint` lists
    OpenSpiel     backgammon and hypergammon (`backgammon`), Kalah (`mancala`)
    abalone-boai  Abalone: every move it accepts
    makehyper     hypergammon with one and two chequers a side: the value of every position

Positions come from random play. An oracle answers queries of `python -m tdlib plays` in the
same JSON form, so that the two answers can be compared as sets. Not part of `make test`: it
needs programs from outside, which it installs, and takes a few minutes.

    python tests/oracles/run.py                         all of it
    python tests/oracles/run.py --only gnubg --fraction 0.1
    python tests/oracles/run.py --engine twin           the plain-Python twins instead

Exit status: 0 all equal, 1 some difference, 2 some oracle could not be had.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # for tdlib and tests

import boai_oracle
import engines
import gnubg_oracle
import makehyper_oracle
import open_spiel_oracle
from install import Unavailable

SHOWN = 3  # differences printed in full, per comparison


class Comparison(NamedTuple):
    oracle: str
    game: str
    positions: int
    cases: Callable[[Random, str, int], Iterable[engines.Case]]


COMPARISONS = (
    Comparison("gnubg", "backgammon", 3000, gnubg_oracle.cases),
    Comparison("gnubg", "hypergammon", 2000, gnubg_oracle.cases),
    Comparison("OpenSpiel", "backgammon", 2000, open_spiel_oracle.backgammon_cases),
    Comparison("OpenSpiel", "hypergammon", 2000, open_spiel_oracle.backgammon_cases),
    Comparison("OpenSpiel", "kalah", 4000, open_spiel_oracle.kalah_cases),
    Comparison("abalone-boai", "abalone", 2000, boai_oracle.cases),
)


class Row(NamedTuple):
    oracle: str
    game: str
    positions: int
    plays: int
    differences: int


def compare(comparison: Comparison, plays: engines.Engine, positions: int) -> Row:
    """Count the positions in which engine and oracle disagree, and show the first few."""
    rng = Random(f"{comparison.oracle} {comparison.game}")
    compared = listed = differences = 0
    for record, expected in comparison.cases(rng, comparison.game, positions):
        found = plays(record)
        compared += 1
        listed += len(expected)
        missing, extra = engines.difference(expected, found)
        if missing or extra:
            differences += 1
            if differences <= SHOWN:
                print(f"\ndifference: {record}\n  oracle only: {missing}\n  us only: {extra}")
    return Row(comparison.oracle, comparison.game, compared, listed, differences)


def compare_values(chequers: int) -> Row:
    """Count the positions that we value otherwise than makehyper."""
    found = abs(makehyper_oracle.differences(chequers))
    print(f"differences up to {found.max():.1e},", end=" ", flush=True)
    far = int((found > makehyper_oracle.CLOSE).sum())
    return Row("makehyper", f"hypergammon, {chequers} a side", len(found), 0, far)


def table(rows: list[Row]) -> str:
    head = ("oracle", "game", "positions compared", "plays compared", "differences")
    total = ("all", "", *(sum(row[i] for row in rows) for i in (2, 3, 4)))
    lines = [tuple(map(str, line)) for line in (head, *rows, total)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        " | ".join(
            cell.rjust(width) if i >= 2 else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="oracle or game")
    parser.add_argument("--fraction", type=float, default=1.0, help="of the usual positions")
    parser.add_argument("--engine", choices=engines.ENGINES, default="library")
    options = parser.parse_args()

    rows, unavailable = [], []
    for comparison in COMPARISONS:
        if options.only and not {comparison.oracle, comparison.game} & set(options.only):
            continue
        positions = max(1, round(comparison.positions * options.fraction))
        began = time.monotonic()
        print(f"{comparison.oracle}, {comparison.game} ...", end=" ", flush=True)
        try:
            engine = engines.ENGINES[options.engine](comparison.game)
            rows.append(compare(comparison, engine, positions))
            print(f"{time.monotonic() - began:.0f} s", flush=True)
        except Unavailable as reason:
            unavailable.append(f"{comparison.oracle}, {comparison.game}: {reason}")
            print("not available", flush=True)

    for chequers in (1, 2):
        if options.only and not {"makehyper", "hypergammon"} & set(options.only):
            continue
        print(f"makehyper, {chequers} a side ...", end=" ", flush=True)
        try:
            rows.append(compare_values(chequers))
            print("done", flush=True)
        except Unavailable as reason:
            unavailable.append(f"makehyper, {chequers} a side: {reason}")
            print("not available", flush=True)

    print(f"\n{table(rows)}")
    for sentence in unavailable:
        print(f"not compared: {sentence}", file=sys.stderr)
    if any(row.differences for row in rows):
        return 1
    return 2 if unavailable or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
