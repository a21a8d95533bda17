"""Sutton's learner on the random walk as a plain loop over letters, without arrays."""

import itertools


def updates(walk, weights, lam):
    """The changes that a walk such as "DCDEFG" asks for, weights held, before alpha."""
    total = dict.fromkeys(weights, 0.0)
    trace = dict.fromkeys(weights, 0.0)
    for here, there in itertools.pairwise(walk):
        for state in trace:
            trace[state] *= lam
        trace[here] += 1.0
        following = {"A": 0.0, "G": 1.0}.get(there)
        error = (weights[there] if following is None else following) - weights[here]
        for state in trace:
            total[state] += error * trace[state]
    return total


def once(walks, alpha, lam):
    """Weights changed after each walk."""
    weights = dict.fromkeys("BCDEF", 0.5)
    for walk in walks:
        change = updates(walk, weights, lam)
        weights = {state: weights[state] + alpha * change[state] for state in weights}
    return weights


def repeated(walks, alpha, lam, times):
    """Weights changed after all walks, so many times."""
    weights = dict.fromkeys("BCDEF", 0.5)
    for _ in range(times):
        changes = [updates(walk, weights, lam) for walk in walks]
        weights = {
            s: weights[s] + alpha * sum(change[s] for change in changes) for s in weights
        }
    return weights
