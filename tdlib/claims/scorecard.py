"""All verdicts in one table, and the table as text."""

import textwrap
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from tdlib import claims, stats
from tdlib.claims.evidence import Evidence, Lacking, Load, TooFew
from tdlib.claims.judgement import (
    DECIDED,
    NO_RESULTS,
    NOT_COVERED,
    NOT_TESTABLE,
    VERDICTS,
    Judgement,
)
from tdlib.claims.ledger import Claim, Ledger
from tdlib.stats import INCONCLUSIVE, Interval

COLUMNS = (  # see data/README.md
    "id", "paper", "source", "claim", "kind", "published", "ours", "value", "low", "high",
    "verdict", "p", "p_holm", "runs", "scale", "shown", "note",
)  # fmt: skip
_CONTRAST = {"contrast", "at_games", "difference_points", "welch95_points"}
_TABLE = {
    "table", "final_games", "runs", "final_mean_percent", "final_sd_percent",
    "final_t95_percent",
}  # fmt: skip
SHOWN = {  # output of the ledger -> file
    "tab_rules": "notebooks/01_games_and_boards.ipynb",
    **dict.fromkeys(
        [f"tab_friedman_{name}" for name in ("timing", "initial", "main", "behaviour")],
        "notebooks/10_friedman_alphabeta.ipynb",
    ),
    "fig_friedman_main": "figures/10_main.png",
    "fig_matthews_env_backgammon": "figures/30_environments_compared.png",
    "fig_matthews_env_hypergammon": "figures/31_environments_compared.png",
    "fig_matthews_scaling": "figures/30_scaling.png",
    "fig_matthews_repr_backgammon": "figures/30_representations_compared.png",
    "fig_matthews_repr_hypergammon": "figures/31_representations_compared.png",
}


def scorecard(
    ledger: Ledger, load: Load, *, scale: str, papers: Sequence[str] = ()
) -> pd.DataFrame:
    """One line for each claim of these papers (none: of all), with COLUMNS."""
    for paper in papers:
        if paper not in ledger.papers:
            expected = ", ".join(ledger.papers)
            raise ValueError(f"unknown paper {paper!r}; expected one of {expected}")
    chosen = [x for x in ledger.claims.values() if not papers or x.paper in papers]
    found: dict[str, Judgement] = {}
    runs: dict[str, str] = {}
    for claim in sorted(chosen, key=lambda x: x.id in claims.JOINT):  # these come last
        words = {id: judgement.verdict for id, judgement in found.items()}
        found[claim.id], runs[claim.id] = judge(claim, load, words)
    lines = [_line(x, found[x.id], runs[x.id], scale) for x in chosen]
    table = pd.DataFrame(lines, columns=list(COLUMNS))
    table["p_holm"] = _holm(table)
    return table


def judge(claim: Claim, load: Load, words: Mapping[str, str]) -> tuple[Judgement, str]:
    """What is said about a claim, and how many runs it rests on.

    words: verdicts on other claims, for those that are made of them.
    """
    if claim.id in claims.JOINT:
        return claims.JOINT[claim.id](claim, words), ""
    if claim.id not in claims.JUDGES:
        return _uncovered(claim), ""
    evidence = Evidence(load)
    rng = np.random.default_rng(zlib.crc32(claim.id.encode()))
    try:
        found = claims.JUDGES[claim.id](claim, evidence, rng)
    except TooFew as lack:
        found = Judgement(INCONCLUSIVE, note=str(lack))
    except Lacking as lack:
        found = Judgement(NO_RESULTS, note=str(lack))
    if evidence.short:  # what is said of long training is not decided by short training
        word = INCONCLUSIVE if found.verdict in DECIDED else found.verdict
        note = "; ".join(filter(None, (evidence.short, found.note)))
        found = found._replace(verdict=word, p=None, note=note)
    return found, _extent(evidence.used) or _extent(evidence.played, " games")


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
    """The table for a terminal of so many columns: verdicts first, then what they rest on."""
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


def _line(claim: Claim, found: Judgement, runs: str, scale: str) -> tuple:
    first = found.ours[0][1] if found.ours else Interval.exactly(float("nan"))
    shown = "; ".join(SHOWN.get(name, name) for name in claim.ours)
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


def _uncovered(claim: Claim) -> Judgement:
    if claim.kind == "not-testable":
        return Judgement(NOT_TESTABLE, note=claim.test["why_not"])
    why = claims.NOT_YET.get(claim.id) or claims.PAPERS_TO_COME[claim.paper]
    return Judgement(NOT_COVERED, note=why)
