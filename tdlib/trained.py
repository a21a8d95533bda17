"""Stored networks as players, in one line: `trained.player("hypergammon", "best")`.

    M-A8/0        run 0 of experiment M-A8, after its last stored game
    M-A8/0/5000   the same run after 5,000 games
    best          of the last networks of all finished runs of the game, the one that won the
                  largest share of its last test

The best is chosen by tests that are stored, and a maximum flatters: measure it in fresh games,
as `python -m tdlib match` does.
"""

from pathlib import Path
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib import experiments, games, paths, players
from tdlib.experiments import Experiment
from tdlib.players.greedy import greedy
from tdlib.run import parts
from tdlib.run.rematch import whole
from tdlib.store import Saved, Store
from tdlib.types import Player, State
from tdlib.values import mlp

BEST = "best"


class Network(NamedTuple):
    """A learner at some point of its training."""

    experiment: Experiment
    run: int
    games: int
    weights: mlp.Weights

    def __str__(self) -> str:
        return f"{self.experiment.id}, run {self.run}, after {self.games:,} games"

    def features(self, state: State) -> np.ndarray:
        """What it sees of a position: [F], named by `parts.encoding(experiment).names`."""
        return np.asarray(parts.encoding(self.experiment).encode(state, state.seat))

    def value(self, state: State) -> np.ndarray:
        """What it makes of a position: [O], one number for each seat."""
        return np.asarray(mlp.value(self.weights, jnp.asarray(self.features(state))))


def player(game: str, name: str, *, store: Store | Path | str | None = None) -> Player:
    """A player of that game by name: a stored network (see above), or one without training.

    store: of the networks; None means the one of paper scale, which comes with the repository.
    """
    rules = games.make(game)
    if name != BEST and "/" not in name:
        try:
            return players.make(name, rules)
        except ValueError as error:
            raise ValueError(f"{error}, {BEST}, or a network like M-A8/0") from None
    if name == BEST:
        found = best(game, store=store)
        name = f"{BEST} ({found})"
    else:
        e = experiments.find(name.partition("/")[0])
        if e.game != game:
            raise ValueError(f"the networks of {e.id} play {e.game}, not {game}")
        found = network(name, store=store)
    plays = greedy(rules, parts.encoding(found.experiment))
    return plays._replace(name=name, weights=found.weights)


def network(
    name: str, *, scale: str = "paper", store: Store | Path | str | None = None
) -> Network:
    """The network called `experiment/run` or `experiment/run/games`."""
    id, _, rest = name.partition("/")
    run, _, after = rest.partition("/")
    if not run.isdecimal() or not (after.isdecimal() or "/" not in rest):
        raise ValueError(
            f"expected a network like M-A8/0 or M-A8/0/5000, which are experiment, run and"
            f" games trained, not {name!r}"
        )
    e, place = experiments.scaled(experiments.find(id), scale), _opened(store, scale)
    saved = place.saved(e, int(run))
    if not saved:
        runs = ", ".join(str(r) for r in place.runs(e) if place.saved(e, r)) or "none"
        raise ValueError(f"{place.root} has no networks of {id}, run {run}; runs: {runs}")
    games_trained = int(after) if after else saved[-1]
    return _read(e, int(run), games_trained, place)


def untrained(name: str, *, scale: str = "paper") -> Network:
    """The network `experiment/run` before its first game, which needs no store."""
    id, _, run = name.partition("/")
    e = experiments.scaled(experiments.find(id), scale)
    return Network(e, int(run), 0, _weights(parts.initial(e, int(run))))


def best(game: str, *, store: Store | Path | str | None = None) -> Network:
    """See above; the first of equals. ValueError if no run of the game is finished."""
    place = _opened(store, "paper")
    candidates = []
    for e in experiments.EXPERIMENTS.values():
        if e.game != games.make(game).name:
            continue
        for run, rows in whole(e, place).items():
            last = rows[max(rows)]
            if last.games in place.saved(e, run):
                candidates.append((last.wins / last.eval_games, e, run, last.games))
    if not candidates:
        raise ValueError(f"{place.root} has no finished run of {game} with its last network")
    _, e, run, after = max(candidates, key=lambda found: found[0])
    return _read(e, run, after, place)


def _read(e: Experiment, run: int, games: int, store: Store) -> Network:
    saved = store.weights(e, run, games, parts.shapes(e))
    return Network(e, run, games, _weights(saved))


def _weights(saved: Saved) -> mlp.Weights:
    return mlp.Weights(**{name: jnp.asarray(x) for name, x in saved.weights.items()})


def _opened(store: Store | Path | str | None, scale: str) -> Store:
    if isinstance(store, Store):
        return store
    return Store(paths.store_dir(scale) if store is None else store)
