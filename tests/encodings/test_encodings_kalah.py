"""The inputs for Kalah, by hand."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.encodings import kalah as encodings
from tdlib.games import kalah
from tdlib.show.notation.kalah import parse

#         8  0  3  0  0  1
#      6                    12     S1 takes N4; S4 laps, fills the empty N3 and takes it;
#         2  0  0 13  1  2         N1 takes S5
POSITION = "S 2,0,0,13,1,2/12 N 1,0,0,3,0,8/6 south"
SOUTH, NORTH = [2, 0, 0, 13, 1, 2], [1, 0, 0, 3, 0, 8]


def inputs(encoding, seat, text=POSITION):
    result = jax.jit(encoding.encode)(parse(text), jnp.int32(seat))
    assert result.shape == (len(encoding.names),) and result.dtype == jnp.float32
    return np.asarray(result)


@pytest.mark.parametrize("scale, pit, store", [("pits", 2, 1), ("none", 1, 1), ("all", 2, 2)])
def test_raw_inputs_are_shares_of_all_seeds_own_side_first(scale, pit, store):
    encoding = encodings.raw(scale=scale)
    south = [*(pit * n for n in SOUTH), store * 12]
    north = [*(pit * n for n in NORTH), store * 6]
    assert inputs(encoding, 0) * 48 == pytest.approx([*south, *north])
    assert inputs(encoding, 1) * 48 == pytest.approx([*north, *south])


@pytest.mark.parametrize("seat", [0, 1])
def test_inputs_do_not_depend_on_who_is_to_move(seat):
    encoding = encodings.handcrafted()
    other = POSITION.replace("south", "north")
    assert (inputs(encoding, seat) == inputs(encoding, seat, other)).all()


def test_one_input_more_tells_who_moves_next():
    encoding, raw = encodings.raw(turn=True), encodings.raw()
    assert encoding.names == (*raw.names, "moves next")
    assert inputs(encoding, 0).tolist() == [*inputs(raw, 0), 1.0]
    assert inputs(encoding, 1).tolist() == [*inputs(raw, 1), 0.0]


def test_handcrafted_inputs_of_both_seats():
    encoding, raw = encodings.handcrafted(), encodings.raw()
    s5, n4, s1_s4, n1 = pits(5), pits(4), pits(1, 4), pits(1)
    south = [6 / 48, *s5, *n4, *s1_s4, *n1, 12 / 48, 30 / 48]
    north = [-6 / 48, *n4, *s5, *n1, *s1_s4, -12 / 48, 30 / 48]
    assert inputs(encoding, 0) == pytest.approx([*inputs(raw, 0), *south])
    assert inputs(encoding, 1) == pytest.approx([*inputs(raw, 1), *north])


def test_facing_pits_and_difference_of_pits():
    encoding = encodings.handcrafted(captures="facing", difference="pits")
    south = [6 / 48, *pits(4, 5), *pits(4), *pits(3), *pits(2, 3), 6 / 48, 30 / 48]
    north = [-6 / 48, *pits(4), *pits(4, 5), *pits(2, 3), *pits(3), -6 / 48, 30 / 48]
    assert inputs(encoding, 0)[14:] == pytest.approx(south)
    assert inputs(encoding, 1)[14:] == pytest.approx(north)


def test_captures_agree_with_sowing_seed_by_seed():
    encode = jax.jit(encodings.handcrafted(seeds=6).encode)
    rng = np.random.default_rng(0)
    for _ in range(100):
        cups = rng.choice([0, 0, 0, 1, 2, 3, 5, 8, 12, 13, 14], 14)
        seen = encode(kalah.State(jnp.asarray(cups, jnp.int32), jnp.int32(0)), jnp.int32(0))
        (own_from, of_other), (other_from, of_own) = (
            captures(cups.tolist()), captures([*cups[7:].tolist(), *cups[:7].tolist()])
        )  # fmt: skip
        expected = pits(*of_own) + pits(*of_other) + pits(*own_from) + pits(*other_from)
        assert seen[15:39].tolist() == expected


def test_other_numbers_of_pits_and_seeds():
    #      1  0
    #   2       3     S2's two seeds go to the store and N1; N2's to its store
    #      0  2
    encoding = encodings.handcrafted(pits=2, seeds=2)
    expected = [0, 4, 3, 0, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3]
    assert inputs(encoding, 0, "S 0,2/3 N 0,1/2 south") * 8 == pytest.approx(expected)


def test_input_names():
    names = encodings.handcrafted().names
    assert len(names) == len(set(names)) == 41 and names[:14] == encodings.raw().names
    assert names[6] == "own store" and names[7] == "other pit 1"
    assert names[14] == "kalah difference" and names[15] == "vulnerable own pit 1"
    assert names[38] == "attackable other pit 6" and names[40] == "stones left"


@pytest.mark.parametrize(
    "options, message",
    [
        ({"scale": "stores"}, "scale must be one of pits, none, all, not 'stores'"),
        ({"captures": "now"}, "captures must be one of sowing, facing, not 'now'"),
        ({"difference": "store"}, "difference must be one of all, pits, not 'store'"),
        ({"pits": 0}, "pits must be an integer of at least 1, not 0"),
        ({"seeds": True}, "seeds must be an integer of at least 1, not True"),
    ],
)
def test_unknown_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        encodings.handcrafted(**options)


def test_a_board_of_another_size_is_refused():
    with pytest.raises(AssertionError, match="not a board of 6 pits a side"):
        inputs(encodings.raw(), 0, "S 0,2/3 N 0,1/2 south")


def pits(*numbers):
    return [float(i in numbers) for i in range(1, 7)]


def captures(cups):
    """Pits that can capture, and the other's non-empty pits they take, numbered from 1."""
    attackers, victims = set(), set()
    for pit in range(6):
        board, at = list(cups), pit
        seeds, board[pit] = board[pit], 0
        if not seeds:
            continue
        for _ in range(seeds):
            at = (at + 1) % 13
            board[at] += 1
        if at < 6 and board[at] == 1 and board[12 - at]:
            attackers.add(pit + 1)
            if cups[12 - at]:
                victims.add(6 - at)
    return attackers, victims
