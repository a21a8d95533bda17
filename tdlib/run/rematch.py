"""Test stored networks again (`experiments.rematches`) and store the rows; what is there stays.

The networks come from the store of their experiment: the best of a run that ended long ago is
there if weights of all checkpoints were kept (`run --keep-weights all`).
"""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tdlib import arena, experiments
from tdlib.experiments import LEARNER, Experiment
from tdlib.experiments.rematches import REPEATS, Rematch
from tdlib.players.greedy import Blocks, greedy
from tdlib.run import measuring, parts
from tdlib.store import Row, Saved, Store
from tdlib.types import Player

RUNS_OF_A_MAXIMUM = 5  # the papers' maxima are of five runs


class Entry(NamedTuple):
    """One network and the row that its test makes."""

    run: int  # of the row; for repeated tests of one network, their number
    saved: Saved
    opponent: Saved | None  # the network opposite, if it is one


def rematch(
    rematches: Iterable[Rematch],
    store: Store,
    *,
    scale: str,
    watch: Callable[[Row], None] = lambda row: None,
) -> tuple[int, int, list[str]]:
    """Play what is missing: rows that were there, rows computed, and what could not be done.

    Where no run of an experiment is whole yet, nothing is missing.
    """
    there, computed, troubles = 0, 0, []
    for again in rematches:
        source = experiments.scaled(experiments.find(again.source), scale)
        try:
            entries, stored = wanted(again, source, store)
        except ValueError as error:  # of weights that are damaged, or were not kept
            troubles.append(f"{again.id}: {error}")
            continue
        there += stored
        size = min(measuring.NETWORKS, len(entries))
        for start in range(0, len(entries), size or 1):
            batch = entries[start : start + size]
            for row in _rows(again, source, batch, size):
                store.add(again.described(source), row)
                watch(row)
                computed += 1
    return there, computed, troubles


def wanted(again: Rematch, source: Experiment, store: Store) -> tuple[list[Entry], int]:
    """Networks still to be tested, and how many have been."""
    described = again.described(source)
    store.check(described)
    entries, stored = [], 0
    for number, run, games in _chosen(again, source, store):
        if games in store.rows(described, number):
            stored += 1
            continue
        saved = store.weights(source, run, games, parts.shapes(source))
        entries.append(Entry(number, saved, _opposite(again, source, run, store)))
    return entries, stored


def whole(e: Experiment, store: Store) -> dict[int, dict[int, Row]]:
    """Runs with a row for every checkpoint, and these rows by games."""
    store.check(e)
    runs = {run: store.rows(e, run) for run in store.runs(e)}
    return {
        run: {games: rows[games] for games in e.checkpoints}
        for run, rows in runs.items()
        if set(e.checkpoints) <= rows.keys()
    }


def best(runs: dict[int, dict[int, Row]]) -> tuple[int, int]:
    """Run and games of the test with most wins, among the first five of whole runs."""
    first = [runs[run] for run in sorted(runs)[:RUNS_OF_A_MAXIMUM]]
    most = max((row for rows in first for row in rows.values()), key=lambda row: row.wins)
    return most.run, most.games


def _chosen(again: Rematch, source: Experiment, store: Store) -> list[tuple[int, int, int]]:
    """Number of the row, run and games of each network to test."""
    last, runs = max(source.checkpoints), whole(source, store)
    if not runs:
        return []
    if again.networks == "best":
        run, games = best(runs)
        return [(run, run, games)]
    if again.networks == "same":
        return [(number, min(runs), last) for number in range(REPEATS)]
    return [(run, run, last) for run in runs]


def _other(again: Rematch, scale: str) -> Experiment | None:
    """The experiment whose networks are the opponents."""
    if again.opponent in experiments.EXPERIMENTS:
        return experiments.scaled(experiments.find(again.opponent), scale)
    return None


def _opposite(again: Rematch, source: Experiment, run: int, store: Store) -> Saved | None:
    other = _other(again, source.scale)
    if other is None:
        return None
    return store.weights(other, run, max(other.checkpoints), parts.shapes(other))


def _rows(again: Rematch, source: Experiment, batch: Sequence[Entry], size: int) -> list[Row]:
    e = again.described(source)
    full = [*batch, *[batch[-1]] * (size - len(batch))]
    began = time.perf_counter()
    tally = measuring.tested(
        e,
        [entry.saved for entry in full],
        [None if name == LEARNER else _player(again, e, name, full) for name in e.evaluation],
        [parts.key(e, x.run, f"test {x.saved.games}") for x in full],
    )
    seconds = (time.perf_counter() - began) / len(batch)
    return [
        measuring.row_of(e, x.run, x.saved, arena.Tally(*(n[i] for n in tally)), seconds)
        for i, x in enumerate(batch)
    ]


def _player(again: Rematch, e: Experiment, name: str, batch: Sequence[Entry]) -> Player:
    """A player by name, or the opposite networks, one for each of the batch."""
    other = _other(again, e.scale)
    if other is None or name != again.opponent:
        return parts.player(e, name)
    game = parts.game(e)
    weights = parts.stacked([entry.opponent for entry in batch if entry.opponent])
    return greedy(game, parts.encoding(other))._replace(weights=Blocks(weights))
