"""The inputs for Parcheesi, by hand and against plain Python."""

import functools
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.encodings import parcheesi as encodings
from tdlib.encodings.parcheesi import raw_features
from tdlib.games import make
from tdlib.games.parcheesi import State
from tdlib.show.notation.parcheesi import parse
from tests.reference import parcheesi as twin
from tests.reference.changed_inputs import both_ways, what_happens
from tests.reference.parcheesi_chances import default_rules, hit_and_blockade
from tests.reference.race_players import ParcheesiTurn
from tests.reference.race_positions import parcheesi_positions
from tests.reference.race_smart import parcheesi_chances, parcheesi_plain

FIRST = jnp.int32(0)
LANES = 256  # positions at a time, always as many, so that all is compiled once
# Squares of the track: seat 0 on 14, seat 2 a blockade on 58, seat 3 on 60, two further.
# Seat 2 hits seat 3 with any 2 (11 of 36) and, with nobody at start, with the four numbers
# 1 1 6 6 (two doubles) and 2 2 5 5 (of double five). Seat 1 uses both dice only if one is a
# five or their sum is: 15 of 36.
MIDDLE = "0 0 10 72 | 0 0 0 0 | 20 20 66 72 | 0 0 0 5 | 1 to roll"


@functools.partial(jax.jit, static_argnames="must_enter")
def many(states, *, must_enter=True):
    return jax.vmap(lambda state: raw_features(state, must_enter=must_enter))(states)


slow = jax.jit(jax.vmap(hit_and_blockade, (None, 0)))


def features(state, *, must_enter=True):
    """The smart features of one position: [32]."""
    copies = jax.tree.map(lambda x: np.broadcast_to(x, (LANES, *np.shape(x))), state)
    return np.asarray(many(copies, must_enter=must_enter))[0]


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


def states_of(turns):
    return State(
        pieces=np.array([t.pieces for t in turns], np.int32),
        seat=np.array([t.player for t in turns], np.int32),
        doubles=np.array([t.doubles for t in turns], np.int32),
    )


@pytest.mark.parametrize("must_enter", [True, False])
def test_hit_and_blockade_of_random_positions_are_the_plain_ones(must_enter):
    turns = parcheesi_positions(Random(4), LANES)
    some = range(0, LANES, 10)
    theirs = np.array([parcheesi_chances(turns[i].pieces, must_enter=must_enter) for i in some])
    ours = np.asarray(many(states_of(turns), must_enter=must_enter))[some, 24:]
    assert np.allclose(ours, theirs, atol=1e-6)
    assert (theirs > 0).sum(0).min() >= 3  # all eight are seen


def crowded(rng):
    """A position whose pieces stand close together, hardly any at start."""
    while True:
        centre, rows = rng.randrange(68), []
        for player in range(4):
            near = (centre - 17 * player - 4 + rng.randint(-9, 9) for _ in range(4))
            row = [p if 1 <= (p := square % 68) <= 64 else 72 for square in near]
            fate = rng.random()
            if fate < 0.4:
                row[1] = row[0]
            elif fate < 0.6:
                row[0] = rng.choice((0, 65, 66, 71))
            rows.append(tuple(sorted(row)))
        if twin.valid(tuple(rows)):
            return ParcheesiTurn(tuple(rows), rng.randrange(4), (1, 1), 0)


@pytest.mark.parametrize("must_enter, batches", [(True, 3), (False, 1)])
def test_smart_features_of_random_positions_are_the_slow_ones(must_enter, batches):
    rng, rules = Random(8), default_rules(must_enter=must_enter)
    for _ in range(batches):
        turns = parcheesi_positions(rng, LANES // 2)
        turns += [crowded(rng) for _ in range(LANES // 2)]
        states = states_of(turns)
        ours = np.asarray(many(states, must_enter=must_enter))
        plain = np.array([parcheesi_plain(t.pieces, t.player) for t in turns], np.float32)
        assert (ours[:, :24] == plain).all()
        hit, blockade = (np.asarray(x) for x in slow(rules, states.pieces))
        assert (np.rint(ours[:, 24:28] * 108) == hit).all()
        assert (np.rint(ours[:, 28:] * 36) == blockade).all()
        assert ((hit > 0) & (states.pieces[:, :, 0] > 0)).mean() > 0.3  # with nobody at start
        assert (ours > 0).sum(0).min() >= 10  # all 32 are seen


def test_who_is_home_neither_hits_nor_moves():
    # a finished game; seat 1 might still hit seat 2, on square 40, with a 2 or a double, if
    # that is not 3 3 4 4
    state = parse("72 72 72 72 | 17 72 72 72 | 2 72 72 72 | 0 0 0 0 | 1 to roll")
    found = features(state)
    assert found[24:28].tolist() == pytest.approx([0, 0, (10 + 4) / 108, 0])
    assert found[28] == 1


def test_rows_that_change_are_the_difference_of_the_inputs():
    game = make("parcheesi")
    # a double one with 3,148 plays, three times as many as are kept in a list
    pieces = (1, 3, 7, 37), (6, 21, 23, 27), (9, 53, 61, 63), (10, 32, 37, 51)
    turns = parcheesi_positions(Random(10), 600) + [ParcheesiTurn(pieces, 0, (1, 1), 0)] * 4
    before = states_of(turns)
    rolls = [game.rolls.index("{1}-{0}".format(*sorted(turn.dice))) for turn in turns]
    shares = [*np.random.default_rng(11).random(600), 0.1, 0.4, 0.7, 1.0]
    by_changes, by_encode, after = both_ways(game, encodings.unary())(before, rolls, shares)
    assert (by_changes == by_encode).all()
    assert len({row.tobytes() for row in by_encode[-4:]}) == 4
    seen = what_happens(before, after, 72)
    assert min(seen.values()) >= 5, seen


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
def test_sizes_and_names(name, size):
    encoding = getattr(encodings, name)()
    inputs = jax.eval_shape(encoding.encode, parse(MIDDLE), FIRST)
    assert encoding.name == name and inputs.dtype == jnp.float32
    assert inputs.shape == (size,) and len(encoding.names) == len(set(encoding.names)) == size


def test_combined_is_unary_then_smart_and_the_same_for_all_who_ask(monkeypatch):
    raw = jnp.arange(32, dtype=jnp.float32)  # in place of what takes long to compile
    monkeypatch.setattr(encodings, "raw_features", lambda state, must_enter: raw)
    state, combined = parse(MIDDLE), encodings.combined()
    unary = encodings.unary().encode(state, FIRST).tolist()
    smart = (raw / np.repeat([1, 288, 72, 72, 48, 4, 1, 1], 4)).tolist()
    for seat in range(4):
        assert combined.encode(state, jnp.int32(seat)).tolist() == pytest.approx(unary + smart)
