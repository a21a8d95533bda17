"""Which heuristics win: table 4 and what the paper concludes from it."""

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence
from tdlib.claims.judges import judge
from tdlib.claims.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
    Judgement,
    Numbers,
)
from tdlib.papers.friedman2004.claims import games
from tdlib.papers.friedman2004.experiments import RUNS
from tdlib.stats import Interval

WITH_H1 = tuple(run for run, name in RUNS.items() if "H1" in name)
OTHERS = tuple(run for run in RUNS if run not in WITH_H1)
RUN = {name: run for run, name in RUNS.items()}
MARGIN = 10.0  # points


@judge("friedman-tab1")
def numbering(evidence: Evidence) -> Judgement:
    """Table 1: which rows of it the runs of table 4 are."""
    counts = {run: games.wins(games.main(evidence, run)) for run in RUNS}
    shares = {run: stats.wilson(*count) for run, count in counts.items()}
    lowest = min(shares[run].low for run in WITH_H1)
    apart = lowest > max(shares[run].high for run in OTHERS)
    ordered = min(shares[r].value for r in WITH_H1) > max(shares[r].value for r in OTHERS)
    by_name = {RUNS[run]: shares[run].value for run in RUNS}
    theirs = [wins / of for wins, of in map(games.paper_wins, RUNS)]
    fits = {
        reading: stats.spearman([by_name[names[run]] for run in RUNS], theirs)
        for reading, names in games.readings().items()
    }
    fitting = fits["A"] >= fits["B"]
    undecided = fitting and not ordered  # none of the ledger's outcomes applies
    word = rules.ladder(fitting and apart, fitting and ordered, inconclusive=undecided)
    exact = Interval.exactly
    ours = tuple(
        (f"rank correlation, reading {k}", exact(round(x, 3))) for k, x in fits.items()
    )
    note = "" if ordered else "some setting without H1 won more than some setting with it"
    return Judgement(word, ours, note=note)


@judge("friedman-tab4")
def table(evidence: Evidence) -> Judgement:
    """Table 4: in how many settings our share of wins agrees with the paper's."""
    apart = [
        stats.newcombe(games.wins(games.main(evidence, run)), games.paper_wins(run))
        for run in RUNS
    ]
    outside = [run for run, x in zip(RUNS, apart, strict=True) if not x.low <= 0 <= x.high]
    good = len(RUNS) - len(outside)
    word = rules.ladder(good >= 10, good >= 7)
    differing = ", ".join(f"{RUNS[run]} {apart[run - 1].percent:+.0f}" for run in outside)
    note = f"ours less the paper's where they differ, in points: {differing}" if outside else ""
    return Judgement(word, (("settings of 12 that agree", Interval.exactly(good)),), note=note)


@judge("friedman-con-a")
def with_first(evidence: Evidence) -> Judgement:
    """Every setting with H1 wins more than half, and more than those without."""
    counts = {run: games.wins(games.main(evidence, run)) for run in RUNS}
    good = sum(stats.wilson(*counts[run]).low > 0.5 for run in WITH_H1)
    both = [games.pooled(*(counts[run] for run in runs)) for runs in (WITH_H1, OTHERS)]
    apart = stats.newcombe(*both).percent
    word = rules.ladder(good == len(WITH_H1) and apart.low > 0, good == len(WITH_H1) - 1)
    ours: Numbers = (("with H1 - without", apart),)
    ours += tuple((RUNS[run], stats.wilson(*counts[run]).percent) for run in WITH_H1)
    p = max(stats.rates_above(*both), *(stats.rate_above(*counts[r], 0.5) for r in WITH_H1))
    return Judgement(word, ours, p=p)


@judge("friedman-con-b")
def alone(evidence: Evidence) -> Judgement:
    """H2 is the only one of H2, H3 and H4 that wins by itself, and seldom."""
    counts = {name: games.wins(games.main(evidence, RUN[name])) for name in ("H2", "H3", "H4")}
    shares = {name: stats.wilson(*count) for name, count in counts.items()}
    apart = [stats.newcombe(counts["H2"], counts[name]) for name in ("H3", "H4")]
    published = stats.wilson(*games.paper_wins(RUN["H2"]))
    none_won = not any(won for won, _ in counts.values())
    word = rules.ladder(
        min(x.low for x in apart) > 0 and max(x.high for x in shares.values()) < 0.4,
        min(x.value for x in apart) > 0,
        inconclusive=none_won and shares["H2"].high >= published.low,  # too few games
    )
    return Judgement(word, tuple((name, x.percent) for name, x in shares.items()))


@judge("friedman-con-c")
def stronger(evidence: Evidence) -> Judgement:
    """H1+H2 wins by more stones than H1+H3 and H1+H4.

    A lead that is surely less than half of the paper's is not what the claim is about.
    """
    mine = games.margins(games.main(evidence, RUN["H1+H2"]))
    ours: Numbers = ()
    held, p = [], []
    for name in ("H1+H3", "H1+H4"):
        theirs = games.margins(games.main(evidence, RUN[name]))
        difference = stats.bootstrap(
            lambda x, y: x.mean() - y.mean(), [mine], [theirs], rng=evidence.rng
        )
        ours += ((f"stones more than {name}", difference),)
        published = games.paper_margin(RUN["H1+H2"]) - games.paper_margin(RUN[name])
        held.append(difference.low > 0 and difference.high >= published / 2)
        p.append(stats.above(mine, theirs))
    return Judgement(rules.by_parts(*held), ours, p=max(p))


@judge("friedman-con-d")
def not_different(evidence: Evidence) -> Judgement:
    """H1+H3 and H1+H4 win as often as H1 alone, within ten points."""
    plain = games.wins(games.main(evidence, RUN["H1"]))
    ours: Numbers = ()
    words, p = [], []
    for name in ("H1+H3", "H1+H4"):
        count = games.wins(games.main(evidence, RUN[name]))
        narrow, wide = (stats.newcombe(count, plain, level=x).percent for x in (0.9, 0.95))
        ours += ((f"{name} - H1", wide),)
        words.append(rules.inside(narrow, wide, MARGIN))
        p.append(stats.rates_equivalent(count, plain, MARGIN / 100))
    order = (NOT_REPRODUCED, INCONCLUSIVE, PARTLY, REPRODUCED)
    return Judgement(min(words, key=order.index), ours, p=max(p))


@judge("friedman-con-e")
def all_four(evidence: Evidence) -> Judgement:
    """All four together are no better than H1+H2."""
    every, two = (games.wins(games.main(evidence, RUN[x])) for x in ("H1+H2+H3+H4", "H1+H2"))
    found = stats.newcombe(every, two).percent
    word = rules.ladder(found.high <= 0, found.low <= 0)
    return Judgement(word, (("all four - H1+H2", found),), p=stats.rates_above(two, every))


@judge("friedman-con-f")
def second_better(evidence: Evidence) -> Judgement:
    """Run 11 wins more often when it moves second, and then as often as in the paper."""
    table = games.main(evidence, 11)
    first, second = (games.wins(table, colour) for colour in games.COLOURS)
    found = stats.newcombe(second, first).percent
    black, white = (games.paper_wins(11, colour) for colour in games.COLOURS)
    well = stats.wilson(*second).high >= stats.wilson(*max(black, white)).low
    word = rules.positive(found)
    if word == REPRODUCED and not well:
        word = PARTLY
    note = f"the paper's run 11 won {black[0]} of {black[1]} as black, {white[0]} as white"
    ours = (("second - first", found), *_by_order(first, second))
    return Judgement(word, ours, p=stats.rates_above(second, first), note=note)


@judge("friedman-con-g")
def first_no_worse(evidence: Evidence) -> Judgement:
    """Over all settings, moving first is no disadvantage.

    The margin is ten points where 56 % are won, as in the paper, and in proportion where less
    is won.
    """
    tables = [games.main(evidence, run) for run in RUNS]
    first, second = (
        games.pooled(*(games.wins(table, colour) for table in tables))
        for colour in games.COLOURS
    )
    won, theirs = games.pooled(first, second), games.pooled(*map(games.paper_wins, RUNS))
    share = (won[0] / won[1]) / (theirs[0] / theirs[1])
    margin = MARGIN * min(1.0, share)
    narrow, wide = (stats.newcombe(first, second, level=x).percent for x in (0.9, 0.95))
    word = rules.ladder(
        narrow.low > -margin and narrow.high < margin,
        wide.high >= -margin,
        inconclusive=narrow.half_width > margin,
    )
    ours = (("first - second", wide), *_by_order(first, second))
    p = stats.rates_equivalent(first, second, margin / 100) if won[0] else None
    return Judgement(word, ours, p=p, note=f"margin {margin:.1f} points")


def _by_order(first: games.Count, second: games.Count) -> Numbers:
    return (
        ("first", stats.wilson(*first).percent),
        ("second", stats.wilson(*second).percent),
    )
