"""Our offset over all tables, from curves that are moved by hand."""

import numpy as np
import pytest

from tdlib.papers.matthews2006 import offset
from tdlib.papers.matthews2006.appendix import appendix


def shifted(by):
    """The thesis's own runs, each table moved by some points."""

    def load(id):
        found = appendix(f"A.{id.removeprefix('M-A')}")
        return found._replace(rates=found.rates + by(int(id.removeprefix("M-A"))))

    return load


def test_an_equal_shift_of_all_tables_is_found_whole():
    found = offset.offset(shifted(lambda n: -2.0))
    assert found.mean.value == pytest.approx(-2) and found.between == 0
    assert found.mean.half_width == pytest.approx(0, abs=1e-9)  # no table deviates
    assert set(found.tables) == set(offset.TABLES)


def test_tables_that_stand_apart_do_not_count():
    found = offset.offset(shifted(lambda n: -16.0 if n in (4, 6) else -2.0))
    assert found.tables["A.4"].value == pytest.approx(-16)
    assert found.mean.value == pytest.approx(-2)


def test_tables_that_differ_widen_the_interval():
    found = offset.offset(shifted(lambda n: 4.0 * (n % 2)))
    assert found.between == pytest.approx(2, abs=0.5)  # half of the tables at 0, half at 4
    assert found.mean.low < 2 < found.mean.high and found.mean.half_width > 1


def test_only_the_end_of_training_counts():
    def late(id):
        found = shifted(lambda n: 0.0)(id)
        rates = found.rates - 9.0 * (found.games < 0.7 * found.games[-1])
        return found._replace(rates=rates)

    assert offset.offset(late).mean.value == pytest.approx(0)
    assert np.allclose([x.value for x in offset.offset(late).tables.values()], 0)
