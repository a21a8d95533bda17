"""Stored networks of Kalah against minimax of several depths: `python -m tdlib kalah`.

Choi (2013) measures his networks by head-to-head competitions with minimax. Here games against
all depths are played in one batch, of many networks at once, the seats changing from game to
game; a row is one network, at some search depth of its own, against one depth of minimax. The
network at depth 1 plays as it learned, by its values of the positions after its moves; deeper
it is the evaluator of a full-width search. Networks lie in the store (`--keep-weights all`).

The table is `kalah/ladder.csv` in the store; only what is missing is played.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from tdlib import arena, games, rollout
from tdlib.experiments import Experiment
from tdlib.files import now, version
from tdlib.players import kalah_minimax
from tdlib.players.greedy import Blocks, greedy
from tdlib.run import parts
from tdlib.store import Saved, Store, identity
from tdlib.store.table import Table
from tdlib.types import Key, Player
from tdlib.values import mlp

MINIMAX = "minimax"  # in place of an experiment: minimax itself, at the depth of the row
NETWORKS = 8  # in a batch
HIDDEN = 40  # networks with fewer units are filled up with units that nobody listens to
LANES = 25  # games side by side of each pair; the games that are played depend on it
MAX_PLIES = 1_000


class Row(NamedTuple):
    experiment: str
    config: str
    run: int
    games: int  # trained
    depth: int  # of the network's own search
    opponent: int  # depth of minimax
    eval_games: int
    wins: int
    draws: int
    points: int  # own seeds less the other's at the end, of all games
    plies: int
    seconds: float
    date: str
    version: str


class Entry(NamedTuple):
    """A network that has to be measured."""

    experiment: Experiment
    run: int
    games: int


def table(store: Store) -> Table:
    return Table(store.root / "kalah" / "ladder.csv", Row, 6)


def _games(store: Store) -> dict[tuple, int]:
    """How many games were played for each row."""
    rows = table(store).load()
    keys = rows[list(Row._fields[:6])].itertuples(index=False, name=None)
    return dict(zip(keys, rows.eval_games, strict=True))


def measure(
    wanted: Sequence[Entry],
    store: Store,
    *,
    opponents: tuple[int, ...],
    count: int,
    depth: int = 1,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Play what is missing, `count` games against each opponent; how many networks that were.

    Networks whose weights are not there are left out.
    """
    known = _games(store)

    def missing(entry: Entry) -> bool:
        e, run, trained = entry
        key = (e.id, identity(e), run, trained, depth)
        few = any(known.get((*key, opponent), 0) < count for opponent in opponents)
        return few and trained in store.saved(e, run)

    groups: dict[Any, list[Entry]] = {}
    for entry in filter(missing, wanted):
        e = entry.experiment
        shape = (e.game_options, e.encoding, e.encoding_options, e.hidden == 0, e.bias)
        groups.setdefault(shape, []).append(entry)
    total, done = sum(map(len, groups.values())), 0
    for group in groups.values():
        for start in range(0, len(group), NETWORKS):
            batch = group[start : start + NETWORKS]
            table(store).add(_rows(batch, store, opponents, count, depth))
            done += len(batch)
            tell(done, total)
    return done


def _rows(
    batch: Sequence[Entry], store: Store, opponents: tuple[int, ...], count: int, depth: int
) -> list[Row]:
    e = batch[0].experiment
    game, encoding = parts.game(e), parts.encoding(e)
    full = [*batch, *[batch[-1]] * (NETWORKS - len(batch))]
    saved = [
        store.weights(x.experiment, x.run, x.games, parts.shapes(x.experiment)) for x in full
    ]
    weights = jax.tree.map(
        lambda *x: jnp.repeat(jnp.stack(x), len(opponents), 0), *map(widened, saved)
    )
    player = (
        greedy(game, encoding) if depth == 1 else kalah_minimax.searching(game, encoding, depth)
    )
    keys = [
        _key(f"{x.experiment.id} {x.run} {x.games} {depth} {opponent}")
        for x in full
        for opponent in opponents
    ]
    began = time.perf_counter()
    tally = _played(
        game,
        player._replace(weights=Blocks(weights)),
        _ladder(game, opponents, len(full)),
        keys,
        count,
    )
    seconds = (time.perf_counter() - began) / len(batch) / len(opponents)
    return [
        _row((x.experiment.id, identity(x.experiment), x.run, x.games, depth, opponent),
             tally, i * len(opponents) + k, seconds)
        for i, x in enumerate(batch)
        for k, opponent in enumerate(opponents)
    ]  # fmt: skip


def baseline(
    store: Store, pairs: Sequence[tuple[int, int]], *, count: int, batch: int = 6
) -> int:
    """Minimax of one depth against another, where games are missing; how many pairs."""
    known, game = _games(store), games.make("kalah")
    pairs = [p for p in pairs if known.get((MINIMAX, "", 0, 0, *p), 0) < count]
    for start in range(0, len(pairs), batch):
        some = pairs[start : start + batch]
        full = [*some, *[some[-1]] * (batch - len(some))]
        keys = [_key(f"{MINIMAX} {pair}") for pair in full]
        depths = tuple(sorted({depth for pair in some for depth in pair}))
        one, two = (
            kalah_minimax.ladder(game, depths)._replace(
                weights=Blocks(jnp.asarray([pair[k] for pair in full], jnp.int32))
            )
            for k in (0, 1)
        )
        began = time.perf_counter()
        tally = _played(game, one, two, keys, count)
        seconds = (time.perf_counter() - began) / len(some)
        table(store).add(
            _row((MINIMAX, "", 0, 0, *pair), tally, i, seconds) for i, pair in enumerate(some)
        )
    return len(pairs)


def widened(saved: Saved) -> mlp.Weights:
    """The same network with `HIDDEN` hidden units, or without any if it has none."""
    hidden, output = saved.weights["hidden"], saved.weights["output"]
    more = HIDDEN - hidden.shape[0]
    if not hidden.shape[0] or more <= 0:
        return mlp.Weights(jnp.asarray(hidden), jnp.asarray(output))
    units = hidden.shape[0]
    nothing = np.zeros((output.shape[0], more), np.float32)
    return mlp.Weights(
        jnp.asarray(np.pad(hidden, ((0, more), (0, 0)))),
        jnp.asarray(np.concatenate([output[:, :units], nothing, output[:, units:]], axis=1)),
    )


def _ladder(game: Any, opponents: tuple[int, ...], networks: int) -> Player:
    depths = jnp.tile(jnp.asarray(opponents, jnp.int32), networks)
    return kalah_minimax.ladder(game, opponents)._replace(weights=Blocks(depths))


def _played(game: Any, one: Player, two: Player, keys: list[Key], count: int) -> arena.Tally:
    played = rollout.play_blocks(
        game,
        (one, two),
        jnp.stack(keys),
        count=count,
        lanes=arena.lanes_for_each(1, count, LANES),
        max_plies=MAX_PLIES,
        rotate=True,
    )
    return arena.tally(played, 0)


def _row(key: tuple, tally: arena.Tally, at: int, seconds: float) -> Row:
    counted = [
        int(getattr(tally, x)[at]) for x in ("games", "wins", "draws", "points", "plies")
    ]
    return Row._make((*key, *counted, seconds, now(), version()))


def _key(text: str) -> Key:
    digest = hashlib.sha256(f"ladder {text}".encode()).digest()
    return jax.random.wrap_key_data(
        jnp.asarray(np.frombuffer(digest[:8], ">u4").astype(np.uint32))
    )
