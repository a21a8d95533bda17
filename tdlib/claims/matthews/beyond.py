"""Matthews beyond the appendix: chapter 8, the step size, opponents never met, quoted tables.

The 10-unit networks of chapter 8's comparisons are our controls M-10BG and M-10HG, trained like
the 50-unit ones; the thesis compares with networks trained in another way and less.
"""

from collections.abc import Mapping

import numpy as np

from tdlib import experiments, stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, Lacking, TooFew
from tdlib.claims.judgement import NO_RESULTS, NOT_TESTABLE, PENDING, Judgement, Ours
from tdlib.claims.ledger import Claim
from tdlib.stats import INCONCLUSIVE, NOT_REPRODUCED, PARTLY, REPRODUCED

Rng = np.random.Generator


def fifty_backgammon(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """8-c: the best of one run, and more than with 10 units (A.7, as the ledger has it)."""
    theirs = claim.published["percent"]
    most = evidence.curves("M-50BG").rates.max(axis=1)
    inside, band = rules.predicts("", most, theirs, of=1)
    ten = evidence.final("M-A7")
    rules.need_runs(ten)
    apart = stats.welch(evidence.final("M-50BG"), ten)
    outside = max(band.low - theirs, theirs - band.high)
    if band.half_width > rules.ACCURACY:
        word = INCONCLUSIVE
    elif apart.low > 0 and inside:
        word = REPRODUCED
    elif apart.value > 0 and outside <= rules.ACCURACY:
        word = PARTLY
    else:
        word = NOT_REPRODUCED
    ours = (("best of a run", band), ("50 - 10 units (A.7)", apart))
    return Judgement(word, ours, note=_control(evidence))


def _control(evidence: Evidence) -> str:
    """8-c: the difference if only hidden units differ."""
    try:
        ten = evidence.final("M-10BG")
        rules.need_runs(ten)
    except Lacking as lack:
        return f"{lack}, the same training with 10 units"
    fair = stats.welch(evidence.final("M-50BG"), ten)
    return f"50 - 10 units in the same training: {fair:.1f}"


def against_earlier(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """8-d: the 50-unit mean against the best program of table 4.1."""
    bound = claim.published["best_listed_percent"]
    rates = evidence.final("M-50BG")
    rules.need_runs(rates)
    found = stats.t_mean(rates)
    if found.low > bound:
        word = REPRODUCED
    else:
        word = PARTLY if found.high >= bound else NOT_REPRODUCED
    return Judgement(word, (("", found),), p=stats.mean_above(rates, bound))


def fifty_hypergammon(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """8-e: the rate at 175,000 games and the best up to 50,000, of one run."""
    said = claim.published
    last = evidence.at("M-50HG", 175_000)
    most = evidence.curves("M-50HG").upto(50_000).rates.max(axis=1)
    good_last, at_end = rules.predicts("", last, said["percent_175000"], of=1)
    good_most, at_first = rules.predicts("", most, said["best_percent_50000"], of=1)
    good = good_last + good_most
    word = (NOT_REPRODUCED, PARTLY, REPRODUCED)[good]
    ours = (("at 175,000", at_end), ("best up to 50,000", at_first))
    return Judgement(word, ours, note="intervals are those of one further run")


def length_or_units(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """8-f: hidden units (10, 50) by training length (50,000, 175,000)."""
    cells = {
        (units, games): evidence.at(id, games)
        for units, id in ((10, "M-10HG"), (50, "M-50HG"))
        for games in (50_000, 175_000)
    }
    rules.need_runs(*cells.values())
    longer = [cells[units, 175_000] - cells[units, 50_000] for units in (10, 50)]
    mean = [(cells[units, 175_000] + cells[units, 50_000]) / 2 for units in (10, 50)]
    # Half the sum of two independent means is half the difference of one and minus the other.
    length = stats.welch(longer[0] / 2, -longer[1] / 2)
    units = stats.welch(mean[1], mean[0])
    alike = -2 < units.low <= 0 <= units.high < 2
    if max(length.half_width, units.half_width) > 2:
        word = INCONCLUSIVE
    elif length.low <= 0:
        word = NOT_REPRODUCED
    else:
        word = REPRODUCED if alike else PARTLY
    p = stats.above(longer[0] / 2, -longer[1] / 2)
    return Judgement(word, (("length", length), ("units", units)), p=p)


def more_and_longer(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """8-g: 50 units and long training against 10 units and that of the appendix."""
    cells = {
        "backgammon": (evidence.at("M-50BG", 150_000), evidence.at("M-10BG", 100_000)),
        "hypergammon": (evidence.at("M-50HG", 175_000), evidence.at("M-10HG", 50_000)),
    }
    rules.need_runs(*(group for pair in cells.values() for group in pair))
    ours: Ours = tuple((game, stats.welch(*pair)) for game, pair in cells.items())
    good = sum(number.low > 0 for _, number in ours)
    word = (NOT_REPRODUCED, PARTLY, REPRODUCED)[good]
    p = max(stats.above(*pair) for pair in cells.values())
    return Judgement(word, ours, p=p)


def step_size(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """5.2-a: fluctuation in the last third of training, and final means, 0.3 against 0.1."""
    ids = ("M-A1", "M-ALPHA")
    rough = [_fluctuation(evidence.curves(id).rates) for id in ids]
    final = [evidence.final(id) for id in ids]
    rules.need_runs(*rough)
    ratio = stats.bootstrap(lambda x, y: x.mean() / y.mean(), [rough[0]], [rough[1]], rng=rng)
    apart = stats.welch(*final)
    good = (ratio.high < 1.5) + (abs(apart.value) <= 3)
    word = (NOT_REPRODUCED, PARTLY, REPRODUCED)[good]
    if apart.half_width > 3:
        word = INCONCLUSIVE
    ours = (("ratio of fluctuations", ratio), ("0.3 - 0.1", apart))
    return Judgement(word, ours)


def _fluctuation(rates: np.ndarray) -> np.ndarray:
    """Of each run [R]: standard deviation of steps between tests in the last third."""
    third = rates[:, -(-2 * rates.shape[1] // 3) :]
    if third.shape[1] < 3:
        raise TooFew("needs three tests or more in the last third of training")
    return np.diff(third, axis=1).std(axis=1, ddof=1)


def specialised(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """6.1-e: is the lead of pubeval's pupils larger against pubeval than against others?

    Each run's specialisation is its rate against pubeval less its mean rate against players
    never met in training: random, and the last network of the same run of A.7.
    """
    special = [_specialisation(evidence, id) for id in ("M-A3", "M-A1")]
    rules.need_runs(*special)
    found = stats.welch(*special)
    if found.low > 0:
        word = REPRODUCED
    elif found.value > 0:
        word = PARTLY
    else:
        word = NOT_REPRODUCED if found.high < 1 else INCONCLUSIVE
    ours = (("interaction", found), *_leads(evidence))
    note = "GNU Backgammon, which the ledger would like too, is not used"
    return Judgement(word, ours, p=stats.above(*special), note=note)


def _specialisation(evidence: Evidence, id: str) -> np.ndarray:
    """By run [R], of the runs that have met everybody."""
    home = _by_run(evidence, id)
    away = [_by_run(evidence, f"{id}-V-{whom}") for whom in ("RANDOM", "M-A7")]
    runs = sorted(set(home).intersection(*away))
    return np.array([home[run] - np.mean([x[run] for x in away]) for run in runs])


def _by_run(evidence: Evidence, id: str) -> dict[int, float]:
    found = evidence.curves(id)
    return dict(zip(found.runs, found.rates[:, -1], strict=True))


def _leads(evidence: Evidence) -> Ours:
    """Head to head, percent won by pubeval's pupils, if played."""
    try:
        rates = evidence.curves("M-A3-V-M-A1").rates[:, 0]
        rules.need_runs(rates)
    except Lacking:
        return ()
    return (("head to head", stats.t_mean(rates)),)


def earlier_programs(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """Table 4.1: the programs are not to be had; ours beside them, as far as they are there."""
    ours: Ours = ()
    for id, name in (("M-A7", "10 units"), ("M-50BG", "50 units")):
        try:
            curves = evidence.curves(id)
        except Lacking:
            continue
        wins = round(curves.rates[:, -1].sum() / 100 * curves.tests)
        rate = stats.wilson(wins, curves.tests * len(curves.rates))
        ours += ((name, rate.map(lambda x: 100 * x)),)
    return Judgement(NOT_TESTABLE, ours, note=claim.test["why_not"])


def earlier_networks(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """Table 4.2: sizes of our networks beside those quoted."""
    sizes = {
        (x.encoding, x.hidden, x.outputs): None
        for x in experiments.EXPERIMENTS.values()
        if x.paper == claim.paper and x.game == "backgammon"
    }
    shown = ", ".join(f"{kind} {hidden}-{outputs}" for kind, hidden, outputs in sizes)
    note = f"{claim.test['why_not']} Ours in backgammon (hidden-outputs): {shown}"
    return Judgement(NOT_TESTABLE, note=note)


def jointly(claim: Claim, verdicts: Mapping[str, str], *, enough: int = 2) -> Judgement:
    """A claim that is what others are: all reproduced, or enough of them."""
    named = claim.published["see"]
    words = [verdicts[id] for id in named]
    note = "; ".join(f"{id}: {word}" for id, word in zip(named, words, strict=True))
    if {PENDING, NO_RESULTS} & set(words):
        word = NO_RESULTS if set(words) == {NO_RESULTS} else PENDING
    elif INCONCLUSIVE in words:
        word = INCONCLUSIVE
    elif words.count(REPRODUCED) == len(words):
        word = REPRODUCED
    else:
        word = PARTLY if words.count(REPRODUCED) >= enough else NOT_REPRODUCED
    return Judgement(word, note=note)
