"""What names stored results: hashes of all settings that they depend on.

Results of other settings never meet those of these; a setting that was added later and has its
default leaves older hashes as they were (`differing`).
"""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

# Of rules, learning and measuring: raise it when equal settings give other results.
SEMANTICS = "1"
# How numbers are represented and drawn; `cache.pin_numerics` sees to it.
NUMERICS = "float32, threefry2x32 partitionable"
DIGITS = 8


Options = tuple[tuple[str, Any], ...]  # names and values, sorted


def options(given: Mapping[str, Any] | Options) -> Options:
    """Names and values in the one order in which equal ones are equal."""
    return tuple(sorted(dict(given).items()))


def fingerprint(settings: Mapping[str, Any]) -> str:
    """The first digits of a hash of settings in plain types."""
    text = json.dumps([SEMANTICS, NUMERICS, settings], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def differing(record: Any, names: Iterable[str]) -> dict[str, Any]:
    """Fields of a dataclass in plain types, without those that have their default."""
    fields = {field.name: field.default for field in dataclasses.fields(record)}
    chosen = {name: getattr(record, name) for name in names}
    chosen = {name: value for name, value in chosen.items() if value != fields[name]}
    return json.loads(json.dumps(chosen, default=dataclasses.asdict))
