"""Exact values by makehyper, which comes with GNU Backgammon, for one and two chequers a side.

Its file is a line of 40 bytes, then 28 bytes for each pair of configurations, first by the
mover's, in the order of `tdlib.exact.places`. They begin with five probabilities of 24 bits,
low byte first: the mover's wins, gammons and backgammons won, gammons and backgammons lost.
"""

import subprocess
import tempfile
from pathlib import Path

import install
import numpy as np

HEAD, SIZE, FULL = 40, 28, 2**24 - 1
CLOSE = 1e-5  # it stops when no probability changes by more than 1e-7 a round


def differences(chequers: int) -> np.ndarray:
    """Our cubeless money equity less theirs, for all positions with a player to move."""
    from tdlib import exact
    from tdlib.exact import places

    program = Path(install.gnubg()).with_name("makehyper")
    if not program.exists():
        raise install.Unavailable(f"gnubg is there without {program.name}.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hyper.bd")
        subprocess.run(
            [program, "-n", "-t", "1e-7", "-c", str(chequers), "-f", path],
            capture_output=True,
            check=True,
        )
        theirs = _equity(path.read_bytes(), len(places.configurations(chequers)))
        ours = exact.solve("money", chequers, folder=Path(folder)).values
    there = ~places.sharing(chequers)[:-1, :-1]
    there[0] = there[:, 0] = False
    return (ours - theirs)[there]


def _equity(content: bytes, size: int) -> np.ndarray:
    """[N, N]"""
    records = np.frombuffer(content[HEAD:], np.uint8).reshape(size, size, SIZE)
    digits = records[..., :15].reshape(size, size, 5, 3).astype(np.int64)
    win, *more = np.moveaxis(digits @ (1, 1 << 8, 1 << 16) / FULL, -1, 0)
    return 2 * win - 1 + more[0] + more[1] - more[2] - more[3]
