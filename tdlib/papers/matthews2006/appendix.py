"""The thesis's appendix A: wins of every run in every test."""

import functools

from tdlib.claims import published
from tdlib.claims.evidence import Curves


@functools.cache
def appendix(table: str) -> Curves:
    """One of Matthews' tables A.1 to A.28."""
    rows = published.table("matthews2006_appendix_a")
    rows = rows[rows.table == table]
    if rows.empty:
        raise ValueError(f"no table {table!r} in Matthews' appendix; expected A.1 to A.28")
    wins = rows.assign(
        run=rows.run.astype(int),
        games=rows.games_trained.astype(int),
        rate=rows.wins.replace("", "nan").astype(float) / 50,  # percent of 5,000
    ).pivot(index="run", columns="games", values="rate")
    return Curves(wins.columns.to_numpy(), wins.to_numpy(), 5_000, tuple(wins.index))
