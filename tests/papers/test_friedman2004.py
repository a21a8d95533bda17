"""Friedman & Ibarra 2004: which contests the readings found afterwards are made of."""

from tdlib.papers.friedman2004 import experiments
from tdlib.papers.friedman2004.experiments import READINGS, RUNS, Reading
from tdlib.study import registry
from tdlib.study.contest import contest_hash

CONTESTS = {c.id: c for c in experiments.BORDER}


def test_every_reading_has_all_settings_and_equal_games_are_played_once():
    ids = {(r, h): r.contest(h) for r in READINGS for h in RUNS.values()}
    assert {*ids.values()} == {*CONTESTS} <= {*registry.contests()}
    with_base, without = 5, 7  # H4 beside others; the rest
    assert len(CONTESTS) == 6 * 2 * (2 * with_base + without)
    assert len({contest_hash(c) for c in CONTESTS.values()}) == len(CONTESTS)


def test_a_contest_is_played_as_its_reading_says():
    reading = Reading(border=5, base=10, first=0.9)
    contest = CONTESTS[reading.contest("H2+H4")]
    ours, opponent = contest.entrants
    assert dict(ours.weights)["border"] == dict(opponent.weights)["border"] == 5.0
    assert dict(ours.weights)["base"] == 10.0 and dict(ours.options)["first"] == 0.9
    assert dict(contest.game_options)["repetition"] == contest.max_plies  # never ends a game
    assert reading.contest("H4") == Reading(border=5, base=2, first=0.9).contest("H4")


def test_h4_alone_ranks_positions_alike_with_either_base():
    taken = [(own, other) for own in range(6) for other in range(6)]
    two, ten = ([base**own - base**other for own, other in taken] for base in (2, 10))
    below = [[(x < y, x == y) for y in values for x in values] for values in (two, ten)]
    assert below[0] == below[1]
