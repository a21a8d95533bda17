"""Campos & Langlois 2003, "Abalearn". So far only how large the game is."""
