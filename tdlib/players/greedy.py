"""Players that take the afterstate they value most, the first of equals.

For one position the plays are looked at one after another. Vectorised, the plays of all games
form one list that is worked off in chunks: a game costs what its own plays cost, however many
another game has (see the numbers of plays in `notebooks/01_games_and_boards.ipynb`).
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_batching import custom_vmap

from tdlib.types import Array, Encoding, Game, Key, Player, State
from tdlib.values import mlp

CHUNK = 512  # plays valued at a time
_LAST = jnp.iinfo(jnp.int32).max

Score = Callable[[Any, State, State], Array]  # weights, before, after -> [], higher is better


def greedy(game: Game, encoding: Encoding, *, name: str = "greedy") -> Player:
    """Plays by a network; give it weights with `_replace`.

    With one output the network speaks for the player that has just moved; with one for each
    seat, that player's own output decides (one output per player: Matthews 2006, section 5.1).
    """

    def score(weights: mlp.Weights, before: State, after: State) -> Array:
        value = mlp.value(weights, encoding.encode(after, before.seat))
        return value[before.seat] if len(value) > 1 else value[0]

    return player(game, score, name=name)


def player(game: Game, score: Score, *, name: str, weights: Any = ()) -> Player:
    """The player that takes the play with the highest score."""
    best = best_play(game, score)

    def choose(weights: Any, key: Key, state: State, plays: Any) -> Array:
        return best(weights, state, plays)

    return Player(name, choose, weights)


def best_play(game: Game, score: Score) -> Callable[[Any, State, Any], Array]:
    """f(weights, state, its Plays) -> the rank of the best play []."""

    def value(weights: Any, state: State, plays: Any, rank: Array) -> Array:
        return score(weights, state, game.play(state, plays, rank))

    @custom_vmap
    def best(weights: Any, state: State, plays: Any) -> Array:
        def look(rank: Array, found: tuple[Array, Array]) -> tuple[Array, Array]:
            new = value(weights, state, plays, rank)
            better = new > found[0]
            return jnp.where(better, new, found[0]), jnp.where(better, rank, found[1])

        start = (jnp.float32(-jnp.inf), jnp.int32(0))
        return lax.fori_loop(0, plays.count, look, start)[1]

    @best.def_vmap
    def best_of_many(size: int, in_batched: Any, weights: Any, state: State, plays: Any) -> Any:
        lanes = in_batched[0], True, True  # weights may be shared by all games
        state, plays = (
            jax.tree.map(
                lambda x, b: x if b else jnp.broadcast_to(x, (size, *x.shape)), t, batched
            )
            for t, batched in zip((state, plays), in_batched[1:], strict=True)
        )
        ends = jnp.cumsum(plays.count)  # [B]

        def some(i: Array, found: tuple[Array, Array]) -> tuple[Array, Array]:
            slot = i * CHUNK + jnp.arange(CHUNK, dtype=jnp.int32)
            owner = jnp.searchsorted(ends, slot, side="right").clip(max=size - 1)
            rank = slot - (ends - plays.count)[owner]
            mine = _pick((weights, state, plays), lanes, owner)
            axes = jax.tree.map(lambda batched: 0 if batched else None, _spread(mine, lanes))
            real = jnp.minimum(rank, plays.count[owner] - 1)
            new = jax.vmap(value, (*axes, 0))(mine[0], mine[1], mine[2], real)
            return _improve(found, owner, rank, jnp.where(slot < ends[-1], new, -jnp.inf))

        start = (jnp.full(size, -jnp.inf), jnp.zeros(size, jnp.int32))
        return lax.fori_loop(0, (ends[-1] + CHUNK - 1) // CHUNK, some, start)[1], True

    return best


def _spread(trees: tuple, batched: tuple) -> tuple:
    """`batched` with one flag for every leaf."""

    def flags(tree: Any, given: Any) -> Any:
        return jax.tree.map(lambda _: given, tree) if isinstance(given, bool) else given

    return tuple(map(flags, trees, batched))


def _pick(trees: tuple, batched: tuple, owner: Array) -> tuple:
    """The leaves that differ from game to game, for each play: [CHUNK, ...]."""
    return jax.tree.map(lambda x, own: x[owner] if own else x, trees, _spread(trees, batched))


def _improve(
    found: tuple[Array, Array], owner: Array, rank: Array, value: Array
) -> tuple[Array, Array]:
    """The best value and rank of each game [B] after seeing some more plays."""
    top = found[0].at[owner].max(value)
    better = (value > found[0][owner]) & (value == top[owner])
    first = jnp.full(found[1].shape, _LAST).at[owner].min(jnp.where(better, rank, _LAST))
    return top, jnp.where(first < _LAST, first, found[1])
