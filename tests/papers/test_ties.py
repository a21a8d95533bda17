"""Counting choices in which the network has no say."""

import jax
import numpy as np

from tdlib.papers.matthews2006 import ties
from tdlib.study.network import untrained
from tdlib.study.registry import find, measurements
from tdlib.study.store import Store
from tests import made_rows


def test_every_choice_of_a_network_of_zeros_ties_and_none_of_a_random_one():
    network = untrained(find("M-A8"), 0)
    nothing = network._replace(weights=jax.tree.map(np.zeros_like, network.weights))
    choices, tied = ties.ties(nothing, 4)
    assert tied == choices > 20
    choices, tied = ties.ties(network, 4)
    assert tied == 0 and choices > 20


def test_the_last_networks_of_finished_runs_are_asked_for(tmp_path):
    store, m, e = Store(tmp_path), measurements("paper")["ties"], find("M-A4-FLOAT64")
    store.add(e, [made_rows.row(e, 2, games, 0) for games in e.checkpoints])
    store.add(e, [made_rows.row(e, 3, 0, 0)])
    (subject,) = m.asked(store)
    assert (subject[0], *subject[3:]) == (e.id, 2, 100_000)
