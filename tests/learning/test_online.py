"""Training lanes: each learns what a plain loop over its own games would learn."""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import encodings, games, players
from tdlib.kernels import random_numbers
from tdlib.learning import deferred, online, rewards, td
from tdlib.learning.deferred_lanes import due
from tdlib.learning.records import Condition, Schedule, Targets, Task, constant, linear
from tdlib.learning.side_by_side import SIDE_BY_SIDE
from tdlib.play import loop
from tdlib.players.greedy import greedy
from tdlib.types import Encoding, Game
from tdlib.values import mlp
from tests.reference.td import Learner

TARGETS = Targets(loss=0.1, draw=0.5, wins=(0.6, 0.75, 0.9))
LAMBDA, ALPHA = 0.7, 0.3


def schedules(lanes, schedule):
    return Schedule(*(jnp.full(lanes, x, jnp.float32) for x in schedule))


def condition(lanes, seats, *, alpha=ALPHA, epsilon=0.0, max_plies=5000):
    return Condition(
        key=jax.random.split(jax.random.key(0), lanes),
        seats=jnp.tile(jnp.asarray(seats, jnp.int32)[None], (lanes, 1)),
        rotates=jnp.ones(lanes, bool),
        max_plies=jnp.full(lanes, max_plies),
        alpha=schedules(lanes, constant(alpha)),
        lam=schedules(lanes, constant(LAMBDA)),
        epsilon=schedules(lanes, constant(epsilon)),
        gamma=jnp.ones(lanes),
        kappa=jnp.zeros(lanes),
        penalty=jnp.zeros(lanes),
    )


def weights(lanes, inputs, *, outputs, hidden=4, seed=1):
    keys = jax.random.split(jax.random.key(seed), lanes)
    return jax.vmap(
        lambda key: mlp.init(key, inputs, hidden=hidden, outputs=outputs, span=1.0)
    )(keys)


def task(name="hypergammon", encoding="unary", *, outputs=None, **options):
    game, seen = games.make(name), encodings.make(name, encoding)
    return Task(game, seen, outputs or game.seats, TARGETS, **options)


def lane(tree, i):
    return jax.tree.map(lambda x: x[i], tree)


def played_by_hand(task, others, condition, weights, count):
    """One lane, game by game in Python: the learner of `tests/reference/td.py`."""
    game, seen = task.game, task.encoding
    choosers = [greedy(game, seen), *others]
    learner = Learner(
        weights.hidden.tolist(), weights.output.tolist(),
        alpha=float(np.float32(ALPHA)), lam=float(np.float32(LAMBDA)), gamma=1.0, kappa=0.0,
        penalty=0.0, observe_end=task.observe_end,
    )  # fmt: skip
    prepared = jax.jit(loop.prepare, static_argnums=0)
    choices = [jax.jit(p.choose) for p in choosers]
    encode, play, outcome = map(jax.jit, (seen.encode, game.play, game.outcome))
    for number in range(count):
        key, state = loop.open_game(game, condition.key, jnp.int32(number))
        who = loop.seating(condition.seats, condition.rotates, jnp.int32(number))
        over, ply = False, 0
        while not over:
            _, plays, chooser_key = prepared(game, key, jnp.int32(ply), state)
            mover = int(who[state.seat])
            own = (learner.hidden, learner.output)
            own = mlp.Weights._make(jnp.asarray(x, weights.hidden.dtype) for x in own)
            given = own if mover == 0 else others[mover - 1].weights
            rank = choices[mover](given, chooser_key, state, plays)
            before, state = state, play(state, plays, rank)
            over, payoff = outcome(state)
            over, ply = bool(over), ply + 1
            features = encode(state, before.seat).tolist()
            learner.reach(features, over=over, final=TARGETS.of(payoff).tolist())
    return learner


@pytest.mark.parametrize(
    "opponent, observe_end", [(None, False), ("random", False), (None, True)]
)
def test_a_lane_learns_what_a_plain_loop_learns(opponent, observe_end):
    here = task(observe_end=observe_end)
    others = () if opponent is None else (players.make(opponent, here.game),)
    seats = [0, 0] if opponent is None else [0, 1]
    start = weights(3, 196, outputs=2)
    conditions = condition(3, seats)
    learned = online.train(here, others, conditions, online.begin(start), [2, 7, 4])
    assert learned.games.tolist() == [2, 7, 4]
    by_hand = played_by_hand(here, others, lane(conditions, 1), lane(start, 1), 7)
    assert np.allclose(learned.weights.hidden[1], by_hand.hidden, atol=1e-5)
    assert np.allclose(learned.weights.output[1], by_hand.output, atol=1e-5)
    assert np.abs(np.asarray(learned.weights.hidden[1] - start.hidden[1])).max() > 0.01


@pytest.fixture
def float64_by_name():
    """As `jax_settings` has it, and as it was afterwards."""
    before = jax.config.jax_explicit_x64_dtypes
    jax.config.update("jax_explicit_x64_dtypes", "allow")
    yield
    jax.config.update("jax_explicit_x64_dtypes", before)


def test_in_float64_a_lane_agrees_with_a_plain_loop_to_twelve_digits(float64_by_name):
    here, conditions = task(), condition(2, [0, 0])
    start = jax.tree.map(lambda w: w.astype(np.float64), weights(2, 196, outputs=2))
    learned = online.train(here, (), conditions, online.begin(start), [1, 6])
    by_hand = played_by_hand(here, (), lane(conditions, 1), lane(start, 1), 6)
    assert {w.dtype.name for w in learned.weights} == {"float64"}
    assert np.allclose(learned.weights.hidden[1], by_hand.hidden, rtol=0, atol=1e-12)
    assert np.allclose(learned.weights.output[1], by_hand.output, rtol=0, atol=1e-12)


def test_training_goes_on_from_any_game_as_if_never_interrupted():
    here, conditions = task(), condition(3, [0, 0])
    start = weights(3, 196, outputs=2)
    whole = online.train(here, (), conditions, online.begin(start), [9, 9, 9])
    part = online.train(here, (), conditions, online.begin(start), [5, 0, 9])
    again = online.begin(part.weights, part.games)
    rest = online.train(here, (), conditions, again, [9, 9, 9])
    for one, two in zip(whole.weights, rest.weights, strict=True):
        assert (np.asarray(one) == np.asarray(two)).all()
    assert (np.asarray(part.weights.hidden[1]) == np.asarray(start.hidden[1])).all()


def test_seats_change_from_game_to_game_unless_told_otherwise():
    seats = jnp.array([0, 1, 2, 3])
    assert loop.seating(seats, True, jnp.int32(0)).tolist() == [0, 1, 2, 3]
    assert loop.seating(seats, True, jnp.int32(5)).tolist() == [1, 2, 3, 0]
    assert loop.seating(seats, False, jnp.int32(5)).tolist() == [0, 1, 2, 3]


def test_games_are_broken_off_at_the_cap_counted_and_not_scored():
    here = task()
    learned = online.train(
        here,
        (),
        condition(3, [0, 0], max_plies=4),
        online.begin(weights(3, 196, outputs=2)),
        [6, 6, 6],
    )
    assert learned.capped.tolist() == [6, 6, 6] and learned.plies.tolist() == [24, 24, 24]


def test_somebody_who_only_watches_learns_too():
    here = task()
    start = weights(3, 196, outputs=2)
    others = (players.make("random", here.game),)
    learned = online.train(here, others, condition(3, [1, 1]), online.begin(start), [3, 3, 3])
    assert np.abs(np.asarray(learned.weights.hidden - start.hidden)).max() > 0.01


def test_alpha_follows_its_schedule():
    # alpha falls to nothing after two games: what is learned later changes no weight
    here, start = task(), weights(3, 196, outputs=2)
    falling = schedules(3, linear(0.3, 0.0, 2))
    conditions = condition(3, [0, 0], alpha=0.3, epsilon=0.0)._replace(alpha=falling)
    two = online.train(here, (), conditions, online.begin(start), [2, 2, 2])
    four = online.train(here, (), conditions, online.begin(start), [4, 4, 4])
    assert (np.asarray(two.weights.hidden) == np.asarray(four.weights.hidden)).all()
    assert (np.asarray(two.weights.hidden) != np.asarray(start.hidden)).any()


def seeds(before, after):
    """A reward for tests: seeds brought home in this turn less those of the other, in tens."""
    gained = (after.cups[..., 6::7] - before.cups[..., 6::7]) / 10
    return gained - gained[::-1]


def kalah_by_hand(task, condition, weights, count):
    """One lane of random play, game by game in Python: a chain for each seat, or one for all.

    Chains share their weights: `Learner` changes the lists in place.
    """
    given = {name: float(getattr(condition, name)) for name in ("gamma", "kappa", "penalty")}
    chains = [
        Learner(weights.hidden.tolist(), weights.output.tolist(), alpha=ALPHA, lam=LAMBDA,
                reevaluate=task.reevaluate, **given)
        for _ in range(2 if task.outputs == 1 else 1)
    ]  # fmt: skip
    for chain in chains:
        chain.hidden, chain.output = chains[0].hidden, chains[0].output
    game = task.game
    begin, prepare = (jax.jit(f, static_argnums=0) for f in (loop.open_game, loop.prepare))
    play, outcome, encode = map(jax.jit, (game.play, game.outcome, task.encoding.encode))
    for number in range(count):
        key, state = begin(game, condition.key, jnp.int32(number))
        pending, over, ply = np.zeros(2), False, 0
        while not over and ply < int(condition.max_plies):
            _, plays, chooser_key = prepare(game, key, jnp.int32(ply), state)
            rank = random_numbers.below(chooser_key, 1, plays.count)
            before, state = state, play(state, plays, rank)
            over, payoff = outcome(state)
            over, ply = bool(over), ply + 1
            if task.rewards:
                pending += np.asarray(task.rewards(before, state))
            final = np.asarray(task.targets.of(payoff)) + pending
            mover = int(before.seat)
            if task.outputs > 1:
                features = encode(state, before.seat).tolist()
                chains[0].reach(features, over=over, final=final, reward=pending.tolist())
                pending[:] = 0
                continue
            for seat in (0, 1) if over else (mover,):  # who did not move has no position here
                features = encode(state, jnp.int32(seat)).tolist()
                chains[seat].reach(
                    features, over=over, final=[final[seat]], reward=[float(pending[seat])]
                )
                pending[seat] = 0
        for chain in chains:
            chain.forget()
    return chains[0]


ONE_OUTPUT = {"outputs": 1, "reevaluate": False}  # side by side
ONE_AGAIN = {"outputs": 1, "reevaluate": True}  # own positions
TWO_OUTPUTS = {"outputs": 2, "reevaluate": False}  # every position


@pytest.mark.parametrize("way", [ONE_OUTPUT, ONE_AGAIN, TWO_OUTPUTS])
def test_rewards_and_games_broken_off_are_learned_as_by_a_plain_loop(way):
    # Lane 0 finishes its games; those of lane 1 are broken off after 6 plies, which teaches the
    # seat that moved last and not the other; gamma, kappa and the penalty differ from nothing.
    here = Task(
        games.make("kalah"), encodings.make("kalah", "raw"), targets=Targets(0.0, 0.5, (1.0,)),
        rewards=seeds, explores=True, **way,
    )  # fmt: skip
    start = weights(2, 14, outputs=here.outputs, hidden=3)
    conditions = condition(2, [0, 0], epsilon=1.0)._replace(
        max_plies=jnp.array([5000, 6]), gamma=jnp.array([0.9, 0.8]),
        kappa=jnp.array([-0.3, 0.4]), penalty=jnp.array([0.01, 0.02]),
    )  # fmt: skip
    learned = online.train(here, (), conditions, online.begin(start), [2, 3])
    assert learned.capped.tolist() == [0, 3]
    for i, count in enumerate([2, 3]):
        by_hand = kalah_by_hand(here, lane(conditions, i), lane(start, i), count)
        assert np.allclose(learned.weights.hidden[i], by_hand.hidden, atol=1e-5)
        assert np.allclose(learned.weights.output[i], by_hand.output, atol=1e-5)
        assert np.abs(np.asarray(learned.weights.output[i] - start.output[i])).max() > 0.01
    silent = online.train(
        here._replace(rewards=None), (), conditions, online.begin(start), [2, 3]
    )
    moved = np.abs(np.asarray(silent.weights.output - learned.weights.output))
    assert (moved.max((1, 2)) > 0.001).all()  # or rewards would not have been tested


def test_the_ways_are_chosen_by_shape():
    kalah = Task(games.make("kalah"), encodings.make("kalah", "raw"), 1, TARGETS)
    layered, flat = (weights(1, 14, outputs=1, hidden=h) for h in (3, 0))
    assert online.network_for(kalah, layered, LAMBDA) is SIDE_BY_SIDE
    assert online.network_for(kalah, flat, LAMBDA) is online.OWN_POSITIONS
    again = kalah._replace(reevaluate=True)
    assert online.network_for(again, layered, LAMBDA) is online.OWN_POSITIONS


class Place(NamedTuple):
    place: jax.Array  # [] int32, from 0 to the end of the road
    seat: jax.Array


class OnePlay(NamedTuple):
    count: jax.Array


def road(length):
    """Players move in turn, one step each, together; seat 0 wins when the end is reached."""

    def outcome(state):
        over = state.place >= length
        return over, jnp.where(over, jnp.array([1, -1]), 0)

    return Game(
        "road", 2, ("",),
        init=lambda key: Place(jnp.int32(0), jnp.int32(0)),
        odds=lambda state: jnp.ones(1),
        plays=lambda state, roll: OnePlay(jnp.int32(1) + 0 * state.place),
        play=lambda state, plays, rank: Place(state.place + 1, 1 - state.seat),
        outcome=outcome,
        pieces=lambda state: jnp.zeros(2, jnp.int32),
    )  # fmt: skip


@pytest.mark.parametrize(
    "outputs, length, expected",
    [
        # Weight 0, one input of 1: V = 0.5 and dV/dw = 0.25, lambda = 0. Every turn pays 0.5 to
        # seat 0 and -0.25 to seat 1; gamma 0.5, penalty 0.1; errors count 0.8 up, 1.2 down.
        # A position of each output: turn 1 is not compared with anything;
        #   turn 2: d = (0.5 - 0.1 + 0.25 - 0.5, -0.25 - 0.1 + 0.25 - 0.5) = (0.15, -0.6)
        #           w = 0.25 (0.8 0.15, 1.2 -0.6) = (0.03, -0.18)
        #   turn 3: z = (1 + 0.5, 0 - 0.25), d = (1, -0.75), w = (0.03 + 0.2, -0.18 - 0.225)
        (2, 3, [0.23, -0.405]),
        # One output: seats learn from turns 1, 3, 5 and 2, 4; rewards add up in between.
        #   turn 3, seat 0: 0.5 + 0.5 - 0.1 + 0.25 - 0.5 = 0.65; w = 0.25 0.8 0.65 = 0.13
        #   turn 4, seat 1: V = s(0.13) = 0.532454; -0.5 - 0.1 + 0.266227 - 0.5 = -0.833773;
        #           w = 0.13 - 0.25 1.2 0.833773 = -0.120132
        #   turn 5, seat 0: z = 1 + 1, d = 1.5; w = -0.120132 + 0.25 0.8 1.5 = 0.179868
        #           seat 1: z = 0 - 0.25, d = -0.782454, dV/dw = 0.248947;
        #           w = 0.179868 - 0.248947 1.2 0.782454 = -0.053880
        (1, 5, [-0.053880]),
        # Broken off at ply 6 of 9. Turn 5, seat 0, as no end comes:
        #           V = s(-0.120132) = 0.470003; 1 - 0.1 + 0.235002 - 0.5 = 0.635002;
        #           w = -0.120132 + 0.25 0.8 0.635002 = 0.006868
        #   turn 6, seat 1: V = s(0.006868) = 0.501717; -0.6 + 0.250859 - 0.532454 = -0.881595;
        #           w = 0.006868 - 0.248947 1.2 0.881595 = -0.256496; seat 0 learns nothing
        (1, 9, [-0.256496]),
    ],
)
def test_rewards_by_hand(outputs, length, expected):
    seen = Encoding("one", lambda state, seat: jnp.ones(1), ("one",))
    here = Task(
        road(length), seen, outputs, Targets(0.0, 0.5, (1.0,)),
        rewards=lambda before, after: jnp.array([0.5, -0.25]),
    )  # fmt: skip
    conditions = condition(1, [0, 0], alpha=1.0, max_plies=6)._replace(
        lam=schedules(1, constant(0.0)), gamma=jnp.full(1, 0.5),
        kappa=jnp.full(1, 0.2), penalty=jnp.full(1, 0.1), rotates=jnp.zeros(1, bool),
    )  # fmt: skip
    start = mlp.Weights(jnp.zeros((1, 0, 1)), jnp.zeros((1, outputs, 1)))
    learned = online.train(here, (), conditions, online.begin(start), [1])
    assert learned.weights.output[0, :, 0].tolist() == pytest.approx(expected, abs=2e-6)


def test_stones_pay_who_ejects_and_cost_who_loses_them():
    full = games.make("abalone").init(jax.random.key(0))
    cells = np.array(games.abalone.cells(full))
    cells[np.flatnonzero(cells == 2)[0]] = 0  # a white stone less
    fewer = games.abalone.from_cells(cells, 1)
    assert rewards.make("abalone", "stones")(full, fewer).tolist() == [1, -1]
    assert rewards.stones(fewer, fewer).tolist() == [0, 0]
    with pytest.raises(
        ValueError, match="kalah has no rewards 'stones'; expected one of: none"
    ):
        rewards.make("kalah", "stones")


def test_wrong_shapes_are_named():
    net = mlp.init(jax.random.key(0), 3, hidden=2, outputs=2, span=1.0)
    rates = {"alpha": 0.3, "lam": 0.7, "gamma": 1.0, "kappa": 0.0, "penalty": 0.0}
    with pytest.raises(AssertionError, match=r"final must have the shape \[2\], not \[1\]"):
        td.td_step(
            net, td.forget(net), jnp.zeros(3), over=False, stop=False, final=jnp.zeros(1),
            reward=jnp.zeros(2), **rates,
        )  # fmt: skip


def settled(net):
    """One network with nothing put off; `deferred_lanes` does that for all lanes."""
    table = jnp.concatenate(deferred.true_table(net), axis=1)
    return deferred.nothing_deferred(net)._replace(table=table)


@pytest.mark.parametrize("observe_end", [False, True])
@pytest.mark.parametrize("kappa", [0.0, -0.5])
def test_a_step_put_off_is_the_same_step(kappa, observe_end):
    inputs, hidden, outputs = 30, 5, 4
    rng = np.random.default_rng(0)
    net = mlp.init(jax.random.key(0), inputs, hidden=hidden, outputs=outputs, span=1.0)
    x = rng.integers(0, 2, inputs).astype(np.float32)
    late, memory = deferred.begin(net, jnp.asarray(x)), td.forget(net)
    rates = {"alpha": 0.3, "lam": 0.7, "gamma": 0.9, "kappa": kappa, "penalty": 0.01}
    put_off, at_once = (
        jax.jit(functools.partial(step, observe_end=observe_end))
        for step in (deferred.step, td.td_step)
    )
    games_over = 0
    for _ in range(300):
        rows, amounts = rng.integers(0, inputs, 4), np.zeros(4, np.float32)
        for k in range(3):  # a row may come twice, and the last is unused
            new = rng.choice([0.0, 1.0, 0.3])
            amounts[k], x[rows[k]] = new - x[rows[k]], new
        told = {
            "over": bool(rng.random() < 0.03),
            "final": rng.choice([0.1, 0.9], outputs).astype(np.float32),
            "reward": (rng.normal(size=outputs) * 0.1).astype(np.float32),
        }
        net, memory, _ = at_once(
            net, memory, jnp.asarray(x), stop=told["over"], **told, **rates
        )
        late = put_off(
            late,
            jnp.asarray(rows),
            jnp.asarray(amounts),
            active=jnp.bool_(True),
            **told,
            **rates,
        )
        if told["over"]:
            games_over += 1
            x = rng.integers(0, 2, inputs).astype(np.float32)
            late = deferred.begin(deferred.weights(settled(late)), jnp.asarray(x))
            for one, two in zip(deferred.weights(late), net, strict=True):
                assert np.allclose(one, two, atol=1e-5)
        elif due(late, jnp.float32(0.7)):
            late = settled(late)
    assert games_over > 3


@pytest.mark.parametrize("max_plies", [400, 20_000])
def test_steps_put_off_in_whole_games_and_a_lane_that_waits(monkeypatch, max_plies):
    # pachisi, a game broken off after 400 throws, or played to its end by players that pass
    # only if they must; meanwhile the second lane has nothing to do
    habits = (("passes", "forced"), ("wins", "taken")) if max_plies > 400 else ()
    here, start = task("pachisi", observe_end=True, habits=habits), weights(2, 696, outputs=4)
    conditions = condition(2, [0, 0, 0, 0], max_plies=max_plies)
    late = online.train(here, (), conditions, online.begin(start), [1, 0])
    assert late.capped.tolist() == [int(max_plies == 400), 0]
    assert (np.asarray(late.weights.hidden[1]) == np.asarray(start.hidden[1])).all()
    assert (np.asarray(late.weights.output[1]) == np.asarray(start.output[1])).all()
    monkeypatch.setattr(online, "network_for", lambda *_: online.EVERY_POSITION)
    dense = online.train(here, (), conditions, online.begin(start), [1, 0])
    assert np.allclose(late.weights.hidden, dense.weights.hidden, atol=1e-5)
    assert np.abs(np.asarray(late.weights.hidden - start.hidden)).max() > 0.005


def test_outputs_must_suit_the_game():
    with pytest.raises(ValueError, match="hypergammon needs 1 output or 2, found 3"):
        online.train(
            task(outputs=3), (), condition(1, [0, 0]),
            online.begin(weights(1, 196, outputs=3)), [1],
        )  # fmt: skip


def test_only_a_network_that_learns_every_position_can_observe_the_end():
    with pytest.raises(ValueError, match="observe_end needs one output for each seat"):
        online.network_for(
            task(outputs=1, observe_end=True), weights(1, 196, outputs=1), LAMBDA
        )
