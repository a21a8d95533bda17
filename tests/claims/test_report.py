"""The scorecard of stores: empty, small, damaged; on the screen, as CSV, as a picture."""

import numpy as np
import pandas as pd
import pytest

from tdlib import cli, experiments, paths
from tdlib.claims import ledger, report, scorecard
from tdlib.claims.evidence import Lacking, Stored
from tdlib.claims.judgement import (
    NO_RESULTS,
    NOT_COVERED,
    NOT_TESTABLE,
    VERDICTS,
    Judgement,
)
from tdlib.experiments.rematches import BY_ID
from tdlib.plots import VERDICT_INK
from tdlib.stats import INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED, Interval
from tdlib.store import Row, Store, identity

BY_CODE = {  # ask the code, or the endgames in `data`, and need no results
    "matthews-tab3.2": REPRODUCED,
    "matthews-tab5.1": REPRODUCED,
    "choi-6.2-b": NOT_REPRODUCED,
}


def nothing(id):
    raise Lacking(f"{id} has no results yet")


def put(store, e, run, rates, checkpoints=None):
    """Rows of one run, at the checkpoints of the experiment."""
    counts = dict.fromkeys(("draws", "capped", "points", "pieces", "plies"), 0)
    for games, rate in zip(checkpoints or e.checkpoints, rates, strict=True):
        store.add(e, Row(
            experiment=e.id, config=identity(e), run=run, games=games,
            eval_games=e.eval_games, wins=round(rate / 100 * e.eval_games), **counts,
            train_capped=0, train_plies=0, seconds_train=1.0, seconds_eval=0.1,
            date="2026-01-01T00:00:00+00:00", version="0.1.0", jax="0.10.2",
        ))  # fmt: skip


@pytest.fixture
def store(tmp_path):
    """Two quick runs of A.1, one whole and half a one of A.3."""
    store = Store(tmp_path / "store")
    one, three = (experiments.scaled(experiments.find(id), "quick") for id in ("M-A1", "M-A3"))
    put(store, one, 0, [1, 10, 20, 24, 28])
    put(store, one, 1, [2, 8, 16, 24, 26])
    put(store, three, 0, [1, 25, 30, 35, 40])
    put(store, three, 1, [1, 25], three.checkpoints[:2])
    return store


def test_an_empty_store_has_no_results_yet(tmp_path):
    table, troubles = report.report(store=tmp_path)
    assert not troubles and not list(tmp_path.iterdir())
    assert list(table.id) == list(ledger.read().claims)
    told = table[~table.verdict.isin([NOT_COVERED, NOT_TESTABLE])].set_index("id")
    assert set(told.verdict[told.index.difference(BY_CODE)]) == {NO_RESULTS}
    assert told.verdict[list(BY_CODE)].to_dict() == BY_CODE
    assert told.note["matthews-fig6.1"] == "M-A1 has no results yet"


def test_whole_runs_are_used_and_the_scale_is_shown(store):
    table, troubles = report.report("quick", papers=("matthews2006",), store=store.root)
    found = table.set_index("id")
    assert not troubles and set(found.scale) == {"quick"}
    curve = found.loc["matthews-fig6.1"]
    assert (curve.verdict, curve.runs, curve.value) == (INCONCLUSIVE, "2", 27)
    assert curve.note.startswith("after 10,000 of 100,000 games")
    ordering = found.loc["matthews-fig6.4-a"]
    assert ordering.verdict == INCONCLUSIVE  # one whole run of A.3 has no spread
    assert ordering.note.endswith("needs 2 runs of each experiment, there is 1")
    assert found.loc["matthews-fig6.2"].note == "M-A2 has no results yet"


def test_damaged_results_are_named_and_the_rest_is_judged(store):
    e = experiments.scaled(experiments.find("M-A3"), "quick")
    path = store.folder(e) / "run-0.csv"
    path.write_text(path.read_text().replace("0.10.2", "0.10.3", 1))
    table, troubles = report.report("quick", store=store.root)
    found = table.set_index("id")
    (trouble,) = troubles
    assert "run-0.csv, line 2: expected the check sum" in trouble
    assert found.loc["matthews-fig6.3"].note == "results of M-A3 are damaged"
    assert found.loc["matthews-fig6.3"].verdict == NO_RESULTS
    assert found.loc["matthews-fig6.1"].verdict == INCONCLUSIVE


def test_the_best_network_is_shown_with_its_fresh_games(store):
    source = experiments.scaled(experiments.find("M-A1"), "quick")
    again = BY_ID["M-A1-AGAIN"].described(source)
    with pytest.raises(Lacking, match="M-A1-AGAIN has not been played yet"):
        Stored(store, "quick")("M-A1-AGAIN")
    put(store, again, 1, [50.0], [10_000])  # another network than the best of now
    load = Stored(store, "quick")
    with pytest.raises(Lacking, match="M-A1-AGAIN has not been played yet"):
        load("M-A1-AGAIN")
    put(store, again, 0, [25.0], [10_000])
    load = Stored(store, "quick")
    assert load("M-A1-AGAIN").rates == 25 and load("M-A1-AGAIN").runs == (0,)


def test_the_commands(store, tmp_path, capsys):
    csv = tmp_path / "out.csv"
    asked = ["report", "--scale", "quick", "--store", str(store.root), "--csv", str(csv)]
    assert cli.main([*asked, "--paper", "matthews2006"]) == 0
    shown = capsys.readouterr().out
    assert "matthews2006, quick scale" in shown and "112 claims: " in shown
    assert "\x1b[" not in shown  # nobody reads colours in a file
    assert list(pd.read_csv(csv).columns) == list(scorecard.COLUMNS)
    assert cli.main([*asked, "--paper", "nobody"]) == 2
    assert "unknown paper 'nobody'; expected one of matthews2006" in capsys.readouterr().err
    (
        store.folder(experiments.scaled(experiments.find("M-A1"), "quick")) / "run-0.csv"
    ).write_text("x\n")
    assert cli.main(asked) == 1
    assert "run-0.csv: its first line should be" in capsys.readouterr().err


def test_holm_adjusts_the_ordering_claims_of_a_paper():
    lines = [("a", "ordering", 0.01), ("b", "ordering", 0.04), ("c", "number", 0.001),
             ("d", "ordering", np.nan)]  # fmt: skip
    table = pd.DataFrame(lines, columns=["id", "kind", "p"])
    table["paper"] = "x"
    assert scorecard._holm(table).tolist() == pytest.approx(
        [0.02, 0.04, np.nan, np.nan], nan_ok=True
    )


def test_published_numbers_are_short():
    claims = ledger.read().claims
    shown = {id: scorecard.printed(claim.published) for id, claim in claims.items()}
    assert shown["matthews-fig6.1"] == "42.5 [38.4, 46.6]"
    assert shown["matthews-6.1-a"] == "best 48.6"
    assert shown["matthews-fig6.4-c"] == "A.1-A.2 37.7 [33.6, 41.7]"
    assert shown["matthews-6.1-d"].startswith("vs pubeval percent 39.2; self play percent 27.5")
    assert shown["matthews-6.5-b"].startswith("backgammon 37.7; hypergammon 17.3")
    assert shown["matthews-tab5.1"] == ""


def test_our_numbers_as_text():
    ours = (("", Interval(1, 0.5, 2)), ("of 12", Interval.exactly(12)))
    assert Judgement(REPRODUCED, ours).text == "1.0 [0.5, 2.0]; of 12 12"


def test_the_picture_and_the_table_are_published(tmp_path):
    assert tuple(VERDICT_INK) == VERDICTS
    table = scorecard.scorecard(ledger.read(), nothing, scale="smoke", papers=["choi2013"])
    folder = report.publish(table, scale="smoke", root=tmp_path)
    assert folder == paths.figure_dir("smoke", tmp_path)
    assert {x.name for x in folder.iterdir()} == {
        f"scorecard.{x}" for x in ("csv", "png", "svg")
    }
    first = (folder / "scorecard.png").read_bytes()
    report.publish(table, scale="smoke", root=tmp_path)
    assert (folder / "scorecard.png").read_bytes() == first


def test_colours_are_for_terminals():
    table = scorecard.scorecard(ledger.read(), nothing, scale="paper", papers=["leenoh"])
    assert "\x1b[90mnot testable" in scorecard.text(table, width=100, colour=True)
    plain = scorecard.text(table, width=100)
    assert max(map(len, plain.splitlines())) <= 100 and "not covered yet (25): " in plain
