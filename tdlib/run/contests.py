"""Play contests (`experiments.contests`) and store a row for each game; what is there stays.

Games come in blocks with random numbers of their own, so that a contest can be interrupted after
any block and extended by more of them. Blocks of contests that differ only in weights are played
side by side in one batch; a block does not depend on the others.

Searching players know the rules without the rule that stops endless games: that one belongs to
who watches.
"""

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd

from tdlib import games, rollout
from tdlib.experiments.contests import Contest, config
from tdlib.files import now, version
from tdlib.players.greedy import Blocks
from tdlib.run import entrants, parts
from tdlib.store.sheets import Sheet
from tdlib.types import Player

BLOCK = 20  # games that are stored together
BATCH = 24  # blocks side by side at most
WIN, DRAW, STUCK, LIMIT = "win", "draw", "stuck", "limit"


class Row(NamedTuple):
    """One game; see `data/README.md`. Players are 0, which the contest is about, and 1."""

    experiment: str
    config: str
    game: int
    first: int  # the player that moved first
    ended: str  # WIN, DRAW, STUCK or LIMIT
    payoff: int  # of player 0; 0 unless it ended with a win
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
    date: str
    version: str
    jax: str


class Part(NamedTuple):
    """A block of a contest's games."""

    contest: Contest
    number: int
    games: int


def sheet(contest: Contest, root: Path | str) -> Sheet:
    about = {"id": contest.id, "paper": contest.paper, "title": contest.title}
    return Sheet(root, Row, "games", settings=config(contest), **about)


def load(contests: Iterable[Contest], root: Path | str) -> pd.DataFrame:
    """The stored games of contests, no more of each than it asks for."""
    frames = [sheet(c, root).frame().query("game < @c.games") for c in contests]
    return pd.concat(frames, ignore_index=True)


def play(
    contests: Iterable[Contest],
    root: Path | str,
    *,
    fresh: bool = False,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> tuple[int, int]:
    """Play what is missing: games that were there, games played.

    tell: hears how many of the missing games are done, and of how many.
    """
    contests = list(contests)
    kept: dict[str, dict[int, Row]] = {}
    todo = []
    for c in contests:
        rows = [] if fresh else sheet(c, root).rows()
        kept[c.id] = {row.game: row for row in rows}
        todo += list(_missing(c, kept[c.id]))
    there = sum(g < c.games for c in contests for g in kept[c.id])
    there -= sum(_there(part, kept) for part in todo)
    total, done = sum(part.games for part in todo), 0
    for batch in _batches(todo):
        for part, rows in zip(batch, _played(batch), strict=True):
            mine = kept[part.contest.id]
            mine |= {row.game: row for row in rows}
            sheet(part.contest, root).put(mine[n] for n in sorted(mine))
            done += part.games
        tell(done, total)
    return there, done


def replay(contest: Contest, number: int) -> list[Any]:
    """All positions of a contest's game of that number, from the first to the last."""
    game = entrants.game(contest)
    block, lane = divmod(number, BLOCK)
    key = rollout.lane_keys(_key(contest, block)[None], BLOCK)[lane]
    players = [entrants.player(contest, e) for e in contest.entrants]
    key, state = rollout.opened(game, key, jnp.int32(0))
    turned = lane % len(players) if contest.rotate else 0
    steps = [_step(game, p.choose) for p in players]
    states = [state]
    for ply in range(contest.max_plies):
        if game.outcome(state)[0]:
            break
        who = (int(state.seat) + turned) % len(players)
        state = steps[who](players[who].weights, key, ply, state)
        states.append(state)
    return states


@functools.cache
def _step(game: Any, choose: Callable) -> Callable:
    """One turn of a game, as the loop of `rollout` makes it."""

    def step(weights: Any, key: Any, ply: Any, state: Any) -> Any:
        plays, key = rollout.prepared(game, key, ply, state)
        return game.play(state, plays, choose(weights, key, state, plays))

    return jax.jit(step)


def _missing(contest: Contest, there: dict[int, Row]) -> Iterator[Part]:
    for start in range(0, contest.games, BLOCK):
        wanted = range(start, min(start + BLOCK, contest.games))
        if not there.keys() >= set(wanted):
            yield Part(contest, start // BLOCK, len(wanted))


def _there(part: Part, kept: dict[str, dict[int, Row]]) -> int:
    """Games of a block that are there, but will be played again with the others of it."""
    start = part.number * BLOCK
    return sum(start + i in kept[part.contest.id] for i in range(part.games))


def _batches(todo: Sequence[Part]) -> Iterator[list[Part]]:
    """Blocks that can be played side by side: first blocks of all contests, then second ones."""
    alike: dict[Any, list[Part]] = {}
    for part in sorted(todo, key=lambda part: part.number):
        alike.setdefault((entrants.shape(part.contest), part.games), []).append(part)
    for parts_ in alike.values():
        for start in range(0, len(parts_), BATCH):
            yield parts_[start : start + BATCH]


def _played(batch: Sequence[Part]) -> list[list[Row]]:
    contest, count = batch[0].contest, batch[0].games
    keys = jnp.stack([_key(part.contest, part.number) for part in batch])
    began = time.perf_counter()
    played = rollout.play_blocks(
        entrants.game(contest),
        [_together(batch, i) for i in range(len(contest.entrants))],
        keys,
        count=count,
        lanes=count,
        max_plies=contest.max_plies,
        rotate=contest.rotate,
        watch=entrants.watch(contest),
    )
    played = jax.tree.map(np.asarray, played)
    seconds = (time.perf_counter() - began) / played.plies.sum()
    return [
        [_row(part, i, jax.tree.map(lambda x: x[b, i], played), seconds) for i in range(count)]  # noqa: B023
        for b, part in enumerate(batch)
    ]


def _together(batch: Sequence[Part], place: int) -> Player:
    """The entrants at one place of all contests of a batch, as one player."""
    players = [entrants.player(part.contest, part.contest.entrants[place]) for part in batch]
    weights = [p.weights for p in players]
    if not jax.tree.leaves(weights[0]):
        return players[0]
    stacked = jax.tree.map(lambda *x: jnp.stack(x), *weights)
    return players[0]._replace(weights=Blocks(stacked))


def _row(part: Part, place: int, one: rollout.Games, seconds: float) -> Row:
    contest = part.contest
    settings = sheet(contest, "").names
    ended = entrants.ended(contest, one)
    repeated = int(one.notes[:, 0].sum())
    (winning_0, missed_0), (winning_1, missed_1) = one.notes[:2, 1:].astype(int).tolist()
    return Row(
        *settings, part.number * BLOCK + place, int(one.first), ended,
        int(one.payoff[0]) if ended == WIN else 0, *map(int, one.pieces[:2]), int(one.plies),
        int(one.choices), repeated, winning_0, missed_0, winning_1, missed_1,
        float(seconds * one.plies), now(), version(), jax.__version__,
    )  # fmt: skip


def _key(contest: Contest, block: int) -> Any:
    return parts.key(contest, block, "contest")
