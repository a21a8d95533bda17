"""The papers, a folder each, with all that belongs to one.

    experiments    what is trained and played, as data; importing it registers it
    measurements   what is measured of that, likewise
    claims         the judges of the paper's claims, likewise

A new paper is a folder here, with those of the three that it needs, and its name in NAMES.
"""

import importlib
import importlib.util

NAMES = ("matthews2006", "friedman2004", "choi2013", "leenoh", "abalearn2003")


def load(part: str) -> None:
    """Import that module of every paper that has it, so that what it defines is known."""
    for name in NAMES:
        module = f"tdlib.papers.{name}.{part}"
        if importlib.util.find_spec(module):
            importlib.import_module(module)
