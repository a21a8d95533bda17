"""Matthews beyond the appendix: chapter 8, the step size, held-out opponents, quoted tables.

The 10-unit networks that chapter 8 is compared with are our controls M-10BG and M-10HG, trained
exactly like the 50-unit ones; the thesis compares with networks trained differently and less.
"""

import math

import numpy as np

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, Lacking, TooFew
from tdlib.claims.judges import judge
from tdlib.claims.rules import (
    INCONCLUSIVE,
    NO_RESULTS,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    PARTLY,
    PENDING,
    REPRODUCED,
    Judgement,
    Numbers,
)
from tdlib.study import registry


@judge("matthews-8-c")
def fifty_backgammon(evidence: Evidence) -> Judgement:
    """The best of one run, and more than with 10 units (A.7, as the ledger has it)."""
    theirs = evidence.claim.published["percent"]
    most = evidence.curves("M-50BG").rates.max(axis=1)
    near, band = rules.expected(most, theirs, of=1)
    ten = evidence.final("M-A7")
    rules.need_runs(ten)
    apart = stats.welch(evidence.final("M-50BG"), ten)
    away = max(band.low - theirs, theirs - band.high)
    word = rules.positive(apart)
    if word == REPRODUCED and not near:
        word = PARTLY
    if away > rules.ACCURACY:
        word = NOT_REPRODUCED
    elif band.half_width > rules.ACCURACY and word != NOT_REPRODUCED:
        word = INCONCLUSIVE
    ours = (("best of a run", band), ("50 - 10 units (A.7)", apart))
    return Judgement(word, ours, note=_control(evidence))


def _control(evidence: Evidence) -> str:
    """The difference between 50 and 10 units if nothing else differs."""
    try:
        ten = evidence.final("M-10BG")
        rules.need_runs(ten)
    except Lacking as lack:
        return f"{lack}, the same training with 10 units"
    fair = stats.welch(evidence.final("M-50BG"), ten)
    return f"50 - 10 units in the same training: {fair:.1f}"


@judge("matthews-8-d")
def against_earlier(evidence: Evidence) -> Judgement:
    """The 50-unit mean is above the best program of table 4.1."""
    bound = evidence.claim.published["best_listed_percent"]
    rates = evidence.final("M-50BG")
    rules.need_runs(rates)
    found = stats.t_mean(rates)
    word = rules.ladder(found.low > bound, found.high >= bound)
    return Judgement(word, (("", found),), p=stats.mean_above(rates, bound))


@judge("matthews-8-e")
def fifty_hypergammon(evidence: Evidence) -> Judgement:
    """The rate at 175,000 games and the best up to 50,000, of one run."""
    said = evidence.claim.published
    last = evidence.at("M-50HG", 175_000)
    most = evidence.curves("M-50HG").upto(50_000).rates.max(axis=1)
    good_last, at_end = rules.expected(last, said["percent_175000"], of=1)
    good_most, at_first = rules.expected(most, said["best_percent_50000"], of=1)
    ours = (("at 175,000", at_end), ("best up to 50,000", at_first))
    note = "intervals are those of one further run"
    return Judgement(rules.by_parts(good_last, good_most), ours, note=note)


@judge("matthews-8-f")
def length_or_units(evidence: Evidence) -> Judgement:
    """Hidden units (10, 50) by training length (50,000, 175,000): length alone matters."""
    cells = {
        (units, games): evidence.at(id, games)
        for units, id in ((10, "M-10HG"), (50, "M-50HG"))
        for games in (50_000, 175_000)
    }
    rules.need_runs(*cells.values())
    longer = [cells[units, 175_000] - cells[units, 50_000] for units in (10, 50)]
    mean = [(cells[units, 175_000] + cells[units, 50_000]) / 2 for units in (10, 50)]
    length, p = stats.contrast((0.5, 0.5), *longer)
    units = stats.welch(mean[1], mean[0])
    alike = -2 < units.low <= 0 <= units.high < 2
    word = rules.positive(length)
    if word == PARTLY:  # the ledger's "partly" has a length effect above 0
        word = INCONCLUSIVE
    if word == REPRODUCED and not alike:
        word = INCONCLUSIVE if rules.beyond(units) is None else PARTLY
    return Judgement(word, (("length", length), ("units", units)), p=p)


@judge("matthews-8-g")
def more_and_longer(evidence: Evidence) -> Judgement:
    """50 units and long training are above 10 units and the training of the appendix."""
    cells = {
        "backgammon": (evidence.at("M-50BG", 150_000), evidence.at("M-10BG", 100_000)),
        "hypergammon": (evidence.at("M-50HG", 175_000), evidence.at("M-10HG", 50_000)),
    }
    rules.need_runs(*(group for pair in cells.values() for group in pair))
    ours: Numbers = tuple((game, stats.welch(*pair)) for game, pair in cells.items())
    word = rules.by_parts(*(rules.beyond(number) for _, number in ours))
    return Judgement(word, ours, p=max(stats.above(*pair) for pair in cells.values()))


@judge("matthews-5.2-a")
def step_size(evidence: Evidence) -> Judgement:
    """Fluctuation in the last third of training, and final means, 0.3 against 0.1."""
    ids = ("M-A1", "M-ALPHA")
    rough = [_fluctuation(evidence.curves(id).rates) for id in ids]
    rules.need_runs(*rough)
    ratio = stats.welch(*(np.log(x) for x in rough)).map(math.exp)
    apart = stats.welch(*(evidence.final(id) for id in ids))
    word = rules.by_parts(ratio.high < 1.5, abs(apart.value) <= 3)
    if apart.half_width > 3 and not rules.outside(apart, 3):
        word = INCONCLUSIVE
    return Judgement(word, (("ratio of fluctuations", ratio), ("0.3 - 0.1", apart)))


def _fluctuation(rates: np.ndarray) -> np.ndarray:
    """For each run [R], the standard deviation of steps between tests in the last third."""
    third = rates[:, -(-2 * rates.shape[1] // 3) :]
    if third.shape[1] < 3:
        raise TooFew("needs three tests or more in the last third of training")
    return np.diff(third, axis=1).std(axis=1, ddof=1)


@judge("matthews-6.1-e")
def specialised(evidence: Evidence) -> Judgement:
    """Is the lead of pubeval's pupils larger against pubeval than against others?

    Each run's specialisation is its rate against pubeval less its mean rate against players
    never met in training: random, and the last network of the same run of A.7.
    """
    special = [_specialisation(evidence, id) for id in ("M-A3", "M-A1")]
    rules.need_runs(*special)
    found = stats.welch(*special)
    word = rules.positive(found)
    if word == INCONCLUSIVE and found.high < 1:
        word = NOT_REPRODUCED
    ours = (("interaction", found), *_head_to_head(evidence))
    note = "GNU Backgammon, which the ledger would like too, is not used"
    return Judgement(word, ours, p=stats.above(*special), note=note)


def _specialisation(evidence: Evidence, id: str) -> np.ndarray:
    """By run [R], for the runs that have met everybody."""
    home = _by_run(evidence, id)
    away = [_by_run(evidence, f"{id}-V-{whom}") for whom in ("RANDOM", "M-A7")]
    runs = sorted(set(home).intersection(*away))
    return np.array([home[run] - np.mean([x[run] for x in away]) for run in runs])


def _by_run(evidence: Evidence, id: str) -> dict[int, float]:
    found = evidence.curves(id)
    return dict(zip(found.runs, found.rates[:, -1], strict=True))


def _head_to_head(evidence: Evidence) -> Numbers:
    """Percent won by pubeval's pupils against networks of self-play, if played."""
    try:
        rates = evidence.curves("M-A3-V-M-A1").rates[:, 0]
        rules.need_runs(rates)
    except Lacking:
        return ()
    return (("head to head", stats.t_mean(rates)),)


@judge("matthews-tab4.1")
def earlier_programs(evidence: Evidence) -> Judgement:
    """Table 4.1: the programs cannot be had; our networks are shown beside them."""
    ours: Numbers = ()
    for id, name in (("M-A7", "10 units"), ("M-50BG", "50 units")):
        try:
            curves = evidence.curves(id)
        except Lacking:
            continue
        wins = round(curves.rates[:, -1].sum() / 100 * curves.tests)
        ours += ((name, stats.wilson(wins, curves.tests * len(curves.rates)).percent),)
    return Judgement(NOT_TESTABLE, ours, note=evidence.claim.test["why_not"])


@judge("matthews-tab4.2")
def earlier_networks(evidence: Evidence) -> Judgement:
    """Table 4.2: the sizes of our networks beside those quoted."""
    sizes = {
        (x.encoding, x.hidden, x.outputs): None
        for x in registry.experiments().values()
        if x.paper == evidence.claim.paper and x.game == "backgammon"
    }
    shown = ", ".join(f"{kind} {hidden}-{outputs}" for kind, hidden, outputs in sizes)
    why_not = evidence.claim.test["why_not"]
    return Judgement(
        NOT_TESTABLE, note=f"{why_not} Ours in backgammon (hidden-outputs): {shown}"
    )


@judge("matthews-5.5-b", joint=True)
def jointly(evidence: Evidence) -> Judgement:
    """All of the claims it is made of, or two of them."""
    named = evidence.claim.published["see"]
    words = [evidence.verdicts[id] for id in named]
    reproduced = words.count(REPRODUCED)
    word = rules.ladder(
        reproduced == len(words), reproduced >= 2, inconclusive=INCONCLUSIVE in words
    )
    if {PENDING, NO_RESULTS} & set(words):
        word = NO_RESULTS if set(words) == {NO_RESULTS} else PENDING
    note = "; ".join(f"{id}: {word}" for id, word in zip(named, words, strict=True))
    return Judgement(word, note=note)
