"""Contests: played as their settings say, stored game by game, gone on with where they were."""

import dataclasses

import numpy as np
import pytest

from tdlib import cli, experiments, games
from tdlib.experiments import friedman2004
from tdlib.experiments.contests import Entrant, config, scaled
from tdlib.run import contests, entrants
from tdlib.store.about import Damaged
from tests import tiny_experiments

H1 = tuple(friedman2004.weights("H1").items())
SHORT = dataclasses.replace(
    tiny_experiments.CONTEST,
    title="random against H1, one ply deep",
    entrants=(Entrant(player="random"), Entrant(player="friedman", weights=H1)),
)
KALAH = dataclasses.replace(
    SHORT, id="T-KALAH", game="kalah", game_options={}, max_plies=500, games=5,
    entrants=(Entrant(player="random"), Entrant(player="first")),
)  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    root = tmp_path_factory.mktemp("store")
    assert contests.play([SHORT], root) == (0, 6)
    return root, contests.load([SHORT], root)


def results(table):
    return table.drop(columns=["seconds", "date", "version", "jax"])


def test_games_are_those_of_the_game_loop(played):
    _, table = played
    assert table["first"].to_list() == [0, 1] * 3  # colours alternate, black begins
    assert (table.pieces_1 >= table.pieces_0).all() and table.plies.between(20, 60).all()
    assert set(table.ended) <= {"win", "stuck", "limit"}
    assert (table.payoff[table.ended != "win"] == 0).all()
    assert (table.plies[table.ended == "limit"] == 60).all()


def test_a_replay_is_the_stored_game(played):
    _, table = played
    for number in (0, 1):
        states = contests.replay(SHORT, number)
        row = table.iloc[number]
        assert len(states) == row.plies + 1 and int(states[0].seat) == 0
        score = np.asarray(games.abalone.score(states[-1]))
        pieces = [row.pieces_0, row.pieces_1]
        assert score.tolist() == (pieces if row["first"] == 0 else pieces[::-1])


def test_what_is_there_is_not_played_again_and_gaps_are(played, tmp_path):
    root, table = played
    assert contests.play([SHORT], root) == (6, 0)
    part = contests.sheet(SHORT, tmp_path)
    rows = contests.sheet(SHORT, root).rows()
    part.put(rows[i] for i in (0, 1, 3, 5))
    assert len(contests.load([SHORT], tmp_path)) == 2  # what follows a gap was short
    assert contests.play([SHORT], tmp_path) == (4, 2)
    assert results(contests.load([SHORT], tmp_path)).equals(results(table))


def test_more_games_extend_and_other_settings_lie_apart(played):
    root, _ = played
    more = dataclasses.replace(SHORT, games=7, title="longer")
    assert contests.sheet(more, root).path == contests.sheet(SHORT, root).path
    other = dataclasses.replace(SHORT, seed=1)
    assert contests.sheet(other, root).path != contests.sheet(SHORT, root).path
    assert "games" not in config(SHORT) and config(SHORT)["max_plies"] == 60


def test_a_damaged_row_is_refused_by_its_line(played, tmp_path):
    root, _ = played
    sheet = contests.sheet(SHORT, tmp_path)
    sheet.put(contests.sheet(SHORT, root).rows())
    text = sheet.path.read_text()
    sheet.path.write_text(text.replace("limit", "stuck", 1).replace(",win,", ",draw,", 1))
    with pytest.raises(Damaged, match="line 2: expected the check sum"):
        sheet.rows()


def test_a_game_of_another_kind_with_extra_turns(tmp_path):
    assert contests.play([KALAH], tmp_path) == (0, 5)
    table = contests.load([KALAH], tmp_path)
    assert set(table.ended) <= {"win", "draw"} and (table.repeated == 0).all()
    assert (np.sign(table.pieces_0 - table.pieces_1) == np.sign(table.payoff)).all()


def test_scales():
    assert scaled(SHORT, "paper") is SHORT
    assert scaled(SHORT, "quick").games == 4
    smoke = scaled(SHORT, "smoke")
    assert (smoke.games, smoke.max_plies) == (2, 6)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "games must be 1 or more, not 0"),
        ({"entrants": (Entrant(player="random"),)}, "entrants must be two or more"),
        ({"stated": {"a": ""}, "assumed": {"a": ""}}, "stated as well as assumed: a"),
    ],
)
def test_wrong_settings_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(SHORT, **changes)


def test_wrong_players_are_refused():
    def searching(**options):
        entrant = Entrant(player="search", options=tuple(options.items()))
        return entrants.player(SHORT, entrant)

    with pytest.raises(ValueError, match="abalone has no value 'luck'; expected friedman"):
        searching(value="luck", depth=1)
    with pytest.raises(ValueError, match="wins must be one of equal, quick, blind"):
        searching(value="friedman", depth=1, wins="often")


def test_players_of_equal_settings_are_compiled_once():
    one, two = (entrants.player(c, c.entrants[0]) for c in friedman2004.MAIN[:2])
    assert one.choose is two.choose and one.weights != two.weights
    assert entrants.shape(friedman2004.MAIN[0]) == entrants.shape(friedman2004.FACTORIAL[0])


def test_the_command_plays_and_refuses_by_name(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(experiments.CONTESTS, "T-ONE", SHORT)
    options = ["--scale", "smoke", "--store", str(tmp_path)]
    assert cli.main(["contest", "T-ONE", *options]) == 0
    assert "0 games loaded, 2 played" in capsys.readouterr().out
    assert cli.main(["contest", "F-NONE", *options]) != 0
    assert "unknown contest 'F-NONE'" in capsys.readouterr().err
