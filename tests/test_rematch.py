"""Stored networks are tested again: the best, the last of each run, one of them often."""

import dataclasses

import pytest

from tdlib import cli, experiments, run
from tdlib.experiments import LEARNER, rematches
from tdlib.experiments.rematches import Rematch
from tdlib.run.rematch import best, rematch, wanted, whole
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


def test_networks_play_again_and_what_is_there_stays(tmp_path):
    store = Store(tmp_path)
    assert rematch([BEST, LAST, SAME], store, scale="paper") == (0, 0, [])  # nothing is whole
    run.run([SELF, OTHER], store, workers=1, keep="all")
    heard = []
    there, computed, troubles = rematch([BEST, LAST], store, scale="paper", watch=heard.append)
    assert (there, computed, troubles) == (0, 3, [])

    rows = store.load(SELF)
    top = rows.wins.max()
    number, games = best(whole(SELF, store))
    assert rows[(rows.run == number) & (rows.games == games)].wins.item() == top
    again, *last = heard
    assert (again.experiment, again.run, again.games) == ("T-SELF-AGAIN", number, games)
    assert [(x.experiment, x.run, x.games) for x in last] == [
        ("T-SELF-V-T-OTHER", 0, 60), ("T-SELF-V-T-OTHER", 1, 60),
    ]  # fmt: skip
    assert all(0 <= x.wins <= x.eval_games == 20 for x in heard)

    assert rematch([BEST, LAST], store, scale="paper") == (3, 0, [])
    assert store.load(LAST.described(SELF)).shape[0] == 2
    assert len(wanted(SAME, SELF, store)[0]) == rematches.REPEATS


def test_weights_that_were_not_kept_are_named(tmp_path):
    store = Store(tmp_path)
    run.run([SELF], store, runs=[0], workers=1, keep="last")
    number, games = best(whole(SELF, store))
    _, computed, troubles = rematch([BEST, LAST], store, scale="paper")
    if games < 60:  # the best is not the last
        assert f"no weights of run {number} after {games} games" in troubles[0]
    assert "T-SELF-V-T-OTHER" in troubles[-1] and "no weights of run 0" in troubles[-1]
    assert computed == (games == 60)


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
