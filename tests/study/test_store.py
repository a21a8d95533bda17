"""The store keeps what it is given, deletes nothing, and refuses what is damaged by name."""

import dataclasses
import io
import os
import shutil
import zipfile

import numpy as np
import pytest

from tdlib import paths
from tdlib.study import store as storing
from tdlib.study.experiment import test_hash as hash_of_test
from tdlib.study.experiment import training_hash
from tdlib.study.network import Network
from tdlib.study.store import Damaged, Store, weights
from tdlib.study.store import Test as Row
from tdlib.values.mlp import Weights
from tests.tiny_experiments import RANDOM, SELF

SHAPES = Weights((3, 197), (2, 4))
NAME = f"T-SELF-{training_hash(SELF)}"


def network(e, run, games, value=0.5):
    arrays = (np.full(shape, value, np.float32) for shape in SHAPES)
    return Network(e, run, Weights._make(arrays), games, 25 * games, 0, 1.5)


def row(e, run, games, **changes):
    counts = {"wins": 7, "draws": 0, "capped": 1, "points": -9, "pieces": 40, "plies": 500}
    return Row(
        experiment=e.id, config=training_hash(e), test=hash_of_test(e), run=run, games=games,
        eval_games=20, **(counts | changes), train_capped=0, train_plies=25 * games,
        seconds_train=1.0, seconds_eval=0.1,
    )  # fmt: skip


def fill(store, e, runs=(0, 1), checkpoints=(0, 20), **changes):
    """Networks and their tests."""
    for run in runs:
        for games in checkpoints:
            store.save(network(e, run, games, 0.25 * run + games))
            store.add(e, [row(e, run, games, **changes)])


@pytest.fixture
def store(tmp_path):
    """With two runs of two checkpoints."""
    store = Store(tmp_path / "store")
    fill(store, SELF)
    return store


def shard(store, e, run, games):
    name = f"{e.id}-{training_hash(e)}"
    return store.root / e.paper / e.group / "shards" / name / f"run-{run}-games-{games}.npz"


def files(folder):
    return {x.relative_to(folder): x.read_bytes() for x in folder.rglob("*") if x.is_file()}


def assert_same(one, two):
    assert one[1] == two[1] and one[3:] == two[3:]
    for a, b in zip(one.weights, two.weights, strict=True):
        np.testing.assert_array_equal(a, b, strict=True)


# Tests


def test_tests_come_back_in_order(store):
    for new in (row(SELF, 11, 0), row(SELF, 2, 40), row(SELF, 2, 0, wins=3)):
        store.add(SELF, [new])
    frame = store.load(SELF)
    assert list(frame.columns) == list(Row._fields[:-2])
    assert frame.run.tolist() == [0, 0, 1, 1, 2, 2, 11]
    assert frame.games.tolist() == [0, 20, 0, 20, 0, 40, 0]
    assert frame.wins.tolist() == [7, 7, 7, 7, 3, 7, 7]
    assert list(store.whole(SELF)) == []  # no run has all checkpoints
    assert list(store.whole(dataclasses.replace(SELF, games=20, checkpoints=(0, 20)))) == [0, 1]


def test_an_empty_store_has_empty_tests_with_all_columns(tmp_path):
    empty = Store(tmp_path / "none")
    frame = empty.load(SELF)
    assert len(frame) == 0 and list(frame.columns) == list(Row._fields[:-2])
    assert empty.saved(SELF, 0) == [] and empty.left(SELF, 0) is None
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "changes", [{"lam": 0.9}, {"seed": 1}, {"eval_games": 10}, {"evaluation": SELF.seats}]
)
def test_tests_of_other_settings_or_scales_are_never_read(store, changes):
    """Smoke and quick share one store, and a verdict depended on what ran before (bug 1)."""
    other = dataclasses.replace(SELF, **changes)
    fill(store, other, runs=(0, 1, 2), wins=1)
    assert store.load(SELF).wins.tolist() == [7] * 4
    assert store.load(other).wins.tolist() == [1] * 6
    assert sorted(store.rows(SELF)) == [0, 1] and sorted(store.rows(other)) == [0, 1, 2]


def test_a_network_keeps_its_name_when_it_is_tested_in_another_way(store):
    other = dataclasses.replace(SELF, eval_games=10, scale="quick")
    assert store.load(other).empty and store.saved(other, 0) == [0, 20]
    assert store.network(other, 0, 20).experiment == other
    other = dataclasses.replace(SELF, lam=0.9)
    assert store.saved(other, 0) == []


def test_a_packed_network_belongs_to_the_experiment_that_is_asked(store):
    """It kept the settings of whoever had asked first, and was tested by these."""
    short = dataclasses.replace(SELF, games=20, checkpoints=(0, 20))
    store.pack("tiny", "tests", [short])
    assert not shard(store, SELF, 0, 20).exists()
    other = dataclasses.replace(SELF, eval_games=10, scale="quick")
    for e in (SELF, other, SELF):
        assert store.network(e, 0, 20).experiment == e


# Networks


def test_networks_come_back_as_they_were(store):
    assert_same(store.network(SELF, 1, 20), network(SELF, 1, 20, 20.25))
    assert store.saved(SELF, 1) == [0, 20]
    store.leave(network(SELF, 1, 33))
    assert_same(store.left(SELF, 1), network(SELF, 1, 33))
    assert store.saved(SELF, 1) == [0, 20]  # no checkpoint


def test_missing_networks_are_named_with_those_that_are_there(store):
    with pytest.raises(ValueError, match=r"T-SELF, run 1, after 60 games; .*: 0, 20$"):
        store.network(SELF, 1, 60)


def test_weights_that_are_not_numbers_are_not_saved(store):
    with pytest.raises(ValueError, match="hidden of T-SELF, run 0, after 40 games is not fin"):
        store.save(network(SELF, 0, 40, np.nan))
    assert store.saved(SELF, 0) == [0, 20]


def test_an_empty_folder_is_new(tmp_path):
    """A kill before anything was written blocked an experiment for good (F2)."""
    store = Store(tmp_path)
    shard(store, SELF, 0, 0).parent.mkdir(parents=True)
    assert store.load(SELF).empty and store.saved(SELF, 0) == []
    store.pack("tiny", "tests", [SELF])
    assert list(files(tmp_path)) == []
    fill(store, SELF)
    assert len(store.load(SELF)) == 4


# Damage. Each makes one file bad; the message names it and says how to get it back.


@pytest.mark.parametrize(
    "counts",
    [
        {"wins": -1}, {"wins": 20}, {"plies": -1}, {"draws": 19}, {"pieces": -1},
        {"seconds_eval": -1.0}, {"run": -1}, {"train_capped": -1}, {"eval_games": 7},
    ],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_impossible_counts_are_refused(store, counts, packed, monkeypatch):
    with pytest.raises(Damaged, match=r"counts should be 0 or more|more wins, draws and brok"):
        store.add(SELF, [row(SELF, 5, 0)._replace(**counts)])
    with monkeypatch.context() as patch:  # as an older program might have written it
        patch.setattr(Row, "impossible", lambda rows: "")
        other = Store(store.root)
        other.add(SELF, [row(SELF, 5, 0)._replace(**counts)])
        if packed:
            other.pack("tiny", "tests", [SELF])
    with pytest.raises(Damaged, match=r"counts should be 0 or more|more wins, draws and brok"):
        store.load(SELF)


def contained(path):
    with np.load(path) as file:
        return {name.partition("/")[2]: file[name] for name in file.files}


def saved_as(name=NAME, **changes):
    """The same with other arrays."""

    def damage(path):
        arrays = contained(path) | changes
        np.savez(path, **{f"{name}/{k}": v for k, v in arrays.items() if v is not None})

    return damage


def about(**changes):
    """The same with other numbers beside the weights."""
    columns = {"run": 1.0, "games": 20.0, "plies": 500.0, "capped": 0.0, "seconds": 1.5}
    return saved_as(networks=np.array([list((columns | changes).values())]))


def of_another(run, games):
    def damage(path):
        shutil.copy(path.with_name(f"run-{run}-games-{games}.npz"), path)

    return damage


def huge(path):
    """A header that claims 40 GB, with right checksums of the zip."""
    header = {"descr": "<f4", "fortran_order": False, "shape": (100_000, 100_000)}
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, header)
    arrays = contained(path)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{NAME}/hidden.npy", out.getvalue() + b"\0" * 100)
        for name in ("output", "networks"):
            text = io.BytesIO()
            np.lib.format.write_array(text, arrays[name])
            file.writestr(f"{NAME}/{name}.npy", text.getvalue())


FLOAT = np.float32
DAMAGE = {
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:-7]), "it cannot be read"),
    "empty": (lambda path: path.write_bytes(b""), "it cannot be read"),
    "rubbish": (lambda path: path.write_bytes(bytes(range(256)) * 9), "it cannot be read"),
    "text": (lambda path: path.write_text("weights"), "it cannot be read"),
    "pickles": (saved_as(hidden=np.array([{}, {}])), "it cannot be read"),
    "40 GB": (huge, "it cannot be read"),
    "another run": (of_another(0, 20), "should hold one network, of run 1 of T-SELF-"),
    "other games": (of_another(1, 0), "should hold one network, of run 1 of T-SELF-.* 20 g"),
    "another config": (saved_as(name="T-SELF-00000000"), "it should hold one network"),
    "no counts": (saved_as(networks=None), "it should hold hidden, output, networks"),
    "more": (saved_as(more=np.zeros(1, FLOAT)), "it should hold hidden, output, networks"),
    "other shape": (saved_as(hidden=np.zeros((1, 3, 5), FLOAT)), r"hidden should be \(1, 3, 1"),
    "two": (saved_as(hidden=np.zeros((2, 3, 197), FLOAT)), r"hidden should be \(1, 3, 197"),
    "no axis": (saved_as(output=np.zeros((2, 4), FLOAT)), r"output should be \(1, 2, 4"),
    "float64": (saved_as(output=np.zeros((1, 2, 4))), "not .* of float64"),
    "nan": (saved_as(output=np.full((1, 2, 4), np.nan, FLOAT)), "output should be finite"),
    "text counts": (saved_as(networks=np.array([["1", "20", "a", "0", "0"]])), "be a table of"),
    "one count": (saved_as(networks=np.float64(3)), "networks should be a table of"),
    "plies nan": (about(plies=np.nan), "run, games, plies, capped, seconds should be numbers"),
    "plies less": (about(plies=-1.0), "run, games, plies, capped, seconds should be numbers"),
    "half a ply": (about(plies=0.5), "run, games, plies, capped, seconds should be numbers"),
    "capped less": (about(capped=-1.0), "run, games, plies, capped, seconds should be numbers"),
    "seconds": (about(seconds=-0.1), "run, games, plies, capped, seconds should be numbers"),
    "for ever": (about(seconds=np.inf), "run, games, plies, capped, seconds should be numbers"),
}


@pytest.mark.parametrize("damage, message", DAMAGE.values(), ids=DAMAGE)
def test_damaged_networks_are_refused_by_name_and_the_others_are_not(store, damage, message):
    path = shard(store, SELF, 1, 20)
    damage(path)
    with pytest.raises(Damaged, match=message) as error:
        store.network(SELF, 1, 20)
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)
    assert "delete it to have it computed again" in str(error.value)
    assert store.network(SELF, 1, 0).games == 0 and len(store.load(SELF)) == 4


@pytest.mark.parametrize("packed", [False, True])
def test_every_flipped_bit_is_noticed_or_changes_nothing(store, packed, tmp_path):
    """Some crashed with errors of zipfile or of memory, and stopped all other runs (F5)."""
    short = dataclasses.replace(SELF, games=20, checkpoints=(0, 20))
    path = shard(store, SELF, 1, 20)
    if packed:
        store.pack("tiny", "tests", [short])
        path = store.root / "tiny" / "tests" / "weights.npz"
    whole, content = store.network(SELF, 1, 20), path.read_bytes()
    bad, refused = tmp_path / "bad.npz", 0
    structure = {*range(300), *range(len(content) - 700, len(content))}
    places = [at for at in range(len(content)) if at in structure or at % 17 == 0]
    for at in places:
        flipped = bytearray(content)
        flipped[at] ^= 1 << at % 8
        bad.write_bytes(flipped)
        try:
            found = weights.unpack(bad, SELF)
        except Damaged as problem:
            assert str(problem).startswith(f"{bad}: ")
            refused += 1
        else:
            assert_same(found[1, 20], whole)
    assert refused > 0.6 * len(places) > 400  # the others: dates and the like, of no effect


def test_a_damaged_group_does_not_stop_the_others(store):
    other = dataclasses.replace(RANDOM, group="others")
    fill(store, other)
    (path,) = store.tests("tiny", "tests").shards()
    path.write_bytes(b"nothing")
    with pytest.raises(Damaged):
        store.load(SELF)
    assert len(store.load(other)) == 4
    Store(store.root).add(SELF, [row(SELF, 3, 0)])  # by another process: is stored
    with pytest.raises(Damaged):
        store.load(SELF)
    path.unlink()
    assert store.load(SELF).run.tolist() == [3]


# Packing


@pytest.fixture
def finished(store):
    """Run 0 has all its checkpoints, run 1 has not."""
    fill(store, SELF, runs=[0], checkpoints=(40, 60))
    store.add(SELF, [row(SELF, 0, 20, wins=15)])
    store.leave(network(SELF, 0, 33))
    store.leave(network(SELF, 1, 33))
    return store


def test_pack_keeps_the_last_and_the_best_of_finished_runs_and_all_of_others(finished):
    before = finished.load(SELF)
    finished.pack("tiny", "tests", [SELF])
    assert {str(x) for x in files(finished.root / "tiny" / "tests")} == {
        "rows.csv", "provenance.csv", "weights.npz",
        *(f"shards/{NAME}/run-1-{x}.npz" for x in ("games-0", "games-20", "resume")),
    }  # fmt: skip
    again = Store(finished.root)
    assert again.saved(SELF, 0) == [20, 60] and again.saved(SELF, 1) == [0, 20]
    assert again.load(SELF).equals(before)
    assert_same(again.network(SELF, 0, 20), network(SELF, 0, 20, 20))
    assert again.left(SELF, 0) is None and again.left(SELF, 1).games == 33


def test_packing_twice_changes_nothing(finished):
    finished.pack("tiny", "tests", [SELF])
    before = files(finished.root)
    finished.pack("tiny", "tests", [SELF])
    Store(finished.root).pack("tiny", "tests", [SELF])
    assert files(finished.root) == before


def test_packing_one_experiment_keeps_the_networks_of_all_others(finished):
    """Networks of settings that are no longer asked for were dropped (bug 2)."""
    old = dataclasses.replace(RANDOM, lam=0.1)
    fill(finished, old)
    finished.pack("tiny", "tests", [SELF, old])
    assert finished.saved(old, 0) == [0, 20]
    fill(finished, RANDOM)
    finished.pack("tiny", "tests", [SELF, RANDOM])  # `old` is not known any more
    assert finished.saved(old, 0) == [0, 20] and finished.saved(RANDOM, 1) == [0, 20]
    assert len(finished.load(old)) == 4


def test_packing_a_smaller_scale_keeps_what_a_larger_one_has_under_way(finished):
    """Smoke and quick share networks: packing finished smoke runs took quick ones with them."""
    smoke = dataclasses.replace(SELF, games=20, checkpoints=(0, 20), scale="smoke")
    finished.leave(network(SELF, 1, 50))
    finished.save(network(SELF, 1, 40))
    finished.pack("tiny", "tests", [smoke])
    assert finished.saved(SELF, 1) == [0, 20, 40] and finished.left(SELF, 1).games == 50
    assert finished.saved(SELF, 0) == [20, 40, 60]  # 20 is the best and the last of smoke


@pytest.mark.parametrize("after", range(4))
def test_a_killed_pack_loses_nothing(finished, monkeypatch, after):
    """after: how many files are written or removed before."""
    before, saved = finished.load(SELF), [finished.saved(SELF, run) for run in (0, 1)]
    left = after

    def counted(really):
        def act(*given, **named):
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            return really(*given, **named)

        return act

    with monkeypatch.context() as patch:
        patch.setattr(weights, "write", counted(weights.write))
        patch.setattr(storing.tables, "write", counted(storing.tables.write))
        patch.setattr(type(finished.root), "unlink", counted(type(finished.root).unlink))
        with pytest.raises(KeyboardInterrupt):
            finished.pack("tiny", "tests", [SELF])
    again = Store(finished.root)
    assert again.load(SELF).equals(before)
    assert [again.saved(SELF, run) for run in (0, 1)] == saved
    assert_same(again.network(SELF, 0, 40), network(SELF, 0, 40, 40))
    again.pack("tiny", "tests", [SELF])
    assert again.saved(SELF, 0) == [20, 60] and again.load(SELF).equals(before)


def test_a_store_that_another_has_packed_finds_its_networks(finished):
    early = Store(finished.root)
    assert early.saved(SELF, 0) == [0, 20, 40, 60]
    fill(finished, SELF, runs=[1], checkpoints=(40, 60))
    finished.pack("tiny", "tests", [SELF])
    assert early.network(SELF, 0, 60).games == early.network(SELF, 1, 60).games == 60


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_stores_are_merged_by_copying_and_packed_alike_in_any_order(tmp_path, order):
    short = dataclasses.replace(SELF, games=20, checkpoints=(0, 20))
    machines = [Store(tmp_path / str(run)) for run in (0, 1)]
    for run, machine in enumerate(machines):
        fill(machine, SELF, runs=[run], wins=5 + run)
    together, plain = Store(tmp_path / "together"), Store(tmp_path / "plain")
    for run in order:
        shutil.copytree(machines[run].root, together.root, dirs_exist_ok=True)
        together.pack("tiny", "tests", [short])
    for machine in machines:
        shutil.copytree(machine.root, plain.root, dirs_exist_ok=True)
    plain.pack("tiny", "tests", [short])
    assert files(together.root) == files(plain.root)
    assert together.load(SELF).wins.tolist() == [5, 5, 6, 6]
    assert together.network(SELF, 1, 20).games == 20


# What must never happen


def test_nothing_is_written_into_committed_results_by_a_changed_program(store, monkeypatch):
    """1,354 of 11,061 committed rows carried a `-dirty` version (bug 14)."""
    monkeypatch.setattr(paths, "store_dir", lambda scale: store.root)
    monkeypatch.setattr(storing, "version", lambda: "0.1.0+abc1234-dirty")
    before = files(store.root)
    for act in (
        lambda: store.add(SELF, [row(SELF, 5, 0)]),
        lambda: store.save(network(SELF, 5, 0)),
        lambda: store.leave(network(SELF, 5, 0)),
        lambda: store.pack("tiny", "tests", [SELF]),
    ):
        with pytest.raises(ValueError, match="has changes that are not committed: commit them"):
            act()
    assert files(store.root) == before
    monkeypatch.setattr(storing, "version", lambda: "0.1.0+abc1234")
    store.add(SELF, [row(SELF, 5, 0)])


def test_a_changed_program_may_write_elsewhere(store, monkeypatch):
    monkeypatch.setattr(storing, "version", lambda: "0.1.0+abc1234-dirty")
    store.add(SELF, [row(SELF, 5, 0)])
    assert not store.committed and Store(paths.store_dir("paper")).committed


def test_a_failed_write_leaves_the_old_files_and_nothing_else(store, monkeypatch):
    before = files(store.root)

    def full(*arguments):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for act in (
        lambda: store.save(network(SELF, 0, 20, 9.0)),
        lambda: store.save(network(SELF, 0, 40)),
        lambda: store.leave(network(SELF, 0, 33)),
        lambda: store.add(SELF, [row(SELF, 0, 40)]),
    ):
        with pytest.raises(OSError, match="no space"):
            act()
    assert files(store.root) == before


def test_what_a_killed_process_left_is_swept_up(store):
    left = shard(store, SELF, 0, 0).with_name(".abc.tmp")
    left.write_text("half a ne")
    store.pack("tiny", "tests", [SELF])
    assert left.exists()  # it might be in the making
    os.utime(left, (0, 0))
    store.pack("tiny", "tests", [SELF])
    assert not left.exists()
