"""Sections 6.2, 6.3 and 7: how strong networks become, and how fast."""

import numpy as np

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, TooFew
from tdlib.claims.judges import judge
from tdlib.claims.rules import NOT_REPRODUCED, Judgement, Numbers
from tdlib.papers.choi2013.claims import endgame, measures
from tdlib.papers.choi2013.experiments import FULL, HAND
from tdlib.study.experiment import Experiment


def gains(evidence: Evidence, e: Experiment = FULL) -> dict[int, np.ndarray]:
    """By the network's own depth d, how many plies more minimax needs to be its equal: [R]."""
    rows = measures.at_the_end(evidence, "ladder", e)
    found = {}
    for depth, mine in rows.groupby("depth"):
        each = [
            measures.depth_of_equals(x.wins + x.draws / 2, x.eval_games, x.opponent) - depth
            for _, x in mine.groupby("run")
        ]
        found[int(depth)] = np.array(each)
    evidence.count("runs", e.id, rows.run.nunique())
    evidence.count("test_games", e.id, int(rows.eval_games.min()))
    return found


@judge("choi-6.2-d")
def two_plies(evidence: Evidence) -> Judgement:
    """Worth two plies; the mean over the depths with the network as evaluator."""
    found = gains(evidence)
    rules.need_runs(*found.values())
    runs = min(map(len, found.values()))
    mean = np.mean([x[:runs] for x in found.values()], axis=0)
    overall = stats.t_mean(mean)
    word = rules.ladder(
        overall.low <= 2 <= overall.high,
        overall.low > 0,
        inconclusive=overall.low <= 0 and overall.high >= 2,
    )
    each = tuple((f"at depth {d}", stats.t_mean(x)) for d, x in found.items())
    return Judgement(word, (("plies gained", overall), *each))


@judge("choi-6.2-e")
def slower(evidence: Evidence) -> Judgement:
    """Games to 90 % of the final performance, entire game against endgame."""
    games, right = endgame.curves(endgame.own(evidence), "right")
    ends = _to_share(right, games)
    table = measures.won(evidence, FULL).dropna()
    if table.shape[1] < 3:
        raise TooFew("needs three tests of C-FULL")
    evidence.reaches(int(table.columns.max()), FULL.games)
    whole = _to_share(table.to_numpy(), table.columns.to_numpy())
    rules.need_runs(ends, whole)
    ratio = stats.welch(np.log(whole), np.log(ends))
    p = stats.above(np.log(whole), np.log(ends))
    more = rules.beyond(ratio)
    word = rules.ladder(ratio.low > np.log(3), bool(more), inconclusive=more is None)
    return Judgement(word, (("log ratio", ratio),), p=p)


def _to_share(curves: np.ndarray, games: np.ndarray, share: float = 0.9) -> np.ndarray:
    """Games to that share of the mean of the last three tests; the first test counts as 500."""
    found = [
        measures.first_reaching(curve, games, share * curve[-3:].mean()) for curve in curves
    ]
    return np.clip(found, 500, games.max())


@judge("choi-6.3-a")
def features(evidence: Evidence) -> Judgement:
    """Hand-crafted inputs against raw ones after equally many games."""
    hand, raw = (measures.end(evidence, e) for e in (HAND, FULL))
    return rules.ordered((f"at {HAND.games:,} games", hand, raw))


@judge("choi-6.3-b")
def slower_with_features(evidence: Evidence) -> Judgement:
    """Games and time to a fixed win rate, the lower of both final means."""
    curves = {e.id: measures.won(evidence, e).dropna(axis=1) for e in (HAND, FULL)}
    level = min(x.iloc[:, -1].mean() for x in curves.values())
    games = {
        id: np.clip(
            [measures.first_reaching(x, t.columns.to_numpy(), level) for x in t.to_numpy()],
            500,
            t.columns.max(),
        )
        for id, t in curves.items()
    }
    rules.need_runs(*games.values())
    seconds = measures.table_rows(evidence, "speed").groupby("encoding").game_time.mean()
    cost = seconds["handcrafted"] / seconds["raw"]
    logs = [np.log(games[e.id]) for e in (HAND, FULL)]
    epochs = stats.welch(*logs).map(np.exp)
    time = stats.welch(logs[0] + np.log(cost), logs[1]).map(np.exp)
    p = stats.above(logs[0] + np.log(cost), logs[1])
    slower = rules.beyond(time, 1)
    word = rules.ladder(
        bool(slower) and epochs.low > 1, bool(slower), inconclusive=slower is None
    )
    shown: Numbers = (("time, times", time), ("games, times", epochs))
    note = f"a game takes {cost:.1f} times as long; to {level:.0f} percent won"
    return Judgement(word, shown, p=p, note=note)


@judge("choi-7-a")
def promising(evidence: Evidence) -> Judgement:
    """Gains over the untrained network, in endgames and against minimax of depth 2."""
    _, right = endgame.curves(endgame.own(evidence), "right")
    ends = 100 * (right[:, -1] - right[:, 0])
    before, after = measures.at(evidence, FULL, 0, (2,)), measures.end(evidence, FULL, (2,))
    rules.need_runs(ends, before, after)
    endgames, whole = stats.t_mean(ends), stats.welch(after, before)
    p = max(stats.mean_above(ends, 0), stats.above(after, before))
    gained = rules.beyond(whole), rules.beyond(endgames)
    word = rules.ladder(whole.value > 20, True, inconclusive=None in gained)
    word = NOT_REPRODUCED if False in gained else word
    return Judgement(word, (("entire game", whole), ("endgames", endgames)), p=p)


def log_odds(part: np.ndarray, of: np.ndarray) -> np.ndarray:
    """With half a case added to each side, so that no share is 0 or 1."""
    return np.log((part + 0.5) / (of - part + 0.5))


@judge("choi-6.3-c")
def style(evidence: Evidence) -> Judgement:
    """Near pits, captures and own seeds at the end, as odds against random play."""
    rows = measures.at_the_end(evidence, "style", FULL)
    chance = measures.table_rows(evidence, "style", experiment="random").iloc[0]
    evidence.count("runs", FULL.id, len(rows))
    evidence.count("games", FULL.id, int(rows.eval_games.min()))
    if len(rows) < 2:
        raise TooFew("needs two runs")
    ratios = {
        "nearest pit": log_odds(rows.nearest, rows.moves)
        - log_odds(rows.nearest_expected, rows.moves),
        "captures": log_odds(rows.captures, rows.captures_open)
        - log_odds(rows.captures_expected, rows.captures_open),
        "own seeds at the end": log_odds(rows.kept, rows.eval_games)
        - log_odds(chance.kept, chance.eval_games),
    }
    found = {name: stats.t_mean(x.to_numpy(float)).map(np.exp) for name, x in ratios.items()}
    word = rules.by_parts(*(rules.beyond(x, 1) for x in found.values()))
    return Judgement(word, tuple(found.items()))


@judge("choi-6.3-d")
def later_is_better(evidence: Evidence) -> Judgement:
    """Brier scores, first quarter of a game less the last."""
    rows = measures.at_the_end(evidence, "predictions", FULL)
    rows = rows.pivot(index="run", columns="phase", values=["brier", "baseline"])
    evidence.count("runs", FULL.id, len(rows))
    if len(rows) < 2:
        raise TooFew("needs two runs")
    gains = {name: (rows[name][1] - rows[name][4]).to_numpy() for name in ("brier", "baseline")}
    network = stats.t_mean(gains["brier"])
    more = stats.t_mean(gains["brier"] - gains["baseline"])
    better = rules.beyond(network)
    word = rules.ladder(
        bool(better) and more.low > 0, bool(better), inconclusive=better is None
    )
    shown = (("Brier in hundredths", network.percent), ("more than stores", more.percent))
    return Judgement(word, shown)
