"""A new paper is one folder and one name: its experiments are known and its claim is judged."""

import sys

import pytest
import yaml

from tdlib import papers
from tdlib.claims import judges, ledger, scorecard
from tdlib.claims.rules import NO_RESULTS, NOT_COVERED, REPRODUCED
from tdlib.claims.stored import Stored
from tdlib.study import registry
from tdlib.study.store import Store
from tests.made_rows import put

EXPERIMENTS = """
import dataclasses

from tdlib.study import registry
from tests.tiny_experiments import SELF

SLOW = dataclasses.replace(SELF, id="T-SLOW", paper="toy2030")
FAST = dataclasses.replace(SELF, id="T-FAST", paper="toy2030", alpha=0.5)
registry.register(experiments=[SLOW, FAST])
"""
CLAIMS = '''
from tdlib.claims import rules
from tdlib.claims.judges import judge


@judge("toy-1")
def faster(evidence):
    """The larger step size wins more often in the end."""
    rates = [evidence.final(id) for id in evidence.claim.experiment]
    return rules.ordered(("fast - slow", *rates))
'''
OUTCOMES = dict.fromkeys(("metric", "reproduced", "partly", "not_reproduced"), "x")
LEDGER = {
    "papers": {"toy2030": "a toy paper"},
    "decision_rules": {},
    "experiments": {"T-FAST": "the larger step size", "T-SLOW": "the smaller"},
    "claims": [
        {
            "id": f"toy-{number}", "paper": "toy2030", "source": "table 1", "kind": "ordering",
            "claim": "The larger step size wins more often.", "published": {"percent": 60},
            "experiment": ["T-FAST", "T-SLOW"], "ours": ["figures/toy.png"], "test": OUTCOMES,
        }
        for number in (1, 2)  # nobody judges the second
    ],
}  # fmt: skip


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """The folder of the paper and its name in NAMES; all is forgotten afterwards."""
    known = registry.Registered(*(type(part)(part) for part in registry._KNOWN))
    monkeypatch.setattr(registry, "_KNOWN", known)
    monkeypatch.setattr(judges, "_JUDGES", dict(judges._JUDGES))
    folder = tmp_path / "papers" / "toy2030"
    folder.mkdir(parents=True)
    for name, text in (
        ("__init__", ""),
        ("experiments", EXPERIMENTS),
        ("claims", CLAIMS),
        ("measurements", ""),
    ):
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(folder.parent)])
    monkeypatch.setattr(papers, "NAMES", (*papers.NAMES, "toy2030"))
    yield
    for name in [x for x in sys.modules if x.startswith("tdlib.papers.toy2030")]:
        del sys.modules[name]
    if hasattr(papers, "toy2030"):
        del papers.toy2030


def test_a_paper_is_a_folder_and_a_name(toy, tmp_path):
    path = tmp_path / "claims.yaml"
    path.write_text(yaml.safe_dump(LEDGER))
    book, store = ledger.read(path), Store(tmp_path / "store")

    assert [e.id for e in registry.select(["toy2030"])] == ["T-SLOW", "T-FAST"]
    before = scorecard.table(book, Stored(store, "paper"), scale="paper")
    assert before.verdict.tolist() == [NO_RESULTS, NOT_COVERED]
    for run in range(3):
        put(store, registry.find("T-FAST"), run, [75 + 5 * run] * 4)
        put(store, registry.find("T-SLOW"), run, [25 + 5 * run] * 4)
    line = scorecard.table(book, Stored(store, "paper"), scale="paper").iloc[0]
    assert (line.verdict, line.value, line.runs) == (REPRODUCED, 50, "3")
    assert line.shown == "figures/toy.png" and line.p < 0.01
