"""Tables of notebooks: folded ones, and what games were worth."""

import pandas as pd

from tdlib.show import tables


def test_a_folded_table_is_whole_behind_its_summary():
    text = tables.folded(pd.DataFrame({"paper": ["a < b", "c"]}), "2 lines & more").data
    assert text.startswith("<details><summary>2 lines &amp; more</summary>")
    assert text.endswith("</details>")
    assert "a &lt; b" in text and "<td>c</td>" in text


def test_points_are_of_the_last_tests_of_all_runs():
    columns = ["experiment", "run", "games", "wins", "points", "plies", "eval_games"]
    rows = pd.DataFrame(
        [("A", 0, 0, 0, -100, 900, 50), ("A", 0, 10, 30, 20, 500, 50),
         ("A", 1, 10, 20, -10, 700, 50), ("B", 0, 5, 50, 100, 100, 50)], columns=columns
    )  # fmt: skip
    found = tables.points(rows, {"B": "second", "A": "first", "C": "not there"})
    assert found.index.tolist() == ["second", "first"]
    assert found.loc["first"].tolist() == ["50.0 %", "+0.100", "12.0"]
    assert found.loc["second"].tolist() == ["100.0 %", "+2.000", "2.0"]
