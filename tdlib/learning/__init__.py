"""Learning: TD(lambda), one learner at a time; whoever trains many applies `jax.vmap`."""
