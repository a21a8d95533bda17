"""How fast the games are, as ratios measured in one run, interleaved and repeated.

Machines differ and are shared, so a rate alone says little; what is compared runs in turn in
the same process, and the median over rounds is shown with its range. pgx, where installed,
plays the same game: uniformly random complete turns of backgammon.
"""

import importlib.util
import os
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tdlib import games, rollout
from tdlib.players.uniform import RANDOM
from tdlib.types import Array, Game, Key

LANES = 64
TURNS = 256  # per call and lane: enough to hide the cost of the call
ROUNDS = 7
Run = Callable[[Any, Key], tuple[Any, Array]]  # state, key -> state, turns completed


class Contender(NamedTuple):
    name: str
    begin: Callable[[Key], Any]
    run: Run


class Result(NamedTuple):
    name: str
    compile_seconds: float
    rates: list[float]  # turns/s, one for each round


def measure(contenders: list[Contender], *, rounds: int = ROUNDS) -> list[Result]:
    """Rates of all contenders, round by round."""
    states, results = [], []
    for contender in contenders:
        start = time.perf_counter()
        state = contender.begin(jax.random.key(0))
        state, _ = jax.block_until_ready(contender.run(state, jax.random.key(1)))
        states.append(state)
        results.append(Result(contender.name, time.perf_counter() - start, []))
    for i in range(rounds):
        for j, contender in enumerate(contenders):
            start = time.perf_counter()
            states[j], turns = jax.block_until_ready(
                contender.run(states[j], jax.random.key(2 + i))
            )
            results[j].rates.append(int(turns) / (time.perf_counter() - start))
    return results


def ours(name: str) -> Contender:
    """Random turns of one of our games, a new game in a lane whenever one ends."""
    game = games.make(name)

    def begin(key: Key) -> Any:
        return jax.vmap(game.init)(jax.random.split(key, LANES))

    @jax.jit
    def run(states: Any, key: Key) -> tuple[Any, Array]:
        def turn(states: Any, key: Key) -> tuple[Any, None]:
            return jax.vmap(lambda k, s: _turn(game, k, s))(
                jax.random.split(key, LANES), states
            ), None

        states, _ = lax.scan(turn, states, jax.random.split(key, TURNS))
        return states, jnp.int32(LANES * TURNS)

    return Contender(f"tdlib {name}", begin, run)


def _turn(game: Game, key: Key, state: Any) -> Any:
    plays, key = rollout.prepared(game, key, jnp.int32(0), state)
    state = game.play(state, plays, RANDOM.choose((), key, state, plays))
    return rollout.restarted(game, key, state)


def pgx_backgammon() -> Contender:
    """The same in pgx, whose steps move one chequer: a turn ends when the player changes."""
    import pgx

    env = pgx.make("backgammon")

    def begin(key: Key) -> Any:
        return jax.jit(jax.vmap(env.init))(jax.random.split(key, LANES))

    def step(state: Any, key: Key) -> tuple[Any, Array]:
        key_choice, key_step, key_next = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        after = env.step(state, jax.random.categorical(key_choice, logits), key_step)
        ended = after.terminated | after.truncated
        turned = ended | (after.current_player != state.current_player)
        fresh = env.init(key_next)
        after = jax.tree.map(lambda new, old: jnp.where(ended, new, old), fresh, after)
        return after, turned

    @jax.jit
    def run(states: Any, key: Key) -> tuple[Any, Array]:
        def many(carry: tuple[Any, Array], key: Key) -> tuple[tuple[Any, Array], None]:
            states, turns = carry
            states, turned = jax.vmap(step)(states, jax.random.split(key, LANES))
            return (states, turns + turned.sum(dtype=jnp.int32)), None

        (states, turns), _ = lax.scan(
            many, (states, jnp.int32(0)), jax.random.split(key, TURNS)
        )
        return states, turns

    return Contender("pgx backgammon", begin, run)


def main() -> None:
    """Print the table: random turns of every game, and the ratio to pgx's backgammon."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # rates are per core
    contenders = [ours(name) for name in games.GAMES]
    with_pgx = importlib.util.find_spec("pgx") is not None
    if with_pgx:
        contenders.insert(0, pgx_backgammon())
    print(f"random play, {LANES} lanes, one core, median of {ROUNDS} interleaved rounds")
    print(f"{'':22}{'turns/s':>10}{'range':>22}{'x pgx':>8}{'compile s':>11}")
    results = measure(contenders)
    base = statistics.median(results[0].rates) if with_pgx else None
    for result in results:
        middle = statistics.median(result.rates)
        span = f"{min(result.rates):,.0f}-{max(result.rates):,.0f}"
        ratio = f"{middle / base:.1f}" if base else "-"
        print(
            f"{result.name:22}{middle:>10,.0f}{span:>22}{ratio:>8}"
            f"{result.compile_seconds:>11.1f}"
        )
    if not with_pgx:
        print("pgx is not installed, so there is no ratio; `make bench` installs it")
