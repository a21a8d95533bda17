"""Training again gives the committed results, number for number: nothing has changed.

Run 0 of two tables of the thesis, from its first weights to 1,000 games. Of one the tests are
played again too, as they were: 5,000 games before and after. Compiling takes most of the time,
so the other is held by the plies of its 1,000 games, which any other move would change.
"""

import dataclasses

import pytest

from tdlib import paths
from tdlib.learning import online
from tdlib.study import drive, registry, train
from tdlib.study.network import untrained
from tdlib.study.store import Store
from tests import one_batch

GAMES = 1_000


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch):
    """Not in the batches of other tests."""
    monkeypatch.setattr(online, "train", one_batch._train)


def stored(e):
    found = Store(paths.store_dir("paper")).load(e)
    found = found[(found.run == 0) & (found.games <= GAMES)].reset_index(drop=True)
    assert found.games.tolist() == [0, GAMES]
    return found


def test_the_first_thousand_games_and_their_tests_are_those_that_are_stored(tmp_path):
    e = registry.find("M-A8")
    expected, store = stored(e), Store(tmp_path)
    short = dataclasses.replace(e, games=GAMES, checkpoints=(0, GAMES), runs=1)
    summary = drive.run([short], store, workers=1)
    assert (summary.computed, summary.problems) == (2, [])
    assert store.load(e).equals(expected)  # of the same hashes, so all columns


def test_the_first_thousand_games_are_those_that_are_stored():
    e = registry.find("M-A11")
    expected = stored(e).iloc[1]
    learner = train.Learner(untrained(e, 0), [GAMES])
    for _ in train.Training([learner], lambda games: None).rounds():
        if learner.arrived:
            learner.goals.pop()
    found = learner.network
    assert (found.games, found.plies) == (GAMES, expected.train_plies)
    assert found.capped == expected.train_capped
