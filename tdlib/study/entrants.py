"""What a contest names: its game and players, how its games end, and what is noted of them."""

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from tdlib import games, players, search
from tdlib.games import abalone as abalone_rules
from tdlib.kernels.rare import most
from tdlib.play.loop import Games, Watch
from tdlib.search.nodes import Search
from tdlib.search.windows import opened
from tdlib.study.contest import SEARCH, Contest, Entrant
from tdlib.study.identity import Options
from tdlib.types import Array, Game, Player, State
from tdlib.values import abalone

STOPS = ("max_plies", "no_capture_limit", "repetition")  # options that only end endless games
_TOGETHER = 84  # plays looked at at once: all of an Abalone position without broadsides
WON = 1e6  # beyond every heuristic

# Game and name of a value -> the value, and the kind of its weights
VALUES: dict[tuple[str, str], tuple[search.Value, Any]] = {
    ("abalone", "friedman"): (abalone.friedman, abalone.Friedman),
    ("abalone", "centre"): (abalone.centre, abalone.Centre),
    ("abalone", "material"): (abalone.material, abalone.Order),  # weights are those of an order
}
# The order of moves, where one belongs to a value
ORDERS: dict[tuple[str, str], search.Order] = {("abalone", "material"): abalone.order}
WINS = ("equal", "quick", "blind")


def game(contest: Contest) -> Game:
    return games.make(contest.game, **dict(contest.game_options))


def shape(contest: Contest) -> tuple:
    """What contests have in common that can be played side by side."""
    kinds = tuple((e.player, e.options) for e in contest.entrants)
    return contest.game, contest.game_options, kinds, contest.rotate, contest.max_plies


def player(contest: Contest, entrant: Entrant) -> Player:
    """An entrant with its weights."""
    options = dict(entrant.options)
    if entrant.player != SEARCH:
        found = players.make(entrant.player, game(contest), **options)
        weights = found.weights
    else:
        found, _ = _searching(_rules(contest), entrant.options)
        weights = VALUES[contest.game, str(options["value"])][1]()
    if entrant.weights:
        weights = weights._replace(**dict(entrant.weights))
    weights = jax.tree.map(jnp.asarray, weights)
    return found._replace(weights=opened(weights) if pruning(contest, entrant) else weights)


def pruning(contest: Contest, entrant: Entrant) -> Search | None:
    """The search of an entrant that learns windows in each game, None of any other."""
    if entrant.player != SEARCH:
        return None
    _, how = _searching(_rules(contest), entrant.options)
    return how if how.windows else None


def ended(contest: Contest, one: Games) -> str:
    """How one game ended: win, draw, stuck (by the rules, undecided) or limit."""
    limit = min(
        contest.max_plies, dict(contest.game_options).get("max_plies", contest.max_plies)
    )
    if contest.game == "abalone" and one.pieces.max() < abalone_rules.TO_WIN:
        return "limit" if one.plies >= limit else "stuck"
    if one.capped:
        return "limit"
    return "win" if one.payoff.any() else "draw"


def watch(contest: Contest) -> Watch:
    """Notes of every turn: a repeated position, a winning move, a winning move not played."""
    return _watch(_rules(contest))


@functools.cache  # contests at the same game share one, which is compiled once
def _watch(rules: Game) -> Watch:
    def look(weights: tuple, state: State, plays: Any, rank: Array) -> Array:
        past = getattr(state, "past", None)
        again = jnp.bool_(False) if past is None else past.times > 0
        if rules.name != "abalone":
            return jnp.stack([again, jnp.bool_(False), jnp.bool_(False)]).astype(jnp.float32)
        bare = state._replace(past=None)

        def wins(rank: Array) -> Array:
            after = rules.play(bare, plays, rank)
            return abalone_rules.score(after).max() >= abalone_rules.TO_WIN

        def some(i: Array, found: Array) -> Array:
            ranks = i * _TOGETHER + jnp.arange(_TOGETHER, dtype=jnp.int32)
            return found | (jax.vmap(wins)(ranks) & (ranks < plays.count)).any()

        blocks = most((plays.count + _TOGETHER - 1) // _TOGETHER)
        any_wins = lax.fori_loop(0, blocks, some, jnp.bool_(False))
        return jnp.stack([again, any_wins, any_wins & ~wins(rank)]).astype(jnp.float32)

    return Watch(look, 3)


def _rules(contest: Contest) -> Game:
    """The game as its players see it: without the rules that only end endless games."""
    kept = {name: x for name, x in contest.game_options if name not in STOPS}
    return games.make(contest.game, **kept)


@functools.cache  # equal players are one, which is compiled once
def _searching(rules: Game, options: Options) -> tuple[Player, Search]:
    chosen = dict(options)
    value, wins = (rules.name, str(chosen.pop("value", ""))), chosen.pop("wins", "equal")
    if value not in VALUES:
        known = ", ".join(name for of, name in VALUES if of == rules.name) or "none"
        raise ValueError(f"{rules.name} has no value {value[1]!r}; expected {known}")
    if wins not in WINS:
        raise ValueError(f"wins must be one of {', '.join(WINS)}, not {wins!r}")
    leaf = VALUES[value][0]
    if wins == "equal":
        leaf = _or_won(leaf)
    # Which of equal moves comes first depends on the order of looking; a random one does not.
    usual = "value" if chosen.get("ties") == "random" and chosen["depth"] > 1 else None
    chosen |= {"quick_wins": wins == "quick", "order": ORDERS.get(value, usual)}
    return search.player(rules, leaf, **chosen), search.searching(rules, leaf, **chosen)


@functools.cache
def _or_won(value: search.Value) -> search.Value:
    """The value, but a won game of Abalone is worth the same however it was won."""

    def either(weights: Any, state: State, seat: Array) -> Array:
        own, other = (
            abalone_rules.score(state)[s] >= abalone_rules.TO_WIN for s in (seat, 1 - seat)
        )
        usual = value(weights, state, seat)
        return jnp.where(own, WON, jnp.where(other, -WON, usual))

    return either
