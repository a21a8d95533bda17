"""Stored networks are tested again: the best, the last of each run, one of them often."""

import dataclasses

import numpy as np
import pytest

from tdlib import arena, cli, experiments
from tdlib.experiments import LEARNER, rematches
from tdlib.experiments.rematches import Rematch
from tdlib.run import measuring, parts
from tdlib.run.rematch import best, rematch, whole
from tdlib.store import Store
from tests.tiny_experiments import SELF

OTHER = dataclasses.replace(SELF, id="T-OTHER")
BEST = Rematch(group="T", source="T-SELF", networks="best")
LAST = Rematch(group="T", source="T-SELF", networks="last", opponent="T-OTHER")
SAME = Rematch(group="T", source="T-SELF", networks="same")


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(experiments.EXPERIMENTS, "T-SELF", SELF)
    monkeypatch.setitem(experiments.EXPERIMENTS, "T-OTHER", OTHER)


@pytest.fixture
def store(tmp_path):
    """Two runs of both experiments, untrained; the best test: of run 1 after 40 games."""
    store = Store(tmp_path)
    counts = dict.fromkeys(("draws", "capped", "points", "pieces", "plies"), 0)
    for e in (SELF, OTHER):
        for number in (0, 1):
            for games in e.checkpoints:
                saved = parts.initial(e, number)._replace(games=games)
                store.save(e, number, saved)
                wins = 10 + number * (games == 40)
                tally = arena.Tally(games=20, wins=wins, **counts)
                store.add(e, measuring.row_of(e, number, saved, tally, 0.1))
    return store


@pytest.fixture
def played(monkeypatch):
    """The networks whose tests were asked for; nobody really plays."""
    asked = []

    def stand_in(e, learners, seats, keys):
        asked.append((e.id, [x.games for x in learners], {str(key) for key in keys}))
        return arena.Tally(*(np.full(len(learners), n) for n in (20, 9, 0, 1, -3, 40, 600)))

    monkeypatch.setattr(measuring, "tested", stand_in)
    return asked


def test_networks_really_play_each_other(store):
    heard = []
    assert rematch([LAST], store, scale="paper", watch=heard.append) == (0, 2, [])
    assert [(x.experiment, x.run, x.games) for x in heard] == [
        (LAST.id, 0, 60),
        (LAST.id, 1, 60),
    ]
    assert all(0 <= x.wins <= x.eval_games == 20 and x.plies > 20 for x in heard)
    assert store.load(LAST.described(SELF)).wins.tolist() == [x.wins for x in heard]


def test_what_is_there_is_not_played_again(store, played):
    assert best(whole(SELF, store)) == (1, 40)
    assert rematch([BEST, LAST], store, scale="paper") == (0, 3, [])
    assert [x[:2] for x in played] == [("T-SELF-AGAIN", [40]), ("T-SELF-V-T-OTHER", [60, 60])]
    assert rematch([BEST, LAST], store, scale="paper") == (3, 0, [])
    (row,) = store.rows(BEST.described(SELF), 1).values()
    assert (row.games, row.wins, row.eval_games, row.plies) == (40, 9, 20, 600)


def test_one_network_is_tested_often_in_different_games(store, played):
    assert rematch([SAME], store, scale="paper") == (0, rematches.REPEATS, [])
    sizes = [len(x[1]) for x in played]
    assert sizes == [8, 8, 8]  # the last batch is filled up
    assert len(set().union(*(x[2] for x in played))) == rematches.REPEATS
    assert store.load(SAME.described(SELF)).run.tolist() == list(range(rematches.REPEATS))


def test_nothing_is_missing_where_no_run_is_whole(tmp_path, played):
    assert rematch([BEST, LAST, SAME], Store(tmp_path), scale="paper") == (0, 0, [])


def test_weights_that_were_not_kept_are_named(store, played):
    store.prune(SELF, 1, "last")
    store.forget(OTHER, 1)
    _, computed, troubles = rematch([BEST, LAST], store, scale="paper")
    assert computed == 0 and len(troubles) == 2
    assert troubles[0].startswith("T-SELF-AGAIN: ") and "run 1 after 40 games" in troubles[0]
    assert troubles[1].startswith("T-SELF-V-T-OTHER: ") and "of run 1" in troubles[1]


def test_a_rematch_has_an_id_and_random_numbers_of_its_own():
    ids = [x.id for x in rematches.REMATCHES]
    assert len(set(ids)) == len(ids) and not set(ids) & experiments.EXPERIMENTS.keys()
    described = LAST.described(SELF)
    assert described.evaluation == (LEARNER, "T-OTHER") and described.id == LAST.id
    assert BEST.described(SELF).evaluation == SELF.evaluation
    assert experiments.fingerprint(experiments.config(described)) != experiments.fingerprint(
        experiments.config(SELF)
    )


def test_groups_are_chosen_by_name(capsys, tmp_path):
    cross = rematches.groups(["M-CROSS"])
    assert [x.id for x in cross] == [
        "M-A1-V-RANDOM", "M-A1-V-M-A7", "M-A3-V-RANDOM", "M-A3-V-M-A7", "M-A3-V-M-A1",
    ]  # fmt: skip
    assert rematches.groups() == list(rematches.REMATCHES)
    assert cli.main(["rematch", "M-X", "--store", str(tmp_path)]) == 2
    assert "unknown rematch 'M-X'; expected one of M-BEST, M-CROSS" in capsys.readouterr().err
    assert cli.main(["rematch", "M-CROSS", "--store", str(tmp_path)]) == 0
    assert "0 results loaded, 0 computed" in capsys.readouterr().out
