"""What is computed depends on the experiment alone, and nothing is computed twice."""

import dataclasses
import io

import jax
import numpy as np
import pytest

from tdlib import experiments, paths, run
from tdlib.experiments import LEARNER
from tdlib.run import measuring, parts, progress, tasks, training, work, workers
from tdlib.store import Row, Store
from tests.tiny_experiments import RANDOM, SELF

TIMES = ("seconds_train", "seconds_eval", "date", "version")


def rows(store, *chosen):
    """All rows without what differs from day to day."""
    frames = [store.load(e).drop(columns=list(TIMES)) for e in chosen]
    return [frame.to_dict("records") for frame in frames]


def weights(store, e, run, games):
    return store.weights(e, run, games, parts.shapes(e)).weights


def assert_same_weights(one, two):
    for name, array in one.items():
        np.testing.assert_array_equal(array, two[name], strict=True)


@pytest.fixture(autouse=True)
def one_network_a_test(monkeypatch):
    """One shape of tests to compile."""
    monkeypatch.setattr(measuring, "NETWORKS", 1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Both experiments, in one go, with all weights."""
    store = Store(tmp_path_factory.mktemp("whole"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "NETWORKS", 1)
        summary = run.run([SELF, RANDOM], store, workers=1, keep="all")
    assert summary.complete and (summary.stored, summary.computed) == (0, 12)
    return store


def test_every_checkpoint_of_every_run_has_a_row_and_weights(whole):
    frame = whole.load(SELF)
    assert frame.groupby("run").games.apply(list).tolist() == [[0, 20, 40, 60]] * 2
    assert (frame.eval_games == 20).all() and (frame.plies > 20).all()
    assert (frame.train_plies > frame.games).sum() == 6  # all but those after no games
    assert whole.saved(RANDOM, 1) == [0, 20]
    first, last = weights(whole, SELF, 0, 0), weights(whole, SELF, 0, 60)
    assert first["hidden"].shape == (3, 197) and np.abs(first["hidden"]).max() <= SELF.span
    assert (first["hidden"] != last["hidden"]).any()


def test_runs_and_experiments_differ(whole):
    def start(e, run):
        return weights(whole, e, run, 0)["output"].tolist()

    assert start(SELF, 0) != start(SELF, 1) and start(SELF, 0) != start(RANDOM, 0)


def test_what_is_stored_is_not_computed_again(whole):
    before = {path: path.stat().st_mtime_ns for path in whole.root.rglob("*")}
    summary = run.run([SELF, RANDOM], whole, workers=1, keep="all")
    assert (summary.stored, summary.computed, summary.complete) == (12, 0, True)
    assert {path: path.stat().st_mtime_ns for path in whole.root.rglob("*")} == before


def test_a_run_alone_is_the_same_as_among_others(whole, tmp_path):
    alone = Store(tmp_path)
    run.run([SELF], alone, runs=[1], workers=1)
    (mine,) = rows(alone, SELF)
    assert mine == [row for row in rows(whole, SELF)[0] if row["run"] == 1]
    assert_same_weights(weights(alone, SELF, 1, 60), weights(whole, SELF, 1, 60))


def test_tests_do_not_depend_on_their_batch(whole):
    networks = [
        measuring.Network(tasks.Lane(SELF, r, None, (), ()), whole.weights(SELF, r, games))
        for r, games in ((1, 40), (0, 60), (0, 0))
    ]
    together = measuring.measured(networks[:2], size=3)
    for i, network in enumerate(networks[:2]):
        alone = measuring.measured([network], size=1)
        assert all(a[0] == b[i] for a, b in zip(alone, together, strict=True))
        row = whole.rows(SELF, network.lane.run)[network.saved.games]
        assert row.wins == alone.wins[0] and row.plies == alone.plies[0]


def test_a_narrower_batch_at_the_end_changes_nothing(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "COMPILING", -1.0)
    batches = []
    one_round = training.Training._round

    def spied(self, batch):
        batches.append(len(batch))
        return one_round(self, batch)

    monkeypatch.setattr(training.Training, "_round", spied)
    store = Store(tmp_path)
    run.run([SELF, RANDOM], store, workers=1)
    assert batches[0] == 4 and batches[-1] <= 2
    assert rows(store, SELF, RANDOM) == rows(whole, SELF, RANDOM)
    assert_same_weights(weights(store, SELF, 1, 60), weights(whole, SELF, 1, 60))


def test_more_runs_and_more_games_extend_what_is_there(whole, tmp_path):
    store = Store(tmp_path)
    short = dataclasses.replace(SELF, games=40, checkpoints=(0, 40), runs=1)
    first = run.run([short], store, workers=1)
    then = run.run([SELF], store, workers=1)
    assert (first.computed, then.stored, then.computed) == (2, 2, 6)
    assert rows(store, SELF) == rows(whole, SELF)
    assert_same_weights(weights(store, SELF, 0, 60), weights(whole, SELF, 0, 60))


def test_a_lost_row_alone_is_computed_again(whole, tmp_path):
    store = Store(tmp_path)
    run.run([SELF], store, runs=[0], workers=1)
    assert store.saved(SELF, 0) == [60]
    path = store.folder(SELF) / "run-0.csv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2] + lines[3:]))
    (lane,), _ = tasks.survey(store, [SELF], [0])
    assert (lane.start, lane.goals, lane.tests) == (None, (20,), ())
    assert run.run([SELF], store, runs=[0], workers=1).computed == 1
    assert rows(store, SELF)[0] == rows(whole, SELF)[0][:4]
    assert store.saved(SELF, 0) == [60]


def test_interruptions_between_checkpoints_change_nothing(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(work, "SAVE", 0.0)  # after each round,
    monkeypatch.setattr(training, "PROBE", (4, 100.0))  # and rounds are short
    store = Store(tmp_path)
    draw = np.random.default_rng(0)
    interruptions = 0
    while True:
        lanes = tasks.survey(store, [SELF])[0]
        lanes = [lane for lane in lanes if lane.missing]
        if not lanes:
            break
        patience = int(draw.integers(1, 5))

        def told(_):
            nonlocal patience
            patience -= 1
            if patience < 0:
                raise KeyboardInterrupt

        try:
            work.work(store, lanes, keep="last", played=told, stored=told)
        except KeyboardInterrupt:
            interruptions += 1
    assert interruptions > 4
    assert rows(store, SELF) == rows(whole, SELF)
    assert_same_weights(weights(store, SELF, 1, 60), weights(whole, SELF, 1, 60))


def test_workers_share_the_lanes_and_change_nothing(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "FEWEST", 1)
    store = Store(tmp_path)
    summary = run.run([SELF], store, workers=2, keep="all")
    assert summary.complete and summary.computed == 8
    assert rows(store, SELF) == rows(whole, SELF)
    for number in (0, 1):
        assert_same_weights(weights(store, SELF, number, 60), weights(whole, SELF, number, 60))


def test_fresh_computes_again(whole, tmp_path):
    store = Store(tmp_path)
    short = dataclasses.replace(SELF, games=20, checkpoints=(0, 20), runs=1)
    run.run([short], store, workers=1)
    store.add(short, store.rows(short, 0)[20]._replace(wins=0, draws=20))
    assert run.run([short], store, workers=1).computed == 0
    assert run.run([short], store, workers=1, fresh=True).computed == 2
    assert rows(store, short)[0] == rows(whole, SELF)[0][:2]


def test_what_is_damaged_is_refused_and_all_else_goes_on(tmp_path):
    store = Store(tmp_path)
    short = dataclasses.replace(SELF, games=20, checkpoints=(0, 20))
    run.run([short], store, workers=1)
    path = store.folder(SELF) / "run-0-games-20.npz"
    path.write_bytes(path.read_bytes()[:-10])
    broken = path.read_bytes()
    summary = run.run([SELF], store, workers=1)  # goes on from 20 games
    assert not summary.complete and summary.computed == 2
    assert len(summary.refused) == 1 and str(path) in str(summary.refused[0])
    assert path.read_bytes() == broken and list(store.rows(SELF, 0)) == [0, 20]
    assert list(store.rows(SELF, 1)) == [0, 20, 40, 60]
    with pytest.raises(ValueError, match="no whole npz file"):
        run.load_or_run(SELF, store=store, workers=1)
    path.unlink()
    assert run.run([SELF], store, workers=1).computed == 2


def test_trouble_with_one_task_is_told_and_does_not_stop_others(tmp_path):
    bad = dataclasses.replace(SELF, id="T-BAD", rewards="applause")
    short = dataclasses.replace(SELF, games=20, checkpoints=(0, 20))
    summary = run.run([bad, short], Store(tmp_path), workers=1)
    assert summary.computed == 4 and not summary.complete
    assert "T-BAD" in summary.troubles[0]
    assert "unknown rewards 'applause'; expected one of: none" in summary.troubles[0]


def test_load_or_run_says_what_it_did(whole, tmp_path, capsys):
    frame = run.load_or_run([SELF, RANDOM], store=whole, workers=1)
    assert len(frame) == 12 and set(frame.experiment) == {"T-SELF", "T-RANDOM"}
    assert capsys.readouterr().out == "12 results loaded, 0 computed\n"
    short = dataclasses.replace(SELF, games=20, checkpoints=(0, 20))
    assert len(run.load_or_run(short, store=tmp_path, workers=1)) == 4
    first, last = capsys.readouterr().out.splitlines()
    assert first == "40 games to train, 80 to test, in 1 tasks"
    assert last.startswith("0 results loaded, 4 computed in ")


def test_results_at_paper_scale_are_kept_apart():
    e = experiments.find("M-A1")
    places = [run.store_of(experiments.scaled(e, s)).root for s in ("smoke", "quick", "paper")]
    assert places == [paths.ROOT / "data" / name for name in ("local", "local", "results")]


def test_keys_are_the_same_on_every_machine():
    def numbers(*arguments):
        return jax.random.key_data(parts.key(*arguments)).tolist()

    # sha256 of "T-SELF 0 1 games" begins with these two words
    assert numbers(SELF, 1, "games") == [3583019708, 1941399069]
    assert numbers(dataclasses.replace(SELF, seed=1), 1, "games") != numbers(SELF, 1, "games")


# How work is shared out.


def lane(id, number=0):
    e = experiments.find(id)
    return tasks.Lane(e, number, None, e.checkpoints, ())


def test_lanes_of_one_shape_are_one_task():
    lanes = [lane(f"M-A{n}", r) for n in (1, 2, 3, 4, 5, 8) for r in range(5)]
    dealt = tasks.shared_out(lanes, workers=1)
    ids = [sorted({x.experiment.id for x in task}) for task in dealt]
    assert sorted(ids) == [["M-A1", "M-A2", "M-A3"], ["M-A4"], ["M-A5"], ["M-A8"]]
    assert len(dealt[0]) == 15  # the longest first
    dealt = tasks.shared_out([lane("M-A8"), lane("M-A20")], workers=1)
    assert [task[0].experiment.id for task in dealt] == ["M-A20", "M-A8"]


def test_tasks_are_split_between_workers_unless_they_get_too_narrow():
    lanes = [lane(f"M-A{n}", r) for n in (1, 2, 3, 4) for r in range(5)]
    dealt = tasks.shared_out(lanes, workers=2)
    assert [len(task) for task in dealt] == [8, 7, 5]
    assert {len({x.experiment.id for x in task}) for task in dealt[:2]} == {3}
    assert sorted(str(x) for task in dealt for x in task) == sorted(map(str, lanes))


def test_lanes_count_the_games_they_lack():
    e = experiments.find("M-A8")
    half = tasks.Lane(e, 0, 20_000, (25_000, 50_000), (20_000,))
    assert (half.missing, half.train_games, half.eval_games) == (3, 30_000, 15_000)


def test_lanes_of_a_round_play_equally_long_and_stop_at_checkpoints():
    def learner(games, pace, *goals):
        saved = parts.initial(SELF, 0)._replace(games=games)
        return training.Learner(lane("M-A1"), saved, list(goals), (1.0, pace))

    batch = [
        learner(0, 50.0, 100, 200),  # 5,000 plies to its checkpoint, the next of all
        learner(100, 100.0, 152),  # 5,200 to go: as well now
        learner(0, 25.0, 1000),
        learner(200, 50.0),  # has come to its end
    ]
    plan = training.Training(batch, lambda games: None)
    assert plan._until(batch) == [100, 152, 200, 200]
    plan.speed = 100.0  # plies in a second: a round is at most 20 of them,
    assert plan._until(batch) == [40, 120, 80, 200]
    plan.speed = 8_000.0  # and at least one, though some lane then waits
    assert plan._until(batch) == [100, 152, 320, 200]
    batch[2].lately = (0.0, 0.0)  # unknown: a few games
    assert plan._until(batch)[2] == training.PROBE[0]
    batch[2].note(10, 300)
    batch[2].note(15, 700)
    assert batch[2].pace == 42.5  # the latest round counts most


def test_seats_are_numbered_by_the_players_that_some_lane_meets():
    batch = [training.Learner(lane(id), None, [1]) for id in ("M-A2", "M-A1", "M-A3")]
    condition = training.condition(batch)
    assert condition.seats.tolist() == [[0, 1], [0, 0], [0, 2]]
    assert [player.name for player in training.others(batch)] == ["random", "pubeval"]
    assert condition.alpha.start.shape == (3,) and condition.rotates.tolist() == [True] * 3
    observer = [training.Learner(lane("M-A26"), None, [1])]
    assert training.condition(observer).seats.tolist() == [[1, 2, 1, 2]]
    assert LEARNER not in experiments.find("M-A26").seats


# What is shown.


def test_progress_is_lines_of_text_where_there_is_no_terminal(monkeypatch):
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", -1)
    out = io.StringIO()
    with progress.Progress(1000, out) as shown:
        shown.note("M-A1 run 0, 5,000 games: 41.0%")
        shown.played(250)
    first, last = out.getvalue().splitlines()
    assert first.startswith("    250 of 1,000 games; ") and first == last.replace(last, first)
    assert first.endswith(" left; M-A1 run 0, 5,000 games: 41.0%") and " games/s; " in first


def test_progress_is_a_bar_in_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    out = Terminal()
    with progress.Progress(1000, out) as shown:
        shown.played(1000)
        shown.note("41.0%")
    assert "1.00k/1.00k" in out.getvalue() and "41.0%" in out.getvalue()


def test_a_worker_that_dies_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_serve", _dying)
    told = []
    workers.together(Store(tmp_path), [[]], "last", told.append, workers=1)
    assert len(told) == 1 and told[0].trouble.startswith(
        "a worker ended with status 3; what it"
    )


def _dying(*arguments):
    raise SystemExit(3)


def test_rows_are_told_with_their_win_rate(capsys):
    heard = run._Heard()
    heard.progress = progress.Progress(40)
    fields = dict.fromkeys(Row._fields, 0) | {"experiment": "M-A1", "eval_games": 20, "wins": 5}
    heard(Row(**fields))
    heard(workers.Finished(done=90, room=100))
    heard(workers.Finished(trouble="M-A2: no"))
    assert heard.progress.latest == "M-A1 run 0, 0 games: 25.0%" and heard.rows == 1
    assert (heard.done, heard.room, heard.troubles) == (90, 100, ["M-A2: no"])
