"""Games between players, many side by side, and what comes of them."""
