"""Players that take the afterstate they value most, the first of equals unless told otherwise.

For one position the plays are valued one after another. Under `jax.vmap` the plays of all games
form one list, which is processed in chunks: a game costs as much as its own plays cost, however
many another game has (`notebooks/01_games_and_boards.ipynb` shows how much that differs).

Where an encoding states which inputs a play changes, the network's first layer is computed once
for each position and corrected for each play, which is a tenth of the work.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_batching import custom_vmap

from tdlib.games.options import one_of
from tdlib.kernels import bits, random_numbers
from tdlib.kernels.compute_once import kept, once
from tdlib.kernels.gather import (
    Blocks,
    Pick,
    copied,
    first_above,
    in_all_lanes,
    pick,
    running_totals,
    weights_table,
)
from tdlib.types import Array, Changes, Encoding, Game, Key, Player, State, assert_shape
from tdlib.values import mlp

TIES = ("first", "last", "random")  # which of equally good plays is taken
_NONE = -(2**31)  # below every priority

Score = Callable[[Any, State, State], Array]  # weights, before, after -> [], higher is better


class Kind(NamedTuple):
    """Plays that are processed apart from others, because they cost more or less."""

    apply: Callable[[Any], Array]  # Plays -> [] bool, whether they are of this kind
    change: Callable[[State, Any, Array], Any]  # state, its Plays, rank -> what a play changes
    typical: int = 6  # plays of a position, which decides how many are processed at a time


class Judge(NamedTuple):
    """How plays are valued, in steps whose results are computed once (see `compute_once`).

    State and Plays in `kinds`, and weights in `steps`, may only be indexed, because long arrays
    among them may be `Pick`s; whoever needs more copies them (`copied`). What `prepare` returns
    is already copied.
    """

    prepare: Callable[[Any, State], Any]  # weights, state -> what all plays of a position share
    kinds: tuple[Kind, ...]  # each position's plays are of one kind
    steps: tuple[Callable[[Any, Any, Any], Any], ...]
    # weights, prepared, what a play changes -> .. -> .. -> value [], higher is better


@functools.cache  # the same function for the same arguments, which is then compiled once
def greedy(game: Game, encoding: Encoding, *, net: Any = mlp, ties: str = "first") -> Player:
    """Plays by a network; give it weights with `_replace`.

    A single output is the value for the player that has just moved. With one output for each
    seat (Matthews 2006, section 5.1) it is that player's own output that decides.
    net: the module that reads the weights: `mlp`, or another with the same functions `sums`,
    `shift`, `units` and `logit`. ties: see `judging`.
    """
    return judging(network(game, encoding, net), name="greedy", ties=ties)


def player(
    game: Game, score: Score, *, name: str, weights: Any = (), ties: str = "first"
) -> Player:
    """The player that takes the play with the highest score."""
    return judging(dense(game, score), name=name, weights=weights, ties=ties)


def judging(judge: Judge, *, name: str, weights: Any = (), ties: str = "first") -> Player:
    """The player that takes the play this judge values most.

    ties: of equals it takes the "first" or "last" as the game lists them, or any at "random".
    """
    one_of("ties", ties, TIES)
    best = best_play(judge, ties=ties)

    def choose(weights: Any, key: Key, state: State, plays: Any) -> Array:
        return best(weights, key, state, plays)

    return Player(name, choose, weights)


def dense(game: Game, score: Score) -> Judge:
    """Every play is made, and its afterstate valued from scratch."""

    def change(state: State, plays: Any, rank: Array) -> tuple[State, State]:
        state = copied(state)
        return state, game.play(state, plays, rank)

    def value(weights: Any, _: tuple, changed: tuple[State, State]) -> Array:
        return score(copied(weights), *changed)

    any_kind = Kind(lambda plays: jnp.bool_(True), change)
    return Judge(lambda weights, state: (), (any_kind,), (value,))


def network(game: Game, encoding: Encoding, net: Any = mlp) -> Judge:
    """Values by a network, through the changes of its inputs where the encoding gives them."""
    tail = encoding.tail
    if not encoding.changes:
        return dense(game, functools.partial(_value, encoding))
    inputs = len(encoding.names)

    def prepare(weights: Any, state: State) -> tuple[Array, Array]:
        if encoding.head is None:
            features = encoding.encode(state, state.seat)
        else:  # the last inputs are added for each play
            known = encoding.head(state, state.seat)
            features = jnp.pad(known, (0, inputs - known.shape[0]))
        return net.sums(weights, features), state.seat

    sparse = any(changes.sparse for changes in encoding.changes)

    def change(changes: Changes, state: State, plays: Any, rank: Array) -> Any:
        changed = changes.rows(state, plays, rank)
        if tail is None:
            return changed
        return *changed, tail(game.play(copied(state), plays, rank), state.seat)

    def put_in_order(weights: Any, prepared: Any, changed: Any) -> tuple[Array, Array]:
        rows, amounts, *tails = changed
        if sparse:
            rows, amounts = used_first(rows, amounts)
        for fresh in tails:
            rows = jnp.concatenate([np.arange(inputs - fresh.shape[0], inputs), rows])
            amounts = jnp.concatenate([fresh, amounts])
        return rows, amounts

    kinds = tuple(
        Kind(c.apply, functools.partial(change, c), c.typical) for c in encoding.changes
    )
    steps: tuple = (
        lambda weights, prepared, changed: net.shift(weights, prepared[0], *changed),
        lambda weights, prepared, sums: net.units(weights, sums),
        lambda weights, prepared, units: net.logit(
            weights, units, _speaker(weights, prepared[1])
        ),
    )
    if sparse or tail is not None:
        steps = (put_in_order, *steps)
    return Judge(prepare, kinds, steps)


def used_first(rows: Array, amounts: Array) -> tuple[Array, Array]:
    """The same pairs, those with an amount of zero last, where they cost nothing."""
    number = rows.shape[0]
    used = bits.pack(amounts != 0)
    source = jnp.minimum(bits.nth(used, jnp.arange(number, dtype=jnp.int32)), number - 1)
    there = np.arange(number) < bits.size(used)
    return jnp.where(there, rows[source], 0), jnp.where(there, amounts[source], 0.0)


def _value(encoding: Encoding, weights: mlp.Weights, before: State, after: State) -> Array:
    value = mlp.value(weights, encoding.encode(after, before.seat))
    return value[_speaker(weights, before.seat)]


def _speaker(weights: Any, mover: Array) -> Array:
    """The output that speaks for the player that has just moved: []."""
    assert_shape("weights.output", weights.output, None, None)
    return mover if weights.output.shape[0] > 1 else jnp.int32(0)


def best_play(judge: Judge, *, ties: str = "first") -> Callable:
    """f(weights, key, state, its Plays) -> the rank of the best play []."""

    def priority(key: Key, rank: Array) -> Array:
        """Of equally good plays the one with the highest priority is taken: int32."""
        if ties == "random":
            return (random_numbers.words(key, rank)[0] >> 1).astype(jnp.int32)
        return rank if ties == "last" else -rank

    @custom_vmap
    def best(weights: Any, key: Key, state: State, plays: Any) -> Array:
        if isinstance(weights, Blocks):  # a single game is the first of the first block
            weights = jax.tree.map(lambda x: x[0], weights.weights)
        prepared = judge.prepare(weights, state)

        def look(kind: Kind, rank: Array, found: _Found) -> _Found:
            new = kind.change(state, plays, rank)
            for step in judge.steps:
                new = step(weights, prepared, new)
            claim = priority(key, rank)
            better = (new > found.value) | ((new == found.value) & (claim > found.priority))
            mine = _Found(new, claim, rank)
            return _Found(*(jnp.where(better, n, o) for n, o in zip(mine, found, strict=True)))

        found = _nothing_found((), weights)
        for kind in judge.kinds:
            count = jnp.where(kind.apply(plays), plays.count, 0)
            found = lax.fori_loop(0, count, functools.partial(look, kind), found)
        return found.rank

    @best.def_vmap
    def best_of_many(
        size: int, in_batched: Any, weights: Any, key: Key, state: State, plays: Any
    ) -> Any:
        table, blocks = weights_table(weights, in_batched[0], size)
        asked = (key, state, plays)
        key, state, plays = in_all_lanes(asked, tuple(in_batched[1:]), size)
        prepared = _by_block(judge.prepare, blocks)(table, state)

        def with_mine(step: Callable, lane: Array, x: Any) -> Any:
            mine = pick(table, lax.div(lane, size // blocks))
            return step(mine, copied(pick(prepared, lane)), x)

        def value(kind: Kind, lane: Array, rank: Array, one: Array) -> tuple[Array, Array]:
            """Value and priority of some plays [N], given by lane and rank."""

            def change(lane: Array, rank: Array) -> Any:
                return kind.change(pick(state, lane), pick(plays, lane), rank)

            x = once(lambda: jax.vmap(change)(lane, rank), one)
            for step in judge.steps:
                of_many = jax.vmap(functools.partial(with_mine, step))
                x = once(lambda: of_many(lane, x), one)  # noqa: B023
            return x, jax.vmap(lambda lane, rank: priority(key[lane], rank))(lane, rank)

        found = _nothing_found((size,), table)
        for kind in judge.kinds:
            count = jnp.where(jax.vmap(kind.apply)(plays), plays.count, 0)
            found = _search(count, functools.partial(value, kind), found, kind.typical)
        return found.rank, True

    return best


class _Found(NamedTuple):
    """The best play so far."""

    value: Array  # float32, or float64 as the weights
    priority: Array  # int32
    rank: Array  # int32


def _nothing_found(shape: tuple[int, ...], weights: Any) -> _Found:
    floats = jnp.result_type(jnp.float32, *jax.tree.leaves(weights))
    lowest, first = jnp.full(shape, _NONE, jnp.int32), jnp.zeros(shape, jnp.int32)
    return _Found(jnp.full(shape, -jnp.inf, floats), lowest, first)


def _search(count: Array, value: Callable, found: _Found, typical: int) -> _Found:
    """The best of each lane's plays [B], or `found` if none is better.

    count [B]: plays of each lane. value(lane [N], rank [N], one) -> value, priority [N].
    """
    ends = running_totals(count)
    starts, total = ends - count, ends[-1]
    chunk = min(2048, max(64, typical * len(count)))

    def some(i: Array, found: _Found) -> _Found:
        slot = i * chunk + jnp.arange(chunk, dtype=jnp.int32)
        real = jnp.minimum(slot, total - 1)
        lane = kept(first_above(Pick(ends[None], jnp.int32(0)), real))
        rank = real - starts[lane]
        new, claim = value(lane, rank, jnp.minimum(total, 1))
        new = _Found(jnp.where(slot < total, new, -jnp.inf), claim, rank)
        return _improve(found, lane, new)

    return lax.fori_loop(0, (total + chunk - 1) // chunk, some, found)


def _improve(found: _Found, lane: Array, new: _Found) -> _Found:
    """The best play of each lane [B] after seeing some more plays [N]."""
    value = found.value.at[lane].max(new.value)
    claim = jnp.where(new.value == value[lane], new.priority, _NONE)
    held = jnp.where(found.value == value, found.priority, _NONE)
    priority = held.at[lane].max(claim)
    wins = (claim == priority[lane]) & (claim > _NONE)
    rank = found.rank.at[jnp.where(wins, lane, len(held))].set(new.rank, mode="drop")
    return _Found(value, priority, rank)


def _by_block(prepare: Callable, blocks: int) -> Callable:
    """prepare(weights [N, ...], state [B, ...]) -> [B, ...], each block with its weights."""

    def apply(table: Any, state: State) -> Any:
        grouped = jax.tree.map(lambda x: x.reshape(blocks, -1, *x.shape[1:]), state)
        out = jax.vmap(jax.vmap(prepare, (None, 0)))(table, grouped)
        return jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), out)

    return apply
