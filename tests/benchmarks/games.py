"""`make bench ARGS=games`: how fast games, learning and test games are, as ratios.

Machines differ and are shared, so a rate alone says little; what is compared runs in turn in
the same process, and the median over rounds is shown with its range. pgx, where installed,
plays the same game: uniformly random complete turns of backgammon.
"""

import importlib.util
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tdlib import encodings, games, players
from tdlib.learning import online
from tdlib.learning.records import Condition, Learners, Schedule, Targets, Task, constant
from tdlib.play import loop, rollout
from tdlib.players.greedy import greedy
from tdlib.players.simple import RANDOM
from tdlib.types import Array, Game, Key
from tdlib.values import mlp

LANES = 64
TURNS = 256  # per call and lane: enough to hide the cost of the call
ROUNDS = 7
WARM_UP = 8  # calls before training is measured
WORK_SECONDS = 10
LAMBDA = 0.7
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
    _, plays, key = loop.prepare(game, key, jnp.int32(0), state)
    state = game.play(state, plays, RANDOM.choose((), key, state, plays))
    return loop.restarted(game, key, state)


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


class Rate(NamedTuple):
    """One line of the table of learning: a contender, what it is compared with, and the bar."""

    contender: Contender
    against: str  # the name of another contender
    bar: float
    stretch: float


def training(name: str, lanes: int, encoding: str = "unary") -> Contender:
    """Exact online self-play of the thesis's networks: plies of all lanes."""
    task, condition, learners = _thesis(name, lanes, encoding)
    network = online.network_for(task, learners.weights, LAMBDA)
    forever = jnp.full(lanes, 2**30)

    def run(state: Any, key: Key) -> tuple[Any, Array]:
        state = online.advance(task, network, (), (), condition, state, forever)
        return state, jnp.int32(lanes * online.PLIES)

    def begin(key: Key) -> Any:
        state = online.start(task, network, condition, learners)
        for _ in range(WARM_UP):  # until lanes are out of step and play has improved a little
            state, _ = run(state, key)
        return state

    return Contender(f"{name} {encoding} training, {lanes} lanes", begin, run)


def evaluation(name: str, lanes: int) -> Contender:
    """An untrained unary network against pubeval: plies of all games."""
    task, _, learners = _thesis(name, 1, "unary")
    player = greedy(task.game, task.encoding)._replace(
        weights=jax.tree.map(lambda w: w[0], learners.weights)
    )
    opponents = (player, players.make("pubeval", task.game))

    def run(state: Any, key: Key) -> tuple[Any, Array]:
        played = rollout.play_games(
            task.game, opponents, key, count=4 * lanes, lanes=lanes, max_plies=5000
        )
        return state, played.plies.sum()

    return Contender(f"{name} unary v pubeval, {lanes} lanes", lambda key: None, run)


def _thesis(name: str, lanes: int, encoding: str) -> tuple[Task, Condition, Learners]:
    """Self-play with the settings of Matthews 2006, section 5.6."""
    game, seen = games.make(name), encodings.make(name, encoding)
    targets = Targets(0.1, 0.5, (0.6, 0.75, 0.9) if game.seats == 2 else (0.9,))

    def everywhere(number: float) -> Schedule:
        return jax.tree.map(lambda x: jnp.full(lanes, x, jnp.float32), constant(number))

    keys = jax.random.split(jax.random.key(0), lanes)
    condition = Condition(
        key=keys,
        seats=jnp.zeros((lanes, game.seats), jnp.int32),
        rotates=jnp.ones(lanes, bool),
        max_plies=jnp.full(lanes, 5000),
        alpha=everywhere(0.3),
        lam=everywhere(LAMBDA),
        epsilon=everywhere(0.0),
        gamma=jnp.ones(lanes),
        kappa=jnp.zeros(lanes),
        penalty=jnp.zeros(lanes),
    )
    weights = jax.vmap(
        lambda key: mlp.init(key, len(seen.names), hidden=10, outputs=game.seats, span=1.0)
    )(keys)
    task = Task(game, seen, game.seats, targets)
    return task, condition, online.begin(weights)


def _work(core: int | None, ready: Any, answer: Any) -> None:
    """Trains on one core and tells how many plies it made a second."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    contender = training("backgammon", 35)
    state = contender.begin(jax.random.key(0))
    ready.wait()
    start, plies = time.perf_counter(), 0
    while time.perf_counter() - start < WORK_SECONDS:
        state, made = jax.block_until_ready(contender.run(state, jax.random.key(0)))
        plies += int(made)
    answer.put(plies / (time.perf_counter() - start))


def workers(number: int, cores: list[int]) -> float:
    """Plies a second of that many training processes together, each on a core of its own."""
    context = multiprocessing.get_context("spawn")
    ready, answer = context.Barrier(number), context.Queue()
    processes = [
        context.Process(target=_work, args=(cores[i] if cores else None, ready, answer))
        for i in range(number)
    ]
    for process in processes:
        process.start()
    rates = [answer.get() for _ in processes]
    for process in processes:
        process.join()
    return sum(rates)


def _print_random(with_pgx: bool) -> None:
    """Random turns of every game, and the ratio to pgx's backgammon."""
    contenders = [ours(name) for name in games.GAMES]
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


def _print_learning(with_pgx: bool) -> None:
    """Training and evaluation, each beside what its bar refers to."""
    self_play = training("backgammon", 35)
    table = [
        Rate(self_play, "pgx backgammon", 4, 10),
        Rate(training("backgammon", 5), "pgx backgammon", 2, 5),
        Rate(evaluation("backgammon", 1024), "pgx backgammon", 5, 20),
        Rate(training("hypergammon", 35), self_play.name, 1.5, 4),
        Rate(training("backgammon", 35, "combined"), self_play.name, 0.15, 0.5),
        Rate(training("pachisi", 25), self_play.name, 1, 3),
        Rate(training("parcheesi", 35), self_play.name, 0.4, 1),
        Rate(training("backgammon", 32), self_play.name, 0.8, 1),
        Rate(training("backgammon", 512), self_play.name, 0.8, 1),
    ]
    contenders = [rate.contender for rate in table]
    if with_pgx:
        contenders.append(pgx_backgammon())
    print(f"\nlearning, one core, median of {ROUNDS} interleaved rounds")
    print(f"{'':40}{'plies/s':>10}{'range':>20}{'ratio':>8}{'bar':>6}{'stretch':>9}  against")
    results = {result.name: result for result in measure(contenders)}
    for rate in table:
        rates = results[rate.contender.name].rates
        span = f"{min(rates):,.0f}-{max(rates):,.0f}"
        ratio = "-"
        if rate.against in results:
            pairs = zip(rates, results[rate.against].rates, strict=True)
            ratio = f"{statistics.median(a / b for a, b in pairs):.2f}"
        print(
            f"{rate.contender.name:40}{statistics.median(rates):>10,.0f}{span:>20}{ratio:>8}"
            f"{rate.bar:>6}{rate.stretch:>9}  {rate.against}"
        )


def main() -> None:
    """Print all tables."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []
    with_pgx = importlib.util.find_spec("pgx") is not None
    if cores:
        os.sched_setaffinity(0, {cores[0]})  # rates are per core
    _print_random(with_pgx)
    _print_learning(with_pgx)
    if cores:
        os.sched_setaffinity(0, set(cores))
    if len(cores) != 1:
        one, two = workers(1, cores), workers(2, cores)
        print(
            f"\ntwo workers on two cores: {two:,.0f} plies/s, one: {one:,.0f},"
            f" ratio {two / one:.2f} (bar 1.7, stretch 1.9)"
        )
    if not with_pgx:
        print("pgx is not installed, so there is no ratio to it; `make bench` installs it")
