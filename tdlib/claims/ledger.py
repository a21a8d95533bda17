"""The ledger `data/published/claims.yaml`: what papers claim, and how each claim is tested."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tdlib.claims import published

FILE = published.FOLDER / "claims.yaml"
KINDS = ("number", "ordering", "trend", "qualitative", "not-testable")
UNITS = {  # in which a claim's `least` may be given
    "runs": "runs",  # of each experiment
    "test_games": "games a test",
    "games": "games",  # of each contest or setting
    "positions": "positions",
}
_FIELDS = ("id", "paper", "source", "claim", "kind", "published", "test", "experiment", "ours")
_OUTCOMES = ("metric", "reproduced", "partly", "not_reproduced")


class Claim(NamedTuple):
    """One claim of a paper."""

    id: str
    paper: str
    source: str  # section, figure or table
    claim: str
    kind: str  # one of KINDS
    published: Any  # numbers, as the ledger gives them
    test: Mapping[str, str]
    experiment: tuple[str, ...]  # ids that the test needs
    ours: tuple[str, ...]  # files that show our side, from the root of the repository
    least: Mapping[str, int] = {}  # by UNITS: how much the test asks for
    note: str = ""
    published_data_support: str = ""


class Ledger(NamedTuple):
    """All claims, and what they refer to."""

    papers: Mapping[str, str]
    decision_rules: Mapping[str, str]
    experiments: Mapping[str, str]
    claims: Mapping[str, Claim]


def read(path: Path = FILE) -> Ledger:
    """The ledger in a file; ValueError names the claim and what was expected of it."""
    try:
        found = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)
    except yaml.YAMLError as error:
        raise ValueError(f"{path.name} is not YAML ({error})") from error
    if missing := [name for name in Ledger._fields if name not in (found or {})]:
        raise ValueError(f"{path.name} should have {', '.join(missing)}")
    claims: dict[str, Claim] = {}
    for record in found["claims"]:
        claim = _claim(record, found, path.name)
        if claim.id in claims:
            raise ValueError(f"{path.name}: there are two claims {claim.id}")
        claims[claim.id] = claim
    return Ledger(**{name: found[name] for name in Ledger._fields} | {"claims": claims})


def _claim(record: Mapping[str, Any], ledger: Mapping[str, Any], file: str) -> Claim:
    where = f"{file}: claim {record.get('id', '(without an id)')}"
    if missing := [name for name in _FIELDS if name not in record]:
        raise ValueError(f"{where} should have {', '.join(missing)}")
    if unknown := sorted(record.keys() - set(Claim._fields)):
        raise ValueError(f"{where} should not have {', '.join(unknown)}")
    for name, value, known in (
        ("paper", [record["paper"]], ledger["papers"]),
        ("kind", [record["kind"]], KINDS),
        ("experiment", record["experiment"], ledger["experiments"]),
        ("ours", record["ours"], record["ours"]),
        ("unit", list(record.get("least", {})), UNITS),
    ):
        if not isinstance(value, list) or (strange := [x for x in value if x not in known]):
            found = strange if isinstance(value, list) else value
            raise ValueError(f"{where}: unknown {name} {found}; expected {', '.join(known)}")
    expected = ["why_not"] if record["kind"] == "not-testable" else _OUTCOMES
    if missing := [name for name in expected if name not in record["test"]]:
        raise ValueError(f"{where}: its test should say {', '.join(missing)}")
    lists = {name: tuple(record[name]) for name in ("experiment", "ours")}
    return Claim(**{**record, **lists})


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the fast one, if PyYAML has it
