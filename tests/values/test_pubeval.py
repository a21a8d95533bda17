"""pubeval by hand."""

import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.show.notation.backgammon import parse
from tdlib.values import pubeval


def test_inputs_of_a_position():
    state = parse("24*1 13*2 8*3 6*6 off*3 | bar*2 24*1 13*5 8*2 6*5 | 0 to roll")
    inputs = np.asarray(pubeval.features(state, jnp.int32(0)))
    units = inputs[:120].reshape(24, 5)  # from the mover's 24 down
    expected = np.zeros((24, 5))
    expected[24 - 24] = [0, 1, 0, 0, 0]
    expected[24 - 13] = [0, 0, 1, 0, 0]
    expected[24 - 8] = [0, 0, 1, 1, 0]
    expected[24 - 6] = [0, 0, 1, 0, 1.5]
    expected[24 - 1] = [1, 0, 0, 0, 0]  # the other's 24; its larger points give nothing
    assert (units == expected).all()
    assert inputs[120:].tolist() == pytest.approx([1, 0.2])


def test_inputs_do_not_depend_on_the_seat():
    one = parse("24*1 13*2 8*3 6*6 off*3 | bar*2 24*1 13*5 8*2 6*5 | 0 to roll")
    two = parse("bar*2 24*1 13*5 8*2 6*5 | 24*1 13*2 8*3 6*6 off*3 | 0 to roll")
    assert (pubeval.features(one, jnp.int32(0)) == pubeval.features(two, jnp.int32(1))).all()


@pytest.mark.parametrize(
    "text, contact",
    [
        ("24*2 13*5 8*3 6*5 | 24*2 13*5 8*3 6*5 | 0 to roll", True),
        ("6*15 | 6*15 | 0 to roll", False),
        ("13*15 | 13*15 | 0 to roll", True),  # seat 1's 13 is seat 0's 12: they must pass
        ("12*15 | 12*15 | 0 to roll", False),
        ("bar*1 1*14 | 1*15 | 0 to roll", True),
    ],
)
def test_contact(text, contact):
    assert bool(pubeval.contact(parse(text))) is contact


def test_weights_are_chosen_by_the_position_before():
    weights = pubeval.Weights(jnp.ones(122), -jnp.ones(122))
    meeting = parse("13*15 | 13*15 | 0 to roll")
    passed = parse("12*15 | 12*15 | 0 to roll")
    inputs = float(pubeval.features(passed, jnp.int32(0)).sum())
    assert float(pubeval.score(weights, meeting, passed)) == pytest.approx(inputs)
    assert float(pubeval.score(weights, passed, passed)) == pytest.approx(-inputs)


def test_bearing_off_the_last_chequer_is_best():
    before = parse("1*1 off*14 | 6*15 | 0 to roll")
    after = parse("off*15 | 6*15 | 1 to roll")
    assert pubeval.score(pubeval.published_weights(), before, after) == jnp.inf


def test_published_weights():
    weights = pubeval.published_weights()
    assert weights.contact[:2].tolist() == pytest.approx([0.25696, -0.66937])
    assert weights.race[1] == pytest.approx(-0.17160)


def test_weights_chosen_by_the_position_after():
    weights = pubeval.Weights(jnp.ones(122), -jnp.ones(122))
    meeting = parse("13*15 | 13*15 | 0 to roll")
    passed = parse("12*15 | 12*15 | 0 to roll")
    inputs = float(pubeval.features(passed, jnp.int32(0)).sum())
    found = pubeval.score(weights, meeting, passed, race_by_after=True)
    assert float(found) == pytest.approx(-inputs)


def test_weights_that_make_inputs_of_plain_counts():
    # seven chequers on the 6: n - 3 is 4, where the post has 2; two on the bar, three off
    after = parse("7*5 6*7 off*3 | bar*2 24*13 | 1 to roll")
    weights = pubeval.OTHER_WEIGHTS["pubeval-counts"](pubeval.published_weights())
    contact = pubeval.published_weights().contact
    six, seven = 5 * (24 - 6), 5 * (24 - 7)
    expected = contact[six + 2] + 4 * contact[six + 4] + contact[seven + 2]
    expected += 2 * contact[seven + 4] + 2 * contact[120] + 3 * contact[121]
    expected += 0 * contact[0]  # thirteen of the other on one point give nothing
    found = weights.contact @ pubeval.features(after, jnp.int32(0))
    assert float(found) == pytest.approx(float(expected), rel=1e-5)


def test_contact_weights_to_the_end():
    weights = pubeval.OTHER_WEIGHTS["pubeval-contact"](pubeval.published_weights())
    assert weights.race is weights.contact is pubeval.published_weights().contact
