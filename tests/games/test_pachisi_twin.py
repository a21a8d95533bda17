"""Pachisi against the plain-Python twin: same plays, in the same order."""

import functools
from collections import Counter
from random import Random

import hypothesis.strategies as st
import jax
import numpy as np
import pytest
from hypothesis import assume, given, settings

from tdlib.games import make, pachisi
from tests import one_shape
from tests.reference import pachisi as twin
from tests.reference.race_positions import (
    PACHISI_OPTIONS,
    pachisi_features,
    pachisi_positions,
)


@functools.cache
def jitted():
    game = make("pachisi")
    return game._replace(plays=jax.jit(game.plays), play=jax.jit(game.play))


def listed(game, turns):
    """The afterstates of turns, as the twin writes them."""
    states = pachisi.State(
        pieces=np.array([t.pieces for t in turns], np.int32),
        entered=np.array([t.entered for t in turns]),
        seat=np.array([t.player for t in turns], np.int32),
        run=np.array([t.run for t in turns], np.int32),
        passed=np.array([t.passed for t in turns]),
    )
    rolls = [game.rolls.index(str(t.throw)) for t in turns]
    return [
        [(tuple(map(tuple, s.pieces.tolist())), tuple(s.entered.tolist()), int(s.seat),
          int(s.run), tuple(s.passed.tolist())) for s in after]
        for after in one_shape.every_play(game, states, rolls)
    ]  # fmt: skip


def theirs(turn, **options):
    """The twin's choices; it always keeps the pass history, we only what the rule needs."""
    result = []
    for choice in twin.choices(turn, **options):
        run, passed = twin.pass_history(turn, choice)
        passing = options.get("passing", "free")
        run = run if passing == "no_pass_after_three" else turn.run
        passed = passed if passing == "not_twice" else turn.passed
        result.append((choice.pieces, choice.entered, choice.seat, run, passed))
    return result


def test_plays_of_random_and_scattered_positions_are_the_twins():
    turns = pachisi_positions(Random(1), 4000)
    for turn, ours in zip(turns, listed(jitted(), turns), strict=True):
        assert ours == theirs(turn), turn


def test_the_compared_positions_show_every_rule():
    seen = Counter(f for turn in pachisi_positions(Random(1), 4000)[::2] for f in
                   pachisi_features(turn))  # fmt: skip
    for rule in (
        "capture", "capture of several", "castle refused", "grace", "forced pass",
        "extra circuit", "home by exact count", "home beyond count", "entry by grace",
        "entry without grace", "entry captures", "joins partner", "joins own piece",
        "outgoing column", "returning column", "piece at end of lap", "player finishes",
        "player finishes on grace", "skips finished player", "win",
    ):  # fmt: skip
        assert seen[rule] >= 3, (rule, seen)
    for name, value in PACHISI_OPTIONS:
        assert seen[f"option {name}={value}"] >= 10, (name, value, seen)


@pytest.mark.parametrize("name, value", PACHISI_OPTIONS)
def test_plays_under_an_option_are_the_twins(name, value):
    turns = pachisi_positions(Random(2), 500, **{name: value})
    game = make("pachisi", **{name: value})
    for turn, ours in zip(turns, listed(game, turns), strict=True):
        assert ours == theirs(turn, **{name: value}), turn


def test_plays_under_all_options_at_once_are_the_twins():
    options = {
        "exact": True, "free_entry": "none_out", "entry": "first", "grace_on_pass": False,
        "capture_throws_again": True, "extra_circuit": False, "passing": "not_twice",
    }  # fmt: skip
    turns = pachisi_positions(Random(3), 500, **options)
    for turn, ours in zip(turns, listed(make("pachisi", **options), turns), strict=True):
        assert ours == theirs(turn, **options), turn


rows = st.tuples(*[st.integers(0, 84)] * 4).map(lambda row: tuple(sorted(row)))


@settings(max_examples=150)
@given(
    pieces=st.tuples(rows, rows, rows, rows),
    entered=st.tuples(*[st.booleans()] * 4),
    player=st.integers(0, 3),
    throw=st.sampled_from(twin.THROWS),
)
def test_plays_of_any_position_are_the_twins(pieces, entered, player, throw):
    entered = tuple(e or any(row) for e, row in zip(entered, pieces, strict=True))
    assume(twin.valid(pieces, entered) and not twin.over(pieces))
    turn = twin.Turn(pieces, entered, player, throw, 0, twin.NOBODY)
    assert listed(jitted(), [turn]) == [theirs(turn)]
