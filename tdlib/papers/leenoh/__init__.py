"""Lee & Noh, "Abalone - final project report". So far only how large the game is."""
