"""Strict settings for every test: shapes must match, draws repeat, nothing chatters."""

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # before JAX is imported

import hypothesis
import jax
import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from tdlib import cache
from tdlib.show import plots

cache.enable()
# A board of [26] added to one of [2, 26] is a mistake here, not a broadcast.
jax.config.update("jax_numpy_rank_promotion", "raise")

# The same examples on every machine; compiling makes the first one slow, so no deadline.
hypothesis.settings.register_profile(
    "tdlib", derandomize=True, deadline=None, database=None, print_blob=True
)
hypothesis.settings.load_profile("tdlib")


def pytest_collection_modifyitems(items):
    """Notebooks first: they take longest, and tests can use what they compile."""
    items.sort(key=lambda item: item.path.name != "test_notebooks.py")


@pytest.fixture(scope="module", autouse=True)
def programs_freed_after_each_file():
    """Every program takes memory maps, of which Linux allows a process 65,530: one that ran the
    tests of all files kept their programs, and crashed near the end."""
    yield
    jax.clear_caches()


@pytest.fixture
def house_style():
    """Charts as the notebooks draw them, closed afterwards."""
    with mpl.rc_context():
        plots.use_style()
        yield
        plt.close("all")
