"""Experiments trained once, which tests copy: compiling takes most of their time."""

import os
import shutil

import pytest

from tdlib.learning import online
from tdlib.study import drive, testing
from tdlib.study.store import Store
from tests import one_batch
from tests.tiny_experiments import RANDOM, SELF


@pytest.fixture(autouse=True)
def one_shape(monkeypatch):
    """One shape of training and of tests to compile."""
    monkeypatch.setattr(testing, "NETWORKS", 1)
    monkeypatch.setattr(online, "train", one_batch.train)


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch):
    """No test can lose power."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture(scope="session")
def trained_once(tmp_path_factory):
    """The folder of both experiments, trained in one go. Not to be changed: see `trained`."""
    store = Store(tmp_path_factory.mktemp("trained"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(testing, "NETWORKS", 1)
        patch.setattr(online, "train", one_batch.train)
        summary = drive.run([SELF, RANDOM], store, workers=1)
    assert not summary.problems and (summary.stored, summary.computed) == (0, 12)
    return store.root


@pytest.fixture
def trained(trained_once, tmp_path):
    """A store of one's own with the same."""
    return Store(shutil.copytree(trained_once, tmp_path / "trained"))
