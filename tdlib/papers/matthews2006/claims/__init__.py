"""Matthews 2006: importing this registers the judges of his claims."""

from tdlib.papers.matthews2006.claims import (
    all_games,
    beyond,
    conjectures,
    facts,
    identical,
    levels,
    orderings,
    race_games,
)

__all__ = [
    "all_games",
    "beyond",
    "conjectures",
    "facts",
    "identical",
    "levels",
    "orderings",
    "race_games",
]
