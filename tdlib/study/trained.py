"""Stored networks as players, in one line: `trained.player("hypergammon", "best")`.

    M-A8/0        run 0 of experiment M-A8, after its last stored game
    M-A8/0/5000   the same run after 5,000 games
    best          of the last networks tested of all runs of the game, the one that won the
                  largest share of that test

The best is chosen by tests that are stored, and a maximum flatters: measure it in fresh games,
as `python -m tdlib match` does.
"""

from pathlib import Path

from tdlib import games, players
from tdlib.study import network as parts
from tdlib.study import registry
from tdlib.study.network import Network
from tdlib.study.scale import scaled
from tdlib.study.store import Store, opened
from tdlib.types import Player

BEST = "best"


def player(game: str, name: str, *, store: Store | Path | str | None = None) -> Player:
    """A player of that game by name: a stored network (see above), or one without training.

    store: of the networks; None means the one of paper scale, which comes with the repository.
    """
    rules = games.make(game)
    if name == BEST:
        found = best(game, store=store)
        return found.player()._replace(name=f"{BEST} ({found})")
    if "/" in name:
        found = network(name, store=store)
        if found.experiment.game != game:
            e = found.experiment
            raise ValueError(f"the networks of {e.id} play {e.game}, not {game}")
        return found.player()._replace(name=name)
    try:
        return players.make(name, rules)
    except ValueError as error:
        raise ValueError(f"{error}, {BEST}, or a network like M-A8/0") from None


def network(
    name: str, *, scale: str = "paper", store: Store | Path | str | None = None
) -> Network:
    """The network called `experiment/run` or `experiment/run/games`."""
    id, _, rest = name.partition("/")
    run, _, after = rest.partition("/")
    if not run.isdecimal() or not (after.isdecimal() or "/" not in rest):
        raise ValueError(
            "expected a network like M-A8/0 or M-A8/0/5000, which are experiment, run and"
            f" games trained, not {name!r}"
        )
    e, place = scaled(registry.find(id), scale), opened(store, scale)
    saved = place.saved(e, int(run))
    if not saved:
        runs = ", ".join(str(r) for r in place.rows(e) if place.saved(e, r)) or "none"
        raise ValueError(f"{place.root} has no networks of {id}, run {run}; runs: {runs}")
    return place.network(e, int(run), int(after) if after else saved[-1])


def untrained(name: str, *, scale: str = "paper") -> Network:
    """The network `experiment/run` before its first game, which needs no store."""
    id, _, run = name.partition("/")
    return parts.untrained(scaled(registry.find(id), scale), int(run))


def best(game: str, *, store: Store | Path | str | None = None) -> Network:
    """See above; the first of equals. ValueError if no network of the game is stored."""
    place = opened(store, "paper")
    known = [e for e in registry.experiments().values() if e.game == games.make(game).name]
    candidates = []
    for e in known:
        for run, rows in place.rows(e).items():
            last = rows[max(rows)]
            if last.games in place.saved(e, run):
                candidates.append((last.wins / last.eval_games, e, run, last.games))
    if not candidates:
        train = (
            f"; train some: python -m tdlib run {known[0].id} --scale paper" if known else ""
        )
        raise ValueError(f"{place.root} has no tested network of {game}{train}")
    _, e, run, after = max(candidates, key=lambda found: found[0])
    return place.network(e, run, after)
