"""Players by name, and pubeval."""

import jax
import pytest

from tdlib.games import GAMES
from tdlib.games import make as game_of
from tdlib.play import rollout
from tdlib.players import PLAYERS, make
from tdlib.players.simple import FIRST, RANDOM


@pytest.mark.parametrize("game", GAMES)
def test_random_and_first_play_every_game(game):
    assert make("random", game_of(game)) is RANDOM
    assert make("first", game_of(game)) is FIRST


@pytest.mark.parametrize(
    "game, name", [(g, name) for g in PLAYERS for name in PLAYERS[g] if name != "perfect"]
)  # which needs a solution: tests/exact/test_perfect.py
def test_players_are_made_by_name_and_only_once(game, name):
    player = make(name, game_of(game))
    assert player.name == name
    assert make(name, game_of(game)) is player


def test_options_are_passed_on():
    game = game_of("pachisi")
    assert make("heuristic", game, advance="foremost") is not make("heuristic", game)
    with pytest.raises(ValueError, match="advance must be one of pips, foremost, not 'x'"):
        make("heuristic", game, advance="x")


@pytest.mark.parametrize(
    "name, game, options, message",
    [
        ("pubeval", "kalah", {},
         "kalah has no player 'pubeval'; expected one of: random, first, minimax1, .*"),
        ("centre", "pachisi", {},
         "pachisi has no player 'centre'; expected one of: random, first, heuristic"),
        ("gnubg", "backgammon", {},
         "backgammon has no player 'gnubg'; expected one of: random, first, pubeval,"
         " pubeval-after, pubeval-counts, pubeval-contact"),
        ("random", "kalah", {"seed": 1}, "the player 'random' of kalah has no option 'seed'"),
        ("heuristic", "pachisi", {"speed": 1},
         "the player 'heuristic' of pachisi has no option 'speed'"),
    ],
)  # fmt: skip
def test_unknown_players_and_options_are_refused(name, game, options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        make(name, game_of(game), **options)


@pytest.mark.parametrize(
    "name, low, high", [("backgammon", 0.99, 1.0), ("hypergammon", 0.79, 0.87)]
)
def test_pubeval_beats_the_random_player(name, low, high):
    # An independent program: 99.8 % and 83 %. 1,000 games: three standard errors are 0.4 % and
    # 3.6 %, so a correct pubeval fails with a chance below 1e-3.
    # Whoever throws higher begins, so the seats are alike.
    game = game_of(name)
    players = (make("pubeval", game), RANDOM)
    played = rollout.play_games(
        game, players, jax.random.key(5), count=1000, lanes=250, max_plies=5000
    )
    assert low <= float((played.payoff[:, 0] > 0).mean()) <= high
