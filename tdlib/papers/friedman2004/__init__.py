"""Friedman & Ibarra 2004: minimax and alpha-beta with four heuristics in Abalone."""
