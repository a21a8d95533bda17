"""Who moves: each player picks the rank of one legal play."""
