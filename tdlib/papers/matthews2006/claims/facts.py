"""What Matthews says about rules and inputs, compared with the code (M-RULES)."""

import jax
import numpy as np

from tdlib import encodings, games, stats
from tdlib.claims import published
from tdlib.claims.evidence import Evidence
from tdlib.claims.judges import judge
from tdlib.claims.rules import Judgement, ladder
from tdlib.stats import Interval

THROWS = 100_000


@judge("matthews-tab3.1")
def attributes(evidence: Evidence) -> Judgement:
    """Table 3.1: ten attributes of four games, partly observed in random play."""
    found = evidence.measured("M-RULES").pivot(
        index="attribute", columns="game", values="found"
    )
    table = published.table("matthews2006_table3_1").set_index("attribute")
    good = int((found.loc[table.index, table.columns] == table).all(axis=1).sum())
    word = ladder(good == len(table), good == len(table) - 1)
    return _agreeing("attributes", good, len(table), word)


@judge("matthews-tab5.1")
def inputs(evidence: Evidence) -> Judgement:
    """Table 5.1: the numbers of inputs."""
    table = published.table("matthews2006_table5_1").set_index("game")
    wrong = [
        (game, kind)
        for game, row in table.iterrows()
        for kind, printed in row.items()
        if len(encodings.make(str(game), str(kind)).names) != int(printed)
    ]
    word = ladder(not wrong, wrong == [("pachisi", "unary")])
    return _agreeing("inputs", table.size - len(wrong), table.size, word)


@judge("matthews-tab3.2")
def throws(evidence: Evidence) -> Judgement:
    """Table 3.2: distances and frequencies of 100,000 throws of six cowries."""
    table = published.table("matthews2006_table3_2").astype(int)
    pachisi = games.make("pachisi")
    start = pachisi.init(jax.random.key(0))
    keys = jax.random.split(jax.random.key(int(evidence.rng.integers(2**31))), THROWS)
    fallen = jax.jit(jax.vmap(lambda key: games.roll(pachisi, key, start)))(keys)
    times = np.bincount(np.asarray(fallen), minlength=len(table))
    good = 0
    columns = ["up_cowries", "distance", "ways_of_64_derived"]
    for up, distance, ways in table[columns].to_numpy():
        share = stats.wilson(int(times[up]), THROWS, level=0.99)
        good += share.low <= ways / 64 <= share.high and int(pachisi.rolls[up]) == distance
    word = ladder(good == len(table), good == len(table) - 1)
    return _agreeing("throws", good, len(table), word)


def _agreeing(what: str, good: int, of: int, word: str) -> Judgement:
    return Judgement(word, ((f"{what} that agree", Interval.exactly(good)),), note=f"of {of}")
