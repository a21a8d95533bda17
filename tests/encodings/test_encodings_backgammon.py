"""The inputs for backgammon, by hand."""

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import encodings
from tdlib.encodings.backgammon import raw_features
from tdlib.games.backgammon import State
from tdlib.show.notation.backgammon import from_vector, parse
from tests.reference import backgammon as twin
from tests.reference import backgammon_smart

OPENING = "24*2 13*5 8*3 6*5"
FIRST = jnp.int32(0)


@pytest.mark.parametrize(
    "name, men, pip, worst, best, contact, exposure, hit, block",
    [  # counts of the 36 rolls for hit and block; seat 0 first
        ("backgammon", (OPENING, OPENING),
         (167, 167), (24, 24), (6, 6), 81, (0, 0), (0, 0), (0, 0)),
        ("hypergammon", ("24*1 23*1 22*1", "24*1 23*1 22*1"),
         (69, 69), (24, 24), (22, 22), 9, (3, 3), (1, 1), (0, 0)),
        ("backgammon", ("24*1 18*1 13*4 11*1 8*3 6*5", OPENING),
         (159, 167), (24, 24), (6, 6), 71, (3, 0), (36, 0), (0, 0)),
        ("backgammon", ("bar*2 13*5 8*3 6*5", "24*1 6*3 5*3 4*3 3*3 2*2"),
         (169, 82), (25, 24), (6, 2), 43, (0, 1), (0, 0), (35, 2)),
        ("backgammon", ("6*5 5*4 4*3 3*3", "6*6 4*4 2*3 1*2"),
         (71, 60), (6, 6), (3, 1), 0, (0, 0), (0, 0), (0, 0)),
    ],
)  # fmt: skip
def test_smart_features(name, men, pip, worst, best, contact, exposure, hit, block):
    state = parse(f"{men[0]} | {men[1]} | 1 to roll", name=name)
    expected = [0, 1, *pip, *worst, *best, contact, *exposure, *hit, *block]
    assert jax.jit(raw_features)(state).tolist() == expected


@pytest.mark.parametrize("name, men", [("backgammon", 15), ("hypergammon", 3)])
def test_smart_features_are_those_of_the_twin(name, men):
    rng = Random(5)
    cases = [p for p, _ in twin.random_positions(rng, 100, game=name)]
    cases += backgammon_smart.tight_positions(rng, 100, men=men)
    states = [from_vector(list(p), name=name) for p in cases]
    batch = jax.tree.map(lambda *x: np.stack(x), *states)
    expected = [[1, 0, *backgammon_smart.smart(position)] for position in cases]
    assert jax.jit(jax.vmap(raw_features))(batch).tolist() == expected


def test_smart_features_of_chequers_that_share_a_point():
    # No game leads here (seat 0's 3 is seat 1's 22), but an independent program gave these
    # numbers for it, and they pin the definitions all the same.
    men = np.zeros((2, 26), np.int32)
    men[0, [25, 10, 3]] = men[1, [22, 20, 6]] = 1
    state = State(jnp.asarray(men), jnp.int32(0), jnp.bool_(False))
    features = jax.jit(raw_features)(state).tolist()
    assert features == [1, 0, 38, 48, 25, 22, 3, 6, 5, 2, 3, 19, 24, 0, 0]


def test_smart_features_of_the_other_seat_are_mirrored():
    a, b = "24*1 18*1 13*4 11*1 8*3 6*5", "24*2 13*5 8*3 6*5"
    one = raw_features(parse(f"{a} | {b} | 0 to roll")).tolist()
    two = raw_features(parse(f"{b} | {a} | 1 to roll")).tolist()
    swapped = [x for i in range(0, 8, 2) for x in (two[i + 1], two[i])] + [two[8]]
    swapped += [x for i in range(9, 15, 2) for x in (two[i + 1], two[i])]
    assert one == swapped


def test_smart_features_divided_by_their_greatest_values():
    state = parse("bar*1 10*1 2*1 | 22*1 20*1 off*1 | 0 to roll", name="hypergammon")
    inputs = encodings.make("hypergammon", "smart").encode(state, FIRST)
    greatest = [1, 1, 75, 75, 25, 25, 25, 25, 9, 3, 3, 36, 36, 36, 36]
    assert np.allclose(inputs * np.array(greatest), raw_features(state), atol=1e-5)
    assert raw_features(state)[6:8].tolist() == [2, 0]  # best is 0 once a chequer is off
    raw = encodings.make("hypergammon", "smart", normalise=False)
    assert raw.encode(state, FIRST).tolist() == raw_features(state).tolist()


@pytest.mark.parametrize(
    "reading, meaning, where, ours, other",
    [  # of the position below, seat 0 first
        ("turn", "none", slice(0, 2), [0, 1], [0, 0]),
        ("best", "board", slice(6, 8), [0, 6], [10, 6]),
        ("exposure", "bar", slice(9, 11), [1, 3], [2, 3]),
        # Seat 0's 10 is 5 and 7 away from seat 1's chequers: 11 rolls with a 5, and 1-4, 2-3,
        # 1-6, 3-4 by both dice. From the bar, seat 0 hits with the 11 rolls with a 6; by both
        # dice with 2-4, 2-2, 3-3, and its 10 with a 5 after any other die has entered
        ("hit", "die", slice(11, 13), [11 + 8, 11 + 2 + 2 + 9], [11, 11]),
    ],
)
def test_other_readings_of_the_features(reading, meaning, where, ours, other):
    state = parse("bar*1 10*1 off*1 | 22*1 20*1 6*1 | 1 to roll", name="hypergammon")
    usual = encodings.make("hypergammon", "smart", normalise=False)
    changed = encodings.make("hypergammon", "smart", normalise=False, **{reading: meaning})
    inputs, others = (e.encode(state, FIRST).tolist() for e in (usual, changed))
    assert inputs[where] == ours and others[where] == other
    inputs[where] = others[where]
    assert inputs == others  # nothing else changes


def test_divided_by_the_greatest_values_of_the_other_game():
    state = parse("bar*1 10*1 2*1 | 22*1 20*1 off*1 | 0 to roll", name="hypergammon")
    inputs = encodings.make("hypergammon", "smart", greatest="backgammon").encode(state, FIRST)
    greatest = [1, 1, 375, 375, 25, 25, 25, 25, 225, 15, 15, 36, 36, 36, 36]
    assert np.allclose(inputs * np.array(greatest), raw_features(state), atol=1e-4)


def test_chances_as_shares_are_divided_even_where_nothing_else_is():
    state = parse("bar*1 10*1 2*1 | 22*1 20*1 off*1 | 0 to roll", name="hypergammon")
    options = {"normalise": False, "chances": "shares"}
    inputs = encodings.make("hypergammon", "smart", **options).encode(state, FIRST)
    units = np.array([1] * 11 + [36] * 4)
    assert np.allclose(inputs * units, raw_features(state), atol=1e-5)


def test_best_on_the_board_is_0_where_nothing_is_left():
    state = parse("off*3 | 22*1 20*1 6*1 | 1 to roll", name="hypergammon")
    encoding = encodings.make("hypergammon", "smart", normalise=False, best="board")
    assert encoding.encode(state, FIRST)[6:8].tolist() == [0, 6]


def test_unary_inputs_by_name():
    state = parse("bar*1 13*2 8*3 6*6 off*3 | 24*1 13*5 8*4 6*5 | 0 to roll")
    encoding = encodings.make("backgammon", "unary")
    inputs = encoding.encode(state, FIRST)
    assert inputs.shape == (196,)
    active = {n: v for n, v in zip(encoding.names, inputs.tolist(), strict=True) if v}
    assert active == pytest.approx(
        {
            **{f"seat 0 point 6 >={n}": 1 for n in (1, 2, 3)}, "seat 0 point 6 >3": 1.5,
            **{f"seat 0 point 8 >={n}": 1 for n in (1, 2, 3)},
            **{f"seat 0 point 13 >={n}": 1 for n in (1, 2)},
            "seat 0 bar": 0.5, "seat 0 off": 0.2,
            **{f"seat 1 point 6 >={n}": 1 for n in (1, 2, 3)}, "seat 1 point 6 >3": 1,
            **{f"seat 1 point 8 >={n}": 1 for n in (1, 2, 3)}, "seat 1 point 8 >3": 0.5,
            **{f"seat 1 point 13 >={n}": 1 for n in (1, 2, 3)}, "seat 1 point 13 >3": 1,
            "seat 1 point 24 >=1": 1,
        }
    )  # fmt: skip


@pytest.mark.parametrize("extra, value", [("half", 1.5), ("over", 3), ("count", 6)])
def test_readings_of_the_fourth_unit(extra, value):
    state = parse("6*6 off*9 | 24*15 | 0 to roll")
    encoding = encodings.make("backgammon", "unary", extra=extra)
    inputs = encoding.encode(state, FIRST)
    assert float(inputs[encoding.names.index("seat 0 point 6 >3")]) == value


def test_unscaled_bar_and_off():
    state = parse("bar*2 off*1 | 24*2 off*1 | 0 to roll", name="hypergammon")
    encoding = encodings.make("hypergammon", "unary", scaled=False)
    inputs = dict(zip(encoding.names, encoding.encode(state, FIRST).tolist(), strict=True))
    assert inputs["seat 0 bar"] == 2 and inputs["seat 0 off"] == 1
    scaled = encodings.make("hypergammon", "unary").encode(state, FIRST)
    assert scaled[96:98].tolist() == pytest.approx([1, 1 / 3])
    whole = encodings.make("hypergammon", "unary", bar="whole").encode(state, FIRST)
    assert whole[96:98].tolist() == pytest.approx([2, 1 / 3])


@pytest.mark.parametrize("name, size", [("unary", 196), ("smart", 15), ("combined", 211)])
@pytest.mark.parametrize("game", ["backgammon", "hypergammon"])
def test_sizes_and_names(game, name, size):
    encoding = encodings.make(game, name)
    men = {"backgammon": OPENING, "hypergammon": "24*1 23*1 22*1"}[game]
    inputs = encoding.encode(parse(f"{men} | {men} | 0 to roll", name=game), FIRST)
    assert len(inputs) == len(encoding.names) == len(set(encoding.names)) == size
    assert inputs.dtype == jnp.float32


def test_unknown_encodings_and_readings_are_refused():
    with pytest.raises(
        ValueError, match=r"'backgammon' has no encoding 'raw'; .* unary, smart"
    ):
        encodings.make("backgammon", "raw")
    with pytest.raises(ValueError, match="blockade must be one of dice, unfinished, stuck, no"):
        encodings.make("backgammon", "smart", blockade="x")
    with pytest.raises(ValueError, match=r"a reading must be one of turn, .* not 'pip'"):
        encodings.make("backgammon", "smart", pip="x")
    with pytest.raises(ValueError, match="greatest must be one of backgammon, hyper"):
        encodings.make("backgammon", "smart", greatest="x")
    with pytest.raises(ValueError, match="extra must be one of half, over, count, not 'all'"):
        encodings.make("backgammon", "unary", extra="all")
