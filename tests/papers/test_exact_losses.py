"""What stored networks lose, by exact values: measured once, resumed, and by their hash."""

import numpy as np
import pytest

from tdlib import exact
from tdlib.papers.matthews2006 import exact_losses
from tdlib.papers.matthews2006.exact_losses import Row
from tdlib.study import measure, testing
from tdlib.study.network import untrained
from tdlib.study.store import Damaged, Store
from tests.tiny_experiments import SELF


@pytest.fixture(scope="module")
def solutions():
    """Numbers drawn at random in place of exact values, which a test cannot wait for."""
    values = np.random.default_rng(1).random((3276, 3276))
    found = exact.Solution("wins", 3, values, 0.0, 0, 0.0, "", "")
    return {"wins": found, "money": found._replace(objective="money", values=values - values.T)}


@pytest.fixture
def measurement(monkeypatch, solutions):
    """Of the tiny experiment; few games are played."""
    settings = {"OTHERS": ("random",), "SELF_GAMES": 12, "PERFECT_GAMES": 12, "LANES": 6}
    for name, value in (settings | {"EXPERIMENTS": (SELF,)}).items():
        monkeypatch.setattr(exact_losses, name, value)
    monkeypatch.setattr(testing, "NETWORKS", 2)
    monkeypatch.setattr(exact, "solved", solutions.__getitem__)
    return exact_losses.measurement("paper")


@pytest.fixture
def store(tmp_path):
    """With three networks in two runs."""
    store = Store(tmp_path)
    for run, games in ((0, 0), (0, 20), (1, 0)):
        store.save(untrained(SELF, 2 * run + games)._replace(run=run, games=games))
    return store


def test_what_is_missing_is_computed_and_the_rest_stays(store, measurement):
    heard = []

    def tell(done, total):
        heard.append((done, total))

    asked = len(measurement.asked(store))
    assert asked == 1 + SELF.runs * len(SELF.checkpoints)
    assert measure.measure(measurement, store, tell=tell) == (0, 4)
    assert heard == [(1, asked), (3, asked), (4, asked)]
    rows = measure.load(measurement, store)
    of_networks = rows[rows.experiment == SELF.id]
    assert of_networks[["run", "games"]].values.tolist() == [[0, 0], [0, 20], [1, 0]]
    assert (rows.self_moves > 12).all() and (rows.loss_wins > rows.loss_wins_error).all()
    assert rows.loss_wins.nunique() == 4 and (rows.given > 0).all()
    assert ((rows.best_wins > 0) & (rows.best_wins < 1)).all()
    assert (rows.perfect_wins <= 12).all()

    assert measure.measure(measurement, store) == (4, 0)
    # one row alone comes out as it did in its batch
    kept = [x for x in measurement.table(store).rows() if x[3:5] != (0, 20)]
    other = Store(store.root.parent / "other")
    measurement.table(other).add(kept)
    other.save(store.network(SELF, 0, 20))
    assert measure.measure(measurement, other) == (3, 1)
    again = measure.load(measurement, other).select_dtypes("number")
    np.testing.assert_allclose(again, rows.select_dtypes("number"), rtol=1e-6)


@pytest.mark.parametrize(
    "harm, message",
    [
        (lambda text: text.replace("loss_wins,", "loss,", 1), "its first line should be"),
        (lambda text: text + text.splitlines()[2] + "\n", "its first line should be"),
        (lambda text: text.replace("0.25", "9.25"), "its first line should be"),
        (lambda text: text.replace("0.25", "much"), "its first line should be"),
        (lambda text: "\n".join(text.split("\n")[:2]), "its first line should be"),
    ],
)
def test_a_damaged_table_is_refused_by_name(store, measurement, harm, message):
    """It had no checksum, and half of all damages were accepted (F4)."""
    row = Row("random", "", "x", 0, 0, 9, 99, 0.1, 0.01, 0.25, 0.2, 0.02, 0.25, 9, 4, 90, 0.3,
              0.1)  # fmt: skip
    table = measurement.table(store)
    table.add([row])
    assert table.load().loss_wins.tolist() == [0.1]
    table.pack()
    path = table.folder / "rows.csv"
    assert path.parent.name == "exact-losses"
    path.write_text(harm(path.read_text()))
    with pytest.raises(Damaged, match=rf"rows.csv: {message}.*delete it"):
        table.load()


def test_damaged_networks_are_named_and_the_others_measured(store, measurement):
    path = next(store.root.rglob("run-0-games-20.npz"))
    path.write_bytes(b"nothing")
    with pytest.raises(Damaged, match=path.name):
        measure.measure(measurement, store)
    found = measure.load(measurement, store)
    assert found[["run", "games"]].values.tolist() == [[0, 0], [1, 0], [0, 0]]


def test_only_networks_of_the_solved_game_are_asked_for():
    asked = exact_losses.measurement("paper").asked(Store("none"))
    names = {subject[0] for subject in asked}
    assert {"pubeval", "random", "M-A8", "M-A12", "M-10HG"} <= names
    assert not names & {"M-A1", "M-A13", "M-A20"}


@pytest.mark.parametrize("name", ["SELF_GAMES", "PERFECT_GAMES", "LANES", "MAX_PLIES"])
def test_a_changed_constant_changes_the_hash(name, monkeypatch):
    """Constants that results depend on stood outside the hash (bug 9)."""
    before = exact_losses.measurement("paper").asked(Store("none"))
    monkeypatch.setattr(exact_losses, name, getattr(exact_losses, name) + 1)
    after = exact_losses.measurement("paper").asked(Store("none"))
    assert {x[2] for x in before} != {x[2] for x in after}
