"""The inputs for pachisi, by hand and against plain Python."""

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.encodings import pachisi as encodings
from tdlib.encodings.pachisi import raw_features
from tdlib.games.pachisi import State
from tdlib.notation.pachisi import parse
from tests.reference import pachisi as twin
from tests.reference.race_positions import pachisi_positions

FIRST = jnp.int32(0)
features = jax.jit(raw_features)
# Squares of the track: seat 0 on 2, seat 1 on 43, seat 2 on 38 (a castle) and 46.
# Seat 1 takes 46 with a 3 (20 of 64), seat 2 takes 43 with a 5 (6 of 64).
MIDDLE = "0 0 10 84+ | 0 0 5 34+ | 12 20 84 84+ | 0 0 0 0 | 2 to throw"
# Seat 0 has been out, so it needs a 25, 10 or 6; a 25 would end on the castle 17, where seat 1
# is. Seat 3 has nothing left to move.
STUCK = "0 0 0 0+ | 8 84 84 84+ | 0 0 0 0 | 84 84 84 84+ | 0 to throw"


@pytest.mark.parametrize(
    "text, turn, pip, worst, best, contact, exposure, hit, blockade",
    [  # counts of 128 for hit (64 throws, two opponents), of 64 for blockade
        (MIDDLE, [0, 0, 1, 0], [242, 297, 136, 336], [84, 84, 72, 84], [0, 50, 0, 84],
         [3, 11, 1, 12], [1, 1, 1, 0], [0, 6, 20, 0], [0, 0, 0, 0]),
        (STUCK, [1, 0, 0, 0], [336, 76, 336, 0], [84, 76, 84, 0], [84, 0, 84, 0],
         [4, 0, 4, 0], [0, 0, 0, 0], [0, 0, 0, 0], [57, 0, 0, 64]),
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


def chances(pieces, entered):
    """Hit [4] and blockade [4] in plain Python."""
    hit, blockade = np.zeros(4), np.zeros(4)
    for player in range(4):
        for throw, weight in twin.WEIGHTS.items():
            turn = twin.Turn(pieces, entered, player, throw, 0, twin.NOBODY)
            found = twin.choices(turn)
            blockade[player] += weight / 64 * (len(found) == 1)
            for victim in ((player + 1) % 4, (player + 3) % 4):
                before = pieces[victim].count(0)
                captures = any(c.pieces[victim].count(0) > before for c in found)
                hit[victim] += weight / 128 * captures
    return [*hit, *blockade]


def test_hit_and_blockade_of_random_positions_are_the_plain_ones():
    turns = pachisi_positions(Random(3), 100)
    states = State(
        pieces=np.array([t.pieces for t in turns], np.int32),
        entered=np.array([t.entered for t in turns]),
        seat=np.array([t.player for t in turns], np.int32),
        run=np.zeros(len(turns), np.int32),
        passed=np.zeros((len(turns), 4), bool),
    )
    ours = np.asarray(jax.jit(jax.vmap(raw_features))(states))[:, 24:]
    theirs = np.array([chances(t.pieces, t.entered) for t in turns])
    assert np.allclose(ours, theirs, atol=1e-6)
    assert (theirs > 0).sum(0).min() >= 3  # all eight are seen


def test_smart_features_divided_by_their_greatest_values():
    state = parse(MIDDLE)
    greatest = np.repeat([1, 336, 84, 84, 32, 4, 1, 1], 4)
    inputs = jax.jit(encodings.smart().encode)(state, FIRST)
    assert np.allclose(inputs * greatest, features(state), atol=1e-4)
    raw = jax.jit(encodings.smart(normalise=False).encode)(state, FIRST)
    assert raw.tolist() == features(state).tolist()
    names = encodings.smart().names
    assert names[:5] == (*(f"seat {k} turn" for k in range(4)), "seat 0 pip")


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


@pytest.mark.parametrize("name, size", [("unary", 696), ("smart", 32), ("combined", 728)])
def test_sizes_names_and_objectivity(name, size):
    encoding = getattr(encodings, name)()
    encode = jax.jit(encoding.encode)
    inputs = encode(parse(MIDDLE), FIRST)
    assert encoding.name == name and inputs.dtype == jnp.float32
    assert len(inputs) == len(encoding.names) == len(set(encoding.names)) == size
    assert inputs.tolist() == encode(parse(MIDDLE), jnp.int32(3)).tolist()


def test_combined_is_unary_then_smart():
    both, one, two = (
        jax.jit(e.encode)(parse(MIDDLE), FIRST).tolist()
        for e in (encodings.combined(), encodings.unary(), encodings.smart())
    )
    assert both == one + two
