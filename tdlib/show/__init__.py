"""Boards, notation, charts and curves."""
