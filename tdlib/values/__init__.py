"""How good a position looks: weights and features [F] to a value for each output."""
