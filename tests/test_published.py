"""The papers' tables as they lie in data/published."""

import pytest

from tdlib.claims import published


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("60-80", 60, 80),
        ("30–40", 30, 40),
        ("~420", 420, 420),
        ("+- 80", 80, 80),
        ("± 5", 5, 5),
        ("23", 23, 23),
        ("1000000000000.0", 1e12, 1e12),
    ],
)
def test_printed_numbers_are_ranges(text, low, high):
    assert published.span(text) == (low, high)


@pytest.mark.parametrize("text", ["", "many", "10^5", "60-80-90"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(ValueError, match="expected a number or a range"):
        published.span(text)


def test_cells_are_as_printed():
    assert published.cell("abalearn2003_table1", "Abalone", "branching_factor") == "+- 80"
    assert published.cell("leenoh_table1", "Abalone", "log10_game_tree") == "154"
    assert published.cell("matthews2006_table3_1", "Moves per turn", "pachisi") == "1"


def test_unknown_tables_and_cells_are_refused():
    with pytest.raises(ValueError, match=r"no published table 'x'; there are: abalearn"):
        published.table("x")
    with pytest.raises(ValueError, match=r"no one cell in row 'Tig' and column 'states'"):
        published.cell("abalearn2003_table1", "Tig", "states")


def test_the_dictionary_names_every_file_and_column():
    dictionary = (published.FOLDER.parent / "README.md").read_text()
    for file in sorted(published.FOLDER.glob("*.csv")):
        assert file.name in dictionary
        if file.stem != "matthews2006_table3_1":  # its columns are the games
            for column in published.table(file.stem).columns:
                assert f"`{column}`" in dictionary, (file.name, column)
