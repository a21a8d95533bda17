"""The command `match`: games between players by name, and their result in a few lines.

Seats change from game to game. Shares of games won have Wilson intervals: the games are
independent of each other, and of all games that players were trained, tested or chosen by.
"""

from collections.abc import Sequence
from pathlib import Path

import jax

from tdlib import games, stats
from tdlib.play import arena
from tdlib.play.arena import Tally
from tdlib.study import trained
from tdlib.types import Player

MAX_PLIES = 10_000  # in one game, as in the papers' tests


def match(
    game: str, names: Sequence[str], *, count: int, seed: int, store: Path | str | None = None
) -> tuple[list[Player], list[Tally]]:
    """The players and their results; two players share four seats, sitting opposite.

    Players may be named as `trained.player` knows them. ValueError says what was expected.
    """
    rules = games.make(game)
    if len(names) not in (2, rules.seats):
        expected = "2" if rules.seats == 2 else f"2 or {rules.seats}"
        raise ValueError(f"a match of {game} needs {expected} players, found {len(names)}")
    if count < 1:
        raise ValueError(f"expected 1 game or more, not {count}")
    known = {name: trained.player(game, name, store=store) for name in dict.fromkeys(names)}
    seats = [known[name] for name in (*names, *names)[: rules.seats]]
    key = jax.random.key(seed)
    return seats, arena.match(rules, seats, key, count=count, max_plies=MAX_PLIES)


def summary(players: Sequence[Player], tallies: Sequence[Tally]) -> str:
    """A line for each player, and one about the games."""
    width = max(len(player.name) for player in players)
    lines = []
    for player, tally in zip(players, tallies, strict=True):
        share = stats.wilson(int(tally.wins), int(tally.games))
        points = int(tally.points) / int(tally.games)
        lines.append(
            f"{player.name:<{width}}  won {int(tally.wins):,}: {share:.1%},"
            f" {points:+.3f} points a game"
        )
    about = tallies[0]
    count = int(about.games)
    lines.append(
        f"{count:,} games of {int(about.plies) / count:.1f} plies;"
        f" {int(about.draws):,} drawn, {int(about.capped):,} broken off; [95 % intervals]"
    )
    return "\n".join(lines)


def command(
    game: str, players: Sequence[str], games: int, seed: int, store: str | None
) -> list[str]:
    """Play the games and print what came of them."""
    print(summary(*match(game, players, count=games, seed=seed, store=store)))
    return []
