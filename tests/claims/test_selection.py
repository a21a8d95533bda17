"""A notebook's part of the scorecard."""

from tdlib.claims import ledger, selection


def test_only_claims_that_rest_on_these_experiments_alone(tmp_path):
    mine = ["M-A8", "M-A10"]
    table = selection.about(mine, scale="paper", store=tmp_path)
    book = ledger.read().claims
    assert {x for id in table.index for x in book[id].experiment} == {*mine}
    assert "matthews-fig6.8-a" in table.index and "matthews-fig6.6" not in table.index
    assert table.verdict.unique().tolist() == ["– no results yet"]
    assert table.loc["matthews-fig6.5", "paper"] == "58.0 [56.5, 59.4]"
