"""Claims about the size and the rules of games, on made-up observations."""

import numpy as np
import pandas as pd
import pytest

from tdlib.claims import ledger, published, scorecard
from tdlib.claims.rules import NOT_REPRODUCED, PARTLY, REPRODUCED
from tests.made_evidence import Made

CLAIMS = ledger.read().claims


def games(width, count=1_000):
    """Games of 80 to 120 plies with that many moves at each."""
    plies = np.resize(np.arange(80, 121), count)
    return pd.DataFrame({"plies": plies, "choices": plies * width})


@pytest.mark.parametrize(
    ("id", "width", "word"),
    [
        ("leenoh-tab1", 61, REPRODUCED),
        ("leenoh-tab1", 50, PARTLY),  # 48 to 96
        ("leenoh-tab1", 47, NOT_REPRODUCED),
        ("abalearn-tab1", 73, REPRODUCED),  # 72 to 88
        ("abalearn-tab1", 63, PARTLY),  # 60 to 100
        ("abalearn-tab1", 59, NOT_REPRODUCED),
    ],
)
def test_moves_per_position_in_abalone(id, width, word):
    found = scorecard.judge(CLAIMS[id], Made(tables={"L-COMPLEX": games(width)}))
    assert found.first.verdict == word and not found.below
    assert found.first.ours[0][1].value == width
    few = scorecard.judge(CLAIMS[id], Made(tables={"L-COMPLEX": games(width, 100)}))
    assert few.below == "100 of 1,000 games"


@pytest.mark.parametrize(("wrong", "word"), [(0, REPRODUCED), (1, PARTLY), (2, NOT_REPRODUCED)])
def test_attributes_of_the_race_games(wrong, word):
    table = published.table("matthews2006_table3_1").set_index("attribute")
    table.iloc[:wrong, 2] = "something else"
    cells = table.reset_index().melt("attribute", var_name="game", value_name="found")
    found = scorecard.judge(CLAIMS["matthews-tab3.1"], Made(measured={"M-RULES": cells})).first
    assert found.verdict == word
    assert (found.ours[0][1].value, found.note) == (10 - wrong, "of 10")
