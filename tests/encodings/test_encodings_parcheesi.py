"""The inputs for Parcheesi, by hand and against plain Python."""

from itertools import combinations_with_replacement
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.encodings import parcheesi as encodings
from tdlib.encodings.parcheesi import raw_features
from tdlib.games.parcheesi import State
from tdlib.notation.parcheesi import parse
from tests.reference import parcheesi as twin
from tests.reference.race_positions import parcheesi_positions

FIRST = jnp.int32(0)
features = jax.jit(raw_features, static_argnames="must_enter")
# Squares of the track: seat 0 on 14, seat 2 a blockade on 58, seat 3 on 60, two further.
# Seat 2 hits seat 3 with any 2 (11 of 36) and, with nobody at start, with the four numbers
# 1 1 6 6 (two doubles) and 2 2 5 5 (of double five). Seat 1 uses both dice only if one is a
# five or their sum is: 15 of 36.
MIDDLE = "0 0 10 72 | 0 0 0 0 | 20 20 66 72 | 0 0 0 5 | 1 to roll"


def test_smart_features():
    hit = [0, 0, 0, 11 + 3]
    expected = [
        *(0, 1, 0, 0),
        *(206, 288, 110, 283),
        *(72, 72, 52, 72),
        *(0, 72, 0, 67),
        *(9, 16, 4, 10),
        *(1, 0, 0, 1),
        *(n / 108 for n in hit),
        *(0, 21 / 36, 0, 0),
    ]
    assert features(parse(MIDDLE)).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    "why, text, victim, hits",
    [
        # seat 1's 2 is square 23, four steps ahead of seat 0's 15: any 4, 3-1 and 2-2
        ("either die or both", "0 15 72 72 | 2 72 72 72 | {} | {}", 1, 11 + 2 + 1),
        # with nobody at start 2-2 and 5-5 are 2 2 5 5, and 3-3 and 4-4 are 3 3 4 4
        ("four numbers", "15 72 72 72 | 2 72 72 72 | {} | {}", 1, 10 + 2 + 4),
        # seat 0's 18 is square 22, a castle, where seat 1 enters: no hit but by entering
        ("a castle is safe", "16 72 72 72 | 1 72 72 72 | {} | {}", 1, 0),
        ("but not from who enters", "18 72 72 72 | 0 72 72 72 | {} | {}", 0, 11 + 4),
    ],
)  # fmt: skip
def test_hits(why, text, victim, hits):
    away = "0 0 0 0"
    state = parse(text.format(away, away) + " | 0 to roll")
    assert features(state)[24 + victim] * 108 == pytest.approx(hits), why


def test_a_die_showing_five_that_must_enter_cannot_hit():
    # seat 0's 15 is five before seat 1's 3, on square 24; a five enters seat 0's piece instead,
    # so only 4-1 and 3-2 hit, one die after the other, and the second five of 5-5
    state = parse("0 15 72 72 | 3 72 72 72 | 0 0 0 0 | 0 0 0 0 | 0 to roll")
    assert features(state)[25] * 108 == pytest.approx(4 + 1)
    assert features(state, must_enter=False)[25] * 108 == pytest.approx(11 + 4)


class WithoutBonus(twin.Roll):
    def _settle(self, board, bonus):
        return {board}


def chances(pieces, **options):
    """Hit [4] and blockade [4] in plain Python."""
    hit, blockade = np.zeros(4), np.zeros(4)
    rules = twin.Rules(**options)
    for player in range(4):
        for dice in combinations_with_replacement(range(1, 7), 2):
            weight = 1 if dice[0] == dice[1] else 2
            roll = WithoutBonus(pieces, player, dice, rules)
            blockade[player] += weight / 36 * all(left for _, left in roll._search(dice))
            boards = roll.boards()
            for victim in {0, 1, 2, 3} - {player}:
                before = pieces[victim].count(0)
                hit[victim] += weight / 108 * any(x[victim].count(0) > before for x in boards)
    return [*hit, *blockade]


@pytest.mark.parametrize("must_enter", [True, False])
def test_hit_and_blockade_of_random_positions_are_the_plain_ones(must_enter):
    turns = parcheesi_positions(Random(4), 60)
    states = State(
        pieces=np.array([t.pieces for t in turns], np.int32),
        seat=np.array([t.player for t in turns], np.int32),
        doubles=np.array([t.doubles for t in turns], np.int32),
    )
    many = jax.jit(jax.vmap(lambda state: raw_features(state, must_enter=must_enter)))
    theirs = np.array([chances(t.pieces, must_enter=must_enter) for t in turns])
    assert np.allclose(np.asarray(many(states))[:, 24:], theirs, atol=1e-6)
    assert (theirs > 0).sum(0).min() >= 10  # all eight are seen


@pytest.mark.parametrize(
    "own, enemy, pairs",
    [  # seat 0's piece p stands on square p + 4, seat 1's on p + 21
        (0, 1, 1),  # square 22, seat 0's 18
        (17, 1, 1),
        (18, 1, 0),
        (19, 1, 0),
        (63, 47, 1),  # square 0, seat 0's last
        (0, 48, 0),  # square 1, where seat 0 never comes
        (0, 65, 0),  # not on the track
        (0, 0, 0),
        (72, 1, 0),
    ],
)
def test_contact_counts_enemies_on_squares_still_to_be_reached(own, enemy, pairs):
    # Seats that share a square are no position of a game; the definition holds all the same.
    pieces = jnp.full((4, 4), 72).at[0, 0].set(own).at[1, 0].set(enemy)
    assert features(State(pieces, FIRST, FIRST))[16] == pairs


def test_smart_features_divided_by_their_greatest_values():
    state = parse(MIDDLE)
    greatest = np.repeat([1, 288, 72, 72, 48, 4, 1, 1], 4)
    inputs = jax.jit(encodings.smart().encode)(state, FIRST)
    assert np.allclose(inputs * greatest, features(state), atol=1e-4)
    raw = jax.jit(encodings.smart(normalise=False).encode)(state, FIRST)
    assert raw.tolist() == features(state).tolist()


def test_unary_inputs_by_name():
    # squares 17k + 4 + p: seat 0's 64 is 0 and its 63 is 67, seat 2's 20 is 58
    state = parse("0 63 64 72 | 0 0 0 0 | 20 20 65 71 | 66 66 72 72 | 1 to roll")
    encoding = encodings.unary()
    inputs = dict(zip(encoding.names, encoding.encode(state, FIRST).tolist(), strict=True))
    active = {name for name, value in inputs.items() if value}
    assert set(inputs.values()) == {0, 1}
    assert active == {
        "seat 0 start >=1", "seat 0 square 67 >=1", "seat 0 square 0 >=1", "seat 0 home >=1",
        *(f"seat 1 start >={n}" for n in (1, 2, 3, 4)),
        "seat 2 square 58 >=1", "seat 2 square 58 >=2",
        "seat 2 home path 65 >=1", "seat 2 home path 71 >=1",
        "seat 3 home path 66 >=1", "seat 3 home path 66 >=2",
        "seat 3 home >=1", "seat 3 home >=2",
    }  # fmt: skip


@pytest.mark.parametrize("name, size", [("unary", 632), ("smart", 32), ("combined", 664)])
def test_sizes_names_and_objectivity(name, size):
    encoding = getattr(encodings, name)()
    encode = jax.jit(encoding.encode)
    inputs = encode(parse(MIDDLE), FIRST)
    assert encoding.name == name and inputs.dtype == jnp.float32
    assert len(inputs) == len(encoding.names) == len(set(encoding.names)) == size
    assert inputs.tolist() == encode(parse(MIDDLE), jnp.int32(3)).tolist()
