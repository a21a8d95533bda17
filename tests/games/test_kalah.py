"""Kalah, rule by rule: Irving, Donkers & Uiterwijk (2000), with and without empty capture.

Boards are drawn as the mover sees them: its own pits 1 to 6 below from the left, its store on
the right, the other's pits above from the right. Each rule is tried from both seats.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games import afterstates, every_play, kalah, make
from tdlib.games.perft import perft

both_seats = pytest.mark.parametrize("seat", [0, 1])
ZERO = jnp.int32(0)


def position(own, other, seat, stores=(0, 0)):
    """Pits in sowing order, stores as (own, other)."""
    sides = [[*own, stores[0]], [*other, stores[1]]]
    cups = sides[seat] + sides[1 - seat]
    return kalah.State(jnp.array(cups, jnp.int32), jnp.int32(seat))


@functools.cache
def _jitted(**options):
    """state, rank -> its plays, the position after the rank-th, and the outcome of both."""
    game = make("kalah", **options)

    def turn(state, rank):
        plays = game.plays(state, ZERO)
        after = game.play(state, plays, rank)
        return plays, after, game.outcome(state), game.outcome(after)

    return jax.jit(turn)


def sow(pit, own, other, seat, stores=(0, 0), **options):
    """Play a pit (1..m): own pits, other's pits, (own store, other's), moves again, over."""
    state = position(own, other, seat, stores)
    rank = sum(seeds > 0 for seeds in own[: pit - 1])
    _, after, _, (over, _) = _jitted(pits=len(own), **options)(state, rank)
    cups = after.cups.tolist()
    assert sum(cups) == sum(state.cups.tolist())
    south, north = cups[: len(cups) // 2], cups[len(cups) // 2 :]
    mine, theirs = (south, north) if seat == 0 else (north, south)
    return mine[:-1], theirs[:-1], (mine[-1], theirs[-1]), int(after.seat) == seat, bool(over)


def outcome(state, **options):
    return _jitted(pits=6, **options)(state, 0)[2]


def test_every_pit_holds_its_seeds_at_the_start_and_south_begins():
    state = make("kalah").init(jax.random.key(0))
    assert state.cups.tolist() == [4, 4, 4, 4, 4, 4, 0] * 2
    assert state.seat == 0
    assert make("kalah", pits=2, seeds=3).init(jax.random.key(0)).cups.tolist() == [3, 3, 0] * 2


@both_seats
def test_the_plays_are_the_own_pits_that_hold_seeds(seat):
    #      1  1  1  1  1  1
    #      0  2  0  1  0  3
    state = position([0, 2, 0, 1, 0, 3], [1] * 6, seat)
    game = make("kalah")
    plays = game.plays(state, ZERO)
    assert plays.legal.tolist() == [False, True, False, True, False, True]
    assert plays.count == 3
    after, legal = afterstates(game, state, ZERO, 4)
    own = after.cups.reshape(4, 2, 7)[:, seat]
    assert [int(np.flatnonzero(side[[1, 3, 5]] == 0)[0]) for side in np.asarray(own)[:3]] == [
        0,
        1,
        2,
    ]
    assert legal.tolist() == [True, True, True, False]


@both_seats
def test_seeds_are_sown_one_by_one_in_the_following_pits(seat):
    #      0  0  0  0  0  1             0  0  0  0  0  1
    #      0  3  0  1  0  0      ->     0  0  1  2  1  0
    own, other, stores, again, over = sow(2, [0, 3, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0], seat)
    assert own == [0, 0, 1, 2, 1, 0]
    assert other == [1, 0, 0, 0, 0, 0]
    assert (stores, again, over) == ((0, 0), False, False)


@both_seats
def test_sowing_passes_the_own_store_and_skips_the_others(seat):
    #      0  0  0  0  0  0             1  1  1  1  1  1
    #   7                    5      7                    6    eight seeds: store, six pits
    #      1  0  0  0  0  8             2  0  0  0  0  0      of the other, own pit 1
    result = sow(6, [1, 0, 0, 0, 0, 8], [0, 1, 0, 0, 0, 0], seat, (5, 7))
    assert result == ([2, 0, 0, 0, 0, 0], [1, 2, 1, 1, 1, 1], (6, 7), False, False)


@both_seats
def test_a_last_seed_in_the_own_store_earns_another_move(seat):
    result = sow(3, [0, 0, 4, 0, 0, 0], [1, 0, 0, 0, 0, 0], seat)
    assert result == ([0, 0, 0, 1, 1, 1], [1, 0, 0, 0, 0, 0], (1, 0), True, False)


@both_seats
def test_a_last_seed_in_an_own_empty_pit_captures_the_facing_seeds(seat):
    #      0  0  5  0  0  1             0  0  0  0  0  1
    #   0                    0   ->  0                    6
    #      1  2  0  0  0  0             1  0  1  0  0  0
    result = sow(2, [1, 2, 0, 0, 0, 0], [1, 0, 5, 0, 0, 0], seat)
    assert result == ([1, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0], (6, 0), False, False)


@both_seats
def test_a_last_seed_in_an_own_pit_with_seeds_captures_nothing(seat):
    result = sow(2, [0, 2, 0, 1, 0, 0], [1, 0, 5, 0, 0, 0], seat)
    assert result == ([0, 0, 1, 2, 0, 0], [1, 0, 5, 0, 0, 0], (0, 0), False, False)


@both_seats
def test_a_last_seed_in_an_empty_pit_of_the_other_captures_nothing(seat):
    #      0  0  0  0  0  0             0  0  0  0  1  1
    #      3  0  0  0  0  3             3  0  0  0  0  0
    result = sow(6, [3, 0, 0, 0, 0, 3], [0, 0, 0, 1, 0, 0], seat)
    assert result == ([3, 0, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0], (1, 0), False, False)


@both_seats
def test_facing_an_empty_pit_the_seed_stays(seat):
    result = sow(1, [1, 0, 0, 0, 0, 2], [1, 0, 0, 0, 0, 0], seat)
    assert result == ([0, 1, 0, 0, 0, 2], [1, 0, 0, 0, 0, 0], (0, 0), False, False)


@both_seats
def test_facing_an_empty_pit_the_seed_is_stored_under_empty_capture(seat):
    result = sow(1, [1, 0, 0, 0, 0, 2], [1, 0, 0, 0, 0, 0], seat, empty_capture=True)
    assert result == ([0, 0, 0, 0, 0, 2], [1, 0, 0, 0, 0, 0], (1, 0), False, False)


@both_seats
def test_empty_capture_needs_an_own_pit(seat):
    result = sow(6, [3, 0, 0, 0, 0, 3], [0, 0, 0, 1, 0, 0], seat, empty_capture=True)
    assert result == ([3, 0, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0], (1, 0), False, False)


@both_seats
def test_twelve_seeds_stop_just_before_the_pit_they_left(seat):
    result = sow(6, [1, 0, 0, 0, 1, 12], [1, 0, 0, 0, 0, 0], seat)
    assert result == ([2, 1, 1, 1, 2, 0], [2, 1, 1, 1, 1, 1], (1, 0), False, False)


@both_seats
def test_thirteen_seeds_lap_the_board_and_capture_from_the_pit_they_left(seat):
    #      0  0  0  0  0  2             1  1  1  1  1  0
    #   0                    0   ->  0                    1 + 1 + 3
    #      0  0  0  0  0 13             1  1  1  1  1  0
    result = sow(6, [0, 0, 0, 0, 0, 13], [2, 0, 0, 0, 0, 0], seat)
    assert result == ([1, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 1], (5, 0), False, False)


@both_seats
def test_a_lap_leaves_a_seed_in_the_pit_it_started_from(seat):
    # Fourteen seeds from pit 6: once round, then the store again, which earns a move.
    result = sow(6, [0, 0, 0, 0, 0, 14], [2, 0, 0, 0, 0, 0], seat)
    assert result == ([1, 1, 1, 1, 1, 1], [3, 1, 1, 1, 1, 1], (2, 0), True, False)


@both_seats
def test_an_empty_pit_that_gets_two_seeds_of_one_sowing_captures_nothing(seat):
    # Fourteen seeds from pit 1: pit 2 was empty, but holds a seed when the last one comes.
    result = sow(1, [14, 0, 0, 0, 0, 0], [0, 0, 0, 0, 6, 0], seat)
    assert result == ([1, 2, 1, 1, 1, 1], [1, 1, 1, 1, 7, 1], (1, 0), False, False)


@both_seats
def test_two_laps(seat):
    # 27 seeds from pit 6: two seeds everywhere, the last a third in the store.
    result = sow(6, [0, 0, 0, 0, 0, 27], [2, 0, 0, 0, 0, 0], seat)
    assert result == ([2, 2, 2, 2, 2, 2], [4, 2, 2, 2, 2, 2], (3, 0), True, False)


@both_seats
def test_the_game_ends_when_the_mover_runs_dry_and_the_other_keeps_its_seeds(seat):
    #      3  0  0  0  2  0             0  0  0  0  0  0
    #   1                    4   ->  6                    4    last seed into pit N1
    #      0  0  0  0  0  2             0  0  0  0  0  0      -> 5 + 1
    result = sow(6, [0, 0, 0, 0, 0, 2], [0, 2, 0, 0, 0, 3], seat, (4, 1))
    assert result == ([0] * 6, [0] * 6, (5, 7), False, True)


@both_seats
def test_the_game_ends_when_a_capture_empties_the_other_side(seat):
    result = sow(1, [1, 0, 0, 2, 0, 0], [0, 0, 0, 0, 3, 0], seat, (1, 9))
    assert result == ([0] * 6, [0] * 6, (1 + 4 + 2, 9), False, True)


@both_seats
def test_the_game_ends_even_if_the_last_seed_earned_another_move(seat):
    result = sow(6, [0, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 3], seat, (9, 7))
    assert result == ([0] * 6, [0] * 6, (10, 12), True, True)


@both_seats
def test_the_payoff_is_the_difference_of_the_stores(seat):
    over, payoff = outcome(position([0] * 6, [0] * 6, seat, (30, 18)))
    assert over
    assert payoff.tolist() == ([12, -12] if seat == 0 else [-12, 12])
    over, payoff = outcome(position([0] * 6, [0] * 6, seat, (24, 24)))
    assert over
    assert payoff.tolist() == [0, 0]
    over, payoff = outcome(position([1] * 6, [1] * 6, seat, (30, 6)))
    assert not over
    assert payoff.tolist() == [0, 0]


@both_seats
def test_a_majority_in_store_ends_the_game_only_under_early_stop(seat):
    # 48 seeds. Pit 6 stores one more: 25 are a majority, 24 are not.
    own, other = [1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 1]
    assert sow(6, own, other, seat, (24, 20), early_stop=True) == (
        [0] * 6, [0] * 6, (26, 22), True, True,
    )  # fmt: skip
    assert not sow(6, own, other, seat, (24, 20))[-1]
    assert not sow(6, own, other, seat, (23, 21), early_stop=True)[-1]
    over, payoff = outcome(position(own, other, seat, (19, 25)), early_stop=True)
    assert over
    assert payoff.tolist() == ([-6, 6] if seat == 0 else [6, -6])


def test_two_pits_may_lead_to_the_same_end_and_are_two_plays():
    #      0  0  3  0  0  0      pit 1 and pit 2 both reach pit 3 and capture the last
    #      2  1  0  0  0  0      seeds of the other
    state = position([2, 1, 0, 0, 0, 0], [0, 0, 0, 3, 0, 0], 0)
    after = every_play(make("kalah"), state, 0)
    assert [a.cups.tolist() for a in after] == [[0] * 6 + [6] + [0] * 7] * 2


@pytest.mark.parametrize(
    "options",
    [
        {"pits": 0},
        {"pits": 2.0},
        {"pits": True},
        {"seeds": 0},
        {"empty_capture": 1},
        {"early_stop": None},
    ],
)
def test_options_that_make_no_game_are_refused(options):
    with pytest.raises(ValueError, match=f"{next(iter(options))} must be"):
        kalah.game(**options)


@pytest.mark.parametrize("options", [{"seeds": 10**12}, {"pits": 10**6}, {"seeds": 834}])
def test_a_board_of_more_seeds_than_can_be_counted_is_refused_by_name(options):
    with pytest.raises(ValueError, match="a board holds at most 10000 seeds, not 2 x"):
        kalah.game(**options)


PERFT = {  # (pits, seeds, empty_capture) -> sequences of 1, 2, ... sowings
    (6, 4, False): [6, 35, 185, 942, 4690, 23233, 114430],  # also OpenSpiel `mancala`
    (6, 4, True): [6, 35, 185, 942, 4685, 23169, 113959],
    (6, 3, False): [6, 35, 182, 904, 4243, 19418, 87103],
    (6, 3, True): [6, 35, 182, 904, 4231, 19276, 85955],
    (4, 3, False): [4, 15, 50, 158, 488, 1510, 4637],
    (3, 3, False): [3, 8, 19, 48, 120, 280, 610],
}


@pytest.mark.parametrize("rules", PERFT)
def test_number_of_sowing_sequences(rules):
    pits, seeds, empty_capture = rules
    start = make("kalah", pits=pits, seeds=seeds).init(jax.random.key(0))
    game = make("kalah", pits=pits, empty_capture=empty_capture)
    assert perft(game, start, 7, chunk=4096) == PERFT[rules]


EXACT = {  # (pits, empty_capture) -> the first player's margin with 1, 2, 3, ... seeds a pit
    (1, False): [0, -2, 6, -2, 2, 0],
    (2, False): [2, -2, -2, -10, 6, 8],
    (2, True): [2, -2, -2, -12, 6, 8],
    (3, False): [0, 4, 2],
    (3, True): [0, 4, 2],
}


@pytest.mark.parametrize("rules", EXACT)
def test_exact_values_of_small_boards(rules):
    pits, empty_capture = rules
    game = make("kalah", pits=pits, empty_capture=empty_capture)
    for seeds, value in enumerate(EXACT[rules], 1):
        start = make("kalah", pits=pits, seeds=seeds).init(jax.random.key(0))
        assert solve(game, start) == value, f"{seeds} seeds"


def solve(game, start):
    """Full minimax over all positions that can be reached, found level by level."""
    graph, frontier = {}, {(*start.cups.tolist(), 0)}
    while frontier:
        graph.update(_expanded(game, sorted(frontier)))
        frontier = {child for node in frontier for child in graph[node][1]} - graph.keys()
    values = {}
    for node in _deepest_first(graph, (*start.cups.tolist(), 0)):
        lead, children = graph[node]
        best = (max, min)[node[-1]]
        values[node] = best(values[child] for child in children) if children else lead
    return values[(*start.cups.tolist(), 0)]


def _expanded(game, nodes, chunk=512):
    """node -> (South's lead, child nodes), a node being the cups and the seat."""
    for i in range(0, len(nodes), chunk):
        part = nodes[i : i + chunk]
        rows = jnp.array(part + part[:1] * (chunk - len(part)), jnp.int32)
        cups, seats, legal, over, lead = map(np.asarray, _children(game, rows))
        for j, node in enumerate(part):
            children = [] if over[j] else [
                (*cups[j, k].tolist(), int(seats[j, k])) for k in np.flatnonzero(legal[j])
            ]  # fmt: skip
            yield node, (int(lead[j]), children)


@functools.partial(jax.jit, static_argnums=0)
def _children(game, rows):
    states = kalah.State(rows[:, :-1], rows[:, -1])
    pits = rows.shape[1] // 2 - 1
    after, legal = jax.vmap(lambda state: afterstates(game, state, ZERO, pits))(states)
    over, payoff = jax.vmap(game.outcome)(states)
    return after.cups, after.seat, legal, over, payoff[:, 0]


def _deepest_first(graph, root):
    """All nodes, each after its children."""
    done, stack, listed = set(), [(root, False)], []
    while stack:
        node, left = stack.pop()
        if left:
            listed.append(node)
        elif node not in done:
            done.add(node)
            stack.append((node, True))
            stack.extend((child, False) for child in graph[node][1])
    return listed


def test_a_vmapped_jitted_game_equals_a_single_plain_one():
    game = make("kalah")
    boards = np.random.default_rng(1).integers(0, 20, (64, 14))
    states = kalah.State(jnp.array(boards, jnp.int32), jnp.arange(64, dtype=jnp.int32) % 2)

    def everything(state):
        plays = game.plays(state, ZERO)
        return plays, game.play(state, plays, plays.count // 2), game.outcome(state)

    many = jax.jit(jax.vmap(everything))(states)
    single = jax.jit(everything)
    for i, run in [(0, everything), *((i, single) for i in range(64))]:
        one = run(jax.tree.map(lambda x: x[i], states))  # noqa: B023
        for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(many), strict=True):
            assert np.array_equal(a, b[i])
