"""One-ply Abalone players: the best move by each formula, the first of equals."""

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games import abalone, afterstates, make
from tdlib.play import rollout
from tdlib.players import make as player_of
from tdlib.players.simple import RANDOM
from tdlib.show.notation.abalone import parse
from tdlib.values import abalone as values
from tests.reference import abalone as twin

GAME = make("abalone", max_plies=400)
SLOTS = 160
VALUES = {
    "centre": values.centre,
    "friedman": values.friedman,
    "aba_pro": values.aba_pro,
}
NAMES = pytest.mark.parametrize("name", [*VALUES, "leenoh"])


def score(name, weights, before, after):
    if name == "leenoh":
        return values.order(weights, before, after)
    return VALUES[name](weights, after, before.seat)


@NAMES
def test_it_takes_the_first_of_the_best_moves(name):
    player = player_of(name, GAME)
    positions = twin.random_positions(Random(8), 64)
    cells = np.array([[".@O".index(c) for c in board] for board, _ in positions], np.int8)
    seats = np.array([("black", "white").index(side) for _, side in positions], np.int32)

    def one(cells, seat):
        state = abalone.from_cells(cells, seat)
        plays = GAME.plays(state, jnp.int32(0))
        rank = player.choose(player.weights, jax.random.key(0), state, plays)
        after, legal = afterstates(GAME, state, jnp.int32(0), SLOTS)
        scores = jax.vmap(lambda a: score(name, player.weights, state, a))(after)
        return rank, jnp.where(legal, scores, -jnp.inf)

    ranks, scores = map(np.asarray, jax.jit(jax.vmap(one))(cells, seats))
    if name == "aba_pro":  # two ways to compile its fractions may differ in the last digit
        chosen = np.take_along_axis(scores, ranks[:, None], 1)[:, 0]
        assert np.allclose(chosen, scores.max(1), atol=1e-3)
    else:
        assert ranks.tolist() == scores.argmax(1).tolist()


#       I O O O O O
#      H O O O O O O        Black to move: C1 D1, or B1 C1 D1, can eject E1 over the rim.
#     G . . . . . . .
#    F . . . . . . . .
#   E O . . . . . . . .
#    D @ . . . . . . .
#     C @ @ . . . . .
#      B @ @ @ . . .
#       A @ @ @ @ .
EJECT = "OOOOO OOOOOO ....... ........ O........ @....... @@..... @@@... @@@@. @"


@pytest.mark.parametrize(
    "name, weights",
    [
        ("centre", values.Centre()),
        ("friedman", values.Friedman(0.0, 0.0, 0.0, 1.0)),
        ("aba_pro", values.AbaPro()),
        ("leenoh", values.Order()),
    ],
)
def test_it_ejects_if_it_can(name, weights):
    state = parse(EJECT)
    plays = GAME.plays(state, jnp.int32(0))
    rank = player_of(name, GAME).choose(weights, jax.random.key(0), state, plays)
    after = GAME.play(state, plays, rank)
    assert abalone.score(after).tolist() == [3, 4]  # 2 and 4 before


def test_weights_make_the_player():
    # "gravity" alone leads a stone inwards; turned round it leads outwards
    state = GAME.init(jax.random.key(0))
    plays = GAME.plays(state, jnp.int32(0))
    player = player_of("friedman", GAME)
    moved = []
    for sign in (1.0, -1.0):
        weights = values.Friedman(sign, 0.0, 0.0, 0.0)
        rank = player.choose(weights, jax.random.key(0), state, plays)
        after = GAME.play(state, plays, rank)
        moved.append(int(values.distances(after)[0]) - int(values.distances(state)[0]))
    assert moved[0] < 0 <= moved[1]


@NAMES
def test_it_beats_the_random_player(name):
    # 60 of 60 games as black and as white, with another key. Even a player that loses one game
    # in 50 has a chance below 1e-3 of losing more than 3 of 20.
    played = rollout.play_games(
        GAME, (player_of(name, GAME), RANDOM), jax.random.key(12), count=20, lanes=20,
        max_plies=400,
    )  # fmt: skip
    assert int((played.payoff[:, 0] > 0).sum()) >= 17


@NAMES
def test_other_games_are_refused(name):
    with pytest.raises(ValueError, match="kalah has no player"):
        player_of(name, make("kalah"))
