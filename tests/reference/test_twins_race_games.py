"""The pachisi and Parcheesi twins against worked examples, one rule per test.

Pieces are path numbers of player 0 (others where said), unlisted pieces at start. The examples
of the two tables were worked by hand from the rules and checked with an earlier program.
"""

import pytest

from . import pachisi, parcheesi

OUT = (True,) * 4


def board(*rows):
    """Rows of up to four path numbers, filled up with pieces at start."""
    rows = [*rows, *[()] * (4 - len(rows))]
    return tuple(tuple(sorted((*row, *(0,) * (4 - len(row))))) for row in rows)


def own(row):
    return board(row)[0]


def results(found, player=0):
    """The mover's pieces after each play, a list to see whether they are distinct."""
    return sorted(after[0][player] for after in found)


# ---- pachisi ---------------------------------------------------------------

PACHISI_EXAMPLES = [
    # own pieces, the others', entered, throw, own pieces after each choice
    ((), {}, False, 3, [(), (3,)]),
    ((6,), {}, True, 3, [(6,), (9,)]),
    ((6,), {}, True, 10, [(6,), (16,), (6, 10)]),
    ((74,), {}, True, 5, [(74,), (79,), (11,)]),
    ((80,), {}, True, 25, [(80,), (84,), (80, 25)]),
    ((10,), {1: (64, 64)}, True, 3, [(10,), (13,)]),
    ((9,), {1: (63,)}, True, 3, [(9,)]),
    ((10,), {2: (47,)}, True, 3, [(10,), (13,)]),
    ((76, 8), {}, True, 6, [(76, 8), (82, 8), (14, 8), (76, 14), (76, 8, 6)]),
]


@pytest.mark.parametrize("mover", range(4))
@pytest.mark.parametrize("pieces, others, entered, throw, after", PACHISI_EXAMPLES)
def test_pachisi_worked_examples(pieces, others, entered, throw, after, mover):
    rows = board(pieces, *(others.get(k, ()) for k in (1, 2, 3)))
    turned = tuple(rows[(k - mover) % 4] for k in range(4))
    found = pachisi.plays(turned, (entered,) * 4, mover, throw)
    assert results(found, mover) == sorted(map(own, after))


def test_pachisi_capture_sends_every_enemy_on_the_square_back():
    found = pachisi.plays(board((10,), (64, 64)), OUT, 0, 3)
    assert (board((13,)), OUT, 1) in found  # square 5, no castle


def test_pachisi_joining_the_partner_captures_nothing():
    found = pachisi.plays(board((10,), (), (47,)), OUT, 0, 3)
    assert (board((13,), (), (47,)), OUT, 1) in found


@pytest.mark.parametrize("throw, seat", [(25, 0), (10, 0), (6, 0), (2, 1), (3, 1), (5, 1)])
def test_pachisi_grace_throws_again_even_after_a_pass(throw, seat):
    assert {s for _, _, s in pachisi.plays(board((20,)), OUT, 0, throw)} == {seat}


def test_pachisi_finished_player_is_skipped_even_on_its_own_grace():
    rows = board((84, 84, 84, 80), (84, 84, 84, 84), (84, 84, 84, 83))
    found = pachisi.plays(rows, OUT, 0, 10)
    assert {(after[0], s) for after, _, s in found} == {
        ((80, 84, 84, 84), 0),
        ((84, 84, 84, 84), 2),
    }


def test_pachisi_team_wins_with_eight_pieces_home_and_then_nobody_plays():
    home = (84,) * 4
    rows = board((84, 84, 84, 83), (), home)
    assert not pachisi.over(rows)
    assert {pachisi.winner(after) for after, _, _ in pachisi.plays(rows, OUT, 0, 2)} == {
        None,
        0,
    }
    assert pachisi.plays(board(home, (), home), OUT, 1, 2) == set()


@pytest.mark.parametrize(
    "pieces, entered, throw, options, after",
    [
        ((83,), True, 2, {"exact": True}, [(83,)]),
        ((82,), True, 2, {"exact": True}, [(82,), (84,)]),
        ((76,), True, 10, {"exact": True}, [(76,), (18,), (76, 10)]),
        ((), False, 3, {"free_entry": "never"}, [()]),
        ((84,), True, 3, {"free_entry": "none_out"}, [(84,), (84, 3)]),
        ((1,), False, 3, {"free_entry": "none_out"}, [(1,), (4,)]),
        ((), True, 25, {"entry": "first"}, [(), (1,)]),
        ((74,), True, 5, {"extra_circuit": False}, [(74,), (79,)]),
    ],
)
def test_pachisi_options_on_moving(pieces, entered, throw, options, after):
    found = pachisi.plays(board(pieces), (entered,) * 4, 0, throw, **options)
    assert results(found) == sorted(map(own, after))


def test_pachisi_options_on_throwing_again():
    found = pachisi.plays(board((20,)), OUT, 0, 6, grace_on_pass=False)
    assert {(after[0], s) for after, _, s in found} == {
        (own((20,)), 1),
        (own((26,)), 0),
        (own((20, 6)), 0),
    }
    found = pachisi.plays(board((10,), (64,)), OUT, 0, 3, capture_throws_again=True)
    assert {(after[0], s) for after, _, s in found} == {(own((10,)), 1), (own((13,)), 0)}


@pytest.mark.parametrize(
    "passing, history, may_pass",
    [
        ("free", {"run": 3, "passed": (True,) * 4}, True),
        ("no_pass_after_three", {"run": 2}, True),
        ("no_pass_after_three", {"run": 3}, False),
        ("not_twice", {"passed": (False, True, True, True)}, True),
        ("not_twice", {"passed": (True, False, False, False)}, False),
        ("forced_only", {}, False),
    ],
)
def test_pachisi_pass_rules_bind_only_when_a_piece_can_move(passing, history, may_pass):
    found = pachisi.plays(board((20,)), OUT, 0, 3, passing=passing, **history)
    assert (own((20,)) in results(found)) == may_pass
    assert results(pachisi.plays(board(), OUT, 0, 3, passing=passing, **history)) == [own(())]


# ---- Parcheesi -------------------------------------------------------------

PARCHEESI_EXAMPLES = [
    # player 0, player 1, dice, player 0 after each play (must_enter=False)
    ((), (), (5, 3), [(4,)]),
    ((), (), (5, 5), [(6,), (1, 1)]),
    ((), (), (4, 1), [(1,)]),
    ((), (), (6, 6), [()]),
    ((10,), (63,), (2, 6), [(18,), (38,)]),
    ((10,), (64,), (3, 6), [(19,)]),
    ((10,), (63, 63), (2, 6), [(10,)]),
    ((20, 70), (), (2, 1), [(22, 71), (23, 70), (31, 72)]),
    ((), (52,), (5, 1), [(22,)]),
    ((20, 20), (), (3, 3), [(20, 26)]),
    ((70, 71, 72, 72), (), (1, 1), [(70, 71, 72, 72)]),
]


@pytest.mark.parametrize("mover", range(4))
@pytest.mark.parametrize("first, second, dice, after", PARCHEESI_EXAMPLES)
def test_parcheesi_worked_examples(first, second, dice, after, mover):
    rows = board(first, second)
    turned = tuple(rows[(k - mover) % 4] for k in range(4))
    for roll in (dice, dice[::-1]):
        found = parcheesi.plays(turned, mover, roll, must_enter=False)
        assert results(found, mover) == sorted(map(own, after))


def test_parcheesi_four_numbers_of_a_double_have_a_hundred_results():
    found = parcheesi.plays(board((3, 20, 30, 40)), 0, (6, 6), must_enter=False)
    assert len(found) == 100
    assert {sum(row) for row in results(found)} == {93 + 14}


def test_parcheesi_captured_pieces_are_back_at_start():
    found = parcheesi.plays(board((10,), (63,)), 0, (2, 6))
    assert {after for after, _, _ in found} == {board((18,), (63,)), board((38,))}
    assert {after for after, _, _ in parcheesi.plays(board((), (52,)), 0, (5, 1))} == {
        board((22,))
    }


def test_parcheesi_five_must_enter_unless_optional():
    assert results(parcheesi.plays(board(), 0, (5, 5))) == [own((1, 1))]
    assert (
        results(parcheesi.plays(board((20,)), 0, (5, 1))) == [own((2, 20)), own((1, 21))][::-1]
    )
    free = parcheesi.plays(board((20,)), 0, (5, 1), must_enter=False)
    assert results(free) == sorted(map(own, [(2, 20), (1, 21), (26,)]))
    by_sum = parcheesi.plays(board((20,)), 0, (4, 1))
    assert results(by_sum) == sorted(map(own, [(1, 20), (25,)]))


@pytest.mark.parametrize(
    "dice, doubles, after",
    [((2, 1), 0, (1, 0)), ((2, 1), 2, (1, 0)), ((3, 3), 0, (0, 1)), ((3, 3), 1, (0, 2))],
)
def test_parcheesi_doubles_roll_again(dice, doubles, after):
    found = parcheesi.plays(board((20,)), 0, dice, doubles=doubles)
    assert {(seat, count) for _, seat, count in found} == {after}


@pytest.mark.parametrize(
    "rule, pieces, after",
    [
        ("penalty", (20, 70, 72), (20, 72)),
        ("penalty", (), ()),
        ("ends", (20, 70), (20, 70)),
        ("played", (20,), (26,)),
    ],
)
def test_parcheesi_third_double(rule, pieces, after):
    found = parcheesi.plays(board(pieces), 0, (3, 3), doubles=2, third_double=rule)
    assert found == {(board(after), 1, 0)}


def test_parcheesi_last_piece_home_ends_the_game_at_once():
    rows = board((69, 72, 72, 72))
    # one die is all that can be used, and either may be chosen
    assert results(parcheesi.plays(rows, 0, (3, 1))) == [(70, 72, 72, 72), (72,) * 4]
    # a double wins with fewer than its four numbers
    assert results(parcheesi.plays(board((70, 72, 72, 72)), 0, (1, 1))) == [own((72,) * 4)]
    # the bonus for coming home wins before the second die
    winning = results(parcheesi.plays(board((62, 71, 72, 72)), 0, (1, 2)))
    assert own((72,) * 4) in winning
    assert parcheesi.over(board((72,) * 4)) and not parcheesi.plays(board((72,) * 4), 1, (1, 2))


@pytest.mark.parametrize(
    "first, second, dice, options, after",
    [
        # one die only: 10 can go 1 or 2, then a blockade on 13 stands in the way
        ((10,), (64, 64), (2, 1), {}, [(11,), (12,)]),
        ((10,), (64, 64), (2, 1), {"larger_die": True}, [(12,)]),
        ((20, 20), (), (3, 3), {"move_blockade": True}, [(20, 26), (23, 23)]),
        (
            (10, 12, 12),
            (),
            (3, 1),
            {},
            [(11, 12, 15), (10, 12, 16), (10, 13, 15), (12, 13, 13)],
        ),
        (
            (10, 12, 12),
            (),
            (3, 1),
            {"own_blockade": False},
            [(11, 12, 15), (10, 12, 16), (12, 12, 14), (10, 13, 15), (12, 13, 13)],
        ),
        ((), (52,), (5, 1), {"entry_capture": False}, [()]),
        ((70, 71, 72, 72), (), (1, 1), {"double_choice": "two_allowed"}, [(71, 72, 72, 72)]),
    ],
)
def test_parcheesi_options(first, second, dice, options, after):
    found = parcheesi.plays(board(first, second), 0, dice, **options)
    assert results(found) == sorted(map(own, after))


def test_parcheesi_castles_of_pachisi_make_the_path_one_longer():
    path = parcheesi.PATHS["0-4-13"]
    for k in range(4):
        assert path.square(k, 1) == 17 * k + 4
        assert path.square(k, 65) == 17 * k
    assert path.home == 73
    found = parcheesi.plays(board((70, 73, 73, 73)), 0, (2, 1), castles="0-4-13")
    assert results(found) == [own((73,) * 4)]
    assert (
        parcheesi.PATHS["0-5-12"].square(1, 52) == 5 == parcheesi.PATHS["0-5-12"].square(0, 1)
    )


# ---- both ------------------------------------------------------------------


def test_options_refuse_unknown_names_and_values():
    with pytest.raises(ValueError, match="passing must be one of"):
        pachisi.plays(board(), OUT, 0, 3, passing="sometimes")
    with pytest.raises(ValueError, match="castles must be one of"):
        parcheesi.plays(board(), 0, (1, 2), castles="0-5-13")
    with pytest.raises(TypeError):
        parcheesi.plays(board(), 0, (1, 2), mustenter=True)
