"""Choi 2013: TD(lambda) for Kalah, measured against minimax."""
