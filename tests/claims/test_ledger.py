"""The ledger is read whole, and what is wrong with one is named."""

import pytest
import yaml

from tdlib import claims, experiments
from tdlib.claims import ledger

WHOLE = ledger.read()
SMALL = {
    "papers": {"p": "a paper"},
    "decision_rules": {},
    "experiments": {"E-1": "an experiment"},
    "outputs": {"fig": "a figure"},
    "claims": [
        {
            "id": "p-1", "paper": "p", "source": "table 1", "claim": "It wins.",
            "kind": "number", "published": {"percent": 5}, "experiment": ["E-1"],
            "ours": ["fig"],
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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": None}, "claim p-1 should have source"),
        ({"id": None}, r"claim \(without an id\) should have id"),
        ({"sauce": "x"}, "claim p-1 should not have sauce"),
        ({"experiment": ["E-2"]}, r"unknown experiment \['E-2'\]; expected E-1"),
        ({"experiment": "E-1"}, "unknown experiment E-1"),
        ({"ours": ["tab"]}, r"unknown ours \['tab'\]; expected fig"),
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
    for text, message in (("[", "is no YAML"), ("papers: {}", "should have decision_rules")):
        path.write_text(text)
        with pytest.raises(ValueError, match=rf"claims.yaml {message}"):
            ledger.read(path)
    path.write_text(yaml.safe_dump(SMALL | {"claims": SMALL["claims"] * 2}))
    with pytest.raises(ValueError, match="two claims p-1"):
        ledger.read(path)


def test_every_claim_is_judged_or_listed_as_not_yet_covered():
    judged = claims.JUDGES.keys() | claims.JOINT.keys()
    assert not judged & claims.NOT_YET.keys()
    for id, claim in WHOLE.claims.items():
        covered = id in judged or id in claims.NOT_YET
        assert covered != (claim.paper in claims.PAPERS_TO_COME), id
    assert judged | claims.NOT_YET.keys() <= WHOLE.claims.keys()
    assert claims.PAPERS_TO_COME.keys() < WHOLE.papers.keys()


def test_all_claims_about_backgammon_and_hypergammon_alone_are_judged():
    ours = {e.id for e in experiments.EXPERIMENTS.values() if e.game.endswith("gammon")}
    for claim in WHOLE.claims.values():
        if set(claim.experiment) <= ours | {"M-CROSS"}:
            assert claim.id in claims.JUDGES.keys() | claims.JOINT.keys(), claim.id
