"""Search in Kalah and Abalone: against plain-Python games, by hand, and as players in games."""

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from tdlib import games, search
from tdlib.games import abalone, kalah
from tdlib.kernels.gather import Blocks
from tdlib.play import arena, rollout
from tdlib.players import make as player_of
from tdlib.players.simple import RANDOM
from tdlib.values import abalone as abalone_values
from tdlib.values import kalah as kalah_values
from tests.reference import abalone as abalone_twin
from tests.reference import kalah as kalah_twin
from tests.reference.search import Tree
from tests.reference.search import search as plain

KALAH = games.make("kalah")
KALAH_TREE = Tree(
    mover=lambda position: position[1],
    children=lambda position: [play[:2] for play in kalah_twin.plays(*position).values()],
    value=lambda position, seat: (position[0][6] - position[0][13]) * (1 - 2 * seat),
)
INLINE = games.make("abalone", broadside=False)
SIDES = ("black", "white")
GRAVITY = abalone_values.Friedman(rows=0.0, packed=0.0)


def kalah_states(positions):
    boards, seats = zip(*positions, strict=True)
    return kalah.State(jnp.asarray(boards, jnp.int32), jnp.asarray(seats, jnp.int32))


def abalone_states(positions):
    cells = np.array([[".@O".index(c) for c in board] for board, _ in positions], np.int8)
    seats = np.array([SIDES.index(side) for _, side in positions], np.int32)
    return jax.vmap(abalone.from_cells)(cells, seats)


def searched(look, weights, states, seed=0):
    keys = jax.random.split(jax.random.key(seed), states.seat.shape[0])
    return jax.tree.map(
        np.asarray, jax.jit(jax.vmap(look, (None, 0, 0)))(weights, keys, states)
    )


def assert_agrees(found, i, expected):
    one = jax.tree.map(lambda x: x[i], found)
    assert one.value == expected.value
    assert (one.generated, one.evaluated, one.cut) == expected[2:]
    assert one.rank in expected.best


def random_kalah(number, seed):
    rng, found = Random(seed), []
    while len(found) < number:
        board, mover, over = kalah_twin.start(6, 4), 0, False
        while not over:
            if rng.random() < 0.3:
                found.append((board, mover))
            board, mover, over = rng.choice(list(kalah_twin.plays(board, mover).values()))
    return found[:number]


@pytest.mark.parametrize(("method", "depth"), [("minimax", 3), ("alphabeta", 5)])
def test_kalah_is_searched_as_in_plain_python(method, depth):
    positions = random_kalah(200, depth)
    look = search.look(
        KALAH, kalah_values.store_lead, depth=depth, method=method, ties="random"
    )
    found = searched(look, (), kalah_states(positions))
    for i, position in enumerate(positions):
        prunes = method == "alphabeta"
        assert_agrees(
            found, i, plain(KALAH_TREE, position, depth, prunes=prunes, keep_ties=True)
        )


#         0  0  0  0  0  9      South plays S6 into the store and moves again; S5 then reaches
#     0                    0    the empty S6 and takes the 9 facing it. North's reply, the third
#         0  0  0  0  1  1      ply, would come too late: both sides' pits are empty.
def test_kalah_moves_again_after_a_seed_in_the_store():
    cups = (0, 0, 0, 0, 1, 1, 0, 9, 0, 0, 0, 0, 0, 0)
    look = search.look(KALAH, kalah_values.store_lead, depth=2)
    found = look((), jax.random.key(0), kalah.State(jnp.asarray(cups), jnp.int32(0)))
    assert int(found.rank) == 1  # S6, the second of the two pits with seeds
    assert float(found.value) == 1 + 1 + 9


def _ranked(board, side):
    """Boards after each in-line move in the order of ranks: direction, then rear stone."""
    own = abalone_twin.SYMBOL[side]
    directions = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)]

    def rank(after):
        rear = next(i for i in range(61) if board[i] == own != after[i])
        front = next(i for i in range(61) if after[i] == own != board[i])
        (r, c), (r2, c2) = abalone_twin._CELLS[rear], abalone_twin._CELLS[front]
        return directions.index((np.sign(r2 - r), np.sign(c2 - c))), 9 * r + c

    return sorted(abalone_twin.plays(board, side, broadside=False), key=rank)


def _children(position):
    board, side = position
    if abalone_twin.over(board):
        return []
    return [(after, abalone_twin.OTHER[side]) for after in _ranked(board, side)]


def _gravity(position, seat):
    board = position[0]
    rings = [max(abs(r - 4), abs(c - 4), abs(r - c)) for r, c in abalone_twin._CELLS]
    lost = abalone_twin.ejected(board)
    near = {
        side: sum(4 - rings[i] for i in range(61) if board[i] == abalone_twin.SYMBOL[side])
        for side in SIDES
    }
    terms = [near[side] + 2 ** lost[side] for side in SIDES]
    return (terms[0] - terms[1]) * (1 - 2 * seat)


ABALONE_TREE = Tree(
    mover=lambda position: SIDES.index(position[1]), children=_children, value=_gravity
)


@pytest.mark.parametrize(("depth", "number", "order"), [(2, 20, None), (3, 3, "value")])
def test_abalone_is_searched_as_in_plain_python(depth, number, order):
    positions = abalone_twin.random_positions(Random(depth), number, broadside=False)
    look = search.look(INLINE, abalone_values.friedman, depth=depth, ties="random", order=order)
    weights = jax.tree.map(jnp.asarray, GRAVITY)
    found = searched(look, weights, abalone_states(positions))
    tree = ABALONE_TREE
    if order:
        tree = tree._replace(key=lambda before, after: _gravity(after, tree.mover(before)))
    for i, position in enumerate(positions):
        assert_agrees(found, i, plain(tree, position, depth, prunes=True, keep_ties=True))


def test_equal_moves_are_equally_likely():
    """2,000 searches of one position; by chance it fails once in 10,000 sets of keys."""
    state = KALAH.init(jax.random.key(0))
    depth = 5
    expected = plain(KALAH_TREE, (kalah_twin.start(6, 4), 0), depth, prunes=False)
    assert len(expected.best) > 1
    look = search.look(KALAH, kalah_values.store_lead, depth=depth, ties="random")
    many = jax.tree.map(lambda x: jnp.broadcast_to(x, (2_000, *x.shape)), state)
    drawn = np.bincount(searched(look, (), many, seed=7).rank, minlength=6)
    assert set(np.flatnonzero(drawn)) == set(expected.best)
    assert stats.chisquare(drawn[expected.best]).pvalue > 1e-4


def test_every_lane_has_its_own_weights():
    settings = [abalone_values.Friedman(*w, 2.0, False) for w in np.eye(4).tolist()]
    weights = jax.tree.map(lambda *x: jnp.stack([jnp.asarray(y) for y in x]), *settings)
    positions = abalone_twin.random_positions(Random(3), 4, broadside=False)
    states = abalone_states(positions)
    player = search.player(INLINE, abalone_values.friedman, depth=2)
    plays = jax.vmap(INLINE.plays, (0, None))(states, 0)
    key = jax.random.key(0)
    apart = jax.jit(jax.vmap(player.choose, (0, None, 0, 0)))(weights, key, states, plays)
    both = jax.jit(jax.vmap(player.choose, (None, None, 0, 0)))
    shared = both(Blocks(weights), key, states, plays)
    alone, choose = [], jax.jit(player.choose)
    for i in range(len(settings)):
        mine, *one = jax.tree.map(lambda x: x[i], (weights, states, plays))  # noqa: B023
        alone.append(int(choose(mine, key, *one)))
    assert apart.tolist() == shared.tolist() == alone
    assert len(set(alone)) > 1


def test_searching_players_play_whole_games():
    """Depth 2 beats random play; the game's repetition rule is no concern of the search."""
    game = games.make("abalone", broadside=False, repetition=3, no_capture_limit=60)
    player = search.player(
        INLINE,
        abalone_values.friedman,
        depth=2,
        ties="random",
        weights=jax.tree.map(jnp.asarray, abalone_values.Friedman()),
    )
    played = rollout.play_games(
        game,
        (player, RANDOM),
        jax.random.key(1),
        count=20,
        lanes=10,
        max_plies=200,
        rotate=True,
    )
    assert np.asarray(played.pieces)[:, 0].mean() > 2 * np.asarray(played.pieces)[:, 1].mean()


def test_deeper_search_wins_at_kalah():
    tallies = arena.match(
        KALAH,
        (player_of("minimax4", KALAH), player_of("minimax1", KALAH)),
        jax.random.key(0),
        count=100,
        max_plies=200,
    )
    assert tallies[0].wins > 70  # measured 91 of 100 for depth 3


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        (
            "backgammon",
            {},
            "without dice; backgammon has 2 players and 21 rolls",
        ),
        ("pachisi", {}, "without dice; pachisi has 4 players"),
        ("kalah", {"depth": 0}, "depth must be an integer of at least 1, not 0"),
        ("kalah", {"depth": True}, "depth must be an integer of at least 1, not True"),
        ("kalah", {"method": "negascout"}, "method must be one of alphabeta, minimax, not"),
        ("kalah", {"ties": "last"}, "ties must be one of first, random, bounds, not 'last'"),
        ("kalah", {"order": "best"}, "order must be None, 'value' or a function, not 'best'"),
    ],
)
def test_what_cannot_be_searched_is_refused(game, options, message):
    with pytest.raises(ValueError, match=message):
        search.player(games.make(game), kalah_values.store_lead, **({"depth": 2} | options))
