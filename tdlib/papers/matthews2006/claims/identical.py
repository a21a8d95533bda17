"""Figure 5.1: by how much the winning rates of four identical players differ."""

import numpy as np
import pandas as pd

from tdlib.claims.evidence import Evidence, TooFew
from tdlib.claims.judges import judge
from tdlib.claims.rules import Judgement, ladder
from tdlib.stats import Interval

SETTLED = (1.0, 2.5)  # points, the ledger's range for a spread that stays
SEATS = [f"seat_{k}" for k in range(4)]
TURNS = [f"turn_{k}" for k in range(4)]  # whoever begins is the first


@judge("matthews-fig5.1-a")
def settles(evidence: Evidence) -> Judgement:
    """The spread of players who take the first move: its limit, and after 2,500 games.

    By seat, as we play: a random seat begins. The note says what it would be if always the
    same began.
    """
    said = evidence.claim.published
    rows = _rows(evidence, "first")
    limit = _limit(rows, SEATS, evidence.rng)
    spreads = _spreads(rows, SEATS)
    if said["games"] not in spreads:
        raise TooFew(f"needs the spread after {said['games']:,} games")
    low, high = np.quantile(spreads[said["games"]], [0.025, 0.975])
    near = low <= said["spread_percent"] <= high
    low_end, high_end = SETTLED
    word = ladder(limit.low <= high_end and limit.high >= low_end and bool(near), limit.low > 0)
    band = Interval(float(np.median(spreads[said["games"]])), float(low), float(high))
    fixed = _limit(rows, TURNS, evidence.rng)
    note = f"if always the same player began: {fixed:.2f}"
    return Judgement(word, (("limit", limit), (f"at {said['games']:,}", band)), note=note)


@judge("matthews-fig5.1-b")
def keeps_falling(evidence: Evidence) -> Judgement:
    """After how many games the spread of random players stays below 3 and below 2 points."""
    said = evidence.claim.published
    spreads = _spreads(_rows(evidence, "random"), SEATS)
    ours, inside = [], []
    for bound, theirs in ((3, said["below3_at"]), (2, said["below2_at"])):
        crossing = _stays_below(spreads, bound)
        low, high = np.quantile(crossing, [0.025, 0.975], method="inverted_cdf")
        inside.append(low <= theirs <= high)
        middle = float(np.quantile(crossing, 0.5, method="inverted_cdf"))
        ours.append((f"below {bound} from", Interval(middle, float(low), float(high))))
    return Judgement(ladder(all(inside), any(inside)), tuple(ours), note="games; inf: later")


def _rows(evidence: Evidence, player: str) -> pd.DataFrame:
    rows = evidence.measured("identical-players")
    rows = rows[rows.experiment == player]
    if rows.run.nunique() < 20:
        raise TooFew(
            f"needs 20 repetitions of {player} players, there are {rows.run.nunique()}"
        )
    evidence.count("runs", player, rows.run.nunique())
    return rows


def _spreads(rows: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Highest less lowest winning rate in percent, a row for each repetition, by games."""
    rates = rows[columns].div(rows.games, axis=0) * 100
    spread = (rates.max(axis=1) - rates.min(axis=1)).rename("spread")
    table = pd.concat([rows[["run", "games"]], spread], axis=1)
    return table.pivot(index="run", columns="games", values="spread")


def _limit(rows: pd.DataFrame, columns: list[str], rng: np.random.Generator) -> Interval:
    """The spread in all games of all repetitions together.

    Its interval begins at zero where players who are equal would often differ as much.
    """
    last = rows[rows.games == rows.games.max()]
    games, wins = int(last.games.sum()), last[columns].sum().to_numpy()

    def spread(wins: np.ndarray) -> np.ndarray:
        return 100 * np.ptp(wins, axis=-1) / games

    by_chance = spread(rng.multinomial(wins.sum(), np.full(4, 0.25), size=10_000))
    drawn = spread(rng.multinomial(wins.sum(), wins / wins.sum(), size=10_000))
    value = float(spread(wins))
    low, high = np.quantile(drawn, [0.025, 0.975])
    equal = value <= np.quantile(by_chance, 0.95)
    return Interval(value, 0.0 if equal else float(low), float(high))


def _stays_below(spreads: pd.DataFrame, bound: float) -> np.ndarray:
    """From how many games on each repetition's spread is below the bound; inf: not at last."""
    below = spreads.to_numpy() < bound
    stays = np.logical_and.accumulate(below[:, ::-1], axis=1)[:, ::-1]
    games = spreads.columns.to_numpy(dtype=float)
    return np.where(stays.any(axis=1), games[stays.argmax(axis=1)], np.inf)
