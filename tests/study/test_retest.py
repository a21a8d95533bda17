"""Stored networks are tested again: the best, the last of each run, one of them often."""

import dataclasses

import jax
import numpy as np
import pytest

from tdlib.papers.matthews2006.retests import RETESTS
from tdlib.play import arena
from tdlib.study import measure, registry, retest, testing
from tdlib.study.experiment import LEARNER, training_hash
from tdlib.study.experiment import test_hash as hash_of_test
from tdlib.study.network import untrained
from tdlib.study.retest import Retest, best, retesting
from tdlib.study.store import Damaged, Store
from tdlib.study.store import Test as Row
from tests.tiny_experiments import SELF

OTHER = dataclasses.replace(SELF, id="T-OTHER")
BEST = Retest(group="T", source="T-SELF", networks="best")
LAST = Retest(group="T", source="T-SELF", networks="last", rivals="T-OTHER")
RANDOM = Retest(group="T", source="T-SELF", networks="last", opponent="random")
SAME = Retest(group="T", source="T-SELF", networks="same")
ENDS = Retest(
    group="T", source="T-SELF", networks="ends", reading="BOLD", habits=(("passes", "free"),)
)
KNOWN = {e.id: e for e in (SELF, OTHER)}


def measurement(*retests, known=KNOWN):
    return retesting("T", "tiny", retests, known.__getitem__)


def filled(folder, experiments=(SELF, OTHER)):
    """Two runs of experiments, untrained; the best test: of run 1 after 40 games."""
    store = Store(folder)
    counts = dict.fromkeys(Row._fields[7:], 0)
    for e in experiments:
        for run in (0, 1):
            for games in e.checkpoints:
                network = untrained(e, run)._replace(games=games)
                store.save(network)
                wins = 4 + run * (games == 40)
                named = (e.id, training_hash(e), hash_of_test(e), run, games)
                store.add(e, [Row(*named, e.eval_games, wins, **counts)])
    return store


@pytest.fixture
def store(tmp_path):
    return filled(tmp_path)


@pytest.fixture
def played(monkeypatch):
    """The networks whose tests were asked for; nobody really plays."""
    asked = []

    def stand_in(e, networks, seats, keys):
        words = {str(jax.random.key_data(key)) for key in keys}
        asked.append((e.id, [x.games for x in networks], words))
        return arena.Tally(*(np.full(len(networks), n) for n in (20, 9, 0, 1, -3, 40, 600)))

    monkeypatch.setattr(testing, "played", stand_in)
    monkeypatch.setattr(testing, "NETWORKS", 8)
    return asked


def test_networks_really_play_each_other(store):
    m = measurement(LAST)
    assert measure.measure(m, store) == (0, 2)
    frame = measure.load(m, store)
    assert frame[["experiment", "run", "games"]].values.tolist() == [
        [LAST.id, 0, 60],
        [LAST.id, 1, 60],
    ]
    assert ((frame.wins >= 0) & (frame.wins <= frame.eval_games)).all()
    assert (frame.eval_games == 20).all() and (frame.plies > 20).all()


def test_what_is_there_is_not_played_again(store, played):
    assert best(store.whole(SELF)) == (1, 40)
    m = measurement(BEST, LAST)
    assert measure.measure(m, store) == (0, 3)
    assert [x[:2] for x in played] == [("T-SELF-AGAIN", [40]), ("T-SELF-V-T-OTHER", [60, 60])]
    assert measure.measure(m, Store(store.root)) == (3, 0) and len(played) == 2
    row = measure.load(m, store).iloc[0]
    assert (row.run, row.games, row.wins, row.eval_games, row.plies) == (1, 40, 9, 20, 600)


def test_one_network_is_tested_often_in_different_games(store, played):
    m = measurement(SAME)
    assert measure.measure(m, store) == (0, retest.REPEATS)
    assert [len(x[1]) for x in played] == [8, 8, 8]  # the last batch is filled up
    assert len(set().union(*(x[2] for x in played))) == retest.REPEATS
    assert measure.load(m, store).run.tolist() == list(range(retest.REPEATS))


def test_other_habits_are_tested_before_and_after_training(store, played):
    m = measurement(ENDS)
    assert ENDS.id == "T-SELF-BOLD" and measure.measure(m, store) == (0, 4)
    assert [x[1] for x in played] == [[0, 60, 0, 60]]
    habits = retest._Described(ENDS, KNOWN.__getitem__).like.eval_habits
    assert habits == (("passes", "free"),)
    assert retest._Described(BEST, KNOWN.__getitem__).like.eval_habits == SELF.eval_habits
    other = measurement(dataclasses.replace(ENDS, habits=()))
    assert len(measure.missing(other, store)) == 4  # other habits, other results


def test_nothing_is_missing_where_no_run_is_whole(tmp_path, played):
    m = measurement(BEST, LAST, SAME)
    assert measure.measure(m, Store(tmp_path)) == (0, 0)
    assert measure.load(m, Store(tmp_path)).empty and not played


def test_networks_that_are_not_there_are_named_and_the_others_play(store, played):
    next(store.root.rglob("T-SELF-*/run-1-games-40.npz")).unlink()
    next(store.root.rglob("T-OTHER-*/run-1-games-60.npz")).write_bytes(b"")
    with pytest.raises(Damaged) as error:
        measure.measure(measurement(BEST, LAST, RANDOM), store)
    first, second = str(error.value).splitlines()
    assert first.startswith("T-SELF-AGAIN: ") and "run 1, after 40 games" in first
    assert second.startswith("T-SELF-V-T-OTHER: ") and "run-1-games-60.npz" in second
    assert measure.load(measurement(RANDOM), store).run.tolist() == [0, 1]


def test_retests_of_other_settings_are_never_read(tmp_path, played):
    """Smoke and quick share one store (bug 1)."""
    small = {id: dataclasses.replace(e, eval_games=10) for id, e in KNOWN.items()}
    retrained = {id: dataclasses.replace(e, lam=0.9) for id, e in KNOWN.items()}
    rivals = KNOWN | {"T-OTHER": dataclasses.replace(OTHER, lam=0.9)}
    chosen = (BEST, LAST, RANDOM, SAME)
    hashes = set()
    for known in (small, KNOWN, retrained, rivals):
        store, m = filled(tmp_path, known.values()), measurement(*chosen, known=known)
        expected = 2 if known is rivals else 5 + retest.REPEATS
        assert measure.measure(m, store).computed == expected  # only rivals are other ones
        frame = measure.load(m, store)
        assert len(frame) == 5 + retest.REPEATS
        hashes |= set(zip(frame.experiment, frame.config, frame.test, strict=True))
    assert len(hashes) == 3 * len(chosen) + 1


def test_impossible_counts_are_refused(store, played):
    m = measurement(BEST)
    measure.measure(m, store)
    (row,) = m.table(store).rows()
    with pytest.raises(Damaged, match="counts should be 0 or more"):
        m.table(store).add([row._replace(plies=-1)])


def test_a_retest_has_an_id_and_random_numbers_of_its_own(store, played):
    ids = [x.id for x in RETESTS]
    assert len(set(ids)) == len(ids) and not set(ids) & registry.experiments().keys()
    assert [x.id for x in registry.retests().values()] == ids
    described = retest._Described(LAST, KNOWN.__getitem__)
    assert described.like.evaluation == (LEARNER, "T-OTHER") and described.like.id == LAST.id
    assert retest._Described(BEST, KNOWN.__getitem__).like.evaluation == SELF.evaluation
    assert described.hash != hash_of_test(SELF)
    measure.measure(measurement(BEST, LAST), store)
    assert not played[0][2] & played[1][2]
    assert set(measure.load(measurement(BEST), store).config) == {training_hash(SELF)}


def test_groups_are_those_of_the_claims():
    cross = [x.id for x in RETESTS if x.group == "M-CROSS"]
    assert cross == [
        "M-A1-V-RANDOM", "M-A3-V-RANDOM", "M-A1-V-M-A7", "M-A3-V-M-A7", "M-A3-V-M-A1",
    ]  # fmt: skip
    groups = {"M-BEST", "M-CROSS", "M-ERR", "S-OPPONENT", "S-PACHISI"}
    assert {x.group for x in RETESTS} == groups
