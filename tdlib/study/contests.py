"""Play contests (`study.contest`) and store a row for each game.

Every game has random numbers of its own, by contest and number, so it does not matter which
games are played beside it, nor where a run was interrupted. Contests that differ in weights
are played side by side, games taking turns between contests.

Games begin in the order of their numbers, but short ones end sooner. So of a contest that was
interrupted only the games before the first missing one count (`before_gap`): the games after it
are stored and need not be played again, but short games are too frequent among them.

Searching players know the rules without the rule that stops endless games.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd

from tdlib.kernels import random_numbers
from tdlib.play.loop import Games, Lanes
from tdlib.study import entrants, measure, playing, registry, seeds
from tdlib.study.contest import Contest, contest_hash
from tdlib.study.measure import Measurement, Subject
from tdlib.study.scale import scaled
from tdlib.study.store import Store, opened
from tdlib.study.windows import Memory

LANES = (32, 1_024)  # games side by side; two sizes, so that little is compiled. Where many
# are packed into the lanes of a search, few lanes wait for the longest: 1.2 ms of CPU a ply of
# F-MAIN with 1,024, 3.0 with 256.
PLIES = 8  # between looks at what has ended
WIN = "win"


class Row(NamedTuple):
    """One game; see `data/README.md`. Players are 0, which the contest is about, and 1."""

    experiment: str
    config: str
    game: int
    first: int  # the player that moved first
    ended: str  # win, draw, stuck or limit
    payoff: int  # of player 0; if not a win, by `Contest.stopped`
    pieces_0: int  # what each player has taken or brought home
    pieces_1: int
    plies: int
    choices: int  # legal plays, summed over all turns
    repeated: int  # turns in a position that had been there before, where rules remember
    winning_0: int  # turns of player 0 that had a winning move, and how many of them
    missed_0: int  # were played otherwise
    winning_1: int
    missed_1: int
    seconds: float  # its share of the batch


def measurement(paper: str, contests: Sequence[Contest]) -> Measurement:
    """The games of contests of one paper."""
    known = {c.id: c for c in contests}

    def compute(store: Store, todo: Sequence[Subject]) -> Iterator[list[Row]]:
        alike: dict[Any, list[tuple[int, Contest]]] = {}
        for id, _, number in todo:
            contest = known[id]
            alike.setdefault(entrants.shape(contest), []).append((number, contest))
        for games in alike.values():
            yield from _play(sorted(games, key=lambda game: (game[0], order[game[1].id])))

    order = {id: place for place, id in enumerate(known)}
    asked = [(c.id, contest_hash(c), number) for c in contests for number in range(c.games)]
    return Measurement(
        id=f"{paper}-contests",
        paper=paper,
        folder="contests",
        title="games between players that learn nothing",
        row=Row,
        subject=3,
        key=3,
        asked=lambda store: asked,
        compute=compute,
    )


def load(contests: Sequence[Contest], store: Store) -> pd.DataFrame:
    """The stored games of contests of one paper: of each, those before the first gap."""
    rows = measure.load(measurement(contests[0].paper, contests), store)
    return pd.concat(
        [before_gap(rows[rows.experiment == c.id]) for c in contests], ignore_index=True
    )


def before_gap(games: pd.DataFrame) -> pd.DataFrame:
    """The games of one contest, in order, before the first that is missing."""
    numbers = games.game.to_numpy()
    return games[: int((numbers == np.arange(len(numbers))).sum())]


def load_or_play(
    names: Sequence[str],
    scale: str,
    *,
    play: bool = True,
    fresh: bool = False,
    store: Store | Path | str | None = None,
) -> pd.DataFrame:
    """Games of contests, groups or papers at a scale; prints what was loaded and what played.

    play: whether to play what is not stored. fresh: whether to play again what is stored.
    store: None means where results of that scale are kept.
    """
    chosen = [scaled(c, scale) for c in registry.select_contests(names)]
    place = opened(store, scale)
    if play:
        done = measure.measure(measurement(chosen[0].paper, chosen), place, fresh=fresh)
        print(f"{', '.join(names)}: {done.stored} games loaded, {done.computed} played")
        return load(chosen, place)
    found = load(chosen, place)
    print(f"{', '.join(names)}: {len(found)} games of {sum(c.games for c in chosen)} loaded")
    return found


def replay(contest: Contest, number: int) -> list[Any]:
    """All positions of a contest's game of that number, from the first to the last."""
    size = LANES[0]  # of which one is used: what was played is compiled already
    table, memory, busy = playing.table(contest), Memory(contest, size), np.arange(size) < 1
    games = [(number, contest)] * size
    lanes, weights = _begun(table, games), _weights(games)
    states = [lanes.state]
    while busy[0]:
        lanes, busy = _advanced(table, memory, weights, lanes, busy, 1)
        states.append(lanes.state)
    return [jax.tree.map(lambda x: x[0], state) for state in states]


Game = tuple[int, Contest]  # its number and its contest


def _play(queue: Sequence[Game]) -> Iterator[list[Row]]:
    """Play games of contests of one shape, in order; yields the rows of those that ended."""
    waiting = list(queue)
    table = playing.table(waiting[0][1])
    size = next((size for size in LANES if len(waiting) <= size), LANES[-1])
    taken, waiting = waiting[:size], waiting[size:]
    busy = np.arange(size) < len(taken)
    taken += [taken[0]] * (size - len(taken))  # nothing is played in these lanes
    lanes = _begun(table, taken)
    memory, spent = Memory(taken[0][1], size), np.zeros(size)
    while busy.any():
        began = time.monotonic()
        lanes, going = _advanced(table, memory, _weights(taken), lanes, busy, PLIES)
        ended = busy & ~going
        spent[busy] += (time.monotonic() - began) / busy.sum()
        found = jax.tree.map(np.asarray, playing.results(table, lanes))
        rows = []
        for at in np.flatnonzero(ended):
            one = jax.tree.map(lambda x: x[at], found)  # noqa: B023
            rows.append(_row(*taken[at], one, spent[at]))
            spent[at], busy[at] = 0.0, bool(waiting)
            if waiting:
                taken[at] = waiting.pop(0)
        if (refilled := ended & busy).any():
            lanes = playing.select(jnp.asarray(refilled), _begun(table, taken), lanes)
            memory.forget(refilled)
        if rows:
            yield rows


def _begun(table: playing.Table, games: Sequence[Game]) -> Lanes:
    """New games in all lanes."""
    contests = {contest.id: contest for _, contest in games}
    keys = {id: seeds.key(id, c.seed, 0, "contest") for id, c in contests.items()}
    each = jnp.stack([keys[contest.id] for _, contest in games])
    numbers = jnp.asarray([number for number, _ in games], jnp.int32)
    each = jax.vmap(random_numbers.fold_in)(each, numbers)
    turned = [number % len(c.entrants) if c.rotate else 0 for number, c in games]
    return playing.begin(table, each, jnp.asarray(turned, jnp.int32))


def _advanced(
    table: playing.Table,
    memory: Memory,
    weights: tuple,
    lanes: Lanes,
    busy: np.ndarray,
    plies: int,
) -> tuple[Lanes, np.ndarray]:
    """At most so many plies further; only one while somebody learns from every position.

    Also which of the busy games go on: [B] bool.
    """
    now, plies = memory.used(weights), 1 if memory.learning(busy) else plies
    after, going = playing.advance(table, now, lanes, jnp.asarray(busy), plies)
    memory.see(lanes, now, busy)
    return after, np.array(going)


def _weights(games: Sequence[Game]) -> tuple:
    """Of each entrant, the weights in every lane [B, ...]."""
    contests = {contest.id: contest for _, contest in games}
    places = {id: place for place, id in enumerate(contests)}
    which = np.array([places[contest.id] for _, contest in games])
    found = []
    for seat in range(len(games[0][1].entrants)):
        mine = [entrants.player(c, c.entrants[seat]).weights for c in contests.values()]
        found.append(jax.tree.map(lambda *x: np.stack(x)[which], *mine))
    return tuple(found)


def _row(number: int, contest: Contest, one: Games, seconds: float) -> Row:
    how = entrants.ended(contest, one)
    scores = how == WIN or contest.stopped == "rules"
    (winning_0, missed_0), (winning_1, missed_1) = one.notes[:2, 1:].astype(int).tolist()
    return Row(
        contest.id, contest_hash(contest), number, int(one.first), how,
        int(one.payoff[0]) if scores else 0, int(one.pieces[0]), int(one.pieces[1]),
        int(one.plies), int(one.choices), int(one.notes[:, 0].sum()),
        winning_0, missed_0, winning_1, missed_1, float(seconds),
    )  # fmt: skip
