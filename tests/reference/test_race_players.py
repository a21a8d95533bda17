"""The fixed players of pachisi and Parcheesi, and the positions on which rules are compared."""

from functools import partial
from random import Random

import pytest

from . import pachisi, parcheesi
from .race_players import (
    ParcheesiTurn,
    pachisi_game,
    pachisi_heuristic,
    pachisi_random,
    parcheesi_first,
    parcheesi_game,
    parcheesi_heuristic,
    parcheesi_random,
)
from .race_positions import (
    PACHISI_OPTIONS,
    PARCHEESI_OPTIONS,
    pachisi_features,
    pachisi_positions,
    parcheesi_features,
    parcheesi_positions,
)
from .test_twins_race_games import OUT, board, own


def heuristic_result(rows, throw):
    turn = pachisi.Turn(rows, OUT, 0, throw, 0, pachisi.NOBODY)
    return pachisi_heuristic(Random(0), turn, pachisi.choices(turn)).pieces[0]


def test_pachisi_heuristic_player_orders_its_criteria():
    assert heuristic_result(board((20, 83)), 5) == own((25, 83))  # 5 pips beat 1 pip
    assert heuristic_result(board((18, 40)), 3) == own((21, 40))  # 21 is a castle
    assert heuristic_result(board((20, 30, 41, 84)), 2) == own((22, 30, 41, 84))  # spread 62
    assert heuristic_result(board((74,)), 5) == own((79,))  # no extra circuit


def test_pachisi_heuristic_team_beats_random_team():
    games = 12  # a fair team would win all of them once in 4,096
    for seed in range(games):
        players = (pachisi_heuristic, pachisi_random) * 2
        *_, (_, _, last) = pachisi_game(Random(seed), players)
        assert pachisi.winner(last.pieces) == 0


def test_parcheesi_heuristic_and_first_player():
    rows = board((20, 70))
    turn = ParcheesiTurn(rows, 0, (2, 1), 0)
    found = parcheesi.plays(rows, 0, (2, 1))
    assert parcheesi_heuristic(Random(0), turn, found)[0] == board((31, 72))
    assert parcheesi_first(Random(0), turn, found)[0] == board((22, 71))
    rows = board((9, 23, 30, 53))  # equal pips: p = 30 is a castle, and only 23 + 2 adds one
    turn, found = ParcheesiTurn(rows, 0, (2, 1), 0), parcheesi.plays(rows, 0, (2, 1))
    assert parcheesi_heuristic(Random(0), turn, found)[0] == board((9, 25, 30, 54))


PACHISI_RULES = {
    *(f"throw {throw}" for throw in pachisi.THROWS),
    *(f"option {name}={value}" for name, value in PACHISI_OPTIONS),
    *("grace", "forced pass", "castle refused", "capture", "capture of several"),
    *("extra circuit", "home by exact count", "home beyond count", "piece at end of lap"),
    *("entry by grace", "entry without grace", "entry captures", "own end square twice"),
    *("joins partner", "joins own piece", "outgoing column", "returning column"),
    *("player finishes", "player finishes on grace", "skips finished player", "win"),
}
PARCHEESI_RULES = {
    *(f"option {name}={value}" for name, value in PARCHEESI_OPTIONS),
    *("double", "third double", "third double with nobody out", "no move"),
    *("blockade on track", "own blockade", "own blockade on home path"),
    *("blockade in the way", "moved blockade refused", "castle refused"),
    *("home path", "piece home", "nobody at start", "win", "over 50 plays"),
    *("four numbers", "four numbers impossible", "enters one", "enters two"),
    *("enters by sum of five", "entry blockaded", "entry capture", "capture"),
    *("captures", "captures several", "brings one home", "brings several home"),
    *("bonus 10 moved", "bonus 10 lost", "bonus 20 moved", "bonus 20 lost"),
    "bonus earns bonus",
}


def test_pachisi_positions_show_every_rule_and_every_play_is_valid():
    seen = set()
    for turn in pachisi_positions(Random(1), 1_000):
        assert pachisi.valid(turn.pieces, turn.entered)
        found = pachisi.choices(turn)
        assert len({c.pieces for c in found}) == len(found)
        assert all(pachisi.valid(c.pieces, c.entered) for c in found)
        seen |= pachisi_features(turn)
    assert seen == PACHISI_RULES


def test_parcheesi_positions_show_every_rule_and_every_play_is_valid():
    seen = set()
    for turn in parcheesi_positions(Random(2), 400):
        assert parcheesi.valid(turn.pieces)
        found = parcheesi.plays(*turn[:3], doubles=turn.doubles)
        assert found and all(parcheesi.valid(after) for after, _, _ in found)
        seen |= parcheesi_features(turn)
    assert seen == PARCHEESI_RULES


@pytest.mark.parametrize("castles", ["0-5-12", "0-4-13"])
def test_parcheesi_games_end_and_stay_valid(castles):
    options = {"castles": castles}
    players = (parcheesi_random, partial(parcheesi_heuristic, **options)) * 2
    *_, (_, _, (pieces, _, _)) = parcheesi_game(Random(3), players, **options)
    assert parcheesi.over(pieces, **options) and parcheesi.valid(pieces, **options)
