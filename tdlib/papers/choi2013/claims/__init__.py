"""Choi 2013: importing this registers the judges of his claims."""

from tdlib.papers.choi2013.claims import endgame, series, strength

__all__ = ["endgame", "series", "strength"]
