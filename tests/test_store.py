"""The store keeps what it is given, and refuses what is damaged or does not belong there."""

import dataclasses
import json
import os
import shutil

import numpy as np
import pytest

from tdlib.store import Damaged, Row, Saved, Store, identity
from tests.tiny_experiments import SELF

SHAPES = {"hidden": (3, 197), "output": (2, 4)}


def learner(games, value=0.5):
    arrays = {name: np.full(shape, value, np.float32) for name, shape in SHAPES.items()}
    return Saved(arrays, games, plies=25 * games, capped=0, seconds=1.5)


def row(run, games, **changes):
    counts = {"wins": 7, "draws": 0, "capped": 1, "points": -9, "pieces": 40, "plies": 500}
    return Row(
        experiment=SELF.id, config=identity(SELF), run=run, games=games, eval_games=20,
        **(counts | changes), train_capped=0, train_plies=25 * games, seconds_train=1.0,
        seconds_eval=0.1, date="2026-01-01T00:00:00+00:00", version="0.1.0", jax="0.10.2",
    )  # fmt: skip


@pytest.fixture
def store(tmp_path):
    """With two runs of two checkpoints."""
    store = Store(tmp_path / "store")
    for run in (0, 1):
        for games in (0, 20):
            store.save(SELF, run, learner(games))
            store.add(SELF, row(run, games))
    return store


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_rows_come_back_in_order(store):
    store.add(SELF, row(11, 0))
    store.add(SELF, row(2, 40))
    store.add(SELF, row(2, 0, wins=3))
    frame = store.load(SELF)
    assert list(frame.columns) == list(Row._fields)
    assert frame.run.tolist() == [0, 0, 1, 1, 2, 2, 11]
    assert frame.games.tolist() == [0, 20, 0, 20, 0, 40, 0]
    assert frame.wins.dtype == int and frame.seconds_eval.dtype == float
    assert frame.wins.tolist() == [7, 7, 7, 7, 3, 7, 7]


def test_a_row_is_one_line_and_replaces_its_like(store):
    store.add(SELF, row(0, 20, wins=19))
    lines = (store.folder(SELF) / "run-0.csv").read_text().splitlines()
    assert lines[0].startswith("experiment,config,run,games,") and len(lines) == 3
    assert store.rows(SELF, 0)[20].wins == 19


def test_an_empty_store_has_empty_rows_with_all_columns(tmp_path):
    frame = Store(tmp_path / "none").load(SELF)
    assert len(frame) == 0 and list(frame.columns) == list(Row._fields)
    assert not (tmp_path / "none").exists()


def test_weights_come_back_as_they_were(store):
    saved = store.weights(SELF, 1, 20, SHAPES)
    assert (saved.games, saved.plies, saved.capped, saved.seconds) == (20, 500, 0, 1.5)
    for name, array in learner(20).weights.items():
        np.testing.assert_array_equal(saved.weights[name], array, strict=True)


def test_missing_weights_are_told_with_those_that_are_there(store):
    with pytest.raises(ValueError, match=r"no weights of run 1 after 60 games.*: 0, 20$"):
        store.weights(SELF, 1, 60)


def test_settings_are_kept_beside_the_rows(store):
    about = json.loads((store.folder(SELF) / "experiment.json").read_text())
    assert about["config"]["alpha"]["start"] == 0.3 and about["config"]["eval_games"] == 20
    assert about["hash"].startswith(identity(SELF)) and about["semantics"]


def test_other_settings_have_another_folder(store):
    other = dataclasses.replace(SELF, lam=0.9)
    assert store.folder(other) != store.folder(SELF)
    assert store.load(other).empty and store.saved(other, 0) == []


@pytest.mark.parametrize("keep, left", [("last", [20, 40, 60]), ("all", [0, 20, 40, 60])])
def test_weights_are_dropped_when_tested_and_followed_by_later_ones(store, keep, left):
    for games in (33, 40, 60):
        store.save(SELF, 0, learner(games))
    # 0 and 20 have rows, 33 is no checkpoint, 40 waits for its test, 60 is the latest
    store.add(SELF, row(1, 40))
    store.prune(SELF, 0, keep)
    assert store.saved(SELF, 0) == [games for games in left if games != 20 or keep == "all"]
    assert store.saved(SELF, 1) == [0, 20]


def test_a_run_can_be_forgotten(store):
    store.forget(SELF, 1)
    assert store.runs(SELF) == [0] and store.saved(SELF, 1) == []
    assert store.saved(SELF, 0) == [0, 20]


def test_weights_that_are_no_numbers_are_not_saved(store):
    with pytest.raises(ValueError, match="weights 'hidden' of run 0 are not finite after 40"):
        store.save(SELF, 0, learner(40, np.nan))
    assert store.saved(SELF, 0) == [0, 20]


# Damage. Each makes one file bad; the message names it and says how to get it back.

LAST_ROW = -2  # of lines split at line ends


def cut(path):
    path.write_bytes(path.read_bytes()[:-7])


def swap_digit(path):
    path.write_bytes(path.read_bytes().replace(b",7,0,1,", b",9,0,1,", 1))


def repeat_a_line(path):
    lines = path.read_text().split("\n")
    path.write_text("\n".join([*lines[:-1], lines[LAST_ROW], ""]))


def drop_header(path):
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))


def of_another_run(path):
    shutil.copy(path.with_name("run-0.csv"), path)


@pytest.mark.parametrize(
    "damage, message",
    [
        (cut, "line 3: it has no end"),
        (swap_digit, "line 2: expected the check sum"),
        (repeat_a_line, "line 4: it is another of 20 games"),
        (drop_header, "its first line should be experiment,config,"),
        (of_another_run, f"line 2: it should be of T-SELF, {identity(SELF)}, run 1"),
    ],
)
def test_damaged_rows_are_refused_by_name_and_the_others_are_not(store, damage, message):
    path = store.folder(SELF) / "run-1.csv"
    damage(path)
    before = path.read_bytes()
    with pytest.raises(Damaged) as error:
        store.load(SELF)
    assert str(path) in str(error.value) and message in str(error.value)
    assert "python -m tdlib run T-SELF --scale paper --runs 1-1" in str(error.value)
    with pytest.raises(Damaged):
        store.add(SELF, row(1, 40))
    assert path.read_bytes() == before
    assert list(store.rows(SELF, 0)) == [0, 20]


@pytest.mark.parametrize("wins", [-1, 21])
def test_impossible_counts_are_refused(store, wins):
    store.add(SELF, row(0, 20, wins=wins))
    with pytest.raises(Damaged, match=r"run-0.csv, line 3: expected counts"):
        store.load(SELF)


def saved_as(**arrays):
    def damage(path):
        with np.load(path) as file:
            content = {name: file[name] for name in file.files}
        np.savez(path, **{k: v for k, v in (content | arrays).items() if v is not None})

    return damage


@pytest.mark.parametrize(
    "damage, message",
    [
        (cut, "it is no whole npz file of plain arrays"),
        (lambda path: path.write_bytes(b""), "it is no whole npz file of plain arrays"),
        (saved_as(hidden=np.array([{}, {}])), "it is no whole npz file of plain arrays"),
        (saved_as(run=np.array(0)), "run should be 1, found 0"),
        (saved_as(games=np.array(40)), "games should be 20, found 40"),
        (saved_as(config=np.array("0" * 64)), "config should be "),
        (saved_as(plies=None), "it should have the scalars plies"),
        (saved_as(hidden=np.zeros((3, 5), np.float32)), "it should have weights "),
        (saved_as(more=np.zeros(1, np.float32)), "it should have weights "),
        (saved_as(output=np.zeros((2, 4))), "output should be float32, found float64"),
        (saved_as(output=np.full((2, 4), np.nan, np.float32)), "output should be finite"),
    ],
)
def test_damaged_weights_are_refused_by_name(store, damage, message):
    path = store.folder(SELF) / "run-1-games-20.npz"
    damage(path)
    with pytest.raises(Damaged) as error:
        store.weights(SELF, 1, 20, SHAPES)
    assert str(error.value).startswith(f"{path}: {message}")
    assert "delete it and give the command: python -m tdlib run T-SELF" in str(error.value)
    assert store.weights(SELF, 1, 0, SHAPES).games == 0


def test_a_flipped_bit_in_weights_is_noticed(store):
    path = store.folder(SELF) / "run-1-games-20.npz"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(Damaged, match="no whole npz file"):
        store.weights(SELF, 1, 20)


@pytest.mark.parametrize("content", ["", "{}", '{"hash": "x", "config": {}, "semantics": "1"}'])
def test_settings_that_are_others_are_refused_by_name(store, content):
    path = store.folder(SELF) / "experiment.json"
    path.write_text(content)
    with pytest.raises(Damaged, match=r"experiment.json: it should hold the settings"):
        store.load(SELF)


# Files appear whole or not at all.


def test_a_failed_write_leaves_the_old_file_and_nothing_else(store, monkeypatch):
    before = files(store.folder(SELF))

    def full(*arguments):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        store.add(SELF, row(0, 40))
    assert files(store.folder(SELF)) == before


def test_what_a_killed_process_left_is_no_record_and_is_swept_up(store):
    left = store.folder(SELF) / ".abc.tmp"
    left.write_text("half a li")
    assert len(store.load(SELF)) == 4
    store.prune(SELF, 0, "last")
    assert left.exists()  # it might be in the making
    os.utime(left, (0, 0))
    store.prune(SELF, 0, "last")
    assert not left.exists()


def test_stores_are_merged_by_copying(store, tmp_path):
    other = Store(tmp_path / "other machine")
    for games in (0, 20):
        other.save(SELF, 2, learner(games))
        other.add(SELF, row(2, games, wins=11))
    shutil.copytree(other.root, store.root, dirs_exist_ok=True)
    assert store.load(SELF).run.tolist() == [0, 0, 1, 1, 2, 2]
    assert store.load(SELF).wins.tolist() == [7, 7, 7, 7, 11, 11]
    assert store.weights(SELF, 2, 20, SHAPES).games == 20
