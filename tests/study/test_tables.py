"""Rows come back as they were written, from several processes too, or are refused by name."""

import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tdlib import files, paths
from tdlib.study.store import tables
from tdlib.study.store.tables import Damaged, Table


class Row(NamedTuple):
    name: str
    number: int
    share: float
    words: str
    seconds: float

    @staticmethod
    def impossible(rows):
        return "its numbers should be 0 or more" if (rows.number < 0).any() else ""


ROWS = [
    Row("one", 1, 0.1 + 0.2, "", 1.5),
    Row("one", 2, 1e-17, "a, b", 2.0),
    Row("00123456", 7, 3.0, "nan", 0.25),  # a hash may look like a number
]


def table(folder):
    return Table(folder, Row, 2)


def content(folder):
    return {x.relative_to(folder): x.read_bytes() for x in folder.rglob("*") if x.is_file()}


@pytest.fixture
def packed(tmp_path):
    """With all rows in its packed files."""
    one = table(tmp_path)
    one.add(ROWS)
    one.pack()
    return one


@pytest.fixture
def sharded(tmp_path):
    """With all rows in one shard."""
    one = table(tmp_path)
    one.add(ROWS)
    return one


@pytest.mark.parametrize("form", ["packed", "sharded"])
def test_rows_come_back_as_they_were_in_the_order_of_their_keys(form, request):
    one = request.getfixturevalue(form)
    assert one.rows() == [ROWS[2], ROWS[0], ROWS[1]]
    found = table(one.folder).load()
    assert list(found.columns) == ["name", "number", "share", "words"]
    assert found.number.dtype == np.int64 and found.share.dtype == np.float64
    assert found.name.tolist() == ["00123456", "one", "one"]
    about = one.load(provenance=True)
    assert list(about.columns) == [*Row._fields, "date", "version", "jax"]
    assert (about.version == files.version()).all() and about.seconds.sum() == 3.75


def test_an_empty_table_has_all_columns_and_makes_no_folder(tmp_path):
    found = table(tmp_path / "none").load()
    assert len(found) == 0 and list(found.columns) == ["name", "number", "share", "words"]
    assert found.number.dtype == np.int64
    assert table(tmp_path / "none").pack() == 0
    assert not (tmp_path / "none").exists()


def test_an_empty_folder_blocks_nothing(tmp_path):
    (tmp_path / "shards").mkdir()
    assert table(tmp_path).load().empty and table(tmp_path).pack() == 0
    table(tmp_path).add(ROWS)
    assert len(table(tmp_path).load()) == 3


def test_a_row_added_again_replaces_the_former(sharded):
    """Two rows of one key made a shard that nobody could read."""
    again = ROWS[0]._replace(share=0.5)
    sharded.add([again])
    assert sharded.rows() == [ROWS[2], again, ROWS[1]]
    later = ROWS[0]._replace(share=0.75)
    table(sharded.folder).add([later])  # in another process
    assert sharded.rows()[1] == later
    sharded.pack()
    assert sharded.rows() == [ROWS[2], later, ROWS[1]]
    sharded.add([again])
    assert sharded.rows()[1] == again


def test_rows_that_could_not_be_read_again_are_not_written(sharded):
    before = content(sharded.folder)
    for bad in (ROWS[0]._replace(share=np.nan), ROWS[0]._replace(number=-1)):
        with pytest.raises(Damaged):
            sharded.add([bad])
        with pytest.raises(Damaged):
            table(sharded.folder / "new").add([bad])
    assert content(sharded.folder) == before
    sharded.add([ROWS[0]._replace(number=3)])
    assert len(sharded.load()) == 4


# Several processes, several machines


def test_two_that_write_at_the_same_time_lose_nothing(tmp_path):
    one, two = table(tmp_path), table(tmp_path)
    for number in range(5):
        one.add([ROWS[0]._replace(number=number)])
        two.add([ROWS[0]._replace(name="two", number=number)])
    for reader in (one, two, table(tmp_path)):
        assert len(reader.load()) == 10


def test_processes_that_write_and_pack_at_the_same_time_lose_nothing(tmp_path):
    program = """
import sys
from pathlib import Path
from tests.study.test_tables import ROWS, table
mine = table(Path(sys.argv[1]))
for number in range(20):
    mine.add([ROWS[0]._replace(name=sys.argv[2], number=number)])
    if number % 5 == 4:
        table(Path(sys.argv[1])).pack() if sys.argv[2] == "a" else mine.load()
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(paths.ROOT)}
    writers = [subprocess.Popen([*command, name], env=environment) for name in "ab"]
    assert [x.wait(timeout=200) for x in writers] == [0, 0]
    found = table(tmp_path).load()
    assert found.groupby("name").number.apply(list).tolist() == [list(range(20))] * 2


def test_a_process_that_goes_on_while_another_packs_loses_nothing(tmp_path, monkeypatch):
    worker, packer = table(tmp_path), table(tmp_path)
    worker.add(ROWS[:1])
    really = tables.write

    def meanwhile(path, text):
        monkeypatch.setattr(tables, "write", really)
        worker.add(ROWS[1:2])  # after the shards were read, before they are removed
        really(path, text)

    monkeypatch.setattr(tables, "write", meanwhile)
    assert packer.pack() == 1
    assert table(tmp_path).rows() == ROWS[:2]
    assert table(tmp_path).pack() == 2 and table(tmp_path).rows() == ROWS[:2]


def test_a_reader_sees_all_rows_while_another_packs(sharded, monkeypatch):
    really, packing = tables._read, table(sharded.folder)

    def meanwhile(path, types):
        monkeypatch.setattr(tables, "_read", really)
        packing.pack()  # after the shards were listed
        return really(path, types)

    monkeypatch.setattr(tables, "_read", meanwhile)
    assert len(sharded.load()) == 3


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_shards_of_several_machines_are_merged_and_packed_into_the_same_files(
    tmp_path, order, monkeypatch
):
    dates = iter(f"2026-01-0{day}T00:00:00.000+00:00" for day in range(1, 10))
    monkeypatch.setattr(tables, "now", lambda: next(dates))
    machines = [tmp_path / str(number) for number in range(3)]
    for machine, row in zip(machines, ROWS, strict=True):
        table(machine).add([row, ROWS[0]._replace(name="all", share=float(row.number))])
    together, other = tmp_path / "together", tmp_path / "other"
    for at in order:
        shutil.copytree(machines[at], together, dirs_exist_ok=True)
        if at == order[1]:
            table(together).pack()
    for machine in machines:
        shutil.copytree(machine, other, dirs_exist_ok=True)
    assert table(together).pack() == table(other).pack() == 4
    assert content(together) == content(other)
    # of equal keys the latest counts
    assert table(together).load().set_index("name").share["all"] == float(ROWS[2].number)


def test_packing_twice_changes_nothing(packed):
    before = content(packed.folder)
    assert {str(x) for x in before} == {"rows.csv", "provenance.csv"}
    assert packed.pack() == 3 and content(packed.folder) == before
    packed.add(ROWS)  # computed once more: only provenance changes
    assert packed.pack() == 3
    after = content(packed.folder)
    assert after[Path("rows.csv")] == before[Path("rows.csv")]


def test_packed_rows_are_sorted_and_have_no_times(packed):
    lines = (packed.folder / "rows.csv").read_text().splitlines()
    assert re.fullmatch(r"# 3 rows, checksum [0-9a-f]{8}", lines[0])
    assert lines[1:] == [
        "name,number,share,words",
        "00123456,7,3.0,nan",
        "one,1,0.30000000000000004,",
        'one,2,1e-17,"a, b"',
    ]


# Damage: each makes one file bad; the message names it and says what to do.


def signed(body):
    """The same with a right first line."""
    rows = body.count(b"\n") - 1
    return f"# {rows} rows, checksum {zlib.crc32(body):08x}\n".encode() + body


def edited(old, new):
    """With a right checksum: what a careless hand may do that repairs it."""

    def harm(text):
        assert old in text
        return signed(text.partition(b"\n")[2].replace(old, new, 1))

    return harm


def lines(*chosen):
    return lambda text: b"\n".join([text.split(b"\n")[i] for i in chosen] + [b""])


DAMAGE = {
    "a changed digit": lambda text: text.replace(b"1e-17", b"1e-18"),
    "a changed checksum": lambda text: text.replace(b"checksum ", b"checksum 0"),
    "lost lines": lines(0, 1, 2),
    "an added line": lines(0, 1, 2, 3, 4, 4),
    "no first line": lines(1, 2, 3, 4),
    "cut": lambda text: text[:-7],
    "half of it": lambda text: text[: len(text) // 2],
    "other line ends": lambda text: text.replace(b"\n", b"\r\n"),
    "empty": lambda text: b"",
    "binary rubbish": lambda text: bytes(range(256)) * 4,
    "zeros": lambda text: b"\0" * len(text),
    "other columns": edited(b"number,", b"count,"),
    "one column less": lambda text: signed(b"name,number\none,1\n"),
    "two rows of one key": edited(b"one,2,", b"one,1,"),
    "text for a whole number": edited(b"one,2,", b"one,two,"),
    "a broken whole number": edited(b"one,2,", b"one,2.5,"),
    "no whole number": edited(b"one,2,", b"one,,"),
    "a negative count": edited(b"one,2,", b"one,-2,"),
    "too large a number": edited(b"one,2,", b"one,99999999999999999999,"),
    "one field more": edited(b"one,2,", b"one,2,2,"),
    "no UTF-8": edited(b"one,2,", b"on\xff,2,"),
}
OF_VALUES = {
    "not a number": edited(b"1e-17", b"nan"),
    "infinite": edited(b"1e-17", b"inf"),
    "text for a number": edited(b"1e-17", b"much"),
    "no number": edited(b"1e-17", b""),
}


@pytest.mark.parametrize("harm", [*DAMAGE, *OF_VALUES])
@pytest.mark.parametrize("file", ["rows.csv", "provenance.csv", "shard"])
def test_a_damaged_file_is_refused_by_name_and_left_as_it_is(tmp_path, file, harm):
    one = table(tmp_path)
    one.add(ROWS)
    if file != "shard":
        one.pack()
    (path,) = one.shards() if file == "shard" else [tmp_path / file]
    text = path.read_bytes()
    if file == "provenance.csv":
        text = text.replace(b",2.0,", b",1e-17,")
        path.write_bytes(signed(text.partition(b"\n")[2]))
        assert len(table(tmp_path).load()) == 3
    path.write_bytes((DAMAGE | OF_VALUES)[harm](path.read_bytes()))
    bad = content(tmp_path)
    for act in (table(tmp_path).load, one.load, table(tmp_path).pack):
        with pytest.raises(Damaged) as error:
            act()
        message = str(error.value)
        assert str(tmp_path) in message and "\n" not in message
        assert path.name in message or file == "shard" or "rows.csv" in message
        assert "Restore the file from version control" in message
    assert sorted(content(tmp_path).values()) == sorted(bad.values())


def test_a_lost_provenance_is_refused_and_lost_rows_are_new(packed):
    (packed.folder / "provenance.csv").unlink()
    with pytest.raises(Damaged, match=r"provenance.csv: it should be there"):
        packed.load()
    (packed.folder / "rows.csv").unlink()  # both: to be computed again
    assert packed.load().empty


def test_provenance_of_other_rows_is_refused(packed, tmp_path):
    table(tmp_path / "other").add(ROWS[:1])
    table(tmp_path / "other").pack()
    shutil.copy(tmp_path / "other" / "provenance.csv", packed.folder)
    with pytest.raises(Damaged, match=r"provenance.csv: it lacks rows that rows.csv has"):
        packed.load()


# Files appear whole or not at all.


def failing(error, after=0):
    """In place of `write`: the first so many succeed."""
    left = after

    def write(path, text):
        nonlocal left
        left -= 1
        if left < 0:
            raise error
        files.write(path, text)

    return write


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize("error", [FULL, KeyboardInterrupt()])
def test_a_pack_that_is_broken_off_loses_nothing(packed, monkeypatch, after, error):
    """Provenance was written and rows were not: the table was refused ever after."""
    new = [ROWS[0]._replace(share=0.5), ROWS[0]._replace(number=9)]
    packed.add(new)
    whole = packed.rows()
    with monkeypatch.context() as patch:
        patch.setattr(tables, "write", failing(error, after))
        with pytest.raises(type(error)):
            packed.pack()
    assert table(packed.folder).rows() == whole and len(whole) == 4
    assert table(packed.folder).pack() == 4 and table(packed.folder).rows() == whole


def test_a_pack_killed_before_shards_are_removed_loses_nothing(sharded, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *_, **__: (_ for _ in ()).throw(SystemExit(9)))
        with pytest.raises(SystemExit):
            sharded.pack()
    before = content(sharded.folder)
    assert len(before) == 3 and len(table(sharded.folder).load()) == 3
    assert sharded.pack() == 3 and len(content(sharded.folder)) == 2


def test_a_full_disk_loses_nothing_and_what_was_not_written_follows(sharded, monkeypatch):
    before = content(sharded.folder)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda *_: (_ for _ in ()).throw(FULL))
        with pytest.raises(OSError, match="No space left"):
            sharded.add([ROWS[0]._replace(number=5)])
    assert content(sharded.folder) == before  # the old file, and nothing else
    sharded.add([ROWS[0]._replace(number=6)])
    assert table(sharded.folder).load().number.tolist() == [7, 1, 2, 5, 6]


def test_a_read_only_folder_loses_nothing(sharded, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    before = content(sharded.folder)
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "mkstemp", refused)
        for act in (lambda: table(sharded.folder).add(ROWS[:1]), table(sharded.folder).pack):
            with pytest.raises(PermissionError):
                act()
    assert sorted(content(sharded.folder).values()) == sorted(before.values())
    assert len(table(sharded.folder).load()) == 3


def test_what_a_killed_process_left_is_no_row_and_is_swept_up(sharded):
    left = sharded.folder / "shards" / ".abc.tmp"
    left.write_text("half a li")
    assert len(sharded.load()) == 3
    sharded.pack()
    assert left.exists()  # it might be in the making
    os.utime(left, (0, 0))
    sharded.add(ROWS)
    sharded.pack()
    assert not left.exists()
