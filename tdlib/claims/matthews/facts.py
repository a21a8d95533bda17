"""What Matthews says of rules and inputs, asked of the code (M-RULES)."""

import jax
import numpy as np

from tdlib import encodings, games, published, stats
from tdlib.claims.evidence import Evidence
from tdlib.claims.judgement import Judgement
from tdlib.claims.ledger import Claim
from tdlib.stats import NOT_REPRODUCED, PARTLY, REPRODUCED, Interval

Rng = np.random.Generator
THROWS = 100_000


def inputs(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """Table 5.1: the numbers of inputs."""
    table = published.table("matthews2006_table5_1").set_index("game")
    wrong = [
        (game, kind)
        for game, row in table.iterrows()
        for kind, printed in row.items()
        if len(encodings.make(str(game), str(kind)).names) != int(printed)
    ]
    if not wrong:
        word = REPRODUCED
    else:
        word = PARTLY if wrong == [("pachisi", "unary")] else NOT_REPRODUCED
    return _counts("inputs", table.size - len(wrong), table.size, word)


def throws(claim: Claim, evidence: Evidence, rng: Rng) -> Judgement:
    """Table 3.2: distances and frequencies of 100,000 throws of six cowries."""
    table = published.table("matthews2006_table3_2").astype(int)
    pachisi = games.make("pachisi")
    start = pachisi.init(jax.random.key(0))
    keys = jax.random.split(jax.random.key(int(rng.integers(2**31))), THROWS)
    fallen = jax.jit(jax.vmap(lambda key: games.roll(pachisi, key, start)))(keys)
    times = np.bincount(np.asarray(fallen), minlength=len(table))
    good = 0
    for up, distance, ways in table[
        ["up_cowries", "distance", "ways_of_64_derived"]
    ].to_numpy():
        share = stats.wilson(int(times[up]), THROWS, level=0.99)
        good += share.low <= ways / 64 <= share.high and int(pachisi.rolls[up]) == distance
    word = {0: REPRODUCED, 1: PARTLY}.get(len(table) - good, NOT_REPRODUCED)
    return _counts("throws", good, len(table), word)


def _counts(what: str, good: int, of: int, word: str) -> Judgement:
    return Judgement(word, ((f"{what} that agree", Interval.exactly(good)),), note=f"of {of}")
