"""A source of evidence made up by a test: what is not given has no results."""

from collections.abc import Callable, Mapping

import pandas as pd

from tdlib.claims.evidence import Curves, Lacking


class Made:
    def __init__(
        self,
        curves: Callable[[str], Curves] | None = None,
        *,
        tables: Mapping[str, pd.DataFrame] | None = None,
        measured: Mapping[str, pd.DataFrame] | None = None,
    ):
        self.curves = curves
        self.tables = tables or {}
        self.known = measured or {}

    def __call__(self, id):
        if self.curves is None:
            raise Lacking(f"{id} has no results yet")
        return self.curves(id)

    def table(self, id):
        if id not in self.tables:
            raise Lacking(f"{id} has no results yet")
        return self.tables[id]

    def measured(self, name):
        return self.known.get(name, pd.DataFrame())
