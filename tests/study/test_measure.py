"""One engine measures what is missing, and gives what was asked for and nothing else."""

import dataclasses
from typing import NamedTuple

import pytest

from tdlib import paths
from tdlib.study import measure as measuring
from tdlib.study import store as storing
from tdlib.study.experiment import training_hash
from tdlib.study.identity import fingerprint
from tdlib.study.measure import Found, Measurement, load, measure, missing
from tdlib.study.store import Damaged, Store
from tests.tiny_experiments import SELF


class Row(NamedTuple):
    experiment: str
    config: str
    test: str
    part: int
    value: float
    seconds: float


def measurement(e=SELF, size=4, subjects=3, calls=None, stop=None):
    """Of each subject two rows, which tell the size; stop: after so many subjects."""
    hash = fingerprint({"size": size})

    def compute(store, todo):
        for number, subject in enumerate(todo):
            if number == stop:
                raise KeyboardInterrupt
            if calls is not None:
                calls.append(subject)
            yield [Row(*subject, part, size + part / 10, 0.5) for part in (0, 1)]

    return Measurement(
        id="made-up",
        paper="tiny",
        title="",
        row=Row,
        subject=3,
        key=4,
        asked=lambda store: [
            (f"{e.id}-{number}", training_hash(e), hash) for number in range(subjects)
        ],
        compute=compute,
    )


def test_what_is_missing_is_computed_and_the_rest_stays(tmp_path):
    store, heard, calls = Store(tmp_path), [], []

    def tell(done, total):
        heard.append((done, total))

    few, m = measurement(subjects=1), measurement(calls=calls)
    assert load(m, store).empty and len(missing(m, store)) == 3
    assert measure(few, store) == Found(0, 1)
    assert measure(m, store, tell=tell) == Found(1, 2)
    assert heard == [(1, 2), (2, 2)] and len(calls) == 2
    assert measure(m, Store(tmp_path)) == Found(3, 0) and missing(m, store) == []
    frame = load(m, store)
    assert frame.part.tolist() == [0, 1] * 3 and set(frame.value) == {4.0, 4.1}
    assert "seconds" not in frame and "seconds" in load(m, store, provenance=True)


@pytest.mark.parametrize("first", [0, 1])
def test_rows_of_another_scale_or_configuration_are_never_read(tmp_path, first):
    """A verdict depended on what had run before in the same store (bug 1)."""
    smoke, quick = measurement(size=4), measurement(size=50)
    retrained = measurement(dataclasses.replace(SELF, lam=0.9), size=9)
    order = [smoke, quick, retrained] if first == 0 else [retrained, quick, smoke]
    store = Store(tmp_path)
    for m in order:
        assert measure(m, store) == Found(0, 3)  # four games do not stand in for fifty
    for m, size in ((smoke, 4), (quick, 50), (retrained, 9)):
        assert set(load(m, store).value.astype(int)) == {size} and len(load(m, store)) == 6
    smoke.table(store).pack()
    assert set(load(quick, Store(tmp_path)).value.astype(int)) == {50}
    assert len(load(measurement(subjects=2), store)) == 4  # what is asked for, no more


def test_nothing_is_lost_when_it_is_interrupted(tmp_path):
    store = Store(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        measure(measurement(stop=2), store)
    assert len(load(measurement(), Store(tmp_path))) == 4
    assert measure(measurement(), Store(tmp_path)) == Found(2, 1)


def test_results_are_written_as_they_come(tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "SAVE", -1.0)
    store, seen = Store(tmp_path), []
    m = measurement()
    measure(m, store, tell=lambda *_: seen.append(len(load(m, Store(tmp_path)))))
    assert seen == [2, 4, 6]


def test_two_that_measure_at_the_same_time_lose_nothing(tmp_path):
    """The latter had read, changed and written the one table of all (bug 8, F6)."""
    one, two, other = Store(tmp_path), Store(tmp_path), measurement(size=5)

    def interleaved(store, todo):
        for rows in measurement().compute(store, todo):
            yield rows
            measure(other, two)

    assert measure(dataclasses.replace(measurement(), compute=interleaved), one).computed == 3
    for m in (measurement(), other):
        assert len(load(m, Store(tmp_path))) == 6


def test_fresh_measures_again_and_old_rows_count_until_then(tmp_path):
    store = Store(tmp_path)
    m = measurement()
    measure(m, store)
    with pytest.raises(KeyboardInterrupt):
        measure(measurement(stop=1), store, fresh=True)
    assert len(load(m, store)) == 6
    worse = dataclasses.replace(
        m, compute=lambda store, todo: ([Row(*x, p, 0.0, 1.0) for p in (0, 1)] for x in todo)
    )
    assert measure(worse, store, fresh=True) == Found(0, 3)
    assert set(load(m, Store(tmp_path)).value) == {0.0}


def test_committed_results_are_not_measured_again_nor_by_a_changed_program(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(paths, "store_dir", lambda scale: tmp_path)
    monkeypatch.setattr(storing, "version", lambda: "0.1.0+abc1234")
    store, m = Store(tmp_path), measurement(subjects=1)
    measure(m, store)
    with pytest.raises(ValueError, match="which are not computed again in place"):
        measure(m, store, fresh=True)
    monkeypatch.setattr(storing, "version", lambda: "0.1.0+abc1234-dirty")
    assert measure(m, store) == Found(1, 0)
    with pytest.raises(ValueError, match="has changes that are not committed"):
        measure(measurement(), store)
    assert len(load(measurement(), store)) == 2


def test_a_damaged_table_is_refused_by_name(tmp_path):
    store, m = Store(tmp_path), measurement()
    measure(m, store)
    (path,) = m.table(store).shards()
    path.write_bytes(path.read_bytes().replace(b"4.1", b"4.2", 1))
    for act in (load, missing, measure):
        with pytest.raises(Damaged, match="first line should be"):
            act(m, Store(tmp_path))
