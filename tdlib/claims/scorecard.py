"""All verdicts in one table, and the table as text."""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

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
    REPRODUCED,
    VERDICTS,
    Judgement,
)
from tdlib.claims.stored import Stored
from tdlib.stats import Interval
from tdlib.study.store import Store

COLUMNS = (  # see data/README.md
    "id", "paper", "source", "claim", "kind", "published", "ours", "value", "low", "high",
    "verdict", "p", "p_holm", "late", "late_verdict", "runs", "below_minimum", "scale",
    "shown", "note",
)  # fmt: skip
FEW = 3  # runs that an interval takes at least
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
    found: dict[str, Judged] = {}
    for claim in sorted(chosen, key=_made_of_others):
        verdicts = {id: judged.first.verdict for id, judged in found.items()}
        found[claim.id] = judge(claim, source, verdicts)
    lines = [_line(claim, found[claim.id], scale) for claim in chosen]
    lined = pd.DataFrame(lines, columns=list(COLUMNS))
    lined["p_holm"] = _holm(lined)
    return lined


class Judged(NamedTuple):
    """What was found about one claim."""

    first: Judgement  # at the end of training, if the claim is about the end
    late: Judgement | None = None  # by the second analysis, where that differs
    runs: str = ""  # or games, on which the judgement rests
    below: str = ""  # what falls short of the ledger's minimum


def judge(claim: Claim, source: Source, verdicts: Mapping[str, str] | None = None) -> Judged:
    """The judgement on a claim.

    verdicts: on other claims, for those that are made of them.
    """
    known = judges.find(claim.id)
    if known is None:
        return Judged(_without_judge(claim))
    evidence = Evidence(source, claim, verdicts)
    first = _by(known, evidence)
    late = None
    if evidence.ends and first.ours:
        late = _by(known, Evidence(source, claim, verdicts, late=True))
    counted = evidence.counted
    runs = _extent(counted["runs"]) or _extent(counted["games"], " games")
    return Judged(first, late, runs, _below(claim, counted))


def _by(known: judges.Judge, evidence: Evidence) -> Judgement:
    try:
        found = known(evidence)
    except TooFew as lack:
        found = Judgement(INCONCLUSIVE, note=str(lack))
    except Lacking as lack:
        found = Judgement(NO_RESULTS, note=str(lack))
    notes = [evidence.short] if evidence.short else []
    if found.ours and min(evidence.counted["runs"].values(), default=FEW) < FEW:
        notes.append("two runs are too few for an interval")
        found = found.without_intervals()
    if notes:  # short training, or few runs, cannot decide what is said about long training
        word = INCONCLUSIVE if found.verdict in DECIDED else found.verdict
        note = "; ".join(filter(None, (*notes, found.note)))
        found = found._replace(verdict=word, p=None, note=note)
    return found


def _below(claim: Claim, counted: Mapping[str, Mapping[str, int]]) -> str:
    """What was counted that is less than the ledger asks for: `5 of 10 runs`."""
    least = {
        unit: (min(counted[unit].values()), asked)
        for unit, asked in claim.least.items()
        if counted.get(unit)
    }
    return ", ".join(
        f"{there:,} of {asked:,} {ledger.UNITS[unit]}"
        for unit, (there, asked) in least.items()
        if there < asked
    )


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


def totals(table: pd.DataFrame) -> list[str]:
    """What the table says as a whole, in a few sentences."""
    numbers = table.verdict.value_counts()
    listed = ", ".join(f"{numbers[word]} {word}" for word in VERDICTS if word in numbers)
    decided = table[table.verdict.isin((*DECIDED, INCONCLUSIVE))]
    short = (decided.below_minimum != "").sum()
    late = decided[decided.late_verdict != ""]
    other = (late.late_verdict != late.verdict).sum()
    tested = table[table.p_holm.notna() & (table.verdict == REPRODUCED)]
    kept = (tested.p_holm < 1 - stats.LEVEL).sum()
    told = [f"{len(table)} claims: {listed}."]
    if len(decided):
        least = "rest on less than the ledger's minimum"
        told.append(f"{short} of {len(decided)} judged claims {least}.")
    if len(tested):
        known = "reproduced orderings that have a p-value"
        told.append(f"{kept} of {len(tested)} {known} survive Holm's correction.")
    if len(late):
        ends = f"{other} of {len(late)} verdicts on the end of training"
        told.append(f"The mean of late checkpoints would change {ends}.")
    return told


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
    summary = "\n".join(textwrap.fill(line, width) for line in totals(table))
    return "\n\n".join([*blocks, summary])


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
    for part in filter(None, (numbers, paper, remarks(row))):
        lines.append(" " * 16 + textwrap.shorten(part, width - 16))
    return "\n".join(lines)


def remarks(row: Any) -> str:
    """What there is to say beyond a line's numbers."""
    below = f"below its minimum: {row.below_minimum}" if row.below_minimum else ""
    late = f"by late checkpoints {row.late_verdict}, {row.late}" if row.late else ""
    return "; ".join(filter(None, (below, row.note, late)))


def _line(claim: Claim, judged: Judged, scale: str) -> tuple:
    found, late, runs, below = judged
    number = found.ours[0][1] if found.ours else Interval.exactly(float("nan"))
    p = float("nan") if found.p is None else found.p
    second = (late.text, late.verdict) if late else ("", "")
    return (
        claim.id, claim.paper, claim.source, claim.claim, claim.kind, printed(claim.published),
        found.text, *number, found.verdict, p, float("nan"), *second, runs, below, scale,
        "; ".join(claim.ours), found.note,
    )  # fmt: skip


def _holm(table: pd.DataFrame) -> pd.Series:
    """p-values of the ordering claims that were tested, adjusted paper by paper."""
    adjusted = pd.Series(np.nan, index=table.index)
    tested = table[(table.kind == "ordering") & table.p.notna()]
    for _, rows in tested.groupby("paper"):
        adjusted[rows.index] = stats.holm(rows.p.to_list())
    return adjusted
