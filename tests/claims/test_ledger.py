"""The ledger is read whole, and what is wrong with one is named."""

import functools
import re

import pandas as pd
import pytest
import yaml

from tdlib import paths
from tdlib.claims import judges, ledger
from tdlib.claims.rules import NO_RESULTS, NOT_COVERED, REPRODUCED, Judgement
from tdlib.study import registry

WHOLE = ledger.read()
SMALL = {
    "papers": {"p": "a paper"},
    "decision_rules": {},
    "experiments": {"E-1": "an experiment"},
    "claims": [
        {
            "id": "p-1", "paper": "p", "source": "table 1", "claim": "It wins.",
            "kind": "number", "published": {"percent": 5}, "experiment": ["E-1"],
            "ours": ["figures/x.png"], "least": {"runs": 5},
            "test": dict.fromkeys(("metric", "reproduced", "partly", "not_reproduced"), "x"),
        }
    ],
}  # fmt: skip


def written(tmp_path, **changes):
    record = {k: v for k, v in (SMALL["claims"][0] | changes).items() if v is not None}
    path = tmp_path / "claims.yaml"
    path.write_text(yaml.safe_dump(SMALL | {"claims": [record]}))
    return path


def test_the_ledger_has_the_claims_of_five_papers():
    by_paper = [x.paper for x in WHOLE.claims.values()]
    assert len(by_paper) == 197 and len(WHOLE.papers) == 5
    assert by_paper.count("matthews2006") == 112
    assert WHOLE.claims["matthews-fig6.1"].published["final_mean_percent"] == 42.5


def test_a_small_ledger_is_read(tmp_path):
    (claim,) = ledger.read(written(tmp_path)).claims.values()
    assert (claim.id, claim.experiment, claim.note) == ("p-1", ("E-1",), "")
    assert (claim.ours, claim.least) == (("figures/x.png",), {"runs": 5})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": None}, "claim p-1 should have source"),
        ({"id": None}, r"claim \(without an id\) should have id"),
        ({"sauce": "x"}, "claim p-1 should not have sauce"),
        ({"experiment": ["E-2"]}, r"unknown experiment \['E-2'\]; expected E-1"),
        ({"experiment": "E-1"}, "unknown experiment E-1"),
        ({"least": {"months": 5}}, r"unknown unit \['months'\]; expected runs, test_games"),
        ({"paper": "q"}, r"unknown paper \['q'\]; expected p"),
        ({"kind": "guess"}, r"unknown kind \['guess'\]; expected number, ordering"),
        ({"test": {"metric": "x"}}, "its test should say reproduced, partly, not_reproduced"),
        ({"kind": "not-testable"}, "its test should say why_not"),
    ],
)
def test_a_wrong_claim_is_named(tmp_path, changes, message):
    with pytest.raises(ValueError, match=message):
        ledger.read(written(tmp_path, **changes))


def test_wrong_files_are_named(tmp_path):
    path = tmp_path / "claims.yaml"
    for text, message in (("[", "is not YAML"), ("papers: {}", "should have decision_rules")):
        path.write_text(text)
        with pytest.raises(ValueError, match=rf"claims.yaml {message}"):
            ledger.read(path)
    path.write_text(yaml.safe_dump(SMALL | {"claims": SMALL["claims"] * 2}))
    with pytest.raises(ValueError, match="two claims p-1"):
        ledger.read(path)


@pytest.fixture(scope="module")
def verdicts():
    """The committed scorecard's verdicts by claim."""
    return pd.read_csv(paths.ROOT / "figures/scorecard.csv").set_index("id").verdict


def test_claims_with_results_are_shown_and_no_others(verdicts):
    for id, claim in WHOLE.claims.items():
        nothing = verdicts[id] in (NO_RESULTS, NOT_COVERED)
        if claim.kind != "not-testable":
            assert nothing == (not claim.ours), id


def test_what_shows_a_claim_exists_and_names_it():
    for id, claim in WHOLE.claims.items():
        for file in claim.ours:
            path = paths.ROOT / file
            assert path.exists(), f"{id}: {file}"
            if path.suffix != ".png":
                assert re.search(rf"\b{re.escape(id)}(?![\w.-])", read(path)), f"{id}: {file}"


@functools.cache
def read(path):
    """The text of a table, or what the cells of a notebook say and print."""
    return path.read_text(encoding="utf-8")


def test_every_judge_is_of_a_claim_in_the_ledger():
    assert judges.find("matthews-fig6.1")  # all papers have registered theirs
    assert judges._JUDGES.keys() <= WHOLE.claims.keys()


def test_a_claim_has_one_judge(monkeypatch):
    monkeypatch.setattr(judges, "_JUDGES", {})

    @judges.judge("x-1", "x-2", number=1)
    @judges.judge("x-3", number=3)
    def counting(evidence, number):
        return Judgement(REPRODUCED, p=number)

    found = [judges._JUDGES[id](None).p for id in ("x-1", "x-2", "x-3")]
    assert found == [1, 1, 3]
    with pytest.raises(ValueError, match="there are two judges of x-3"):
        judges.judge("x-3")(counting)


def test_all_claims_about_backgammon_and_hypergammon_alone_are_judged():
    ours = {e.id for e in registry.experiments().values() if e.game.endswith("gammon")}
    for claim in WHOLE.claims.values():
        if set(claim.experiment) <= ours | {"M-CROSS"}:
            assert judges.find(claim.id), claim.id
