"""Friedman & Ibarra 2004: importing this registers the judges of their claims.

Games are the units, since nobody learns: proportions have Wilson intervals, their differences
Newcombe's. A game that is stuck, or stopped at the limit, counts as one that nobody won.
"""

from tdlib.papers.friedman2004.claims import behaviour, heuristics, speed

__all__ = ["behaviour", "heuristics", "speed"]
