"""`make bench ARGS=search`: how fast search is, in Abalone and Kalah.

Abalone starts from the opening and from ten middle games.

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

from tdlib import games, players, search
from tdlib.play import loop
from tdlib.players.simple import exploring
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
        _, plays, turn = loop.prepare(game, key, i, state)
        return key, game.play(state, plays, mover.choose(mover.weights, turn, state, plays))

    def one(key: Any) -> State:
        return lax.fori_loop(0, PLIES, ply, (key, game.init(key)))[1]

    middle = jax.jit(jax.vmap(one))(jax.random.split(jax.random.key(5), MIDDLE_GAMES))
    opening = game.init(jax.random.key(0))
    return jax.tree.map(lambda x, y: jnp.concatenate([x[None], y]), opening, middle)


def cost(
    look: Callable, weights: Any, states: State, copies: int = 1, *, alone: bool = False
) -> Cost:
    """Of a move, on average over the positions; copies of each are searched side by side.

    alone: one search after another, as a player at a board would.
    """
    states = jax.tree.map(lambda x: jnp.repeat(x, copies, axis=0), states)
    number = len(states.seat)
    keys = jax.random.split(jax.random.key(1), number)
    size = 1 if alone else number
    parts = [
        jax.tree.map(lambda x, i=i: x[i : i + size], (keys, states))
        for i in range(0, number, size)
    ]
    run = jax.jit(jax.vmap(look, (None, 0, 0))).lower(weights, *parts[0]).compile()
    cpu, wall = time.process_time(), time.perf_counter()
    reports = [jax.block_until_ready(run(weights, *part)) for part in parts]
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    leaves, nodes = (
        sum(float(np.asarray(x).sum(dtype=float)) for x in found) / number
        for found in zip(*((r.evaluated, r.generated) for r in reports), strict=True)
    )
    return Cost(cpu / number, wall / number, leaves, nodes)


def _line(name: str, made: Cost) -> None:
    rate = made.leaves / made.seconds / 1e6
    print(
        f"{name:52}{made.seconds * 1e3:>11,.2f}{made.wall * 1e3:>11,.2f}"
        f"{made.leaves:>13,.0f}{rate:>8.2f}"
    )


def _some(states: State, number: int) -> State:
    return jax.tree.map(lambda x: x[:number], states)


def _look(game: Game, depth: int, method: str = "alphabeta", order: Any = None, **more: Any):
    ties = {"ties": "random"} | more
    return search.look(game, abalone.friedman, depth=depth, method=method, order=order, **ties)


def _minimax_by_moves(game: Game, weights: Any, state: State, depth: int) -> Cost:
    """Minimax of one position, its moves side by side: in one lane it would take minutes."""
    moves = games.every_play(game, state, 0)
    each = cost(
        _look(game, depth - 1, "minimax"),
        weights,
        jax.tree.map(lambda *x: jnp.stack(x), *moves),
    )
    whole = (len(moves) * x for x in each)
    return Cost(*whole)


def _print_abalone() -> None:
    game = games.make("abalone", broadside=False)
    states = abalone_positions(game)
    weights = jax.tree.map(jnp.asarray, abalone.Friedman())
    for depth, positions, copies in (
        (3, len(states.seat), 24),
        (4, len(states.seat), 1),
        (5, 1, 1),
    ):
        some = _some(states, positions)
        what = f"{positions} positions x {copies}" if positions > 1 else "the opening"
        if positions > 1:
            full = cost(_look(game, depth, "minimax"), weights, some, copies)
        else:
            full = _minimax_by_moves(game, weights, jax.tree.map(lambda x: x[0], some), depth)
        _line(f"abalone in-line, {what}, minimax {depth}", full)
        for name, order in (("alpha-beta", None), ("alpha-beta, ordered", "value")):
            made = cost(_look(game, depth, order=order), weights, some, copies)
            _line(f"abalone in-line, {what}, {name} {depth}", made)
            nodes, seconds = made.nodes / full.nodes, made.seconds / full.seconds
            print(f"  {name} / minimax, depth {depth}: nodes {nodes:.4f}, time {seconds:.4f}")


def _print_single() -> None:
    """One position at a time, as a player at a board would search."""
    weights = jax.tree.map(jnp.asarray, abalone.Friedman())
    for name, broadside, depth in (("in-line", False, 6), ("all moves", True, 5)):
        game = games.make("abalone", broadside=broadside)
        states = _some(abalone_positions(game), 2)
        look = _look(game, depth, order="value", ties="first")
        made = cost(look, weights, states, alone=True)
        _line(f"abalone {name}, 2 positions one by one, ordered {depth}", made)
    game = games.make("kalah")
    start = jax.tree.map(lambda x: x[None], game.init(jax.random.key(0)))
    for copies, order in ((1, None), (1, "value"), (256, "value")):
        look = search.look(game, kalah.store_lead, depth=7, ties="random", order=order)
        name = "alpha-beta, ordered" if order else "alpha-beta"
        _line(f"kalah, the opening x {copies}, {name} 7", cost(look, (), start, copies))


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
