"""Parcheesi against the plain-Python twin: same final positions, in order."""

from collections import Counter
from random import Random

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given, settings

from tdlib.games import make, parcheesi
from tdlib.games.parcheesi.windows import LIST
from tests import one_shape
from tests.reference import parcheesi as twin
from tests.reference.race_players import ParcheesiTurn, parcheesi_order
from tests.reference.race_positions import (
    PARCHEESI_OPTIONS,
    parcheesi_features,
    parcheesi_positions,
)

OPTIONS = [o for o in PARCHEESI_OPTIONS if o[0] != "double_choice"]  # which only the twin has
CROWDED = {  # doubles of one with a dozen captures to be made: number of final positions
    693: ((3, 7, 31, 37), (4, 5, 48, 48), (9, 53, 61, 62), (5, 34, 37, 51)),
    1135: ((3, 7, 31, 37), (4, 6, 48, 48), (9, 53, 61, 62), (5, 34, 37, 51)),
    2148: ((3, 7, 33, 37), (6, 7, 47, 53), (9, 53, 61, 62), (10, 34, 37, 51)),
    3148: ((1, 3, 7, 37), (6, 21, 23, 27), (9, 53, 61, 63), (10, 32, 37, 51)),
}


def listed(turns, **options):
    """The afterstates of turns, as the twin writes them."""
    game = make("parcheesi", **options)
    states = parcheesi.State(
        pieces=np.array([t.pieces for t in turns], np.int32),
        seat=np.array([t.player for t in turns], np.int32),
        doubles=np.array([t.doubles for t in turns], np.int32),
    )
    rolls = [game.rolls.index(f"{max(t.dice)}-{min(t.dice)}") for t in turns]
    return [
        [(tuple(map(tuple, s.pieces.tolist())), int(s.seat), int(s.doubles)) for s in after]
        for after in one_shape.every_play(game, states, rolls)
    ]


def theirs(turn, **options):
    found = twin.plays(turn.pieces, turn.player, turn.dice, doubles=turn.doubles, **options)
    return sorted(found, key=lambda play: parcheesi_order(play, turn.player))


def test_plays_of_random_and_scattered_positions_are_the_twins():
    turns = parcheesi_positions(Random(1), 5000)
    for turn, ours in zip(turns, listed(turns), strict=True):
        assert ours == theirs(turn), turn


def test_the_compared_positions_show_every_rule():
    turns = parcheesi_positions(Random(1), 5000)[::5]
    seen = Counter(feature for turn in turns for feature in parcheesi_features(turn))
    for rule in (
        "blockade on track", "blockade in the way", "own blockade", "own blockade on home path",
        "moved blockade refused", "castle refused", "capture", "captures several",
        "bonus 20 moved", "bonus 20 lost", "bonus 10 moved", "bonus 10 lost",
        "bonus earns bonus", "enters one", "enters two", "enters by sum of five",
        "entry capture", "entry blockaded", "brings one home", "brings several home",
        "double", "four numbers", "four numbers impossible", "third double",
        "third double with nobody out", "no move", "over 50 plays", "win",
    ):  # fmt: skip
        assert seen[rule] >= 2, (rule, seen)
    for name, value in OPTIONS:
        assert seen[f"option {name}={value}"] >= 5, (name, value, seen)


@pytest.mark.parametrize("name, value", [*OPTIONS, ("castles", "0-4-13")])
def test_plays_under_an_option_are_the_twins(name, value):
    turns = parcheesi_positions(Random(2), 1000, **{name: value})
    for turn, ours in zip(turns, listed(turns, **{name: value}), strict=True):
        assert ours == theirs(turn, **{name: value}), turn


def test_plays_under_all_options_at_once_are_the_twins():
    options = {
        "must_enter": False, "castles": "0-4-13", "larger_die": True, "third_double": "played",
        "move_blockade": True, "own_blockade": False, "entry_capture": False,
    }  # fmt: skip
    turns = parcheesi_positions(Random(3), 1000, **options)
    for turn, ours in zip(turns, listed(turns, **options), strict=True):
        assert ours == theirs(turn, **options), turn


def test_lists_longer_than_their_places_are_complete():
    assert max(CROWDED) > 3 * LIST
    turns = [ParcheesiTurn(pieces, 0, (1, 1), 0) for pieces in CROWDED.values()]
    for turn, ours, number in zip(turns, listed(turns), CROWDED, strict=True):
        assert len(ours) == number
        assert ours == theirs(turn)


rows = st.tuples(*[st.integers(0, 72)] * 4).map(lambda row: tuple(sorted(row)))


@settings(max_examples=150)
@given(
    pieces=st.tuples(rows, rows, rows, rows),
    player=st.integers(0, 3),
    dice=st.tuples(st.integers(1, 6), st.integers(1, 6)),
    doubles=st.integers(0, 2),
)
def test_plays_of_any_position_are_the_twins(pieces, player, dice, doubles):
    assume(twin.valid(pieces) and not twin.over(pieces))
    turn = ParcheesiTurn(pieces, player, dice, doubles)
    assert listed([turn]) == [theirs(turn)]


def test_the_other_games_of_a_batch_do_not_matter():
    turns = parcheesi_positions(Random(4), 300)
    assert [listed([turn])[0] for turn in turns[::30]] == listed(turns)[::30]
    assert listed(turns[::-1]) == listed(turns)[::-1]
