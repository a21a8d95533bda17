"""The inputs for pachisi, by hand and against plain Python."""

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.encodings import pachisi as encodings
from tdlib.encodings.pachisi import raw_features
from tdlib.games import make
from tdlib.games.pachisi import State
from tdlib.show.notation.pachisi import parse
from tests.reference.changed_inputs import both_ways, what_happens
from tests.reference.pachisi import NOBODY, Turn
from tests.reference.race_positions import pachisi_positions
from tests.reference.race_smart import pachisi_smart

FIRST = jnp.int32(0)
LANES = 1000  # positions at a time, always as many, so that all is compiled once
many = jax.jit(jax.vmap(raw_features))
# Squares of the track: seat 0 on 2, seat 1 on 43, seat 2 on 38 (a castle) and 46.
# Seat 1 takes 46 with a 3 (20 of 64), seat 2 takes 43 with a 5 (6 of 64).
MIDDLE = "0 0 10 84+ | 0 0 5 34+ | 12 20 84 84+ | 0 0 0 0 | 2 to throw"
# Seat 0 has been out, so it needs a 25, 10 or 6; a 25 would end on the castle 17, where seat 1
# is. Seat 3 is home and does not throw.
STUCK = "0 0 0 0+ | 8 84 84 84+ | 0 0 0 0 | 84 84 84 84+ | 0 to throw"


def features(state):
    """The smart features of one position: [32]."""
    copies = jax.tree.map(lambda x: np.broadcast_to(x, (LANES, *np.shape(x))), state)
    return np.asarray(many(copies))[0]


@pytest.mark.parametrize(
    "text, turn, pip, worst, best, contact, exposure, hit, blockade",
    [  # counts of 128 for hit (64 throws, two opponents), of 64 for blockade
        (MIDDLE, [0, 0, 1, 0], [242, 297, 136, 336], [84, 84, 72, 84], [0, 50, 0, 84],
         [3, 11, 1, 12], [1, 1, 1, 0], [0, 6, 20, 0], [0, 0, 0, 0]),
        (STUCK, [1, 0, 0, 0], [336, 76, 336, 0], [84, 76, 84, 0], [84, 0, 84, 0],
         [4, 0, 4, 0], [0, 0, 0, 0], [0, 0, 0, 0], [57, 0, 0, 0]),
    ],
)  # fmt: skip
def test_smart_features(text, turn, pip, worst, best, contact, exposure, hit, blockade):
    chances = [n / 128 for n in hit] + [n / 64 for n in blockade]
    expected = [*turn, *pip, *worst, *best, *contact, *exposure, *chances]
    assert features(parse(text)).tolist() == expected


@pytest.mark.parametrize(
    "own, enemy, pairs",
    [  # seat 0's piece p stands on square p - 8, seat 1's on p + 9
        (8, 10, 1),  # square 19, ahead
        (18, 10, 1),
        (19, 10, 1),
        (28, 10, 0),  # square 20, passed
        (8, 59, 1),  # seat 0's own end square, to be reached at 76
        (75, 59, 1),
        (76, 59, 0),
        (0, 7, 0),  # not on the track
        (0, 77, 0),
        (84, 10, 0),
    ],
)
def test_contact_counts_enemies_on_squares_still_to_be_reached(own, enemy, pairs):
    # Teams that share a square are no position of a game; the definition holds all the same.
    pieces = jnp.full((4, 4), 84).at[0, 0].set(own).at[1, 0].set(enemy)
    state = State(pieces, jnp.ones(4, bool), FIRST, FIRST, jnp.zeros(4, bool))
    assert features(state)[16] == pairs


def states_of(turns):
    return State(
        pieces=np.array([t.pieces for t in turns], np.int32),
        entered=np.array([t.entered for t in turns]),
        seat=np.array([t.player for t in turns], np.int32),
        run=np.zeros(len(turns), np.int32),
        passed=np.zeros((len(turns), 4), bool),
    )


def test_smart_features_of_random_positions_are_the_plain_ones():
    turns = pachisi_positions(Random(3), LANES)
    ours = np.asarray(many(states_of(turns)))
    theirs = np.array([pachisi_smart(turn) for turn in turns], np.float32)
    assert (ours == theirs).all()  # throws are counted in 64ths, so nothing is rounded
    assert (theirs > 0).sum(0).min() >= 10  # all 32 are seen


@pytest.mark.parametrize(
    "entry, truncated", [("count", True), ("first", True), ("count", False)]
)
def test_rows_that_change_are_the_difference_of_the_inputs(entry, truncated):
    game = make("pachisi", entry=entry)
    compare = both_ways(game, encodings.unary(entry=entry, truncated=truncated))
    # Seat 0's piece on 10, square 2, takes with a 3 all that is on square 5: three pieces of
    # seat 1 and four of seat 3. No play comes after that one.
    pieces = ((0, 10, 84, 84), (0, 64, 64, 64), (0, 0, 0, 0), (30, 30, 30, 30))
    massacre = Turn(pieces, (True,) * 4, 0, 3, 0, NOBODY)
    turns = [turn for turn in pachisi_positions(Random(5), 799, entry=entry) for _ in range(3)]
    before = states_of([*turns, massacre])
    rolls = [game.rolls.index(str(turn.throw)) for turn in [*turns, massacre]]
    shares = [*np.random.default_rng(6).random(len(turns)), 1.0]
    by_changes, by_encode, after = compare(before, rolls, shares)
    assert (by_changes == by_encode).all()
    seen = what_happens(before, after, 84)
    assert seen.pop("capture of several") >= 2 and min(seen.values()) >= 10, seen
    assert (after.pieces[-1] == 0).sum(-1).tolist() == [1, 4, 4, 4]


def test_unary_inputs_by_name():
    state = parse("0 0 10 84+ | 5 34 34 34+ | 76 84 84 84+ | 0 0 0 0 | 2 to throw")
    encoding = encodings.unary()
    inputs = dict(zip(encoding.names, encoding.encode(state, FIRST).tolist(), strict=True))
    active = {name for name, value in inputs.items() if value}
    assert set(inputs.values()) == {0, 1}
    assert active == {
        "seat 0 start >=1", "seat 0 start >=2", "seat 0 place 10 >=1", "seat 0 home >=1",
        "seat 1 place 5 >=1", "seat 1 place 34 >=1", "seat 1 place 34 >=2",
        "seat 2 place 76 >=1", *(f"seat 2 home >={n}" for n in (1, 2, 3)),
        *(f"seat 3 start >={n}" for n in (1, 2, 3, 4)),
    }  # fmt: skip


def test_without_truncation_three_and_four_pieces_are_seen():
    state = parse("0 0 10 84+ | 5 34 34 34+ | 76 84 84 84+ | 20 20 20 20+ | 2 to throw")
    short, long = encodings.unary(), encodings.unary(truncated=False)
    active = [
        {name for name, on in zip(x.names, x.encode(state, FIRST).tolist(), strict=True) if on}
        for x in (short, long)
    ]
    more = {"seat 1 place 34 >=3", "seat 3 place 20 >=3", "seat 3 place 20 >=4"}
    assert active[1] - active[0] == more and active[0] < active[1]


@pytest.mark.parametrize(
    "name, options, size",
    [
        ("unary", {}, 696),
        ("smart", {}, 32),
        ("combined", {}, 728),
        ("unary", {"truncated": False}, 1360),
        ("combined", {"truncated": False}, 1392),
    ],
)
def test_sizes_and_names(name, options, size):
    encoding = getattr(encodings, name)(**options)
    inputs = jax.eval_shape(encoding.encode, parse(MIDDLE), FIRST)
    assert encoding.name == name and inputs.dtype == jnp.float32
    assert inputs.shape == (size,) and len(encoding.names) == len(set(encoding.names)) == size


def test_combined_is_unary_then_smart_and_the_same_for_all_who_ask():
    state, greatest = parse(MIDDLE), np.repeat([1, 336, 84, 84, 32, 4, 1, 1], 4)
    combined = jax.jit(jax.vmap(encodings.combined().encode, (None, 0)))
    first, *others = np.asarray(combined(state, jnp.arange(4)))
    unary = encodings.unary().encode(state, FIRST)
    assert first[:696].tolist() == unary.tolist()
    assert np.allclose(first[696:] * greatest, features(state), atol=1e-4)
    assert all((other == first).all() for other in others)
