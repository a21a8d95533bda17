"""Exact values by makehyper, which comes with GNU Backgammon, for one and two chequers a side.

Its file is a line of 40 bytes, then 28 bytes for each pair of configurations, first by the
mover's. Configurations, with ascending places as in `tdlib.exact.places`, come in
lexicographic order there. The 28 bytes begin with five probabilities of 24 bits, low byte
first: the mover's wins, gammons and backgammons won, gammons and backgammons lost.
"""

import itertools
import subprocess
import tempfile
from pathlib import Path

import install
import numpy as np

HEAD, SIZE, FULL = 40, 28, 2**24 - 1
STOP = 1e-6  # change of a round; with less, its 24 bits go up and down for ever
CLOSE = 1e-5


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
            [program, "-n", "-t", str(STOP), "-c", str(chequers), "-f", path],
            capture_output=True,
            check=True,
        )
        listed = itertools.combinations_with_replacement(range(places.BAR + 1), chequers)
        order = np.argsort([places.number(x) for x in listed])
        theirs = _equity(path.read_bytes(), len(order))[np.ix_(order, order)]
        ours = exact.solve("money", chequers, folder=Path(folder)).values
    possible = ~places.sharing(chequers)[:-1, :-1]
    possible[0] = possible[:, 0] = False
    return (ours - theirs)[possible]


def _equity(content: bytes, size: int) -> np.ndarray:
    """[N, N]"""
    records = np.frombuffer(content[HEAD:], np.uint8).reshape(size, size, SIZE)
    digits = records[..., :15].reshape(size, size, 5, 3).astype(np.int64)
    win, *more = np.moveaxis(digits @ (1, 1 << 8, 1 << 16) / FULL, -1, 0)
    return 2 * win - 1 + more[0] + more[1] - more[2] - more[3]
