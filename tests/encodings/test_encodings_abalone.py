"""The inputs for Abalone, by hand."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import games
from tdlib.encodings import abalone as encodings
from tdlib.games import abalone
from tdlib.games.abalone.bits import CELL_NAMES
from tdlib.show.notation.abalone import parse

#       I O O O O O          Nine black stones, ten white ones. Black: E5 is protected; A1
#      H . . . . . .         (one enemy, no friend) and B3 (two, none) are threatened, and A1
#     G . . . . . . .        can be ejected by C3 and B2.
#    F . . . @ @ O . .       White: B2 and C3 (two enemies, one friend each) and F7 (likewise)
#   E . . . @ @ @ O . .      are threatened, E7 (one each) is not.
#    D . . . @ @ . . .
#     C . . O . . . .        Pairs, black: 30 within the seven, 21 from B3 to them, 32 from A1.
#      B . O @ . . .         White: 20 within row I, then 18 from F7 to those before, 24 from
#       A @ . . . O          E7, 45 from B2, 39 from C3, 57 from A5.
BOARD = """
    OOOOO
   ......
  .......
 ...@@O..
...@@@O..
 ...@@...
  ..O....
   .O@...
    @...O @
"""
LEENOH = [[13, 1, 83, 1, 2, 7, 1], [33, 6, 203, 0, 3, 3, 1]]
REGIONS = {"centre012": [[7, 1, 1], [3, 1, 6]], "centre01": [[7, 1, 1], [0, 4, 6]]}
SEATS = pytest.mark.parametrize("seat", [0, 1])


def inputs(encoding, seat, board=BOARD):
    result = jax.jit(encoding.encode)(parse(board), jnp.int32(seat))
    assert result.shape == (len(encoding.names),) and result.dtype == jnp.float32
    return np.asarray(result)


@SEATS
def test_one_input_a_cell_and_the_stones_off(seat):
    encoding = encodings.abalearn10()
    black = ["F5", "F6", "E4", "E5", "E6", "D4", "D5", "B3", "A1"]
    white = ["I5", "I6", "I7", "I8", "I9", "F7", "E7", "C3", "B2", "A5"]
    own, other = (black, white) if seat == 0 else (white, black)
    expected = [(name in own) - (name in other) for name in CELL_NAMES]
    off = [5 / 6, 4 / 6] if seat == 0 else [4 / 6, 5 / 6]
    assert inputs(encoding, seat) == pytest.approx([*expected, *off])
    counted = inputs(encodings.abalearn10(scaled=False), seat)
    assert counted[61:].tolist() == ([5, 4] if seat == 0 else [4, 5])


@pytest.mark.parametrize("rings", ["centre012", "centre01"])
@SEATS
def test_stones_by_region(rings, seat):
    black, white = [*REGIONS[rings][0], 5], [*REGIONS[rings][1], 4]
    expected = [*black, *white] if seat == 0 else [*white, *black]
    counted = inputs(encodings.abalearn11(rings=rings, scaled=False), seat)
    assert counted.tolist() == expected
    scaled = inputs(encodings.abalearn11(rings=rings), seat)
    assert scaled * [14, 14, 14, 6, 14, 14, 14, 6] == pytest.approx(expected)


@pytest.mark.parametrize("threat, threatened", [("neighbours", [2, 3]), ("edge", [1, 0])])
@SEATS
def test_regions_and_what_a_player_would_name(threat, threatened, seat):
    turn = [0, 1] if seat == 0 else [1, 0]
    expected = [n for s in turn for n in REGIONS["centre012"][s]]
    expected += [-1 if seat == 0 else 1]
    for black_white in ([1, 0], [13 / 9, 33 / 10], threatened):
        expected += [black_white[s] for s in turn]
    counted = inputs(encodings.abalearn12(threat=threat, scaled=False), seat)
    assert counted == pytest.approx(expected)
    scaled = inputs(encodings.abalearn12(threat=threat), seat)
    divisors = [14] * 6 + [6] + [14] * 2 + [4] * 2 + [14] * 2
    assert scaled * divisors == pytest.approx(expected, abs=1e-5)


def test_stones_off_and_regions_as_options():
    plain = inputs(encodings.abalearn12(rings="centre01"), 0)
    more = inputs(encodings.abalearn12(rings="centre01", off=True), 0)
    assert plain[:6] * 14 == pytest.approx([7, 1, 1, 0, 4, 6])
    assert more == pytest.approx([*plain, 5 / 6, 4 / 6])


@SEATS
def test_seven_features_of_lee_and_noh(seat):
    expected = LEENOH[seat] + LEENOH[1 - seat]
    assert inputs(encodings.leenoh(scaled=False), seat).tolist() == expected
    scale = [56, 14, 546, 14, 14, 14, 14] * 2
    assert inputs(encodings.leenoh(), seat) * scale == pytest.approx(expected)
    other_scale = inputs(encodings.leenoh(pair_scale=100), seat)
    assert other_scale[[2, 9]] == pytest.approx([expected[2] / 100, expected[9] / 100])


def test_a_pair_on_the_rim_falls_to_three_and_a_stone_counts_once():
    # E1 falls to E3-E5 with E2 between, and to G3, F2; I7 is safe, two before two (H7 | G7, F7)
    board = """
        ..@..
       ...@..
      O...O..
     O....O..
    @@OOO....
     .....O..
      ..@@@@.
       ..@...
        ..... @
    """
    encoding = encodings.abalearn12(threat="edge", scaled=False)
    assert inputs(encoding, 0, board)[11:].tolist() == [1, 0]


def test_ejectable_stones_are_those_some_legal_move_ejects():
    game = games.make("abalone", layout="alien_attack")
    encode = jax.jit(encodings.abalearn12(threat="edge", scaled=False).encode)
    rng = np.random.default_rng(5)
    state, seen = game.init(jax.random.key(0)), 0
    for _ in range(60):
        after = games.every_play(game, state, 0)
        if not after:
            break
        enemy = int(state.seat)  # of whom the moves are; the network speaks for the other
        ejected = set()
        for each in after:
            if int(abalone.score(each)[enemy]) > int(abalone.score(state)[enemy]):
                before, now = (np.asarray(abalone.cells(s)) == 2 - enemy for s in (state, each))
                pushed = np.flatnonzero(before & ~now)
                ejected |= {victim(state, each, int(cell), enemy) for cell in pushed}
        assert encode(state, jnp.int32(1 - enemy))[11] == len(ejected)
        seen += len(ejected)
        state = after[rng.integers(len(after))]
    assert seen > 5


def victim(before, after, cell, mover):
    """The rim cell of the ejected stone, straight on from the rear stone that left its cell."""
    old, new = (np.asarray(abalone.cells(s)) == 1 + mover for s in (before, after))
    left = int(np.flatnonzero(old & ~new)[0])
    step = np.sign(encodings.CELLS[cell] - encodings.CELLS[left])
    place = encodings.CELLS[cell]
    while max(abs(place + step - 4).max(), abs(np.subtract(*(place + step)))) <= 4:
        place = place + step
    return tuple(place.tolist())


def test_tables_of_distances_rings_and_neighbours():
    e5, a1 = CELL_NAMES.index("E5"), CELL_NAMES.index("A1")
    assert np.bincount(encodings.RING).tolist() == [1, 6, 12, 18, 24]
    named = [CELL_NAMES[i] for i in encodings.NEIGHBOURS[e5]]
    assert named == ["E6", "F6", "F5", "E4", "D4", "D5"]
    assert (encodings.NEIGHBOURS[a1] < 61).tolist() == [True] * 3 + [False] * 3
    assert encodings.DISTANCE[a1, CELL_NAMES.index("I9")] == 8
    assert encodings.DISTANCE[a1, CELL_NAMES.index("A5")] == 4
    near = encodings.NEIGHBOURS[encodings.NEIGHBOURS < 61]
    assert (encodings.DISTANCE == 1).sum() == len(near)


@pytest.mark.parametrize(
    "make, size",
    [(encodings.abalearn10, 63), (encodings.abalearn11, 8),
     (encodings.abalearn12, 13), (encodings.leenoh, 14)],
)  # fmt: skip
def test_sizes_and_names(make, size):
    encoding = make()
    assert encoding.name == make.__name__
    assert len(encoding.names) == len(set(encoding.names)) == size
    state = games.make("abalone").init(jax.random.key(0))  # both sides see the same by symmetry
    black, white = (encoding.encode(state, jnp.int32(seat)) for seat in (0, 1))
    if size != 63:
        assert np.allclose(black, white)


@pytest.mark.parametrize(
    "make, options, message",
    [
        (encodings.abalearn11, {"rings": "all"},
         "rings must be one of centre012, centre01, not 'all'"),
        (encodings.abalearn12, {"threat": "all"},
         "threat must be one of neighbours, edge, not 'all'"),
        (encodings.abalearn12, {"off": 1}, "off must be True or False, not 1"),
        (encodings.abalearn10, {"scaled": "no"}, "scaled must be True or False, not 'no'"),
        (encodings.leenoh, {"pair_scale": 0}, "pair_scale must be a number above 0, not 0"),
    ],
)  # fmt: skip
def test_unknown_options_are_refused(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(**options)
