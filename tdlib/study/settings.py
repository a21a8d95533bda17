"""The settings of experiments as lines to read: where each stands, or why we chose it."""

import dataclasses
from typing import Any, NamedTuple

from tdlib.learning.records import Schedule
from tdlib.study.experiment import Experiment


class Setting(NamedTuple):
    name: str
    value: str
    known: str  # "stated" or "assumed"
    source: str  # where the paper says so, or why we chose it


def settings(e: Experiment) -> list[Setting]:
    """What the paper states of an experiment, then what we assume."""
    fields = {f.name for f in dataclasses.fields(e)}
    return [
        Setting(name, _shown(getattr(e, name)) if name in fields else "", known, source)
        for known, sources in (("stated", e.stated), ("assumed", e.assumed))
        for name, source in sources.items()
    ]


def _shown(value: Any) -> str:
    if isinstance(value, Schedule):
        constant = value.start == value.end
        return f"{value.start:g}" if constant else f"{value.start:g} to {value.end:g}"
    if isinstance(value, tuple):
        if len(value) > 8 and all(isinstance(x, int) for x in value):
            return f"{len(value)} from {value[0]:,} to {value[-1]:,}"
        if value and all(isinstance(x, tuple) for x in value):
            return ", ".join(f"{name}={x}" for name, x in value)
        return ", ".join(map(_shown, value)) or "none"
    return f"{value:,}" if type(value) is int else f"{value}"
