"""What a contest names: its game and players; how games ended, and what is noted of them."""

import functools
from typing import Any

import jax
import jax.numpy as jnp

from tdlib import games, players, rollout, search
from tdlib.experiments.contests import SEARCH, Contest, Entrant
from tdlib.games import abalone as abalone_rules
from tdlib.types import Array, Game, Player, State
from tdlib.values import abalone

STOPS = ("max_plies", "no_capture_limit", "repetition")  # options that only end endless games
MOST_PLAYS = 84  # of an Abalone position without broadsides: 14 stones, six directions
WON = 1e6  # beyond every heuristic

# Game and name of a value -> the value, and the kind of its weights
VALUES: dict[tuple[str, str], tuple[search.Value, Any]] = {
    ("abalone", "friedman"): (abalone.friedman, abalone.Friedman),
    ("abalone", "centre"): (abalone.centre, abalone.Centre),
}
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
        value = str(options.pop("value", ""))
        if (contest.game, value) not in VALUES:
            known = ", ".join(name for of, name in VALUES if of == contest.game)
            raise ValueError(
                f"{contest.game} has no value {value!r}; expected {known or 'none'}"
            )
        found = _searching(_rules(contest), value, tuple(sorted(options.items())))
        weights = VALUES[contest.game, value][1]()
    if entrant.weights:
        weights = weights._replace(**dict(entrant.weights))
    return found._replace(weights=jax.tree.map(jnp.asarray, weights))


def ended(contest: Contest, one: Any) -> str:
    """How one game ended: win, draw, stuck or limit."""
    limit = min(
        contest.max_plies, dict(contest.game_options).get("max_plies", contest.max_plies)
    )
    if contest.game == "abalone" and one.pieces.max() < abalone_rules.TO_WIN:
        return "limit" if one.plies >= limit else "stuck"
    if one.capped:
        return "limit"
    return "win" if one.payoff.any() else "draw"


@functools.cache
def watch(contest: Contest) -> rollout.Watch:
    """Notes of every turn: a repeated position; a winning move; and that it was not played."""
    rules = _rules(contest)

    def look(weights: tuple, state: State, plays: Any, rank: Array) -> Array:
        past = getattr(state, "past", None)
        again = jnp.bool_(False) if past is None else past.times > 0
        if contest.game != "abalone":
            return jnp.stack([again, jnp.bool_(False), jnp.bool_(False)]).astype(jnp.float32)
        bare = state._replace(past=None)

        def wins(rank: Array) -> Array:
            return (
                abalone_rules.score(rules.play(bare, plays, rank)).max() >= abalone_rules.TO_WIN
            )

        ranks = jnp.arange(MOST_PLAYS, dtype=jnp.int32)
        any_wins = (jax.vmap(wins)(ranks) & (ranks < plays.count)).any()
        return jnp.stack([again, any_wins, any_wins & ~wins(rank)]).astype(jnp.float32)

    return rollout.Watch(look, 3)


def _rules(contest: Contest) -> Game:
    """The game as its players see it."""
    kept = {name: x for name, x in contest.game_options if name not in STOPS}
    return games.make(contest.game, **kept)


@functools.cache  # equal players are one, which is compiled once
def _searching(rules: Game, value: str, options: tuple) -> Player:
    chosen = dict(options)
    wins = chosen.pop("wins", "equal")
    if wins not in WINS:
        raise ValueError(f"wins must be one of {', '.join(WINS)}, not {wins!r}")
    leaf = VALUES[rules.name, value][0]
    if wins == "equal":
        leaf = _or_won(leaf)
    # Which of equal moves is the first hangs on the order of looking; a random one does not.
    order = "value" if chosen.get("ties") == "random" and chosen["depth"] > 1 else None
    return search.player(rules, leaf, quick_wins=wins == "quick", order=order, **chosen)


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
