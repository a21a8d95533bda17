"""Windows that a player learns within its games (Lee & Noh), against plain Python."""

import dataclasses

import numpy as np
import pytest

from tdlib.games.abalone import score
from tdlib.study import contests
from tdlib.study.contest import Entrant
from tdlib.study.measure import measure
from tdlib.study.store import Store
from tdlib.teaching.plain_search import abalone as plain
from tests import tiny_experiments
from tests.reference.search import Tree, search

WEIGHTS = {"closeness": -1.0, "border": -3.0, "push": 2.0}
PRUNED = Entrant(
    player="search",
    options={"value": "material", "depth": 2, "windows": True},
    weights=WEIGHTS,
)
CONTEST = dataclasses.replace(
    tiny_experiments.CONTEST,
    id="T-WINDOWS",
    title="Lee & Noh's pruning against random moves",
    entrants=(PRUNED, Entrant(player="random")),
    max_plies=24,
    games=2,
    quick_games=2,
)


def key(before, after):
    other = before.black if before.seat else before.white
    moved, pushed = (after.white, after.black) if before.seat else (after.black, after.white)
    far = [(moved & beyond).bit_count() for beyond in plain._BEYOND]  # 1, 2, 3, 4 steps away
    return -sum(far) - 3 * far[-1] + 2 * (1 if other != pushed else -1)


def material(position, seat):
    lead = position.black.bit_count() - position.white.bit_count()
    return -lead if seat else lead


TREE = Tree(lambda p: p.seat, plain.children, material, key=key)


def keys(position):
    """Of all moves of both plies."""
    found = []
    for after in plain.children(position):
        found += [key(position, after), *(key(after, last) for last in plain.children(after))]
    return found


@pytest.fixture(scope="module", autouse=True)
def two_places():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contests, "LANES", (2,))
        yield


@pytest.fixture(scope="module")
def played():
    return [contests.replay(CONTEST, number) for number in range(CONTEST.games)]


def test_four_moves_are_searched_in_full_and_the_others_within_their_windows(played):
    differ = 0
    for number, states in enumerate(played):
        positions = [plain.told(state) for state in states]
        own = list(range(number % 2, len(positions) - 1, 2))  # colours alternate
        seen = [k for i in own[:4] for k in keys(positions[i])]
        low, high = np.percentile(seen, [10, 15]), [np.inf, np.percentile(seen, 90)]
        windows = list(zip(np.float32(low), high, strict=True))
        for move, i in enumerate(own):
            full = search(TREE, positions[i], 2, prunes=True)
            kept = search(TREE, positions[i], 2, prunes=True, windows=windows)
            best = (full if move < 4 else kept).best[0]
            assert plain.children(positions[i])[best] == positions[i + 1]
            differ += move >= 4 and full.best[0] != kept.best[0]
    assert differ > 0  # or windows would not have been tested


def test_games_do_not_depend_on_those_beside_them(played, tmp_path):
    weights = {"closeness": 1.0, "border": 0.0, "push": -1.0}
    entrants = dataclasses.replace(PRUNED, weights=weights), CONTEST.entrants[1]
    other = dataclasses.replace(CONTEST, id="T-OTHER", entrants=entrants)
    store, both = Store(tmp_path), [other, CONTEST]
    assert measure(contests.measurement(CONTEST.paper, both), store) == (0, 4)
    rows = contests.load([CONTEST], store)
    for row, states in zip(rows.itertuples(), played, strict=True):
        assert len(states) == row.plies + 1
        pieces = score(states[-1]).tolist()
        assert pieces == [row.pieces_0, row.pieces_1][:: 1 if row.first == 0 else -1]
