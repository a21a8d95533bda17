"""A reader's settings: an experiment of another name, small, local, its cost told before."""

import pytest

from tdlib.learning.records import constant
from tdlib.study import drive, registry, variant
from tdlib.study.experiment import training_hash
from tests.tiny_experiments import SELF

A8 = registry.find("M-A8")


def test_the_papers_own_settings_are_no_variant():
    assert variant.of(A8, "paper", alpha=0.3, lam=0.7, hidden=10, encoding="unary") is None
    assert variant.of(A8, "paper") is None
    assert variant.forecast(None) == "All settings are the paper's: nothing to train."


@pytest.mark.parametrize(("scale", "trained"), [("smoke", "smoke"), ("paper", "quick")])
def test_a_variant_has_its_own_name_and_is_never_of_paper_scale(scale, trained):
    own = variant.of(A8, scale, alpha=0.3, lam=0.0, hidden=20)
    assert (own.id, own.group) == ("M-A8-lam-0.0-hidden-20", variant.GROUP)
    assert (own.lam, own.hidden, own.alpha) == (constant(0), 20, A8.alpha)
    assert own.title == "lam 0.0, hidden 20"
    assert own.scale == trained
    assert training_hash(own) != training_hash(A8)


def test_another_encoding_has_its_usual_options():
    combined = registry.find("M-A6")  # not scaled
    assert variant.of(combined, "quick", encoding="smart").encoding_options == ()
    kept = variant.of(combined, "quick", hidden=5).encoding_options
    assert kept == (("normalise", False),)
    with pytest.raises(ValueError, match="no encoding 'clever'; expected one of: unary"):
        variant.of(A8, "quick", encoding="clever")


def test_the_cost_is_told_before_and_nothing_is_left_to_do_after(trained):
    own = variant.of(SELF, "smoke", lam=0.5)
    before = variant.forecast(own, trained, seconds=0.0)
    assert before.startswith("lam 0.5: 1 × 10 games, tests of 10 games; predicted time 00:")
    assert drive.run([own], trained, workers=1).computed == len(own.checkpoints)
    assert variant.forecast(own, trained).endswith("; stored already.")
