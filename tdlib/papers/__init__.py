"""The papers, a folder each, with all that belongs to one.

    experiments    what is trained and played, as data; importing it registers it
    claims         the judges of the paper's claims; importing it registers them

A new paper is a folder here and its name in NAMES.
"""

import importlib

NAMES = ("matthews2006", "friedman2004", "choi2013")


def load(part: str) -> None:
    """Import that module of every paper, so that what it defines is known."""
    for name in NAMES:
        importlib.import_module(f"tdlib.papers.{name}.{part}")
