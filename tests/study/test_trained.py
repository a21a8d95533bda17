"""Stored networks are players by name, and matches between players by name are told."""

import jax
import numpy as np
import pytest

from tdlib import cli, games
from tdlib.cli import matches
from tdlib.play.arena import Tally
from tdlib.players.simple import RANDOM
from tdlib.study import network, registry, trained
from tdlib.study.experiment import test_hash as hash_of_test
from tdlib.study.experiment import training_hash
from tdlib.study.store import Store
from tdlib.study.store import Test as Row
from tests.tiny_experiments import RANDOM as OTHER
from tests.tiny_experiments import SELF


def row(e, run, games, wins):
    return Row(
        experiment=e.id, config=training_hash(e), test=hash_of_test(e), run=run,
        games=games, eval_games=20, wins=wins, draws=0, capped=0, points=0, pieces=0, plies=500,
        train_capped=0, train_plies=0,
        seconds_train=1.0, seconds_eval=0.1,
    )  # fmt: skip


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Two experiments; last tests are won by 9 and 12 of 20, and 11 in the other."""
    monkeypatch.setattr(registry, "experiments", lambda: {e.id: e for e in (SELF, OTHER)})
    store = Store(tmp_path / "store")
    for e, run, last in ((SELF, 0, 9), (SELF, 1, 12), (OTHER, 0, 11)):
        for after in e.checkpoints:
            new = network.untrained(e, run)
            weights = jax.tree.map(lambda x: x + np.float32(after), new.weights)  # noqa: B023
            store.save(new._replace(games=after, weights=weights))
            store.add(e, [row(e, run, after, wins=last if after == e.games else 20)])
    return store


def test_a_network_is_the_last_of_its_run_or_that_after_some_games(store):
    last = trained.network("T-SELF/1", store=store)
    assert (last.run, last.games) == (1, 60)
    assert str(last) == "T-SELF, run 1, after 60 games"
    early = trained.network("T-SELF/1/20", store=store)
    np.testing.assert_allclose(last.weights.hidden - early.weights.hidden, 40, rtol=1e-5)
    new = trained.untrained("T-SELF/1")
    np.testing.assert_array_equal(
        new.weights.hidden, trained.network("T-SELF/1/0", store=store).weights.hidden
    )


def test_a_network_values_what_it_sees(store):
    state = games.make("hypergammon").init(jax.random.key(0))
    net = trained.untrained("T-SELF/0")
    features = net.features(state)
    assert features.shape == (196,) and features.sum() == 6  # six single men
    hidden, output = (np.asarray(x, np.float64) for x in net.weights)
    units = 1 / (1 + np.exp(-(hidden @ np.append(features, 1))))
    by_hand = 1 / (1 + np.exp(-(output @ np.append(units, 1))))
    np.testing.assert_allclose(net.value(state), by_hand, rtol=1e-5)


def test_a_network_of_one_output_is_asked_for_a_seat():
    """It speaks for whoever has moved, but was asked for whoever is about to (bug 12)."""
    net = network.untrained(registry.find("C-FULL"), 0)
    game = games.make("kalah")
    state = game.init(jax.random.key(0))._replace(cups=np.arange(14), seat=np.int32(0))
    with pytest.raises(ValueError, match="values a position for a seat: say which"):
        net.value(state)
    one, two = (net.value(state, seat) for seat in (0, 1))
    assert one.shape == two.shape == (1,) and one[0] != two[0]
    moved = net.value(state._replace(seat=np.int32(1)), 0)
    assert moved.shape == (1,)  # South has moved, North is about to


def test_packed_networks_are_found_too(store):
    before = trained.network("T-SELF/1", store=store).weights.hidden
    store.pack("tiny", "tests", [SELF, OTHER])
    np.testing.assert_array_equal(
        trained.network("T-SELF/1", store=store).weights.hidden, before
    )
    assert trained.best("hypergammon", store=store).games == 60


def test_the_best_is_chosen_by_last_tests_of_finished_runs(store):
    best = trained.best("hypergammon", store=store)
    assert (best.experiment.id, best.run, best.games) == ("T-SELF", 1, 60)
    assert trained.player("hypergammon", "best", store=store).name == f"best ({best})"
    next(store.root.rglob("T-SELF-*/run-1-games-60.npz")).unlink()
    assert trained.best("hypergammon", store=store).experiment.id == "T-RANDOM"


@pytest.mark.parametrize(
    ("game", "name", "message"),
    [
        (
            "hypergammon",
            "bst",
            "no player 'bst'; .*random, first, pubeval, pubeval-after, pubeval-counts,"
            " pubeval-contact, perfect, best, or a network",
        ),
        ("hypergammon", "T-NONE/0", "unknown experiment 'T-NONE'; expected one of T-SELF"),
        ("hypergammon", "T-SELF/7", "no networks of T-SELF, run 7; runs: 0, 1"),
        (
            "hypergammon",
            "T-SELF/0/30",
            "no network of T-SELF, run 0, after 30 games.*: 0, 20, 40, 60",
        ),
        ("hypergammon", "T-SELF/x", "expected a network like M-A8/0 or M-A8/0/5000"),
        ("backgammon", "T-SELF/0", "the networks of T-SELF play hypergammon, not backgammon"),
        ("backgammon", "best", "has no tested network of backgammon$"),
        ("go", "random", "unknown game 'go'"),
    ],
)
def test_what_nobody_is_called_is_refused(store, game, name, message):
    with pytest.raises(ValueError, match=message):
        trained.player(game, name, store=store)


@pytest.mark.parametrize(("game", "id"), [("pachisi", "M-A13"), ("parcheesi", "M-A20")])
def test_without_networks_the_best_says_what_to_run(tmp_path, game, id):
    with pytest.raises(
        ValueError, match=f"{game}; train some: python -m tdlib run {id} --scale paper$"
    ):
        matches.match(game, ["best", "heuristic"], count=1, seed=0, store=tmp_path / "none")


def test_a_match_is_told_with_intervals():
    tally = Tally(games=400, wins=100, draws=4, capped=0, points=-150, pieces=0, plies=20_000)
    text = matches.summary([RANDOM._replace(name="one")] * 2, [tally, tally])
    first, _, last = text.splitlines()
    assert first == "one  won 100: 25.0% [21.0%, 29.5%], -0.375 points a game"  # Wilson
    assert last == "400 games of 50.0 plies; 4 drawn, 0 broken off; [95 % intervals]"


def test_a_match_on_the_command_line_is_the_same_each_time(store, capsys):
    command = ["match", "hypergammon", "T-SELF/0", "random", "--games", "30", "--seed", "3"]
    texts = []
    for _ in range(2):
        assert cli.main([*command, "--store", str(store.root)]) == cli.OK
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    won = [int(line.split("won ")[1].split(":")[0]) for line in texts[0].splitlines()[:2]]
    assert sum(won) == 30


@pytest.mark.parametrize(
    ("names", "count", "message"),
    [
        (["random"], 5, "a match of hypergammon needs 2 players, found 1"),
        (["random", "random"], 0, "expected 1 game or more, not 0"),
    ],
)
def test_a_match_that_cannot_be_is_refused(names, count, message):
    with pytest.raises(ValueError, match=message):
        matches.match("hypergammon", names, count=count, seed=0)
