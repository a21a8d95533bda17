"""The scorecard of stores: empty, small, damaged; on the screen, as CSV, as a picture."""

import numpy as np
import pandas as pd
import pytest

from tdlib import cli, paths
from tdlib.claims import ledger, scorecard
from tdlib.claims.evidence import Lacking
from tdlib.claims.rules import (
    INCONCLUSIVE,
    NO_RESULTS,
    NOT_COVERED,
    NOT_TESTABLE,
    REPRODUCED,
    VERDICTS,
    Judgement,
)
from tdlib.claims.stored import Stored
from tdlib.show import scorecard as shown
from tdlib.stats import Interval
from tdlib.study import registry
from tdlib.study.scale import scaled
from tdlib.study.store import Store
from tests.made_evidence import Made
from tests.made_rows import put, row

BY_CODE = {  # ask the code and need no results
    "matthews-tab3.2": REPRODUCED,
    "matthews-tab5.1": REPRODUCED,
}


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """The scorecard of an empty store, and that store."""
    folder = tmp_path_factory.mktemp("empty")
    return *scorecard.of_store(store=folder), folder


@pytest.fixture
def store(tmp_path):
    """Two quick runs of A.1, one whole and half a one of A.3."""
    store = Store(tmp_path / "store")
    one, three = (scaled(registry.find(id), "quick") for id in ("M-A1", "M-A3"))
    put(store, one, 0, [1, 10, 20, 24, 28])
    put(store, one, 1, [2, 8, 16, 24, 26])
    put(store, three, 0, [1, 25, 30, 35, 40])
    put(store, three, 1, [1, 25], three.checkpoints[:2])
    return store


def test_an_empty_store_has_no_results_yet(empty):
    table, troubles, folder = empty
    assert not troubles and not list(folder.iterdir())
    assert list(table.id) == list(ledger.read().claims)
    told = table[~table.verdict.isin([NOT_COVERED, NOT_TESTABLE])].set_index("id")
    assert set(told.verdict[told.index.difference(BY_CODE)]) == {NO_RESULTS}
    assert told.verdict[list(BY_CODE)].to_dict() == BY_CODE
    assert told.note["matthews-fig6.1"] == "M-A1 has no results yet"
    notes = table.set_index("id").note
    assert notes["matthews-5.7-a"] == "training-time has no results yet"


def test_a_line_says_where_our_side_is_shown(empty):
    files = empty[0].set_index("id").shown
    assert files["friedman-tab4"].startswith("figures/10_main.png; notebooks/10_")
    assert files["matthews-fig6.9"] == ""  # nothing yet


def test_whole_runs_are_used_and_the_scale_is_shown(store):
    table, troubles = scorecard.of_store("quick", papers=["matthews2006"], store=store.root)
    found = table.set_index("id")
    assert not troubles and set(found.scale) == {"quick"}
    curve = found.loc["matthews-fig6.1"]
    assert (curve.verdict, curve.runs, curve.value) == (INCONCLUSIVE, "2", 27)
    assert curve.note.startswith("after 10,000 of 100,000 games")
    ordering = found.loc["matthews-fig6.4-a"]
    assert ordering.verdict == INCONCLUSIVE  # one whole run of A.3 has no spread
    assert ordering.note.endswith("needs 2 runs of each experiment, there is 1")
    assert found.loc["matthews-fig6.2"].note == "M-A2 has no results yet"


def damage(store, id):
    """Change a number in the only file that has rows of an experiment."""
    (path,) = store.tests("matthews2006", scaled(registry.find(id), "quick").group).shards()
    path.write_text(path.read_text().replace(",1,", ",2,", 1))
    return path


def test_damaged_results_are_named_and_the_rest_is_judged(store):
    hyper = scaled(registry.find("M-A8"), "quick")
    for run in (0, 1):
        put(store, hyper, run, [1 + run, 10, 20, 24, 28, 30][: len(hyper.checkpoints)])
    path = damage(store, "M-A1")
    table, troubles = scorecard.of_store("quick", papers=["matthews2006"], store=store.root)
    found = table.set_index("id")
    (trouble,) = troubles
    assert f"{path}: its first line should be" in trouble
    assert found.loc["matthews-fig6.3"].note == "results of M-A3 are damaged"
    assert found.loc["matthews-fig6.3"].verdict == NO_RESULTS
    assert found.loc["matthews-fig6.5"].verdict == INCONCLUSIVE


def test_the_best_network_is_shown_with_its_fresh_games(store):
    """Of the network that is the best by now; fresh games of another do not count."""
    source, m = scaled(registry.find("M-A1"), "quick"), registry.measurements("quick")["M-BEST"]

    def again(run, wins):
        asked = next(subject for subject in m.asked(store) if subject[0] == "M-A1-AGAIN")
        tested = row(source, run, 10_000, wins)
        m.table(store).add([tested._replace(experiment=asked[0], test=asked[2])])

    with pytest.raises(Lacking, match="M-A1-AGAIN has not been played yet"):
        Stored(store, "quick")("M-A1-AGAIN")
    again(1, 250)
    with pytest.raises(Lacking, match="M-A1-AGAIN has not been played yet"):
        Stored(store, "quick")("M-A1-AGAIN")
    again(0, 125)
    load = Stored(store, "quick")
    assert load("M-A1-AGAIN").rates == 25 and load("M-A1-AGAIN").runs == (0,)


def test_the_commands(store, tmp_path, capsys):
    csv = tmp_path / "out.csv"
    asked = ["report", "--scale", "quick", "--store", str(store.root), "--csv", str(csv)]
    assert cli.main([*asked, "--paper", "matthews2006"]) == 0
    printed = capsys.readouterr().out
    assert "matthews2006, quick scale" in printed and "112 claims: " in printed
    assert "\x1b[" not in printed  # a file has no colours
    assert list(pd.read_csv(csv).columns) == list(scorecard.COLUMNS)
    assert cli.main([*asked, "--paper", "nobody"]) == 2
    assert "unknown paper 'nobody'; expected one of matthews2006" in capsys.readouterr().err
    path = damage(store, "M-A1")
    assert cli.main([*asked, "--paper", "matthews2006"]) == 1
    assert f"{path}: its first line should be" in capsys.readouterr().err


def test_holm_adjusts_the_ordering_claims_of_a_paper():
    lines = [("a", "ordering", 0.01), ("b", "ordering", 0.04), ("c", "number", 0.001),
             ("d", "ordering", np.nan)]  # fmt: skip
    table = pd.DataFrame(lines, columns=["id", "kind", "p"])
    table["paper"] = "x"
    assert scorecard._holm(table).tolist() == pytest.approx(
        [0.02, 0.04, np.nan, np.nan], nan_ok=True
    )


def test_the_totals_count_what_a_reader_should_know():
    lines = [
        ("a", REPRODUCED, "5 of 10 runs", 0.01, INCONCLUSIVE),
        ("b", REPRODUCED, "", 0.2, ""),
        ("c", INCONCLUSIVE, "", np.nan, INCONCLUSIVE),
        ("d", NOT_COVERED, "", np.nan, ""),
    ]
    names = ["id", "verdict", "below_minimum", "p_holm", "late_verdict"]
    told = scorecard.totals(pd.DataFrame(lines, columns=names))
    assert told[0] == "4 claims: 2 reproduced, 1 inconclusive, 1 not covered yet."
    assert told[1].startswith("1 of 3 judged claims rest on less")
    assert told[2].startswith("1 of 2 reproduced orderings")
    assert told[3].startswith("The mean of late checkpoints would change 1 of 2 verdicts")


def test_published_numbers_are_short():
    claims = ledger.read().claims
    short = {id: scorecard.printed(claim.published) for id, claim in claims.items()}
    assert short["matthews-fig6.1"] == "42.5 [38.4, 46.6]"
    assert short["matthews-6.1-a"] == "best 48.6"
    assert short["matthews-fig6.4-c"] == "A.1-A.2 37.7 [33.6, 41.7]"
    assert short["matthews-6.1-d"].startswith("vs pubeval percent 39.2; self play percent 27.5")
    assert short["matthews-6.5-b"].startswith("backgammon 37.7; hypergammon 17.3")
    assert short["matthews-tab5.1"] == ""


def test_our_numbers_as_text():
    ours = (("", Interval(1, 0.5, 2)), ("of 12", Interval.exactly(12)))
    assert Judgement(REPRODUCED, ours).text == "1.0 [0.5, 2.0]; of 12 12"
    wide = (("times", Interval(0.4, 0.0, 432_109_031.1)),)
    assert Judgement(INCONCLUSIVE, wide).text == "times 0.4 (its interval says nothing)"


def test_the_picture_and_the_table_are_published(tmp_path):
    assert tuple(shown.SIGNS) == VERDICTS
    table = scorecard.table(ledger.read(), Made(), scale="smoke", papers=["choi2013"])
    folder = shown.publish(table, scale="smoke", root=tmp_path)
    assert folder == paths.figure_dir("smoke", tmp_path)
    assert {x.name for x in folder.iterdir()} == {
        f"scorecard.{x}" for x in ("csv", "png", "svg")
    }
    first = (folder / "scorecard.png").read_bytes()
    shown.publish(table, scale="smoke", root=tmp_path)
    assert (folder / "scorecard.png").read_bytes() == first


def test_colours_are_for_terminals():
    table = scorecard.table(ledger.read(), Made(), scale="paper", papers=["leenoh"])
    assert "\x1b[90mnot testable" in scorecard.text(table, width=100, colour=True)
    plain = scorecard.text(table, width=100)
    assert max(map(len, plain.splitlines())) <= 100 and "not covered yet (24): " in plain


def test_a_notebook_shows_only_claims_that_rest_on_its_experiments_alone(monkeypatch, empty):
    monkeypatch.setattr(scorecard, "of_store", lambda *args, **options: empty[:2])
    mine = ["M-A8", "M-A10"]
    table = shown.about(mine, scale="paper")
    book = ledger.read().claims
    assert {x for id in table.index for x in book[id].experiment} == {*mine}
    assert "matthews-fig6.8-a" in table.index and "matthews-fig6.6" not in table.index
    assert table.verdict.unique().tolist() == ["– no results yet"]
    assert table.loc["matthews-fig6.5", "paper"] == "58.0 [56.5, 59.4]"
