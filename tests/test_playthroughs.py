"""Every game plays its recorded game again, line by line."""

import pytest

from tdlib.games import GAMES
from tests.playthroughs.record import FOLDER, record


@pytest.mark.parametrize("name", list(GAMES))
def test_the_recorded_game_is_played_again(name):
    recorded = (FOLDER / f"{name}.txt").read_text()
    assert record(name).splitlines() == recorded.splitlines()
