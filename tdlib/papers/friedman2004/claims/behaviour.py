"""How games go: endless cycles, lengths, wins that are missed."""

import numpy as np

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, Lacking, TooFew
from tdlib.claims.judges import judge
from tdlib.claims.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    PENDING,
    Judgement,
    Numbers,
)
from tdlib.papers.friedman2004.claims import games
from tdlib.papers.friedman2004.experiments import DEPTHS, INITIAL, TIES
from tdlib.stats import Interval

SHORTEST, LONGEST = (40, 100), (400, 800)  # plies that the ledger allows for the central 95 %


@judge("friedman-tab3-a")
def cycles(evidence: Evidence) -> Judgement:
    """Table 3: with equal depths and no random choice all seven games end in a cycle.

    The depth is not printed, so it has to be so at each; alpha-beta was black.
    """
    counts = {}
    for depth in DEPTHS:
        ids = [f"F-INIT-{run}-{depth}" for run in INITIAL]
        try:
            tables = [games.played(evidence, id) for id in ids]
        except Lacking:
            continue
        for colour in games.COLOURS:
            ended = [t[t.colour == colour].ended.to_list() for t in tables]
            counts[depth, colour] = sum("stuck" in one for one in ended)
    if not counts:
        raise Lacking("F-INIT has no results yet")
    fewest = min(count for (_, colour), count in counts.items() if colour == games.COLOURS[0])
    word = rules.ladder(fewest == len(INITIAL), fewest >= 5)
    if len(counts) < 2 * len(DEPTHS) and word != NOT_REPRODUCED:
        word = PENDING
    ours: Numbers = tuple(
        (f"depth {depth}, alpha-beta {colour}", Interval.exactly(count))
        for (depth, colour), count in counts.items()
    )
    return Judgement(word, ours, note="games of seven that end in a cycle")


@judge("friedman-con-k")
def cycles_broken(evidence: Evidence) -> Judgement:
    """Random choice alone leaves fewer games in a cycle; deterministic games count once.

    A game that reaches the limit is in no cycle: its positions have not returned three times.
    """
    random = games.group(evidence, "F-INITRANDOM")
    cases = {id.replace("F-INITRANDOM", "F-INIT") for id in random.experiment}
    fixed = games.cycling(games.group(evidence, "F-INIT", sorted(cases)))
    chance = games.cycling(random)
    deeper = games.cycling(games.group(evidence, "F-MAIN"))
    alone, together = (stats.newcombe(fixed, x).percent for x in (chance, deeper))
    word = rules.ladder(alone.low > 0, together.low > 0)
    ours: Numbers = (
        ("fewer by random choice", alone),
        ("fewer by both changes", together),
        ("in a cycle: neither", stats.wilson(*fixed).percent),
        ("random choice", stats.wilson(*chance).percent),
        ("both", stats.wilson(*deeper).percent),
    )
    try:
        depth_only = games.cycling(games.group(evidence, "F-TIES", [c.id for c in TIES]))
        ours += (("depth alone", stats.wilson(*depth_only).percent),)
    except Lacking:
        pass
    return Judgement(word, ours, p=stats.rates_above(fixed, chance))


@judge("friedman-con-i")
def lengths(evidence: Evidence) -> Judgement:
    """Games of 60 to 600 moves, the longer ones with more repeated positions.

    Games that were stopped at a third repetition might have gone on and ended much later. Where
    they outnumber the others, the others say little about how long games are.
    """
    table = games.group(evidence, "F-MAIN")
    done = table[table.ended != "stuck"]
    if len(done) < 20:
        raise TooFew(f"needs 20 finished games, there are {len(done)}")
    cut_short = len(table) - len(done)
    low, high = np.quantile(done.plies, [0.025, 0.975])
    in_range = SHORTEST[0] <= low <= SHORTEST[1] and LONGEST[0] <= high <= LONGEST[1]
    share = (done.repeated / done.plies).to_numpy()
    related = stats.bootstrap(stats.spearman, [done.plies.to_numpy(), share], rng=evidence.rng)
    word = rules.by_parts(in_range, related.low > 0)
    if cut_short > len(done):
        word = INCONCLUSIVE
    ours: Numbers = (
        ("median and central 95 % of plies", Interval(done.plies.median(), low, high)),
        ("rank correlation, per cent", related.percent),
    )
    note = f"shortest {done.plies.min()}, longest {done.plies.max()} plies; {cut_short} of"
    note += f" {len(table)} games were stopped at a third repetition"
    return Judgement(word, ours, note=note)


@judge("friedman-con-j")
def missed_wins(evidence: Evidence) -> Judgement:
    """A win at once is missed where wins count alike, and never where early ones count more."""
    blind = games.group(evidence, "F-MAIN")[["missed_0", "winning_0"]].sum()
    if not blind.winning_0:
        raise TooFew("there was no position with a winning move")
    rate = stats.wilson(int(blind.missed_0), int(blind.winning_0)).percent
    ours: Numbers = (("missed where wins count alike", rate),)
    if not blind.missed_0:
        return Judgement(NOT_REPRODUCED, ours)
    try:
        quick = games.group(evidence, "F-QUICKWINS")[["missed_0", "winning_0"]].sum()
    except Lacking as lack:
        return Judgement(PENDING, ours, note=str(lack))
    if not quick.winning_0:
        return Judgement(INCONCLUSIVE, ours, note="no winning move where early wins count more")
    other = stats.wilson(int(quick.missed_0), int(quick.winning_0)).percent
    word = rules.ladder(not quick.missed_0, True)
    return Judgement(word, (*ours, ("where early wins count more", other)))
