"""The table of what stored networks lose: computed once, resumed, refused if damaged."""

import dataclasses

import jax
import numpy as np
import pytest

from tdlib import exact
from tdlib.run import exactly, parts
from tdlib.store import Damaged, Row, Store, identity
from tests.tiny_experiments import SELF


@pytest.fixture(scope="module")
def solutions():
    """Numbers drawn at random in place of exact values, which a test cannot wait for."""
    values = np.random.default_rng(1).random((3276, 3276))
    found = exact.Solution("wins", 3, values, 0.0, 0, 0.0, "", "")
    return found, found._replace(objective="money", values=values - values.T)


@pytest.fixture
def store(tmp_path, monkeypatch):
    """With three networks in two runs; few games are played with them."""
    settings = {"OTHERS": ("random",), "SELF_GAMES": 12, "PERFECT_GAMES": 12}
    for name, value in (settings | {"NETWORKS": 2, "LANES": 6}).items():
        monkeypatch.setattr(exactly, name, value)
    store = Store(tmp_path)
    for run, games in ((0, 0), (0, 20), (1, 0)):
        store.save(SELF, run, parts.initial(SELF, 2 * run + games)._replace(games=games))
        counts = dict.fromkeys(Row._fields[5:13], 0)
        seconds = {"seconds_train": 0.0, "seconds_eval": 0.0}
        about = {"date": "d", "version": "v", "jax": jax.__version__}
        row = Row(SELF.id, identity(SELF), run, games, 20, **counts, **seconds, **about)
        store.add(SELF, row)
    return store


def test_what_is_missing_is_computed_and_the_rest_stays(store, solutions):
    heard = []

    def tell(done, total):
        heard.append((done, total))

    assert exactly.measure([SELF], store, solutions=solutions, tell=tell) == (0, 4, [])
    assert heard == [(1, 4), (3, 4), (4, 4)]
    rows = exactly.table(store).load()
    of_networks = rows[rows.experiment == SELF.id]
    assert of_networks[["run", "games"]].values.tolist() == [[0, 0], [0, 20], [1, 0]]
    assert (rows.self_moves > 12).all() and (rows.loss_wins > rows.loss_wins_error).all()
    assert rows.loss_wins.nunique() == 4 and (rows.given > 0).all()
    assert ((rows.best_wins > 0) & (rows.best_wins < 1)).all()
    assert (rows.perfect_wins <= 12).all()

    assert exactly.measure([SELF], store, solutions=solutions) == (4, 0, [])
    # one row alone comes out as it did in its batch
    numbers = rows.select_dtypes("number")
    exactly.table(store).path.write_text(rows.drop(index=2).to_csv(index=False))
    assert exactly.measure([SELF], store, solutions=solutions) == (3, 1, [])
    again = exactly.table(store).load().select_dtypes("number")
    np.testing.assert_allclose(again, numbers, rtol=1e-6)


@pytest.mark.parametrize(
    "harm, message",
    [
        (lambda text: text.replace("loss_wins,", "loss,", 1), "its columns should be"),
        (lambda text: text + text.splitlines()[1] + "\n", "two rows have the same"),
        (lambda text: text.replace("0.25", "much"), "much"),
    ],
)
def test_a_damaged_table_is_refused_by_name(store, harm, message):
    row = exactly.Row(
        "random", "", 0, 0, 9, 99, 0.1, 0.01, 0.25, 0.2, 0.02, 0.25, 9, 4, 90, 0.3, 0.1, "d",
        "v", "j",
    )  # fmt: skip
    exactly.table(store).add([row])
    assert exactly.table(store).load().loss_wins.tolist() == [0.1]
    exactly.table(store).path.write_text(harm(exactly.table(store).path.read_text()))
    with pytest.raises(Damaged, match=rf"hypergammon.csv: .*{message}.*Delete it"):
        exactly.table(store).load()


def test_damaged_weights_are_told_and_other_games_refused(store, solutions, monkeypatch):
    path = next(store.folder(SELF).glob("run-0-games-20.npz"))
    path.write_bytes(b"nothing")
    batches, troubles = exactly._missing([SELF], store, set())
    assert [len(batch) for batch in batches] == [2] and len(troubles) == 1
    assert path.name in troubles[0]
    other = dataclasses.replace(SELF, id="T-BG", game="backgammon")
    with pytest.raises(ValueError, match="only hypergammon is solved; T-BG is backgammon"):
        exactly.measure([other], store, solutions=solutions)
