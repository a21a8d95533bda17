"""Sections 5 and 6.1: step size, lambda, hidden units, initial weights, randomness."""

import numpy as np

from tdlib import stats
from tdlib.claims import rules
from tdlib.claims.evidence import Evidence, TooFew
from tdlib.claims.judges import judge
from tdlib.claims.rules import PARTLY, REPRODUCED, Judgement
from tdlib.papers.choi2013.claims import measures
from tdlib.papers.choi2013.experiments import EPOCHS, FULL, SERIES
from tdlib.stats import Interval

MARGIN = 5.0  # points
CHOSEN = {"C-ALPHA": 0.1, "C-LAMBDA": 0.8, "C-HIDDEN": 30}


def _rates(evidence: Evidence, group: str, games: int) -> dict[float, np.ndarray]:
    """Rates [R] by setting, of those that were tested; Lacking if the chosen one was not."""
    measures.at(evidence, FULL, games)
    some = measures.members(evidence, group)
    return {x: measures.at(evidence, e, games) for x, e in some.items()}


def _note(group: str, tested: int) -> str:
    whole = len(SERIES[group])
    return "" if tested == whole else f"{tested} of {whole} settings"


@judge("choi-6.1-a")
def step_size(evidence: Evidence) -> Judgement:
    """Larger alpha learns faster; above 0.1 it oscillates."""
    early = measures.correlation(_rates(evidence, "C-ALPHA", 1_000), evidence.rng)
    swings: dict[bool, list[float]] = {True: [], False: []}
    for alpha, e in SERIES["C-ALPHA"].items():
        table = measures.won(evidence, e)
        table = table[[x for x in table.columns if 0 < x <= EPOCHS]].dropna()
        if table.shape[1] < 3:
            raise TooFew("needs three checkpoints")
        swings[alpha > 0.1] += np.diff(table.to_numpy(), axis=1).std(axis=1).tolist()
    wilder = stats.welch(swings[True], swings[False])
    word = rules.by_parts(rules.beyond(early), rules.beyond(wilder))
    return Judgement(word, (("correlation at 1,000", early), ("more change", wilder)))


@judge("choi-6.1-b")
def good_alpha(evidence: Evidence) -> Judgement:
    """Alpha 0.1 is the best, or its interval meets that of the best."""
    rates = _rates(evidence, "C-ALPHA", EPOCHS)
    rules.need_runs(*rates.values())
    best = max(rates, key=lambda x: rates[x].mean())
    ours, top = stats.t_mean(rates[0.1]), stats.t_mean(rates[best])
    apart = top.low - ours.high
    word = rules.ladder(
        best == 0.1 or apart <= 0,
        top.value - ours.value <= MARGIN,
        inconclusive=apart <= 0 and max(ours.half_width, top.half_width) > MARGIN,
    )
    return Judgement(word, (("at 0.1", ours), (f"at {best}, the best", top)))


@judge("choi-6.1-c")
def traces(evidence: Evidence) -> Judgement:
    """Higher lambda learns faster."""
    early, late = (
        measures.correlation(_rates(evidence, "C-LAMBDA", games), evidence.rng)
        for games in (2_000, EPOCHS)
    )
    numbers = (("correlation at 2,000", early), ("at 10,000", late))
    return Judgement(rules.positive(early), numbers)


@judge("choi-6.1-d")
def hidden_units(evidence: Evidence) -> Judgement:
    """More hidden units and longer training always help."""
    rates = _rates(evidence, "C-HIDDEN", EPOCHS)
    found = measures.correlation(rates, evidence.rng)
    slopes = {}
    for units in rates:
        table = measures.won(evidence, SERIES["C-HIDDEN"][units])
        late = table[[x for x in table.columns if EPOCHS / 2 <= x <= EPOCHS]].dropna()
        if late.shape[1] < 2:
            raise TooFew("needs tests in the second half of the training")
        slopes[units] = np.polyfit(late.columns.to_numpy(float), late.to_numpy().T, 1)[0]
    rules.need_runs(*slopes.values())
    # one of six sizes seems to fall by chance more often than one: adjusted for their number
    p = stats.holm([stats.mean_above(-x, 0) for x in slopes.values()])
    falling = [str(units) for units, x in zip(slopes, p, strict=True) if x < 0.025]
    word = rules.positive(found)
    if word == REPRODUCED and falling:
        word = PARTLY
    note = (
        f"falls with {', '.join(falling)} units"
        if falling
        else f"no size falls significantly, adjusted for {len(slopes)} of them"
    )
    note = "; ".join(filter(None, (note, _note("C-HIDDEN", len(rates)))))
    return Judgement(word, (("correlation", found),), note=note)


@judge("choi-6.1-e")
def best_combination(evidence: Evidence) -> Judgement:
    """The chosen value is the best of each of the three series."""
    good, near, wide, shown, notes = 0, 0, False, [], []
    for group, chosen in CHOSEN.items():
        rates = _rates(evidence, group, EPOCHS)
        rules.need_runs(*rates.values())
        best = max(rates, key=lambda x: rates[x].mean())
        if len(rates) < 3:
            raise TooFew(f"needs three settings of {group}, there is {len(rates)}")
        less = stats.welch(rates[best], rates[chosen])
        wide |= less.half_width > MARGIN
        notes.append(_note(group, len(rates)))
        good += best == chosen or less.low <= 0
        near += less.value <= MARGIN
        shown.append((f"{group[2:].lower()} {best} less {chosen}", less))
    word = rules.ladder(good == 3, good == 2 or near == 3, inconclusive=wide and good > 1)
    return Judgement(word, tuple(shown), note="; ".join(filter(None, notes)))


@judge("choi-5-b")
def small_weights(evidence: Evidence) -> Judgement:
    """The smaller the initial weights, the better."""
    found = measures.correlation(_rates(evidence, "C-SPAN", EPOCHS), evidence.rng)
    word = rules.positive(Interval(-found.value, -found.high, -found.low))
    return Judgement(word, (("correlation with the width", found),))


@judge("choi-5-c")
def randomness(evidence: Evidence) -> Judgement:
    """Without randomness games repeat, and the network is worse."""
    greedy = SERIES["C-RANDOM"][0.0]
    rows = measures.table_rows(evidence, "distinct", experiment=greedy.id)
    share = 100 * (rows.distinct / rows.games).to_numpy()
    rules.need_runs(share)
    repeated = stats.t_mean(share)
    gain = stats.welch(
        measures.at(evidence, FULL, EPOCHS), measures.at(evidence, greedy, EPOCHS)
    )
    word = rules.by_parts(repeated.value < 10, rules.beyond(gain))
    return Judgement(word, (("percent distinct", repeated), ("gain by 0.1 random", gain)))
