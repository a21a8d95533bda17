"""Remember: rows of results, and networks, in folders by paper and group.

    <store>/<paper>/<group>/rows.csv, provenance.csv   see `tables`
                            weights.npz                see `weights`
                            shards/                    what is not packed yet

Rows and networks are named by hashes of the settings they depend on (`identity`), so other
settings never meet, and more runs or more games extend what is there. Whatever is damaged is
refused by name (`Damaged`), and all else remains usable. Nothing here deletes results: `pack`
moves shards into files for version control.
"""

import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from tdlib import paths
from tdlib.files import sweep, version
from tdlib.study.experiment import Experiment, test_hash, training_hash
from tdlib.study.network import Network, untrained
from tdlib.study.store import weights
from tdlib.study.store.tables import SHARDS, Damaged, Table

__all__ = ["Damaged", "Store", "Table", "Test", "opened"]

WEIGHTS = "weights.npz"
_NETWORK = re.compile(r"run-(0|[1-9]\d*)-games-(0|[1-9]\d*)\.npz")


class Test(NamedTuple):
    """A network after some training, and what it did in its test; see `data/README.md`."""

    experiment: str
    config: str  # the hash of all settings of its training
    test: str  # and of its test
    run: int
    games: int  # trained
    eval_games: int
    wins: int
    draws: int
    capped: int
    points: int
    pieces: int
    plies: int
    train_capped: int
    train_plies: int
    seconds_train: float
    seconds_eval: float

    @staticmethod
    def impossible(rows: pd.DataFrame) -> str:
        """What no tests can have brought; "" if there is nothing of that."""
        counts = rows.select_dtypes("number").drop(columns="points")
        if (counts < 0).any(axis=None):
            return "its counts should be 0 or more"
        if (rows.wins + rows.draws + rows.capped > rows.eval_games).any():
            return "it has more wins, draws and broken-off games than games"
        return ""


class Store:
    """A folder of results. It is made when something is written."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)
        self._tables: dict[Path, Table] = {}

    def refuse_writing(self) -> None:
        """ValueError if these are the committed results and the program is not committed."""
        if self.committed and version().endswith("-dirty"):
            raise ValueError(
                f"{self.root} holds committed results, and the program that would add to them"
                " has changes that are not committed: commit them, or give another --store"
            )

    @property
    def committed(self) -> bool:
        """Whether these are the results that belong to the repository."""
        return self.root.resolve() == paths.store_dir("paper").resolve()

    def table(self, paper: str, group: str, row: Any, key: int) -> Table:
        """The rows of one kind in the folder of a group."""
        folder = self.root / paper / group
        if folder not in self._tables:
            self._tables[folder] = Table(folder, row, key)
        return self._tables[folder]

    def tests(self, paper: str, group: str) -> Table:
        """The tests of a group of experiments."""
        return self.table(paper, group, Test, 5)

    def load(self, e: Experiment) -> pd.DataFrame:
        """The tests of an experiment by run and games; Damaged if their file is."""
        found = self.tests(e.paper, e.group).load()
        mine = (found.experiment == e.id) & (found.config == training_hash(e))
        return found[mine & (found.test == test_hash(e))].reset_index(drop=True)

    def rows(self, e: Experiment) -> dict[int, dict[int, Any]]:
        """The same by run and games."""
        found: dict[int, dict[int, Any]] = {}
        for row in self.load(e).itertuples(index=False):
            found.setdefault(row.run, {})[row.games] = row
        return found

    def whole(self, e: Experiment) -> dict[int, dict[int, Any]]:
        """The runs that have a test at every checkpoint, and these tests by games."""
        return {
            run: {games: rows[games] for games in e.checkpoints}
            for run, rows in self.rows(e).items()
            if {*e.checkpoints} <= rows.keys()
        }

    def add(self, e: Experiment, rows: Iterable[Test]) -> None:
        """Write tests of an experiment."""
        self.refuse_writing()
        self.tests(e.paper, e.group).add(rows)

    def saved(self, e: Experiment, run: int) -> list[int]:
        """After how many games there are networks of a run."""
        packed = {games for r, games in self._unpacked(e) if r == run}
        return sorted(packed | self._loose(e, run).keys())

    def has(self, e: Experiment, run: int, games: int) -> bool:
        """Whether `network` can give that one; those before their first game need no file."""
        return games == 0 or games in self.saved(e, run)

    def network(self, e: Experiment, run: int, games: int) -> Network:
        """A stored network; Damaged if its file is, ValueError if there is none."""
        path = self._shards(e) / f"run-{run}-games-{games}.npz"
        if path.exists():
            return weights.read(path, e, run, games)
        if found := self._unpacked(e).get((run, games)):
            return found._replace(experiment=e)  # others of its name have other tests
        if games == 0:
            return untrained(e, run)
        there = ", ".join(map(str, self.saved(e, run))) or "none"
        raise ValueError(
            f"{self.root} has no network of {e.id}, run {run}, after {games} games; there are"
            f" those after: {there}"
        )

    def save(self, network: Network) -> None:
        """Write a network at a checkpoint."""
        self.refuse_writing()
        name = f"run-{network.run}-games-{network.games}.npz"
        weights.save(self._shards(network.experiment) / name, network)

    def leave(self, network: Network) -> None:
        """Write where its run can go on after a break."""
        self.refuse_writing()
        weights.save(self._resume(network.experiment, network.run), network)

    def left(self, e: Experiment, run: int) -> Network | None:
        """Where a run was last seen on its way."""
        path = self._resume(e, run)
        return weights.read(path, e, run) if path.exists() else None

    def pack(self, paper: str, group: str, experiments: Iterable[Experiment]) -> None:
        """Move the shards of a group of experiments into its packed files.

        Of each run the last tested network is packed and the one that won most in its tests;
        others can be trained again, which gives the same ones. Single networks of a run that is
        not finished, or beyond what these experiments ask for, also stay where they are.
        """
        self.refuse_writing()
        networks: list[Network] = []
        finished: list[Path] = []
        changed = False
        for e in experiments:
            kept = {
                (run, games)
                for run, rows in self.rows(e).items()
                for games in _kept(rows, self.saved(e, run))
            }
            changed |= kept != self._unpacked(e).keys()
            networks += [self.network(e, *one) for one in sorted(kept)]
            finished += [path for run in self.whole(e) for path in self._done(e, run)]
            sweep(self._shards(e))
        if changed or finished:
            weights.pack(self.root / paper / group / WEIGHTS, networks)
        self.tests(paper, group).pack()
        for path in finished:
            path.unlink()

    def _done(self, e: Experiment, run: int) -> list[Path]:
        """The single files of a finished run, as far as its experiment asks for them."""
        loose, left = self._loose(e, run), self.left(e, run)
        found = [loose[games] for games in e.checkpoints if games in loose]
        over = left is not None and left.games <= max(e.checkpoints)
        return [*found, self._resume(e, run)] if over else found

    def _folder(self, e: Experiment) -> Path:
        return self.root / e.paper / e.group

    def _shards(self, e: Experiment) -> Path:
        return self._folder(e) / SHARDS / weights.name(e)

    def _resume(self, e: Experiment, run: int) -> Path:
        return self._shards(e) / f"run-{run}-resume.npz"

    def _loose(self, e: Experiment, run: int) -> dict[int, Path]:
        """The networks of a run that are not packed, by games."""
        found = {path: _NETWORK.fullmatch(path.name) for path in self._shards(e).glob("*.npz")}
        return {
            int(match[2]): path
            for path, match in found.items()
            if match and int(match[1]) == run
        }

    def _unpacked(self, e: Experiment) -> dict[tuple[int, int], Network]:
        path = self._folder(e) / WEIGHTS
        try:
            state = path.stat()
        except FileNotFoundError:
            return {}
        return _read_packed(path, e, state.st_mtime_ns, state.st_ino)


def opened(store: Store | Path | str | None, scale: str) -> Store:
    """A store, or that of a folder; None means where results of that scale are kept."""
    if isinstance(store, Store):
        return store
    return Store(paths.store_dir(scale) if store is None else store)


def _kept(rows: Mapping[int, Any], saved: list[int]) -> list[int]:
    """After how many games networks of a run are packed."""
    tested = [games for games in rows if games in saved]
    if not tested:
        return []
    best = max(tested, key=lambda games: (rows[games].wins, -games))
    return sorted({best, max(tested)})


@functools.lru_cache(maxsize=64)
def _read_packed(path: Path, e: Experiment, *state: int) -> dict[tuple[int, int], Network]:
    """Kept as long as the file is as it was; another process may pack meanwhile."""
    return weights.unpack(path, e)
