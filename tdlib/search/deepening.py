"""Iterative deepening: depth 1, then 2, and so on, each time the last best move first.

Friedman & Ibarra (2004) name it as future work. It finds the same value; of equal moves the
"first" may be another one. Node counts are those of all depths together.
"""

from typing import Any

import jax
import jax.numpy as jnp

from tdlib.search import lanes
from tdlib.search.nodes import Search
from tdlib.search.steps import Jobs, Report
from tdlib.types import Array, State


def run(search: Search, table: Any, jobs: Jobs, number: int) -> Report:
    """As `lanes.run`, from depth 1 on; number: of lanes."""
    search = search._replace(order=search.order or _alike)
    found = lanes.run(search._replace(depth=1), table, jobs, number)
    for depth in range(2, search.depth + 1):
        jobs = jobs._replace(first=found.rank)
        deeper = lanes.run(search._replace(depth=depth), table, jobs, number)
        counts = jax.tree.map(jnp.add, found[2:], deeper[2:])
        found = Report(deeper.rank, deeper.value, *counts)
    return found


def _alike(weights: Any, before: State, after: State) -> Array:
    return jnp.float32(0)
