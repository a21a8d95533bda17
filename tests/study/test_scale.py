"""Scales change how much is computed, and nothing else."""

import pytest

from tdlib import paths
from tdlib.study import registry
from tdlib.study.scale import by_scale, scaled
from tdlib.study.store import opened
from tests.tiny_experiments import CONTEST, SELF


def test_paper_scale_changes_nothing():
    assert scaled(SELF, "paper") is SELF


@pytest.mark.parametrize(
    "id, games, checkpoints, runs",
    [
        ("M-A1", 10_000, (0, 2500, 5000, 7500, 10_000), 2),
        ("M-A8", 5_000, (0, 1000, 2000, 3000, 4000, 5000), 2),  # as in the paper
        ("M-A13", 1_000, (0, 250, 500, 750, 1_000), 2),
        ("M-A20", 5_000, (0, 1250, 2500, 3750, 5000), 2),
        ("M-50HG", 15_000, (0, 5000, 10_000, 15_000), 1),
    ],
)
def test_quick_is_a_tenth_with_the_checkpoints_of_the_paper(id, games, checkpoints, runs):
    e = scaled(registry.find(id), "quick")
    assert (e.games, e.checkpoints, e.runs) == (games, checkpoints, runs)
    assert e.eval_games == 500 and e.scale == "quick"


def test_smoke_is_ten_games():
    e = scaled(registry.find("M-A1"), "smoke")
    assert (e.games, e.checkpoints, e.runs, e.eval_games) == (10, (0, 5, 10), 1, 10)


def test_an_unknown_scale_is_refused():
    with pytest.raises(ValueError, match="unknown scale 'big'; expected one of smoke, quick"):
        scaled(SELF, "big")


def test_contests_are_scaled_too():
    smoke, quick = (scaled(CONTEST, scale) for scale in ("smoke", "quick"))
    assert (smoke.games, smoke.max_plies, smoke.scale) == (2, 6, "smoke")
    assert (quick.games, quick.max_plies, quick.scale) == (4, 60, "quick")
    assert scaled(CONTEST, "paper") is CONTEST


def test_one_of_three_sizes():
    assert [by_scale(scale, smoke=1, quick=2, paper=3) for scale in paths.SCALES] == [1, 2, 3]
    with pytest.raises(ValueError, match="unknown scale 'big'"):
        by_scale("big", smoke=1, quick=2, paper=3)


def test_results_at_paper_scale_are_kept_apart():
    places = [opened(None, scale).root for scale in ("smoke", "quick", "paper")]
    assert places == [paths.ROOT / "data" / name for name in ("local", "local", "results")]
