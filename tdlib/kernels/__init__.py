"""What makes XLA fast on a CPU, and random numbers: one module, one trick, its reason."""
