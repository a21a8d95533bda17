"""The part of the scorecard that one notebook answers for."""

from collections.abc import Collection
from pathlib import Path

import pandas as pd

from tdlib.claims import ledger, report
from tdlib.plots import VERDICT_INK

BESIDE = {"M-CROSS", "M-ERR", "M-BEST"}  # tests of networks that other experiments trained


def about(
    experiments: Collection[str],
    *,
    scale: str,
    paper: str = "matthews2006",
    store: Path | str | None = None,
) -> pd.DataFrame:
    """Verdicts on the claims that rest on these experiments alone, in the ledger's order."""
    mine = {*experiments} | BESIDE
    chosen = [
        claim.id
        for claim in ledger.read().claims.values()
        if claim.paper == paper
        and {*claim.experiment} <= mine
        and not {*claim.experiment} <= BESIDE
    ]
    table = report.report(scale, papers=(paper,), store=store)[0].set_index("id").loc[chosen]
    signs = table.verdict.map(lambda verdict: f"{VERDICT_INK[verdict][1]} {verdict}")
    return pd.DataFrame(
        {
            "verdict": signs,
            "source": table.source,
            "claim": table.claim,
            "paper": table.published,
            "ours": table.ours,
            "note": table.note,
        }
    ).rename_axis(None)
