"""What is measured of pachisi's learners and of identical players of Parcheesi."""

import dataclasses

import numpy as np

from tdlib.papers.matthews2006 import (
    identical_players,
    pachisi_readings,
    passes,
    tables,
    training_time,
    visited,
)
from tdlib.play import arena
from tdlib.study import measure, testing
from tdlib.study.experiment import LEARNER, training_settings
from tdlib.study.network import untrained
from tdlib.study.scale import scaled
from tdlib.study.store import Store

KNOWN = {e.id: e for e in tables.EXPERIMENTS}
A13 = KNOWN["M-A13"]
COUNTS = {name: [0] for name in ("wins", "draws", "capped", "points", "pieces", "plies")}


def test_wins_are_counted_by_seat_and_by_order_of_turns():
    # 1,000 games: seat 1 always begins, and wins the first 600; then seat 0, the last to move
    won = np.zeros((1000, 4), bool)
    won[:600, 1], won[600:, 0] = True, True
    capped = np.arange(1000) == 700
    won[700] = False
    rows = identical_players.counted(won, np.full(1000, 1), capped)
    assert rows.tolist() == [
        [500, 0, 500, 0, 0, 500, 0, 0, 0, 0],
        [1000, 399, 600, 0, 0, 600, 0, 0, 399, 1],
    ]


def test_four_identical_players_share_the_wins(tmp_path):
    m = identical_players.measurement("smoke")
    assert measure.measure(m, Store(tmp_path)) == (0, 4)
    frame = measure.load(m, Store(tmp_path))
    assert frame.experiment.tolist() == ["first"] * 2 + ["random"] * 2
    seats, turns = (frame.filter(like=name).to_numpy() for name in ("seat_", "turn_"))
    assert (seats.sum(1) == 500).all() and (turns.sum(1) == 500).all()
    # A quarter each: a count of 500 leaves 75..175 with a chance below 1e-6
    assert (abs(seats - 125) < 50).all() and (seats != turns).any()
    assert not frame.capped.any()


def stored(id, folder):
    """A smoke run of an experiment and its store; nothing was learned."""
    e, store = scaled(KNOWN[id], "smoke"), Store(folder)
    for games in e.checkpoints:
        network = untrained(e, 0)._replace(games=games)
        store.save(network)
        tally = arena.Tally(games=[e.eval_games], **COUNTS)
        store.add(e, [testing._row(testing.exam(network), tally, 0, 0.1)])
    return e, store


def test_learners_pass_freely_in_tests_and_only_if_they_must_in_training(tmp_path):
    _, store = stored("M-A13", tmp_path)
    m = passes.measurement("smoke")
    assert measure.measure(m, store) == (0, 6)
    frame = measure.load(m, store).set_index(["games", "company"])
    assert (frame.throws >= frame.passes).all() and (frame.passes >= frame.chosen).all()
    training, tests, free = (frame.xs(x, level="company") for x in passes.COMPANIES)
    assert (training.chosen == 0).all() and (training.passes > 0).all()
    assert not training.capped.any() and not tests.capped.any()
    # Untrained networks like to pass: four of them never come home, in any of the games
    assert (free.capped == 4).all() and (free.chosen > 0.3 * free.throws).all()


def test_untrained_networks_win_only_if_they_may_not_pass():
    # Thesis: 0 of 5,000 games in 34 of 35 tests. Another program: 0 with free passes, 14 to 61
    # of 5,000 with forced ones, so that 3 or fewer in 5 x 1,000 have a chance below 1e-3.
    like = dataclasses.replace(A13, eval_games=1000)
    won = {}
    for passing in ("free", "forced"):
        e = dataclasses.replace(like, eval_habits={"passes": passing, "wins": "taken"})
        exams = [testing.exam(untrained(e, run)) for run in range(5)]
        won[passing] = sum(row.wins for row in testing.tested(exams, 5))
    assert won["free"] <= 2 and 3 < won["forced"] < 100


def test_positions_of_whole_games_are_counted(tmp_path):
    e, store = stored("M-A17", tmp_path)
    m = visited.measurement("smoke")
    points = visited.points(e)
    assert measure.measure(m, store) == (0, len(points))
    frame = measure.load(m, store)
    assert frame.games.tolist() == points and (frame.played == 50).all()
    # Games of untrained learners and a heuristic team last about 400 throws; a piece of pachisi
    # has 85 places.
    assert (frame.positions / 50).between(250, 700).all()
    assert (frame.distinct < frame.positions).all() and (frame.entropy < np.log2(85)).all()
    found = visited.positions(untrained(e, 0), 50)
    home = (found[:, :16].reshape(-1, 4, 4) == 84).all(-1)
    teams = home[:, [0, 1]] & home[:, [2, 3]]
    assert teams.any(-1).sum() == 50  # every game is there to its end
    assert {*found[:, 16].tolist()} == {0, 1, 2, 3}


def test_entropy_and_points():
    assert visited.entropy(np.array([[0, 0, 5, 5], [1, 1, 72, 72]])) == 2
    assert visited.entropy(np.zeros((3, 16), int)) == 0
    assert visited.points(KNOWN["M-A24"]) == [10_000, 20_000, 30_000, 40_000, 50_000]


def test_twelve_experiments_are_timed(tmp_path):
    m = training_time.measurement("smoke")
    asked = m.asked(Store(tmp_path))
    kinds = {(KNOWN[x[0]].game, KNOWN[x[0]].encoding) for x in asked}
    assert len(kinds) == 12 and len(asked) == 60
    mine = [x for x in asked if x[0] == "M-A8"]
    rows = [row for some in m.compute(Store(tmp_path), mine) for row in some]
    assert [row[:5] for row in rows] == mine and all(row.game_rate > 0 for row in rows)


def test_companies():
    training, tests, free = (passes.in_company(A13, x) for x in passes.COMPANIES)
    assert (training.evaluation, training.eval_habits) == (A13.seats, A13.habits)
    assert tests == A13
    assert (free.evaluation, free.eval_habits) == ((LEARNER,) * 4, A13.eval_habits)


def test_readings_change_one_thing_each():
    for n, e in zip((14, 15, 16, 17), pachisi_readings.FREE_PASS, strict=True):
        main = training_settings(KNOWN[f"M-A{n}"])
        mine = training_settings(e)
        assert {k for k in main | mine if main.get(k) != mine.get(k)} == {"id", "habits"}
        assert dict(e.habits) == {"wins": "taken"} and LEARNER in e.seats
    for id, e in zip(("M-A13", "M-A19"), pachisi_readings.UNTRUNCATED, strict=True):
        options = dict(e.encoding_options)
        assert options.pop("truncated") is False
        same = dataclasses.replace(e, id=id, encoding_options=options)
        assert training_settings(same) == training_settings(KNOWN[id])
        assert e.games == max(e.checkpoints) == 20_000
    again = training_settings(pachisi_readings.REEVALUATED)
    main = training_settings(KNOWN["M-A18"])
    assert {k for k in main | again if main.get(k) != again.get(k)} == {"id", "reevaluate"}
    habits = [dict(r.habits) for r in pachisi_readings.READINGS]
    assert len(habits) == 3 and dict(A13.eval_habits) not in habits
    assert len(pachisi_readings.RETESTS) == 21
