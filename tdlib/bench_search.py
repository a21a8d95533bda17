"""How fast search is: Abalone from the opening and ten middle games, and Kalah.

Times are seconds of one processor core spent by this process, so that a busy machine changes
them little; wall time is shown beside them. "Leaves" are positions valued, counted as a search
would that looks at one at a time: what alpha-beta values in vain is not among them.
"""

import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tdlib import games, players, rollout, search
from tdlib.players.exploring import exploring
from tdlib.types import Game, State
from tdlib.values import abalone, kalah

MIDDLE_GAMES, PLIES, RANDOM = 10, 40, 0.3  # positions; moves made to reach one, some at random


class Cost(NamedTuple):
    seconds: float  # of a core, for one move
    wall: float
    leaves: float  # of one move
    nodes: float


def abalone_positions(game: Game) -> State:
    """The opening, and positions after 40 moves of one-ply players that err now and then."""
    mover = exploring(players.make("friedman", game), RANDOM)

    def ply(i: Any, carry: tuple[Any, State]) -> tuple[Any, State]:
        key, state = carry
        plays, turn = rollout.prepared(game, key, i, state)
        return key, game.play(state, plays, mover.choose(mover.weights, turn, state, plays))

    def one(key: Any) -> State:
        return lax.fori_loop(0, PLIES, ply, (key, game.init(key)))[1]

    middle = jax.jit(jax.vmap(one))(jax.random.split(jax.random.key(5), MIDDLE_GAMES))
    opening = game.init(jax.random.key(0))
    return jax.tree.map(lambda x, y: jnp.concatenate([x[None], y]), opening, middle)


def cost(look: Callable, weights: Any, states: State, copies: int = 1) -> Cost:
    """Of a move, on average over the positions; copies of each are searched side by side."""
    states = jax.tree.map(lambda x: jnp.repeat(x, copies, axis=0), states)
    number = jax.tree.leaves(states)[0].shape[0]
    keys = jax.random.split(jax.random.key(1), number)
    run = jax.jit(jax.vmap(look, (None, 0, 0))).lower(weights, keys, states).compile()
    cpu, wall = time.process_time(), time.perf_counter()
    report = jax.block_until_ready(run(weights, keys, states))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    leaves, nodes = (
        float(np.sum(x, dtype=float)) for x in (report.evaluated, report.generated)
    )
    return Cost(cpu / number, wall / number, float(leaves), float(nodes))


def _line(name: str, made: Cost) -> None:
    rate = made.leaves / made.seconds / 1e6
    print(
        f"{name:52}{made.seconds * 1e3:>11,.2f}{made.wall * 1e3:>11,.2f}"
        f"{made.leaves:>13,.0f}{rate:>8.2f}"
    )


def _first(states: State, number: int) -> State:
    return jax.tree.map(lambda x: x[:number], states)


def _print_abalone() -> None:
    game = games.make("abalone", broadside=False)
    states = abalone_positions(game)
    weights = jax.tree.map(jnp.asarray, abalone.Friedman())
    plan = [(3, len(states.seat), 24), (4, len(states.seat), 2), (5, 1, 1)]
    for depth, positions, copies in plan:
        some = _first(states, positions)
        what = f"{positions} positions" if positions > 1 else "the opening"
        made = {}
        for name, method, order in (
            ("minimax", "minimax", None),
            ("alpha-beta", "alphabeta", None),
            ("alpha-beta, ordered", "alphabeta", "value"),
        ):
            look = search.look(
                game, abalone.friedman, depth=depth, method=method, order=order, ties="random"
            )
            made[name] = cost(look, weights, some, copies)
            _line(f"abalone in-line, {what} x {copies}, {name} {depth}", made[name])
        for name in ("alpha-beta", "alpha-beta, ordered"):
            nodes = made[name].nodes / made["minimax"].nodes
            seconds = made[name].seconds / made["minimax"].seconds
            print(f"  {name} / minimax, depth {depth}: nodes {nodes:.4f}, time {seconds:.4f}")


def _print_single() -> None:
    """One position at a time, as a player at a board would search."""
    weights = jax.tree.map(jnp.asarray, abalone.Friedman())
    for name, broadside in (("in-line", False), ("all moves", True)):
        game = games.make("abalone", broadside=broadside)
        states = abalone_positions(game)
        look = search.look(game, abalone.friedman, depth=6, order="value")
        each = [
            cost(look, weights, jax.tree.map(lambda x, i=i: x[i : i + 1], states))
            for i in range(3)
        ]
        mean = Cost(*(float(np.mean(x)) for x in zip(*each, strict=True)))
        _line(f"abalone {name}, one by one, 3 positions, ordered 6", mean)
    game = games.make("kalah")
    state = game.init(jax.random.key(0))
    start = jax.tree.map(lambda x: x[None], state)
    for order in (None, "value"):
        look = search.look(game, kalah.store_lead, depth=7, ties="random", order=order)
        name = "ordered" if order else "alpha-beta"
        _line(f"kalah, the opening alone, {name} 7", cost(look, (), start))
        _line(f"kalah, the opening x 256, {name} 7", cost(look, (), start, 256))


def main() -> None:
    """Print the table."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []
    if cores:
        os.sched_setaffinity(0, {cores[0]})
    print("\nsearch, one core; bars: abalone depth 3 at least 1 million leaves/s (stretch 5),")
    print("depth 6 under 60 s, kalah depth 7 under 0.1 s a move")
    print(f"{'':52}{'ms/move':>11}{'wall ms':>11}{'leaves/move':>13}{'M/s':>8}")
    _print_abalone()
    _print_single()
    if cores:
        os.sched_setaffinity(0, set(cores))
