"""Abalone, rule by rule, each from both seats; the board is drawn in `abalone_bits`.

Positions are given as the mover's cells and the other's, moves by their names: `E3-E4` is the
in-line move whose rear stone goes from E3 to E4, `E3E4-F3` the broadside of E3, E4 to F3, F4.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games import abalone, afterstates, make
from tdlib.games.abalone import Ending
from tdlib.games.abalone.bits import CELL_NAMES, CELLS, Bits, stacked
from tdlib.games.abalone.layouts import LAYOUTS
from tdlib.games.perft import perft
from tdlib.show.notation.abalone import move_name, parse_move

both_seats = pytest.mark.parametrize("seat", [0, 1])
ZERO = jnp.int32(0)
SLOTS = 128
RING = np.abs(CELLS - 4).max(1).clip(min=abs(CELLS[:, 0] - CELLS[:, 1]))  # distance to E5


@functools.cache
def _compiled(broadside):
    game = make("abalone", broadside=broadside)
    return jax.jit(lambda state: afterstates(game, state, ZERO, SLOTS))


_from_cells = jax.jit(abalone.from_cells)
_score = jax.jit(abalone.score)


def position(own, other, seat, **counters):
    """The mover's cells and the other's, as in "A1 A2"."""
    cells = np.zeros(61, np.int8)
    for names, stone in ((own, 1 + seat), (other, 2 - seat)):
        for name in names.split():
            assert cells[CELL_NAMES.index(name)] == 0
            cells[CELL_NAMES.index(name)] = stone
    state = _from_cells(cells, seat)
    return state._replace(**{name: jnp.int32(n) for name, n in counters.items()})


def names(state, side):
    cells = abalone.cells(jax.tree.map(np.asarray, state))
    return " ".join(sorted(np.array(CELL_NAMES)[cells == 1 + side]))


def moves(own, other, seat, *, broadside=True):
    """All legal moves: name -> (the mover's cells, the other's) afterwards."""
    before = position(own, other, seat)
    after, legal = _compiled(broadside)(before)
    after = jax.tree.map(np.asarray, after)
    found = {}
    for i in np.flatnonzero(legal):
        state = jax.tree.map(lambda x: x[i], after)  # noqa: B023
        assert state.seat == 1 - seat
        found[move_name(before, state)] = (names(state, seat), names(state, 1 - seat))
    assert len(found) == legal.sum()
    return found


@both_seats
def test_a_single_stone_steps_to_every_empty_neighbour(seat):
    #    F . . .         E5 amid five empty cells and an enemy on E6
    #   E . @ O
    #    D . . .
    assert moves("E5", "E6", seat) == {
        f"E5-{target}": (target, "E6") for target in ("E4", "F5", "F6", "D4", "D5")
    }


@both_seats
def test_a_single_stone_never_pushes(seat):
    assert "E5-E6" not in moves("E5", "E6", seat)
    assert "E8-E9" not in moves("E8", "E9", seat)


@both_seats
@pytest.mark.parametrize(
    "corner, free", [("A1", 3), ("A5", 3), ("I9", 3), ("E1", 3), ("F2", 4)]
)
def test_nobody_steps_over_the_rim(corner, free, seat):
    assert len(moves(corner, "", seat)) == free


@both_seats
def test_two_and_three_move_along_their_line_onto_an_empty_cell(seat):
    found = moves("C3 D3 E3", "", seat)  # a line from south-east to north-west
    assert found["C3-D3"] == ("D3 E3 F3", "")
    assert found["D3-E3"] == ("C3 E3 F3", "")
    assert found["E3-F3"] == ("C3 D3 F3", "")
    assert found["E3-D3"] == ("B3 C3 D3", "")


@both_seats
def test_no_more_than_three_stones_move(seat):
    found = moves("E2 E3 E4 E5", "", seat)
    assert "E2-E3" not in found
    assert found["E3-E4"] == ("E2 E4 E5 E6", "")


@both_seats
def test_a_line_may_not_run_over_the_rim(seat):
    found = moves("E7 E8 E9", "A1", seat)
    assert not {"E7-E8", "E8-E9"} & found.keys()
    assert "E9-E8" in found


PUSHES = [  # own, other, afterwards; the mover pushes eastwards with its hindmost stone
    ("E3 E4", "E5", "E4 E5", "E6"),
    ("E3 E4 E5", "E6", "E4 E5 E6", "E7"),
    ("E3 E4 E5", "E6 E7", "E4 E5 E6", "E7 E8"),
]


@both_seats
@pytest.mark.parametrize("case", PUSHES)
def test_more_stones_push_fewer(case, seat):
    own, other, own_after, other_after = case
    assert moves(own, other, seat)["E3-E4"] == (own_after, other_after)


@both_seats
def test_three_may_push_one_with_two_of_them(seat):
    assert moves("E3 E4 E5", "E6", seat)["E4-E5"] == ("E3 E5 E6", "E7")


@both_seats
@pytest.mark.parametrize(
    "own, other",
    [
        ("E3 E4", "E5 E6"),  # two against two
        ("E3 E4 E5", "E6 E7 E8"),  # three against three
        ("E2 E3 E4 E5", "E6 E7 E8"),  # a fourth stone does not help
        ("E3 E4 E6", "E5"),  # an own stone behind the run
        ("E3 E4 E5 E8", "E6 E7"),
        ("E3 E4 E5", "E6 E7 E8 E9"),
    ],
)
def test_what_blocks_a_push(own, other, seat):
    found = moves(own, other, seat)
    assert not {"E2-E3", "E3-E4", "E4-E5"} & {m for m in found if found[m][1] != other}


@both_seats
def test_only_the_cell_behind_the_run_matters(seat):
    # E . @ @ @ O . O .   the cell after the landing cell may be taken, by either side
    assert moves("E2 E3 E4", "E5 E7", seat)["E2-E3"] == ("E3 E4 E5", "E6 E7")
    assert moves("E2 E3 E4 E7", "E5", seat)["E2-E3"] == ("E3 E4 E5 E7", "E6")


@both_seats
@pytest.mark.parametrize(
    "own, other, move, own_after, other_after",
    [
        ("E7 E8", "E9", "E7-E8", "E8 E9", ""),
        ("E6 E7 E8", "E9", "E6-E7", "E7 E8 E9", ""),
        ("E5 E6 E7", "E8 E9", "E5-E6", "E6 E7 E8", "E9"),
        ("A3 A2", "A1", "A3-A2", "A1 A2", ""),
        ("C1 D1", "E1", "C1-D1", "D1 E1", ""),  # up the left rim, where rows begin
        ("G7 H8", "I9", "G7-H8", "H8 I9", ""),
    ],
)
def test_over_the_rim_the_last_enemy_is_ejected(own, other, move, own_after, other_after, seat):
    assert moves(own, other, seat)[move] == (own_after, other_after)


@both_seats
def test_a_push_at_the_rim_is_judged_like_any_other(seat):
    assert "E8-E9" not in moves("E8", "E9", seat)
    assert "E6-E7" not in moves("E6 E7", "E8 E9", seat)


@both_seats
def test_a_broadside_moves_two_or_three_sideways(seat):
    found = moves("E4 E5 E6", "", seat)
    assert found["E4E6-F4"] == ("F4 F5 F6", "")
    assert found["E4E6-D4"] == ("D4 D5 D6", "")
    assert found["E4E5-F5"] == ("E6 F5 F6", "")
    assert {m for m in found if len(m) > 5} == {
        f"{ends}-{row}{int(ends[1]) + shift}"
        for ends in ("E4E5", "E5E6", "E4E6")
        for row, shift in (("F", 0), ("F", 1), ("D", 0), ("D", -1))
    }


@both_seats
@pytest.mark.parametrize("blocker", ["own", "other"])
def test_a_broadside_needs_every_target_empty(blocker, seat):
    #    F . . O .      F6 is taken: E4 E5 and E5 E6 may not cover it, nor may all three
    #   E . @ @ @
    own, other = ("E4 E5 E6 F6", "") if blocker == "own" else ("E4 E5 E6", "F6")
    found = moves(own, other, seat)
    assert {"E4E5-F4"} <= found.keys()
    assert not {"E4E6-F4", "E5E6-F5", "E4E5-F5", "E4E6-F5", "E5E6-F6"} & found.keys()


@both_seats
def test_a_broadside_stays_on_the_board(seat):
    assert not [m for m in moves("A1 A2 A3", "", seat) if len(m) > 5 and m[5] not in "AB"]
    assert {m for m in moves("A1 B1", "", seat) if len(m) > 5} == {"A1B1-A2", "A1B1-B2"}


@both_seats
def test_without_broadsides_only_lines_and_single_stones_move(seat):
    every, some = (moves("E4 E5 E6 D5", "F6", seat, broadside=b) for b in (True, False))
    assert some == {m: after for m, after in every.items() if len(m) == 5}
    assert len(some) < len(every)


def test_a_step_over_the_rim_never_lands_on_a_cell():
    index = {tuple(cell): i for i, cell in enumerate(CELLS.tolist())}
    shift = jax.jit(jax.vmap(lambda bit, step: stacked(Bits.of(bit).shifted(step))))
    for step, way in {1: (0, 1), 10: (1, 1), 9: (1, 0)}.items():
        for sign in (1, -1):
            targets = [tuple(cell) for cell in (CELLS + np.multiply(way, sign)).tolist()]
            bits = jnp.array(CELLS @ [9, 1], jnp.uint32)
            words = np.asarray(shift(bits, jnp.full(61, sign * step)))[:, 0]
            for target, found in zip(targets, words, strict=True):
                expected = np.zeros(3, np.uint32)
                if target in index:
                    bit = 9 * target[0] + target[1]
                    expected[bit // 27] = 1 << bit % 27
                assert found.tolist() == expected.tolist()


def test_cells_and_bits_are_two_views_of_one_board():
    rng = np.random.default_rng(3)
    boards = rng.integers(0, 3, (50, 61)).astype(np.int8)
    states = jax.jit(jax.vmap(lambda cells: abalone.from_cells(cells, 1)))(boards)
    assert np.array_equal(jax.jit(jax.vmap(abalone.cells))(states), boards)
    assert states.seat.tolist() == [1] * 50
    a1, i9 = (
        _from_cells(np.eye(61, dtype=np.int8)[CELL_NAMES.index(n)], 0) for n in ("A1", "I9")
    )
    assert a1.stones.tolist() == [[1, 0, 0], [0, 0, 0]]
    assert i9.stones.tolist() == [[0, 0, 1 << 26], [0, 0, 0]]


# --- endings ------------------------------------------------------------------------------

MANY = "A1 A2 A3 A4 A5 B1 B2 B3 B4"  # nine stones, out of the way


@functools.cache
def _judge(**stopping):
    outcome = make("abalone", **stopping).outcome
    return jax.jit(lambda state: (outcome(state), abalone.ending(state, **stopping)))


def end(state, **stopping):
    (over, payoff), code = _judge(**stopping)(state)
    code = Ending(int(code))
    assert bool(over) == (code != Ending.RUNNING)
    assert sum(payoff.tolist()) == 0
    return code, payoff.tolist()


@both_seats
def test_six_ejected_stones_win_at_once(seat):
    before = position("E7 E8 " + MANY, "E9 I5 I6 I7 I8 I9 H4 H5 H6", seat)
    assert end(before) == (Ending.RUNNING, [0, 0])
    assert _score(before).tolist()[seat] == 5
    after = parse_move(before, "E7-E8")
    assert _score(after).tolist()[seat] == 6
    assert end(after) == (Ending.SIX, [1, -1] if seat == 0 else [-1, 1])
    limits = {"max_plies": 1, "no_capture_limit": 1}
    assert end(after._replace(plies=jnp.int32(1)), **limits)[0] == Ending.SIX


def test_moves_are_counted_and_an_ejection_resets_the_quiet_ones():
    before = position("E7 E8 " + MANY, "E9 I5 I6 I7 I8 I9 H4 H5 H6 H7", 0, plies=7, quiet=5)
    ejected, quiet = parse_move(before, "E7-E8"), parse_move(before, "E7-E6")
    assert (int(ejected.plies), int(ejected.quiet)) == (8, 0)
    assert (int(quiet.plies), int(quiet.quiet)) == (8, 6)


@both_seats
@pytest.mark.parametrize(
    "rule, code", [("max_plies", Ending.PLIES), ("no_capture_limit", Ending.NO_CAPTURE)]
)
def test_a_stopped_game_goes_to_the_higher_score(rule, code, seat):
    counter = {"max_plies": "plies", "no_capture_limit": "quiet"}[rule]
    for own, other, sign in (
        (MANY + " C1", "I5 I6 I7 I8 I9 H4 H5 H6 H7", 1),
        (MANY, "I5 I6 I7 I8 I9 H4 H5 H6 H7", 0),
        (MANY, "I5 I6 I7 I8 I9 H4 H5 H6 H7 H8", -1),
    ):
        payoff = [sign, -sign] if seat == 0 else [-sign, sign]
        assert (
            end(position(own, other, seat, **{counter: 9}), **{rule: 10})[0] == Ending.RUNNING
        )
        assert end(position(own, other, seat, **{counter: 10}), **{rule: 10}) == (code, payoff)
        assert end(position(own, other, seat, **{counter: 10}))[0] == Ending.RUNNING


THERE_AND_BACK = ("C5-C6", "G5-G4", "C6-C5", "G4-G5")
TWICE = {"repetition": 2, "max_plies": 20}
THRICE = {"repetition": 3, "max_plies": 20}


def play(state, *path):
    return functools.reduce(parse_move, path, state)


def test_the_game_stops_when_a_position_returns():
    state = make("abalone", **TWICE).init(None)
    for move in THERE_AND_BACK:
        assert end(state, **TWICE)[0] == Ending.RUNNING
        state = play(state, move)
    assert state.past.times == 1
    assert end(state, **TWICE) == (Ending.REPETITION, [0, 0])


def test_threefold_repetition_counts_the_same_position_three_times():
    state = play(make("abalone", **THRICE).init(None), *THERE_AND_BACK)
    assert end(state, **THRICE)[0] == Ending.RUNNING
    state = play(state, *THERE_AND_BACK)
    assert state.past.times == 2
    assert end(state, **THRICE)[0] == Ending.REPETITION


def test_the_same_stones_with_the_other_side_to_move_are_no_repetition():
    # Black needs three moves for a round trip, white two: all stones are back, white to move.
    start = make("abalone", **TWICE).init(None)
    state = play(start, "C5-D5", "G5-G4", "D5-D6", "G4-G5", "D6-C5")
    assert np.array_equal(state.stones, start.stones)
    assert state.seat == 1
    assert end(state, **TWICE)[0] == Ending.RUNNING


def test_positions_from_before_an_ejection_are_forgotten():
    before = position("E7 E8 " + MANY, "E9 I5 I6 I7 I8 I9 H4 H5 H6 H7", 0)
    state = abalone.from_cells(abalone.cells(before), 0, memory=20)
    state = play(state, "E8-D8", "H4-G4", "D8-E8", "G4-G3", "E7-E8")
    assert (int(state.quiet), int(state.past.times)) == (0, 0)
    state = play(state, "G3-H4", "E8-D8", "H4-G3", "D8-E8")
    assert (int(state.quiet), int(state.past.times)) == (4, 1)


@pytest.mark.parametrize("limits", [{"max_plies": 9}, {"no_capture_limit": 9, "max_plies": 30}])
def test_no_more_is_remembered_than_the_smaller_limit_needs(limits):
    assert make("abalone", **limits).init(None).past is None
    past = make("abalone", repetition=2, **limits).init(None).past
    assert past.boards.shape == (9, 2, 3)


def test_a_player_who_cannot_move_ends_the_game_in_a_draw():
    # No cell is empty. Black holds the middle, three enemies or an own stone behind two in
    # every line, and two corners. No game gets here: white has never had so many stones.
    inside = " ".join(np.array(CELL_NAMES)[RING <= 1]) + " A1 I9"
    outside = " ".join(set(CELL_NAMES) - set(inside.split()))
    state = position(inside, outside, 0)
    _, legal = _compiled(True)(state)
    assert not legal.any()
    assert end(state, max_plies=1) == (Ending.NO_MOVE, [0, 0])
    assert end(position(outside, inside, 0))[0] != Ending.NO_MOVE


def test_repetition_needs_a_past():
    with pytest.raises(ValueError, match="carries no past"):
        jax.eval_shape(functools.partial(abalone.ending, repetition=2), position("A1", "I9", 0))


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"layout": "daisy"}, "layout must be one of standard, belgian_daisy"),
        ({"broadside": 1}, "broadside must be True or False"),
        ({"max_plies": 0}, "if not None, max_plies must be an integer of at least 1"),
        ({"no_capture_limit": 2.5}, "if not None, no_capture_limit must be an integer of"),
        (
            {"repetition": 1, "max_plies": 9},
            "if not 0, repetition must be an integer of at least 2",
        ),
        ({"repetition": 2}, "repetition needs max_plies or no_capture_limit"),
    ],
)
def test_options_that_make_no_game_are_refused(options, expected):
    with pytest.raises(ValueError, match=expected):
        abalone.game(**options)


# --- known numbers ------------------------------------------------------------------------

PERFT = {  # equal in abalone-boai and gym-abalone to depth 2
    "standard": ([44, 1936, 98912, 5045110], [34, 1156, 45356, 1778714]),
    "belgian_daisy": ([52, 2692, 149322], [44, 1922, 87686]),
    "german_daisy": ([80, 6244, 493480], [64, 4044, 255988]),
    "snakes": ([78, 6153, 487205], [46, 2141, 103680]),
    "alien_attack": ([48, 2336, 114756], [44, 1958, 86514]),
    "the_wall": ([102, 9630, 882256], [60, 3524, 214800]),
}
KINDS = {  # single, in-line, push, eject, broadside
    "standard": (14, 20, 0, 0, 10),
    "belgian_daisy": (20, 24, 0, 0, 8),
    "german_daisy": (28, 36, 0, 0, 16),
    "snakes": (36, 10, 0, 0, 32),
    "alien_attack": (28, 10, 4, 2, 4),
    "the_wall": (36, 24, 0, 0, 42),
}


@pytest.mark.parametrize("broadside", [True, False])
@pytest.mark.parametrize("layout", PERFT)
def test_number_of_move_sequences(layout, broadside):
    start = make("abalone", layout=layout).init(jax.random.key(0))
    expected = PERFT[layout][0 if broadside else 1]
    assert perft(make("abalone", broadside=broadside), start, len(expected)) == expected


@both_seats
@pytest.mark.parametrize("layout", KINDS)
def test_kinds_of_opening_moves(layout, seat):
    old = LAYOUTS[layout]
    after, legal = _compiled(True)(_from_cells(old, seat))
    new = np.asarray(jax.jit(jax.vmap(abalone.cells))(after))
    kinds = [kind(old, each, seat) for each in new[np.asarray(legal)]]
    order = ("single", "in-line", "push", "eject", "broadside")
    assert tuple(kinds.count(each) for each in order) == KINDS[layout]


def kind(old, new, seat):
    own, other = 1 + seat, 2 - seat
    left, reached = (CELLS[(a == own) & (b != own)] for a, b in ((old, new), (new, old)))
    if len(left) > 1:
        return "broadside"
    if (new == other).sum() < (old == other).sum():
        return "eject"
    if not np.array_equal(new == other, old == other):
        return "push"
    return "single" if abs(left[0] - reached[0]).max() == 1 else "in-line"


def test_layouts_have_fourteen_stones_a_side_and_a_half_turn_swaps_or_keeps_the_colours():
    for name, cells in LAYOUTS.items():
        assert [(cells == stone).sum() for stone in (1, 2)] == [14, 14]
        turned = cells[::-1]
        same = cells if name in ("belgian_daisy", "german_daisy") else (3 - cells) % 3
        assert np.array_equal(turned, same)


def test_a_vmapped_jitted_game_equals_a_single_plain_one():
    game = make("abalone")
    cells = jnp.array(np.stack(list(LAYOUTS.values()) * 2))
    states = jax.jit(jax.vmap(abalone.from_cells))(cells, np.arange(12) // 6)

    def some_move(state):
        plays = game.plays(state, ZERO)
        return plays, game.play(state, plays, plays.count // 3)

    def equal(one, many, i):
        pairs = zip(jax.tree.leaves(one), jax.tree.leaves(many), strict=True)
        return all(np.array_equal(a, b[i]) for a, b in pairs)

    moved, ended = jax.jit(jax.vmap(some_move))(states), jax.jit(jax.vmap(game.outcome))(states)
    move, outcome = jax.jit(some_move), jax.jit(game.outcome)
    for i in range(12):
        state = jax.tree.map(lambda x: x[i], states)  # noqa: B023
        assert equal(move(state), moved, i)
        assert equal(outcome(state), ended, i)
    assert equal(game.outcome(state), ended, 11)  # plain; moves would take long to go through
