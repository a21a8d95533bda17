"""One engine for all that is measured of stored networks and played between fixed players.

A `Measurement` says what it asks for and how that is computed; `measure` finds what is not
stored yet, computes it and stores it as it comes; `load` gives the rows that were asked for and
no others, whatever else lies in the same table.
"""

import dataclasses
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from tdlib.study.store import Store, Table

SAVE = 20.0  # seconds between writings
Subject = tuple  # the first fields of a row


@dataclasses.dataclass(frozen=True, kw_only=True)
class Measurement:
    """What is measured, at one scale."""

    id: str
    paper: str
    folder: str = ""  # of its rows; the id if it is not given
    title: str
    row: Any  # a NamedTuple
    subject: int  # so many first fields name what is asked for,
    key: int  # and so many a row: a subject may have several
    asked: Callable[[Store], Sequence[Subject]]
    compute: Callable[[Store, Sequence[Subject]], Iterable[Sequence[Any]]]
    # yields rows as they come, all rows of a subject at once

    def table(self, store: Store) -> Table:
        return store.table(self.paper, self.folder or self.id, self.row, self.key)


class Found(NamedTuple):
    """What `measure` found and did, in subjects."""

    stored: int
    computed: int


def load(m: Measurement, store: Store, *, provenance: bool = False) -> pd.DataFrame:
    """The rows of all subjects that it asks for and that are stored."""
    rows = m.table(store).load(provenance=provenance)
    asked = pd.MultiIndex.from_tuples(m.asked(store), names=_names(m))
    there = pd.MultiIndex.from_frame(rows[_names(m)]) if len(rows) else asked[:0]
    return rows[there.isin(asked)].reset_index(drop=True)


def missing(m: Measurement, store: Store, *, fresh: bool = False) -> list[Subject]:
    """What it asks for and is not stored, in its order. fresh: as if nothing were stored."""
    stored: set[Subject] = set()
    if not fresh:
        found = m.table(store).load()[_names(m)]
        stored = set(found.itertuples(index=False, name=None))
    return [subject for subject in m.asked(store) if subject not in stored]


def measure(
    m: Measurement,
    store: Store,
    *,
    fresh: bool = False,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Found:
    """Compute what is missing. tell: hears how many of all missing subjects are done."""
    todo = missing(m, store, fresh=fresh)
    found = Found(len(m.asked(store)) - len(todo), 0)
    if not todo:
        return found
    store.refuse_writing()
    if fresh:
        refuse_fresh(store)
    waiting: list[Any] = []
    latest = time.monotonic()
    done: set[Subject] = set()
    try:
        for rows in m.compute(store, todo):
            waiting += rows
            done |= {tuple(row[: m.subject]) for row in rows}
            if time.monotonic() - latest > SAVE:
                m.table(store).add(waiting)
                waiting, latest = [], time.monotonic()
            tell(len(done), len(todo))
    finally:  # what was computed before a break is not lost
        if waiting:
            m.table(store).add(waiting)
    return found._replace(computed=len(done))


def refuse_fresh(store: Store) -> None:
    """ValueError if these are the committed results, which nothing replaces."""
    if store.committed:
        raise ValueError(
            f"{store.root} holds the committed results, which are not computed again in place;"
            " give another --store, or another scale"
        )


def _names(m: Measurement) -> list[str]:
    return list(m.row._fields[: m.subject])
