"""Friedman & Ibarra's claims, judged by their own table 4 and by made-up results."""

import numpy as np
import pandas as pd
import pytest

from tdlib.claims import judges, ledger, scorecard
from tdlib.claims.rules import (
    INCONCLUSIVE,
    NO_RESULTS,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    PARTLY,
    PENDING,
    REPRODUCED,
)
from tdlib.papers.friedman2004.claims import games, readings, tables
from tdlib.papers.friedman2004.experiments import INITIAL, READINGS, RUNS, Reading
from tests.made_evidence import Made

CLAIMS = {id: x for id, x in ledger.read().claims.items() if x.paper == "friedman2004"}
TESTABLE = [id for id, claim in CLAIMS.items() if claim.kind != "not-testable"]


def given(**tables):
    """Results by id; contests that are not given have none."""
    named = {name.replace("_", "-"): table for name, table in tables.items()}
    return Made(tables=named, measured=named)


def rows(id, results, *, margin=2, plies=100, repeated=0, winning=0, missed=0):
    """Games by results such as "WLS", black first and colours alternating."""
    codes = pd.Series(list(results))
    payoff = codes.map({"W": 1, "L": -1, "S": 0})
    return pd.DataFrame(
        {
            "experiment": id,
            "game": range(len(codes)),
            "first": np.arange(len(codes)) % 2,
            "ended": np.where(payoff == 0, "stuck", "win"),
            "payoff": payoff,
            "pieces_0": np.where(payoff > 0, 6, 6 - margin) * (payoff != 0),
            "pieces_1": np.where(payoff < 0, 6, 6 - margin) * (payoff != 0),
            "plies": plies,
            "repeated": repeated,
            "winning_0": winning,
            "missed_0": missed,
        }
    )


@pytest.fixture(scope="module")
def theirs():
    """Their 174 games as if they were ours."""
    found = {}
    for run in RUNS:
        mine = games.paper()[games.paper().run == run]
        table = rows(
            "", "".join({"win": "W", "loss": "L", "stuck": "S"}[r] for r in mine.result)
        )
        table["first"] = (mine.colour == "white").astype(int).to_numpy()
        lead = mine.margin.fillna(0).to_numpy()
        table["pieces_0"] = np.where(lead > 0, 6, 6 + lead) * (lead != 0)
        table["pieces_1"] = np.where(lead < 0, 6, 6 - lead) * (lead != 0)
        found[f"F_MAIN_{run}"] = table.assign(experiment=f"F-MAIN-{run}")
    return given(**found)


def judged(id, load):
    return scorecard.judge(CLAIMS[f"friedman-{id}"], load)[0]


def test_every_testable_claim_of_the_paper_has_a_rule():
    assert len(TESTABLE) == 18 and all(map(judges.find, TESTABLE))


@pytest.mark.parametrize(
    ("id", "word"),
    [
        ("tab1", PARTLY),  # run 8, without H1, has an interval that meets those with H1
        ("tab4", REPRODUCED), ("con-a", REPRODUCED), ("con-c", REPRODUCED),
        ("con-b", PARTLY),  # two wins of fourteen are not clearly more than none
        ("con-d", INCONCLUSIVE), ("con-g", INCONCLUSIVE),  # too few games for ten points
        ("con-e", PARTLY),
        ("con-f", INCONCLUSIVE),  # their run 11 did better as black
        ("intro-a", NOT_TESTABLE),
    ],
)  # fmt: skip
def test_what_their_own_games_say(theirs, id, word):
    assert judged(id, theirs).verdict == word


def test_reading_a_fits_their_table_exactly(theirs):
    ours = dict(judged("tab1", theirs).ours)
    assert ours["rank correlation, reading A"].value == 1
    assert ours["rank correlation, reading B"].value < 0.8


def test_the_number_of_games_is_told(theirs):
    assert scorecard.judge(CLAIMS["friedman-tab4"], theirs).runs == "14-16 games"


def test_nothing_stored_is_no_result():
    for id in TESTABLE:
        assert scorecard.judge(CLAIMS[id], given())[0].verdict == NO_RESULTS, id


def many(results, **more):
    return {f"F_MAIN_{run}": rows(f"F-MAIN-{run}", results, **more) for run in RUNS}


def test_enough_games_decide_what_their_own_could_not():
    alike = given(**many("WWWWWWWWWWL" * 40))
    assert judged("con-d", alike).verdict == REPRODUCED
    assert judged("con-g", alike).verdict == REPRODUCED
    assert judged("con-e", alike).verdict == PARTLY
    other = many("WWWWWWWWWWL" * 40) | {"F_MAIN_12": rows("F-MAIN-12", "WLLLL" * 80)}
    assert judged("con-d", given(**other)).verdict == NOT_REPRODUCED
    second = many("W" * 9) | {"F_MAIN_11": rows("F-MAIN-11", "LW" * 50)}
    assert judged("con-f", given(**second)).verdict == REPRODUCED


def test_nothing_won_alone_is_a_result_only_after_many_games():
    assert judged("con-b", given(**many("S" * 40))).verdict == INCONCLUSIVE
    assert judged("con-b", given(**many("S" * 400))).verdict == NOT_REPRODUCED


def test_tab1_has_no_outcome_where_the_order_does_not_hold():
    """Reading A fits, yet a setting without H1 wins more than one with it."""
    won = {run: "W" * (20 if "H1" in RUNS[run] else 5) for run in RUNS} | {8: "W" * 21}
    mixed = {f"F_MAIN_{r}": rows(f"F-MAIN-{r}", w.ljust(40, "S")) for r, w in won.items()}
    assert judged("tab1", given(**mixed)).verdict == INCONCLUSIVE


def test_small_differences_are_not_what_the_paper_found():
    lead = np.resize([5.9, 6.0], 200)
    close = many("W" * 200, margin=5) | {"F_MAIN_1": rows("F-MAIN-1", "W" * 200, margin=lead)}
    assert judged("con-c", given(**close)).verdict == NOT_REPRODUCED  # 1 stone, not 3.2
    far = many("W" * 200, margin=2) | {"F_MAIN_1": rows("F-MAIN-1", "W" * 200, margin=lead)}
    assert judged("con-c", given(**far)).verdict == REPRODUCED
    seldom = many("W" * 9) | {"F_MAIN_11": rows("F-MAIN-11", "SW" * 8 + "SS" * 192)}
    assert judged("con-f", given(**seldom)).verdict == PARTLY  # 4 % is not well
    first = many(("WS" + "SW" * 3 + "SS" * 21) * 8)  # 4 % won as first, 12 as second
    assert judged("con-g", given(**first)).verdict == NOT_REPRODUCED  # though inside 10 points


def test_lengths_and_repetitions():
    plies = np.tile(np.linspace(60, 600, 40).astype(int), 1)
    spread = many("W" * 40, plies=plies, repeated=(plies**2) // 4000)
    assert judged("con-i", given(**spread)).verdict == REPRODUCED
    assert judged("con-i", given(**many("W" * 40, plies=100))).verdict == NOT_REPRODUCED
    assert judged("con-i", given(**many("W"))).verdict == INCONCLUSIVE
    stopped = {f"F_MAIN_{run}": rows(f"F-MAIN-{run}", "S" * 50) for run in (1, 2)}
    assert judged("con-i", given(**spread | stopped)).verdict == REPRODUCED
    stopped = {f"F_MAIN_{run}": rows(f"F-MAIN-{run}", "S" * 90) for run in range(1, 9)}
    assert judged("con-i", given(**spread | stopped)).verdict == INCONCLUSIVE


def test_missed_wins():
    blind = many("WW", winning=3, missed=1)
    assert judged("con-j", given(**many("WW", winning=3))).verdict == NOT_REPRODUCED
    assert judged("con-j", given(**blind)).verdict == PENDING
    quick = {"F_QUICKWINS_1": rows("F-QUICKWINS-1", "WW", winning=3, missed=0)}
    assert judged("con-j", given(**blind, **quick)).verdict == REPRODUCED
    quick = {"F_QUICKWINS_1": rows("F-QUICKWINS-1", "WW", winning=3, missed=1)}
    assert judged("con-j", given(**blind, **quick)).verdict == PARTLY


def initial(results, depth):
    return {f"F_INIT_{run}_{depth}": rows(f"F-INIT-{run}-{depth}", results) for run in INITIAL}


def test_cycles_and_what_breaks_them():
    fixed = initial("SS", 1) | initial("SL", 2) | initial("SW", 3)
    found = judged("tab3-a", given(**fixed))
    assert (
        found.verdict == REPRODUCED and dict(found.ours)["depth 3, alpha-beta white"].value == 0
    )
    some = fixed | {f"F_INIT_{run}_2": rows(f"F-INIT-{run}-2", "WS") for run in (1, 2)}
    assert judged("tab3-a", given(**some)).verdict == PARTLY
    assert judged("tab3-a", given(**fixed | initial("WS", 2))).verdict == NOT_REPRODUCED
    assert judged("tab3-a", given(**initial("SS", 1))).verdict == PENDING

    def random(results):
        found = {f"F-INITRANDOM-{run}-1": results * 50 for run in INITIAL}
        return {id.replace("-", "_"): rows(id, some) for id, some in found.items()}

    assert judged("con-k", given(**fixed, **random("W"), **many("W"))).verdict == REPRODUCED
    assert judged("con-k", given(**fixed, **random("S"), **many("W" * 9))).verdict == PARTLY
    limit = {id: table.assign(ended="limit") for id, table in random("S").items()}
    assert judged("con-k", given(**fixed, **limit, **many("W"))).verdict == REPRODUCED


def times(ratio, *, later=1.0, slower=0.1):
    """Positions of four games at depths 1 to 3; minimax is faster at some of depth 2."""
    lines = []
    for game in range(4):
        for ply in range(0, 100, 10):
            rise = later if ply >= 58 else 1.0
            for depth in (1, 2, 3):
                faster = depth == 2 and ply < 100 * slower
                mine = 0.9 if faster else ratio * rise * (1 + game / 1000)
                nodes = 1000 * ratio * rise
                lines.append((game, ply, depth, 40 * rise + game, nodes, 1000, 10 * mine, 10.0))
    columns = ["game", "ply", "depth", "moves", "minimax_generated", "alphabeta_generated",
               "minimax_ms", "alphabeta_ms"]  # fmt: skip
    return given(F_TIME=pd.DataFrame(lines, columns=columns))


@pytest.mark.parametrize(
    ("id", "load", "word"),
    [
        ("tab2-a", times(2.375), REPRODUCED), ("tab2-a", times(5.0), PARTLY),
        ("tab2-a", times(0.9), NOT_REPRODUCED),
        ("tab2-b", times(2.4), REPRODUCED), ("tab2-b", times(0.9), NOT_REPRODUCED),
        ("con-h", times(2.4), REPRODUCED), ("con-h", times(2.4, slower=0), NOT_REPRODUCED),
        ("res-a", times(2.4, later=1.5), REPRODUCED), ("res-a", times(2.4), NOT_REPRODUCED),
    ],
)  # fmt: skip
def test_times(id, load, word):
    assert judged(id, load).verdict == word


def test_initial_times():
    def load(*milliseconds):
        lines = zip(INITIAL, milliseconds, strict=True)
        table = [(2, run, ms) for run, ms in lines]
        return given(F_INITTIME=pd.DataFrame(table, columns=["depth", "run", "alphabeta_ms"]))

    assert judged("tab3-b", load(12, 8, 15, 15.5, 5, 1, 12.5)).verdict == REPRODUCED
    assert judged("tab3-b", load(5, 15, 8, 5, 12, 1, 9)).verdict == PARTLY
    assert judged("tab3-b", load(12, 8, 15, 15, 5, 20, 12)).verdict == NOT_REPRODUCED


def test_tables_beside_the_paper(theirs):
    ours = pd.concat(theirs.tables.values(), ignore_index=True)
    table = tables.main(ours)
    assert table.loc["4: H2", "ours, black"] == table.loc["4: H2", "paper, black"] == "1-2-4"
    assert table.loc["1: H1+H2", "paper, margin"] == table.loc["1: H1+H2", "ours, margin"]
    rank = tables.ranking(ours)
    assert set(rank.heuristics[:2]) == {"H1+H2", "H1+H3"} and rank.heuristics.iloc[-1] == "H4"
    assert tables.effects(ours).index.to_list() == ["H1", "H2", "H3", "H4"]
    ties = rows("F-TIES-1", "SS")
    changed = tables.changed(pd.concat([ours, ties]))
    assert changed.loc["as in the main games", "H2"] == "14 / 29"
    assert changed.loc["always the first of equal moves", "H1+H2"] == "0 / 100"
    assert changed.loc["always the first of equal moves", "H2"] == ""
    moves = pd.DataFrame({"depth": 2, "run": [1, 1, 6], "alphabeta_ms": [3.0, 5.0, 0.25]})
    times = tables.initial_times(moves)
    assert times.loc["paper"].to_list() == ["12", "8", "15", "15", "5", "under 1", "12"]
    assert times.loc["ours, depth 2", ["1: H1+H2", "6: H4"]].to_list() == ["4", "0.25"]


def test_a_cycle_is_told_by_where_it_begins_and_its_length():
    row = next(rows("F-INIT-1-1", "S", plies=54, repeated=4).itertuples())
    assert tables.cycle(row) == (46, 4)
    assert tables.ending(row) == "0-0, cycle of 4 from ply 46"
    lost = next(rows("F-INIT-1-1", "L", plies=99).itertuples())
    assert tables.ending(lost) == "4-6, won after 99 plies"


def under(reading, results):
    """Games of all settings under a reading; "W", "L" and "S" by setting."""
    ids = {heuristics: reading.contest(heuristics) for heuristics in RUNS.values()}
    return {id: rows(id, results[heuristics]) for heuristics, id in ids.items()}


@pytest.fixture(scope="module")
def two_readings(theirs):
    """Border 10 has the paper's shares; border 0 has the same with nothing but stuck games."""
    counts = readings.published().to_dict("index")
    exact = {h: "W" * x["won"] + "L" * x["lost"] + "S" * x["stuck"] for h, x in counts.items()}
    stuck = dict.fromkeys(counts, "S" * 10)
    return Made(
        tables={
            **theirs.tables, **under(Reading(0), stuck), **under(Reading(10), exact)
        }
    )  # fmt: skip


def test_the_distance_of_a_reading_is_the_mean_difference_of_shares(two_readings):
    found = readings.distances(two_readings, np.random.default_rng(0)).set_index("reading")
    assert found.distance[readings.title(readings.FIXED)] == pytest.approx(0)
    assert found.distance[readings.title(Reading(10))] == pytest.approx(0)
    shares = readings.published()
    finished = shares[["won", "lost"]].sum(axis=1) / shares.sum(axis=1)
    nothing = found.loc[readings.title(Reading(0))]
    assert nothing.distance == pytest.approx(100 * 2 * finished.mean() / 3)
    assert nothing.low == nothing.high == nothing.distance and nothing.stuck == 100
    assert readings.fitting(found.reset_index()) == Reading(10)
    drawn = readings.series(found.reset_index())
    assert [x is not None for x in drawn["H4 base 2, any of equals"]] == [
        True, True, False, False, False, True, False,
    ]  # fmt: skip


def test_few_games_of_an_identical_program_have_a_distance_of_some_points():
    assert 4 < readings.least(np.random.default_rng(0), 100) < 8


def test_verdicts_under_a_reading_use_its_games_and_no_others(two_readings):
    found = readings.verdicts(two_readings, Reading(0))
    assert len(found) == len(readings.CLAIMS)
    after = found.columns[3]
    assert "found afterwards" in after and "border 0" in after
    assert found.loc["friedman-con-a", "fixed beforehand"] == REPRODUCED
    assert found.loc["friedman-con-a", after] == NOT_REPRODUCED


def test_what_is_not_stored_is_counted(two_readings):
    lacking = readings.missing(two_readings)
    assert lacking["F-BORDERBASE"] == 5 * 100 and lacking["F-BORDERREST"] == 110 * 100
    there = sum(len(x) for id, x in two_readings.tables.items() if id.startswith("F-BORDER-"))
    assert lacking["F-BORDER"] == 72 * 100 - there and len(READINGS) == 24
