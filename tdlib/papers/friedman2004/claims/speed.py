"""What alpha-beta saves: times and nodes at the same positions, and in table 3."""

import numpy as np
import pandas as pd

from tdlib import stats
from tdlib.claims import published, rules
from tdlib.claims.evidence import Evidence, Lacking, TooFew
from tdlib.claims.judges import judge
from tdlib.claims.rules import Judgement, Numbers
from tdlib.papers.friedman2004.experiments import INITIAL, RUNS
from tdlib.papers.friedman2004.timing import TIME, TIME4
from tdlib.stats import Interval

METHOD, RESULTS = 60, 102  # plies: 30 moves of both players (Experiments), 51 (Results)
EARLY, LATE = (0, 20), (58, 100)  # plies of moves 1-10 and 30-50
INITIAL_DEPTH = 2  # the printed 5-15 ms are a thirtieth of table 2's: one ply less than 3


@judge("friedman-tab2-a")
def ratio(evidence: Evidence) -> Judgement:
    """Table 2: minimax takes 2.38 times as long as alpha-beta at depth 3."""
    table = _at(evidence, 3)
    time = _ratio(table[table.ply < METHOD], "ms", evidence.rng)
    theirs = evidence.claim.published["ratio"]
    word = rules.ladder(time.low <= theirs <= time.high, time.low > 1)
    ours: Numbers = (
        ("time, 30 moves", time),
        ("time, 51 moves", _ratio(table, "ms", evidence.rng)),
        ("nodes, 30 moves", _ratio(table[table.ply < METHOD], "generated", evidence.rng)),
    )
    means = table[["minimax_ms", "alphabeta_ms"]].mean()
    note = f"{means.iloc[0]:.0f} and {means.iloc[1]:.0f} ms a move, in plain Python"
    return Judgement(word, ours, note=note)


@judge("friedman-tab2-b")
def saving(evidence: Evidence) -> Judgement:
    """At depth 3 alpha-beta saves time in spite of its overhead."""
    table = _at(evidence, 3)
    time, nodes = (_ratio(table, what, evidence.rng) for what in ("ms", "generated"))
    word = rules.ladder(time.low > 1, nodes.low > 1 and time.high >= 1)
    by_game = table.groupby("game")[["minimax_ms", "alphabeta_ms"]].sum()
    p = None
    if len(by_game) > 1:
        p = stats.mean_above(np.log(by_game.minimax_ms / by_game.alphabeta_ms), 0.0)
    ours: Numbers = (("time ratio at depth 3", time), ("nodes", nodes))
    for depth in (1, 2, 4):
        try:
            found = _ratio(_at(evidence, depth), "ms", evidence.rng)
            ours += ((f"time at depth {depth}", found),)
        except Lacking:  # only at paper scale
            continue
    return Judgement(word, ours, p=p)


@judge("friedman-con-h")
def two_plies(evidence: Evidence) -> Judgement:
    """At depth 2 minimax is sometimes faster."""
    faster = {
        depth: (int((t.minimax_ms < t.alphabeta_ms).sum()), len(t))
        for depth, t in ((depth, _at(evidence, depth)) for depth in (2, 3))
    }
    shares = {depth: stats.wilson(*count) for depth, count in faster.items()}
    evidence.count("positions", "depth 2", faster[2][1])
    some = faster[2][0] > 0
    word = rules.ladder(some and shares[2].value > shares[3].value, some)
    ours = tuple(
        (f"minimax faster at depth {depth}", share.percent) for depth, share in shares.items()
    )
    return Judgement(word, ours, note=f"positions: {faster[2][1]} and {faster[3][1]}")


@judge("friedman-res-a")
def opening(evidence: Evidence) -> Judgement:
    """Few moves at the beginning, and little to prune."""
    table = _at(evidence, 3)
    early, late = (table[table.ply.between(a, b - 1)] for a, b in (EARLY, LATE))
    if min(x.game.nunique() for x in (early, late)) < 2:
        raise TooFew("needs early and late positions of two games")
    moves = stats.welch(*(x.groupby("game").moves.mean() for x in (late, early)))
    columns = ("minimax_generated", "alphabeta_generated")
    sums = [x.groupby("game")[list(columns)].sum() for x in (late, early)]
    nodes = stats.bootstrap(
        lambda a, b, c, d: a.sum() / b.sum() - c.sum() / d.sum(),
        *[[s[c].to_numpy() for c in columns] for s in sums],
        rng=evidence.rng,
    )
    word = rules.by_parts(moves.low > 0, nodes.low > 0)
    return Judgement(word, (("more moves later", moves), ("node ratio, more later", nodes)))


@judge("friedman-tab3-b")
def initial_times(evidence: Evidence) -> Judgement:
    """Table 3: which settings think longest; run 6, H4 alone, is fastest."""
    printed = published.table("friedman2004_table3").set_index("run").avg_black_time_ms
    theirs = [float(printed[str(run)] or 0.5) for run in INITIAL]  # "under 1ms"
    times = _initial_means(evidence.measured("F-INITTIME"))
    mine = times[INITIAL_DEPTH]
    rho, p = stats.spearman(mine, theirs), stats.spearman_p(mine, theirs)
    fastest = RUNS[INITIAL[int(np.argmin(mine))]]
    word = rules.ladder(fastest == "H4" and p < 0.05, fastest == "H4")
    ours: Numbers = tuple(
        (
            f"rank correlation at depth {d}",
            Interval.exactly(round(stats.spearman(t, theirs), 2)),
        )
        for d, t in sorted(times.items(), key=lambda x: x[0] != INITIAL_DEPTH)
    )
    return Judgement(word, ours, note=f"p {p:.2g}, rho {rho:.2f}; fastest: {fastest}")


def _initial_means(table: pd.DataFrame) -> dict[int, list[float]]:
    """By depth, the mean times of the runs of table 3."""
    means = table.groupby(["depth", "run"]).alphabeta_ms.mean()
    return {
        int(depth): [float(means[depth, run]) for run in INITIAL]
        for depth in table.depth.unique()
    }


def _at(evidence: Evidence, depth: int) -> pd.DataFrame:
    id = TIME4.id if depth in TIME4.depths else TIME.id
    table = evidence.measured(id)
    mine = table[table.depth == depth]
    if mine.empty:
        raise TooFew(f"nothing was timed at depth {depth}")
    evidence.count("games", id, mine.game.nunique())
    return mine


def _ratio(table: pd.DataFrame, what: str, rng: np.random.Generator) -> Interval:
    """Minimax over alpha-beta, games being the units."""
    sums = table.groupby("game")[[f"minimax_{what}", f"alphabeta_{what}"]].sum()
    return stats.ratio(sums[f"minimax_{what}"], sums[f"alphabeta_{what}"], rng)
