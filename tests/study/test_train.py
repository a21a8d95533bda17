"""What is computed depends on the experiment alone, and nothing is computed twice."""

import dataclasses
import errno
import io

import jax
import numpy as np
import pytest

from tdlib import paths
from tdlib.learning import online
from tdlib.study import (
    commands,
    drive,
    pool,
    progress,
    registry,
    seeds,
    tasks,
    testing,
    train,
)
from tdlib.study import store as storing
from tdlib.study.experiment import LEARNER
from tdlib.study.network import untrained
from tdlib.study.store import Store, weights
from tdlib.study.store import Test as Row
from tests import one_batch
from tests.tiny_experiments import RANDOM, SELF

SHORT = dataclasses.replace(SELF, games=20, checkpoints=(0, 20))


def rows(store, *chosen):
    """All tests, without what differs from day to day."""
    return [store.load(e).to_dict("records") for e in chosen]


def assert_same_networks(one, two, e=SELF, runs=(0, 1), games=(60,)):
    for run in runs:
        for after in games:
            a, b = (store.network(e, run, after) for store in (one, two))
            assert (a.games, a.plies, a.capped) == (b.games, b.plies, b.capped)
            for x, y in zip(a.weights, b.weights, strict=True):
                np.testing.assert_array_equal(x, y, strict=True)


def files(folder):
    return {x.relative_to(folder): x.read_bytes() for x in folder.rglob("*") if x.is_file()}


@pytest.fixture
def whole(trained_once):
    """What others should equal; it is not to be changed."""
    return Store(trained_once)


def test_every_checkpoint_of_every_run_has_a_test_and_a_network(whole):
    frame = whole.load(SELF)
    assert frame.groupby("run").games.apply(list).tolist() == [[0, 20, 40, 60]] * 2
    assert (frame.eval_games == 20).all() and (frame.plies > 20).all()
    assert (frame.train_plies > frame.games).sum() == 6  # all but those after no games
    assert whole.saved(SELF, 0) == [0, 20, 40, 60] and whole.saved(RANDOM, 1) == [0, 20]
    first, last = (whole.network(SELF, 0, games).weights.hidden for games in (0, 60))
    assert first.shape == (3, 197) and np.abs(first).max() <= SELF.span
    assert (first != last).any()


def test_runs_and_experiments_differ(whole):
    def start(e, run):
        return whole.network(e, run, 0).weights.output.tolist()

    assert start(SELF, 0) != start(SELF, 1) and start(SELF, 0) != start(RANDOM, 0)


def test_what_is_stored_is_not_computed_again(trained):
    before = {path: path.stat().st_mtime_ns for path in trained.root.rglob("*")}
    summary = drive.run([SELF, RANDOM], trained, workers=1)
    assert (summary.stored, summary.computed, summary.problems) == (12, 0, [])
    assert {path: path.stat().st_mtime_ns for path in trained.root.rglob("*")} == before


@pytest.fixture
def true_batches(monkeypatch):
    monkeypatch.setattr(online, "train", one_batch._train)


@pytest.mark.usefixtures("true_batches")
def test_a_run_alone_is_the_same_as_among_others(whole, tmp_path):
    alone = Store(tmp_path)
    drive.run([SELF], alone, runs=[1], workers=1)
    assert rows(alone, SELF)[0] == [row for row in rows(whole, SELF)[0] if row["run"] == 1]
    assert_same_networks(alone, whole, runs=[1])


def test_tests_do_not_depend_on_their_batch(whole):
    networks = [whole.network(SELF, run, games) for run, games in ((1, 40), (0, 60))]
    exams = list(map(testing.exam, networks))
    together = testing.tested(exams, 3)
    for one, among in zip(exams, together, strict=True):
        (alone,) = testing.tested([one], 1)
        assert alone[:-1] == among[:-1]  # the last is how long it took
        row = whole.rows(SELF)[one.network.run][one.network.games]
        assert row.wins == alone.wins and row.plies == alone.plies


def test_a_narrower_batch_at_the_end_changes_nothing(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(train, "COMPILING", -1.0)
    batches = []
    one_round = train.Training._round

    def spied(self, batch):
        batches.append(len(batch))
        return one_round(self, batch)

    monkeypatch.setattr(train.Training, "_round", spied)
    store = Store(tmp_path)
    drive.run([SELF, RANDOM], store, workers=1)
    assert batches[0] == 4 and batches[-1] <= 2
    assert rows(store, SELF, RANDOM) == rows(whole, SELF, RANDOM)
    assert_same_networks(store, whole)


def test_more_runs_and_more_games_extend_what_is_there(whole, tmp_path):
    store = Store(tmp_path)
    short = dataclasses.replace(SELF, games=40, checkpoints=(0, 40), runs=1)
    first = drive.run([short], store, workers=1)
    then = drive.run([SELF], store, workers=1)
    assert (first.computed, then.stored, then.computed) == (2, 2, 6)
    assert rows(store, SELF) == rows(whole, SELF)
    assert_same_networks(store, whole)


def lose(store, e, *lost):
    """Tests of run 0 after these games."""
    table = store.tests(e.paper, e.group)
    left = [
        x for x in table.rows() if (x.run, x.experiment) != (0, e.id) or x.games not in lost
    ]
    for path in table.shards():
        path.unlink()
    Store(store.root).tests(e.paper, e.group).add(left)


def test_a_lost_test_alone_is_computed_again_and_no_network_is_deleted(trained, whole):
    """Repairing one row deleted the networks of all other checkpoints (bug 2)."""
    lose(trained, SELF, 20)
    store = Store(trained.root)
    (lane,), _ = tasks.survey(store, [SELF], [0])
    assert (lane.goals, [x.games for x in lane.tests]) == ((), [20])
    frame = drive.load_or_run(SELF, store=store, workers=1)
    assert len(frame) == 8 and rows(store, SELF) == rows(whole, SELF)
    assert store.saved(SELF, 0) == store.saved(SELF, 1) == [0, 20, 40, 60]


def test_a_lost_network_is_trained_again_from_the_one_before(trained, whole):
    lose(trained, SELF, 40)
    next(trained.root.rglob("T-SELF-*/run-0-games-40.npz")).unlink()
    store = Store(trained.root)
    (lane,), _ = tasks.survey(store, [SELF], [0])
    assert (lane.start.games, lane.goals, lane.tests) == (20, (40,), ())
    assert drive.run([SELF], store, runs=[0], workers=1).computed == 1
    assert rows(store, SELF) == rows(whole, SELF)
    assert_same_networks(store, whole, games=(40, 60))


def test_interruptions_between_checkpoints_change_nothing(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(train, "SAVE", 0.0)  # after each round,
    monkeypatch.setattr(train, "PROBE", (4, 100.0))  # and rounds are short
    draw = np.random.default_rng(0)
    interruptions = 0
    while True:
        store = Store(tmp_path)  # a process of its own
        lanes = [lane for lane in tasks.survey(store, [SELF])[0] if lane.missing]
        if not lanes:
            break
        patience = int(draw.integers(1, 5))

        def told(_):
            nonlocal patience
            patience -= 1
            if patience < 0:
                raise KeyboardInterrupt

        try:
            train.train(store, lanes, played=told, stored=told)
        except KeyboardInterrupt:
            interruptions += 1
        if interruptions == 4:
            store.pack(SELF.paper, SELF.group, [SELF])  # under way: changes nothing either
    assert interruptions > 4
    assert rows(store, SELF) == rows(whole, SELF)
    assert_same_networks(store, whole)


def test_a_run_goes_on_after_packing_with_the_same_numbers(whole, tmp_path):
    store = Store(tmp_path)
    drive.run([SHORT], store, workers=1)
    store.pack(SELF.paper, SELF.group, [SHORT])
    assert not list(tmp_path.rglob("*-games-*.npz"))
    assert drive.run([SELF], Store(tmp_path), workers=1).computed == 4
    assert rows(store, SELF) == rows(whole, SELF)
    assert_same_networks(store, whole)
    store.pack(SELF.paper, SELF.group, [SELF])
    assert drive.run([SELF], store, workers=1).computed == 0
    assert_same_networks(store, whole)


def test_workers_share_the_lanes_and_change_nothing(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "FEWEST", 1)
    store = Store(tmp_path)
    one_test = dataclasses.replace(SELF, games=20, checkpoints=(20,))  # of a shape compiled
    summary = drive.run([one_test], store, workers=2)
    assert not summary.problems and summary.computed == 2
    assert rows(store, SELF)[0] == [row for row in rows(whole, SELF)[0] if row["games"] == 20]
    assert_same_networks(store, whole, games=[20])


def test_two_runs_at_the_same_time_lose_nothing(whole, tmp_path):
    """Each as its own process would: neither knows what the other has (F6)."""
    one, two = Store(tmp_path), Store(tmp_path)
    for store, run in ((one, 0), (two, 1)):
        for games in (0, 20, 40, 60):
            store.save(whole.network(SELF, run, games))
            row = whole.rows(SELF)[run][games]
            store.add(SELF, [Row(*row, seconds_train=1.0, seconds_eval=1.0)])
    assert rows(one, SELF) == rows(two, SELF) == rows(whole, SELF)
    assert drive.run([SELF], Store(tmp_path), workers=1).computed == 0


def test_fresh_computes_again_and_deletes_nothing(trained, whole, monkeypatch):
    """Old results count until new ones take their place (F1)."""
    (row,) = [x for x in trained.tests("tiny", "tests").rows() if x[3:5] == (0, 20)][:1]
    trained.add(SELF, [row._replace(experiment="T-SELF", wins=0, draws=20, capped=0)])
    store = Store(trained.root)
    before = files(store.root)
    with monkeypatch.context() as patch:
        patch.setattr(train.Training, "_round", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            drive.run([SELF], store, workers=1, fresh=True)
    assert before.keys() <= files(store.root).keys() and len(store.load(SELF)) == 8
    assert_same_networks(store, whole, games=(20, 40, 60))
    assert drive.run([SELF], store, workers=1).computed == 0
    assert drive.run([SELF], store, workers=1, fresh=True).computed == 8
    assert rows(store, SELF, RANDOM) == rows(whole, SELF, RANDOM)
    assert before.keys() <= files(store.root).keys()


def _interrupted(*arguments):
    raise KeyboardInterrupt


def test_fresh_is_refused_for_committed_results(trained, monkeypatch):
    monkeypatch.setattr(paths, "store_dir", lambda scale: trained.root)
    before = files(trained.root)
    with pytest.raises(ValueError, match="committed results, which are not computed again in"):
        drive.load_or_run(SELF, workers=1, fresh=True)
    assert files(trained.root) == before


def test_a_changed_program_computes_nothing_for_committed_results(trained, monkeypatch):
    monkeypatch.setattr(paths, "store_dir", lambda scale: trained.root)
    monkeypatch.setattr(storing, "version", lambda: "0.1.0+abc-dirty")
    assert drive.run([SELF], trained, workers=1).stored == 8  # reading is allowed
    more = dataclasses.replace(SELF, runs=3)
    with pytest.raises(ValueError, match="has changes that are not committed"):
        drive.run([more], trained, workers=1)
    assert trained.saved(SELF, 2) == []


def test_what_is_damaged_is_refused_and_all_else_goes_on(trained, whole):
    path = next(trained.root.rglob("T-SELF-*/run-0-games-20.npz"))
    path.write_bytes(path.read_bytes()[:-10])
    broken = path.read_bytes()
    lose(trained, SELF, 20)
    lost = next(trained.root.rglob("T-SELF-*/run-1-games-60.npz"))
    store = Store(trained.root)
    more = dataclasses.replace(SELF, games=80, checkpoints=(0, 20, 40, 60, 80))
    summary = drive.run([more], store, workers=1)
    assert summary.computed == 1 and lost.exists()
    (problem,) = summary.problems
    assert str(path) in problem
    assert path.read_bytes() == broken and list(store.rows(more)[0]) == [0, 40, 60]
    assert list(store.rows(more)[1]) == [0, 20, 40, 60, 80]
    with pytest.raises(ValueError, match="it cannot be read"):
        drive.load_or_run(SELF, store=store, workers=1)
    path.unlink()
    assert drive.run([SELF], store, workers=1).computed == 1
    assert [x for x in rows(store, SELF)[0] if x["games"] <= 60] == rows(whole, SELF)[0]


def test_a_damaged_table_is_refused_and_other_groups_go_on(trained, tmp_path):
    elsewhere = dataclasses.replace(SELF, group="others", runs=1, games=1, checkpoints=(0,))
    for path in trained.tests("tiny", "tests").shards():
        path.write_bytes(b"rubbish")
    summary = drive.run([SELF, RANDOM, elsewhere], trained, workers=1)
    assert (summary.stored, summary.computed, len(summary.problems)) == (0, 1, 2)
    assert all("shards" in problem for problem in summary.problems)


def test_a_full_disk_loses_nothing_that_is_stored(trained, whole, monkeypatch):
    lose(trained, SELF, 20, 40)
    for games in (20, 40):
        next(trained.root.rglob(f"T-SELF-*/run-0-games-{games}.npz")).unlink()
    before = files(trained.root)

    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(weights, "write", full)
        summary = drive.run([SELF], Store(trained.root), runs=[0], workers=1)
    (problem,) = summary.problems
    assert "No space left on device" in problem and files(trained.root) == before
    assert drive.run([SELF], trained, workers=1).computed == 2
    assert rows(trained, SELF) == rows(whole, SELF)


def test_trouble_with_one_task_is_told_and_does_not_stop_others(tmp_path):
    bad = dataclasses.replace(SELF, id="T-BAD", rewards="applause")
    summary = drive.run([bad, SHORT], Store(tmp_path), workers=1)
    assert summary.computed == 4
    (problem,) = summary.problems
    assert "T-BAD" in problem
    assert "'applause'" in problem


def test_load_or_run_says_what_it_did(trained, tmp_path, capsys):
    frame = drive.load_or_run([SELF, RANDOM], store=trained, workers=1)
    assert len(frame) == 12 and set(frame.experiment) == {"T-SELF", "T-RANDOM"}
    assert capsys.readouterr().out == "12 tests loaded, 0 computed\n"
    assert len(drive.load_or_run(SHORT, store=tmp_path / "new", workers=1)) == 4
    first, last = capsys.readouterr().out.splitlines()
    assert first == "40 games to train, 80 to test, in 1 tasks"
    assert last.startswith("0 tests loaded, 4 computed in ")


def test_nothing_is_computed_unless_it_may_be(trained, capsys):
    """A notebook with another seed does not start hours of training by itself."""
    assert len(drive.load_or_run(SELF, store=trained, compute=False)) == 8
    before = files(trained.root)
    other = dataclasses.replace(SELF, seed=SELF.seed + 1)
    with pytest.raises(ValueError, match="120 games to train, 160 to test are not stored"):
        drive.load_or_run([SELF, other], store=trained, compute=False)
    assert files(trained.root) == before


def test_commands_delete_no_network(trained, monkeypatch, capsys):
    """Neither `run`, nor `status`, nor `run --fresh`; `pack` keeps the best and the last."""
    monkeypatch.setattr(registry, "experiments", lambda: {e.id: e for e in (SELF, RANDOM)})
    monkeypatch.setattr(registry, "measurements", lambda scale: {})
    folder, before = str(trained.root), files(trained.root)
    assert commands.run(["T-SELF"], "paper", folder, "", 1, False) == []
    assert commands.status([], folder) == []
    assert "T-SELF" in capsys.readouterr().out and files(trained.root) == before
    assert commands.run(["T-RANDOM"], "paper", folder, "1", 1, True) == []
    assert before.keys() <= files(trained.root).keys()
    assert commands.pack("paper", folder) == []
    assert trained.saved(SELF, 0)[-1] == 60 and trained.saved(RANDOM, 1)[-1] == 20
    assert len(trained.load(SELF)) == 8


def test_keys_are_the_same_on_every_machine():
    def numbers(*words):
        return jax.random.key_data(seeds.key(*words)).tolist()

    # sha256 of "T-SELF 0 1 games" begins with these two words
    assert numbers("T-SELF", 0, 1, "games") == [3583019708, 1941399069]
    assert numbers("T-SELF", 1, 1, "games") != numbers("T-SELF", 0, 1, "games")
    assert seeds.rng("a", 1).random() == seeds.rng("a 1").random() != seeds.rng("a").random()


# How work is shared out.


def lane(id, run=0):
    e = registry.find(id)
    return tasks.Lane(untrained(e, run), e.checkpoints, ())


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
    assert sorted(str(x.start) for task in dealt for x in task) == sorted(
        str(x.start) for x in lanes
    )


def test_lanes_count_the_games_they_lack():
    e = registry.find("M-A8")
    start = untrained(e, 0)._replace(games=20_000)
    half = tasks.Lane(start, (25_000, 50_000), (start,))
    assert (half.missing, half.train_games, half.eval_games) == (3, 30_000, 15_000)


def test_lanes_of_a_round_play_equally_long_and_stop_at_checkpoints():
    def learner(games, pace, *goals):
        return train.Learner(start._replace(games=games), list(goals), (1.0, pace))

    start = untrained(SELF, 0)

    batch = [
        learner(0, 50.0, 100, 200),  # 5,000 plies to its checkpoint, the next of all
        learner(100, 100.0, 152),  # 5,200 to go: as well now
        learner(0, 25.0, 1000),
        learner(200, 50.0),  # has come to its end
    ]
    plan = train.Training(batch, lambda games: None)
    assert plan._until(batch) == [100, 152, 200, 200]
    plan.speed = 100.0  # plies in a second: a round is at most 20 of them,
    assert plan._until(batch) == [40, 120, 80, 200]
    plan.speed = 8_000.0  # and at least one, though some lane then waits
    assert plan._until(batch) == [100, 152, 320, 200]
    batch[2].lately = (0.0, 0.0)  # unknown: a few games
    assert plan._until(batch)[2] == train.PROBE[0]
    batch[2].note(10, 300)
    batch[2].note(15, 700)
    assert batch[2].pace == 42.5  # the latest round counts most


def test_seats_are_numbered_by_the_players_that_some_lane_meets():
    batch = [lane(id).start for id in ("M-A2", "M-A1", "M-A3")]
    condition = train.condition(batch)
    assert condition.seats.tolist() == [[0, 1], [0, 0], [0, 2]]
    assert [x.name for x in train.others([x.experiment for x in batch])] == [
        "random",
        "pubeval",
    ]
    assert condition.alpha.start.shape == (3,) and condition.rotates.tolist() == [True] * 3
    assert train.condition([lane("M-A26").start]).seats.tolist() == [[1, 1, 2, 2]]
    assert LEARNER not in registry.find("M-A26").seats


# What is shown.


def test_progress_is_lines_of_text_where_there_is_no_terminal(monkeypatch, capsys):
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", -1)
    with progress.bar(1000, "games", mininterval=0) as shown:
        shown.set_postfix_str("M-A1 run 0, 5,000 games: 41.0%", refresh=False)
        shown.start_t -= 2  # it appears after a second
        shown.update(250)
    lines = capsys.readouterr().out.splitlines()
    assert "250/1.00k" in lines[0] and "41.0%" in lines[0] and "\r" not in lines[0]


def test_progress_is_a_bar_in_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    out = Terminal()
    monkeypatch.setattr("sys.stderr", out)
    with progress.bar(1000, "games") as shown:
        shown.start_t -= 2
        shown.update(1000)
        shown.set_postfix_str("41.0%")
    assert "1.00k/1.00k" in out.getvalue() and "41.0%" in out.getvalue()


def test_rows_are_told_with_their_win_rate(capsys):
    heard = drive._Heard()
    heard.bar = progress.bar(40, "games")
    fields = dict.fromkeys(Row._fields, 0) | {"experiment": "M-A1", "eval_games": 20, "wins": 5}
    heard(Row(**fields))
    lane = tasks.Lane(untrained(SELF, 0), (), ())
    heard.finished(pool.Outcome((None, [lane]), train.Played(90, 100)))
    heard.finished(pool.Outcome((None, [lane]), trouble="no"))
    assert heard.bar.postfix == "M-A1 run 0, 0 games: 25.0%" and heard.rows == 1
    assert (heard.plies, heard.room, heard.failed) == (90, 100, ["T-SELF: no"])
