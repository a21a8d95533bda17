"""Contests: played as their settings say, stored game by game, gone on with where they were."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import cli, games, paths
from tdlib.papers.friedman2004 import experiments as friedman2004
from tdlib.play import rollout
from tdlib.study import contests, entrants, measure, playing, registry, seeds
from tdlib.study.contest import Entrant, contest_hash
from tdlib.study.scale import scaled
from tdlib.study.store import Damaged, Store
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


def play(contest, store):
    """Games that were stored, and games that were played now."""
    return measure.measure(contests.measurement(contest.paper, [contest]), store)


def table_of(contest, store):
    return contests.measurement(contest.paper, [contest]).table(store)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("store"))
    assert play(SHORT, store) == (0, 6)
    return store, contests.load([SHORT], store)


def test_games_are_those_of_the_game_loop(played):
    _, table = played
    alone = rollout.play_games(
        entrants.game(SHORT), [entrants.player(SHORT, e) for e in SHORT.entrants],
        seeds.key(SHORT.id, SHORT.seed, 0, "contest"), count=6, lanes=6,
        max_plies=SHORT.max_plies, rotate=True,
    )  # fmt: skip
    for name in ("first", "plies", "choices"):
        assert table[name].to_list() == getattr(alone, name).tolist()
    assert table[["pieces_0", "pieces_1"]].to_numpy().tolist() == alone.pieces.tolist()
    won = table.ended == "win"
    assert table.payoff[won].to_list() == alone.payoff[:, 0][won.to_numpy()].tolist()


def test_rows_say_how_games_ended(played):
    _, table = played
    assert table["first"].to_list() == [0, 1] * 3  # colours alternate, black begins
    assert (table.pieces_1 >= table.pieces_0).all() and table.plies.between(20, 60).all()
    assert set(table.ended) <= {"win", "stuck", "limit"}
    assert (table.payoff[table.ended != "win"] == 0).all()
    assert (table.plies[table.ended == "limit"] == 60).all()


def test_a_stopped_game_is_scored_only_where_the_contest_says_so(played, tmp_path):
    _, table = played
    by_rules = dataclasses.replace(SHORT, stopped="rules")
    store = Store(tmp_path)
    assert play(by_rules, store) == (0, 6)
    scored = contests.load([by_rules], store)
    stopped = scored.ended != "win"
    lead = np.sign(scored.pieces_0 - scored.pieces_1)
    assert (scored.payoff == lead).all() and (scored.payoff[stopped] != 0).any()
    rest = [name for name in table if name not in ("payoff", "config")]
    assert scored[rest].equals(table[rest])
    assert contest_hash(by_rules) != contest_hash(SHORT)


def test_stored_contests_keep_their_settings():
    found = contests.load(friedman2004.MAIN[:1], Store(paths.store_dir("paper")))
    assert len(found) == friedman2004.GAMES
    assert (found.payoff[found.ended != "win"] == 0).all()


def test_who_began_is_known_where_dice_decide_it():
    contest = dataclasses.replace(
        KALAH, id="T-DICE", game="hypergammon", max_plies=3,
        entrants=(Entrant(player="random"), Entrant(player="random")),
    )  # fmt: skip
    table, turned = playing.table(contest), jnp.arange(32, dtype=jnp.int32) % 2
    lanes = playing.begin(table, jax.random.split(jax.random.key(1), 32), turned)
    began = (np.asarray(lanes.state.seat) + np.asarray(turned)) % 2
    ended, going = playing.advance(table, ((), ()), lanes, turned >= 0, 9)
    found = playing.results(table, ended)
    assert not going.any() and (np.asarray(found.plies) == 3).all() and found.capped.all()
    assert found.first.tolist() == began.tolist() and 8 < began.sum() < 24


def test_a_winning_move_is_seen_however_many_moves_there_are():
    # Black has 100 moves and has taken five stones; only moves beyond the 84th take the sixth.
    board = "0000010100101000201011022000001020200001001011012000100220200"
    contest = dataclasses.replace(SHORT, game_options={"broadside": True, "max_plies": 60})
    state = games.abalone.from_cells(np.array(list(board), np.int32), 0)
    after = games.every_play(entrants.game(contest), state, 0)
    wins = [int(games.abalone.score(x).max()) == 6 for x in after]
    assert len(wins) == 100 and any(wins) and not any(wins[:84])
    plays = entrants.game(contest).plays(state, jnp.int32(0))
    look = jax.jit(entrants.watch(contest).look)
    assert look((), state, plays, jnp.int32(0)).tolist() == [0, 1, 1]
    assert look((), state, plays, jnp.int32(wins.index(True))).tolist() == [0, 1, 0]


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
    store, table = played
    assert play(SHORT, store) == (6, 0)
    part = Store(tmp_path)
    rows = table_of(SHORT, store).rows()
    table_of(SHORT, part).add(rows[i] for i in (0, 1, 3, 5))
    assert len(contests.load([SHORT], part)) == 2  # what follows a gap was short
    assert play(SHORT, part) == (4, 2)
    assert contests.load([SHORT], part).equals(table)


def test_more_games_extend_and_other_settings_are_other_games(played):
    store, table = played
    more = dataclasses.replace(SHORT, games=7, title="longer")
    assert contest_hash(more) == contest_hash(SHORT)
    assert len(contests.load([more], store)) == len(table)
    for changes in ({"seed": 1}, {"max_plies": 61}, {"rotate": False}):
        other = dataclasses.replace(SHORT, **changes)
        assert contest_hash(other) != contest_hash(SHORT)
        assert contests.load([other], store).empty


def test_two_processes_that_play_at_once_lose_nothing(played, tmp_path):
    """Each used to write only the games that it had played itself (F6)."""
    store, table = played
    rows = table_of(SHORT, store).rows()
    for half in (rows[:3], rows[3:]):
        table_of(SHORT, Store(tmp_path)).add(half)
    assert contests.load([SHORT], Store(tmp_path)).equals(table)


def test_a_damaged_game_is_refused(played, tmp_path):
    store, _ = played
    copy = table_of(SHORT, Store(tmp_path))
    copy.add(table_of(SHORT, store).rows())
    (path,) = copy.shards()
    path.write_text(path.read_text().replace(",limit,", ",stuck,", 1))
    with pytest.raises(Damaged, match="its first line should be"):
        contests.load([SHORT], Store(tmp_path))


def test_a_game_of_another_kind_with_extra_turns(tmp_path):
    store = Store(tmp_path)
    assert play(KALAH, store) == (0, 5)
    table = contests.load([KALAH], store)
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
        ({"stopped": "luck"}, "stopped must be one of nobody, rules, not 'luck'"),
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
    monkeypatch.setitem(registry._KNOWN.contests, "T-ONE", SHORT)
    options = ["--scale", "smoke", "--store", str(tmp_path)]
    assert cli.main(["contest", "T-ONE", *options]) == 0
    assert "0 loaded, 2 computed" in capsys.readouterr().out
    assert cli.main(["contest", "F-NONE", *options]) != 0
    assert "unknown contest 'F-NONE'" in capsys.readouterr().err
