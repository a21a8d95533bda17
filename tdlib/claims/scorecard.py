"""All verdicts in one table, and the table as text."""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tdlib import paths, stats
from tdlib.claims import judges, ledger
from tdlib.claims.evidence import Evidence, Lacking, Source, TooFew
from tdlib.claims.ledger import Claim, Ledger
from tdlib.claims.rules import (
    DECIDED,
    INCONCLUSIVE,
    NO_RESULTS,
    NOT_COVERED,
    NOT_TESTABLE,
    VERDICTS,
    Judgement,
)
from tdlib.claims.stored import Stored
from tdlib.stats import Interval
from tdlib.study.store import Store

COLUMNS = (  # see data/README.md
    "id", "paper", "source", "claim", "kind", "published", "ours", "value", "low", "high",
    "verdict", "p", "p_holm", "runs", "scale", "shown", "note",
)  # fmt: skip
_CONTRAST = {"contrast", "at_games", "difference_points", "welch95_points"}
_TABLE = {
    "table", "final_games", "runs", "final_mean_percent", "final_sd_percent",
    "final_t95_percent",
}  # fmt: skip


def of_store(
    scale: str = "paper", *, papers: Sequence[str] = (), store: Path | str | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """All verdicts, with COLUMNS, and what is damaged in the store.

    papers: none means all. store: None means where results of that scale are kept.
    """
    source = Stored(Store(store or paths.store_dir(scale)), scale)
    return table(ledger.read(), source, scale=scale, papers=papers), source.troubles


def table(
    book: Ledger, source: Source, *, scale: str, papers: Sequence[str] = ()
) -> pd.DataFrame:
    """One line for each claim of these papers (none: of all), with COLUMNS."""
    for paper in papers:
        if paper not in book.papers:
            expected = ", ".join(book.papers)
            raise ValueError(f"unknown paper {paper!r}; expected one of {expected}")
    chosen = [x for x in book.claims.values() if not papers or x.paper in papers]
    found: dict[str, Judgement] = {}
    runs: dict[str, str] = {}
    for claim in sorted(chosen, key=_made_of_others):
        verdicts = {id: judgement.verdict for id, judgement in found.items()}
        found[claim.id], runs[claim.id] = judge(claim, source, verdicts)
    lines = []
    for claim in chosen:
        shown = [book.outputs[name].file or name for name in claim.ours]
        lines.append(_line(claim, found[claim.id], runs[claim.id], scale, "; ".join(shown)))
    lined = pd.DataFrame(lines, columns=list(COLUMNS))
    lined["p_holm"] = _holm(lined)
    return lined


def judge(
    claim: Claim, source: Source, verdicts: Mapping[str, str] | None = None
) -> tuple[Judgement, str]:
    """The judgement on a claim, and how many runs it rests on.

    verdicts: on other claims, for those that are made of them.
    """
    known = judges.find(claim.id)
    if known is None:
        return _without_judge(claim), ""
    evidence = Evidence(source, claim, verdicts)
    try:
        found = known(evidence)
    except TooFew as lack:
        found = Judgement(INCONCLUSIVE, note=str(lack))
    except Lacking as lack:
        found = Judgement(NO_RESULTS, note=str(lack))
    if evidence.short:  # short training cannot decide what is said about long training
        word = INCONCLUSIVE if found.verdict in DECIDED else found.verdict
        note = "; ".join(filter(None, (evidence.short, found.note)))
        found = found._replace(verdict=word, p=None, note=note)
    return found, _extent(evidence.used) or _extent(evidence.played, " games")


def _made_of_others(claim: Claim) -> bool:
    known = judges.find(claim.id)
    return known is not None and known.joint


def _without_judge(claim: Claim) -> Judgement:
    if claim.kind == "not-testable":
        return Judgement(NOT_TESTABLE, note=claim.test["why_not"])
    return Judgement(NOT_COVERED, note=f"no rule yet; needs {', '.join(claim.experiment)}")


def _extent(counts: Mapping[str, int], unit: str = "") -> str:
    """The least and the most of several counts."""
    if not counts:
        return ""
    fewest, most = min(counts.values()), max(counts.values())
    return (f"{fewest}-{most}" if fewest < most else f"{most}") + unit


def printed(published: Any) -> str:
    """The paper's numbers in a few words."""
    if isinstance(published, list):
        return "; ".join(map(printed, published))
    said = published if isinstance(published, Mapping) else {}
    for number, ends in (
        ("final_mean_percent", "final_t95_percent"), ("difference_points", "welch95_points"),
    ):  # fmt: skip
        if number in said and said.keys() <= _CONTRAST | _TABLE:
            where = said.get("contrast", "")
            text = format(Interval(said[number], *said[ends]), ".1f")
            return f"{where} {text}".strip()
    if "wins" in said and "heuristics" in said:
        of = "" if said["colour"] == "both" else f" as {said['colour']}"
        return f"{said['heuristics']} won {said['wins']} of {said['games']}{of}"
    if "stated_best_percent" in said:
        return f"best {said['stated_best_percent']}"
    if "differences" in said:
        return "; ".join(
            f"{x['contrast']} {x['difference_points']:.1f}" for x in said["differences"]
        )
    plain = {k: v for k, v in said.items() if isinstance(v, int | float | str) and k != "file"}
    return "; ".join(f"{name.replace('_', ' ')} {value}" for name, value in plain.items())


def counts(table: pd.DataFrame) -> pd.DataFrame:
    """Claims by paper and verdict."""
    found = pd.crosstab(table.paper, table.verdict)
    papers = list(dict.fromkeys(table.paper))
    return found.reindex(index=papers, columns=[w for w in VERDICTS if w in found.columns])


def text(table: pd.DataFrame, *, width: int, colour: bool = False) -> str:
    """The table for a terminal of that many columns: verdicts first, then the numbers."""
    blocks = []
    for paper, rows in table.groupby("paper", sort=False):
        told = rows[~rows.verdict.isin((NO_RESULTS, NOT_COVERED))]
        covered = [_shown(row, width, colour) for row in told.itertuples()]
        for word in (NO_RESULTS, NOT_COVERED):
            names = [id.partition("-")[2] for id in rows.id[rows.verdict == word]]
            if names:
                listed = f"{word} ({len(names)}): {', '.join(names)}"
                covered.append(textwrap.fill(listed, width, subsequent_indent=" " * 16))
        blocks.append("\n".join([f"{paper}, {rows.scale.iloc[0]} scale", *covered]))
    numbers = counts(table)
    total = ", ".join(f"{n} {word}" for word, n in numbers.sum().items() if n)
    return "\n\n".join([*blocks, f"{len(table)} claims: {total}"])


_COLOURS = dict(zip(VERDICTS, (32, 33, 31, 36, 36, 90, 90, 90), strict=True))  # ANSI


def _shown(row: Any, width: int, colour: bool) -> str:
    verdict = f"{row.verdict:<14}"
    if colour:
        verdict = f"\x1b[{_COLOURS[row.verdict]}m{verdict}\x1b[0m"
    unit = "" if row.runs.endswith("games") else " runs"
    runs = f"  ({row.runs}{unit})" if row.runs else ""
    p = f"  Holm p {row.p_holm:.2g}" if row.p_holm == row.p_holm else ""
    lines = [f"{verdict}  {row.id}: " + textwrap.shorten(row.claim, width - 18 - len(row.id))]
    numbers = f"ours {row.ours}{runs}{p}" if row.ours else ""
    paper = f"paper {row.published}" if row.published and row.ours else ""
    for part in filter(None, (numbers, paper, row.note)):
        lines.append(" " * 16 + textwrap.shorten(part, width - 16))
    return "\n".join(lines)


def _line(claim: Claim, found: Judgement, runs: str, scale: str, shown: str) -> tuple:
    first = found.ours[0][1] if found.ours else Interval.exactly(float("nan"))
    p = float("nan") if found.p is None else found.p
    return (
        claim.id, claim.paper, claim.source, claim.claim, claim.kind, printed(claim.published),
        found.text, *first, found.verdict, p, float("nan"), runs, scale, shown, found.note,
    )  # fmt: skip


def _holm(table: pd.DataFrame) -> pd.Series:
    """p-values of the ordering claims that were tested, adjusted paper by paper."""
    adjusted = pd.Series(np.nan, index=table.index)
    tested = table[(table.kind == "ordering") & table.p.notna()]
    for _, rows in tested.groupby("paper"):
        adjusted[rows.index] = stats.holm(rows.p.to_list())
    return adjusted
