"""Training lanes: each learns what a plain loop over its own games would learn."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import encodings, games, players, rollout
from tdlib.learning import batched, deferred, networks, online, td
from tdlib.players.greedy import greedy
from tdlib.schedules import Schedule, constant, linear
from tdlib.values import mlp
from tests.reference.td import Learner

TARGETS = online.Targets(loss=0.1, draw=0.5, wins=(0.6, 0.75, 0.9))
LAMBDA, ALPHA = 0.7, 0.3


def schedules(lanes, schedule):
    return Schedule(*(jnp.full(lanes, x, jnp.float32) for x in schedule))


def condition(lanes, seats, *, alpha=ALPHA, epsilon=0.0, max_plies=5000):
    return online.Condition(
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
    return online.Task(game, seen, outputs or game.seats, TARGETS, **options)


def lane(tree, i):
    return jax.tree.map(lambda x: x[i], tree)


def played_by_hand(task, others, condition, weights, count):
    """One lane, game by game in Python: the learner of `tests/reference/td.py`."""
    game, seen = task.game, task.encoding
    choosers = [greedy(game, seen), *others]
    learner = Learner(
        weights.hidden.tolist(), weights.output.tolist(), alpha=ALPHA, lam=LAMBDA,
        gamma=1.0, kappa=0.0, penalty=0.0, observe_end=task.observe_end,
    )  # fmt: skip
    prepared = jax.jit(rollout.prepared, static_argnums=0)
    choices = [jax.jit(p.choose) for p in choosers]
    encode, play, outcome = map(jax.jit, (seen.encode, game.play, game.outcome))
    for number in range(count):
        key, state = rollout.opened(game, condition.key, jnp.int32(number))
        who = rollout.occupants(condition.seats, condition.rotates, jnp.int32(number))
        over, ply = False, 0
        while not over:
            plays, chooser_key = prepared(game, key, jnp.int32(ply), state)
            mover = int(who[state.seat])
            own = mlp.Weights(jnp.asarray(learner.hidden), jnp.asarray(learner.output))
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
    assert rollout.occupants(seats, True, jnp.int32(0)).tolist() == [0, 1, 2, 3]
    assert rollout.occupants(seats, True, jnp.int32(5)).tolist() == [1, 2, 3, 0]
    assert rollout.occupants(seats, False, jnp.int32(5)).tolist() == [0, 1, 2, 3]


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


def test_one_output_learns_a_chain_for_each_of_its_seats():
    # kalah: two chains of positions after the own moves, one network; by hand in plain Python
    here = online.Task(
        games.make("kalah"), encodings.make("kalah", "raw"), 1,
        online.Targets(loss=0.0, draw=0.5, wins=(1.0,)), explores=True,
    )  # fmt: skip
    start = weights(2, 14, outputs=1, hidden=3)
    conditions = condition(2, [0, 0], epsilon=1.0)  # random play, so that choices are alike
    learned = online.train(here, (), conditions, online.begin(start), [1, 1])

    chain = [[], []]
    key, state = rollout.opened(here.game, conditions.key[0], jnp.int32(0))
    player = networks.EVERY_POSITION.player(here)
    choose = online.exploring(player).choose
    own = online.Exploring(lane(start, 0), jnp.float32(1.0))
    over, ply, payoff = False, 0, None
    while not over:
        plays, chooser_key = rollout.prepared(here.game, key, jnp.int32(ply), state)
        rank = choose(own, chooser_key, state, plays)
        mover, state = int(state.seat), here.game.play(state, plays, rank)
        over, payoff = here.game.outcome(state)
        over, ply = bool(over), ply + 1
        chain[mover].append((ply, here.encoding.encode(state, jnp.int32(mover)), over))

    net, memory = lane(start, 0), [td.forget(lane(start, 0)) for _ in range(2)]
    rates = {"alpha": ALPHA, "lam": LAMBDA, "gamma": 1.0, "kappa": 0.0, "penalty": 0.0}
    final = here.targets.of(payoff)
    reached = [(*entry, seat) for seat in range(2) for entry in chain[seat]]
    for _, features, over, seat in sorted(reached, key=lambda entry: entry[0]):
        for who in (0, 1) if over else (seat,):
            net, memory[who], _ = td.td_step(
                net, memory[who], features, over=over, stop=over,
                final=final[who][None], reward=jnp.zeros(1), **rates,
            )  # fmt: skip
    assert np.allclose(learned.weights.hidden[0], net.hidden, atol=1e-5)
    assert np.allclose(learned.weights.output[0], net.output, atol=1e-5)


@pytest.mark.parametrize("kappa", [0.0, -0.5])
def test_a_step_put_off_is_the_same_step(kappa):
    inputs, hidden, outputs = 30, 5, 4
    rng = np.random.default_rng(0)
    net = mlp.init(jax.random.key(0), inputs, hidden=hidden, outputs=outputs, span=1.0)
    x = rng.integers(0, 2, inputs).astype(np.float32)
    late, memory = deferred.begin(net, jnp.asarray(x)), td.forget(net)
    rates = {"alpha": 0.3, "lam": 0.7, "gamma": 0.9, "kappa": kappa, "penalty": 0.01}
    put_off, at_once = jax.jit(deferred.step), jax.jit(td.td_step)
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
            late = deferred.begin(deferred.weights(deferred.settle(late)), jnp.asarray(x))
            for one, two in zip(deferred.weights(late), net, strict=True):
                assert np.allclose(one, two, atol=1e-5)
        elif deferred.due(late, jnp.float32(0.7)):
            late = deferred.settle(late)
    assert games_over > 3


def test_steps_put_off_in_whole_games_and_a_lane_that_waits(monkeypatch):
    # pachisi, a game broken off after 400 throws; meanwhile the second lane has nothing to do
    here, start = task("pachisi"), weights(2, 696, outputs=4)
    conditions = condition(2, [0, 0, 0, 0], max_plies=400)
    late = online.train(here, (), conditions, online.begin(start), [1, 0])
    assert (np.asarray(late.weights.hidden[1]) == np.asarray(start.hidden[1])).all()
    assert (np.asarray(late.weights.output[1]) == np.asarray(start.output[1])).all()
    monkeypatch.setattr(online, "network_for", lambda *_: networks.EVERY_POSITION)
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
        networks.network_for(
            task(outputs=1, observe_end=True), weights(1, 196, outputs=1), LAMBDA
        )


def test_batched_training_of_one_game_is_online_training():
    here, start = task(), weights(1, 196, outputs=2)
    conditions = condition(1, [0, 0])
    found, played = batched.train(here, (), conditions, lane(start, 0), games=1)
    alone = online.train(here, (), conditions, online.begin(start), [played])
    again, _ = batched.train(here, (), conditions, lane(start, 0), games=1)
    assert played >= 1 and (np.asarray(found.hidden) == np.asarray(again.hidden)).all()
    # the batch goes on amid a game, the lane stops at its end
    assert np.abs(np.asarray(found.hidden - alone.weights.hidden[0])).max() < 0.5
    assert np.abs(np.asarray(found.hidden - start.hidden[0])).max() > 0.01


def test_batched_training_moves_by_the_mean_of_its_games():
    # games of one ply teach nothing but their first position, which has no error; of two plies,
    # each game moves the weights by its own error, and the learner by the mean of them
    here, start = task(), weights(1, 196, outputs=2)
    conditions = condition(4, [0, 0], max_plies=2)
    one_lane = [
        online.train(
            here, (), jax.tree.map(lambda x, i=i: x[i : i + 1], conditions),
            online.begin(start), [1],
        ).weights.hidden[0]
        for i in range(4)
    ]  # fmt: skip
    network = networks.EVERY_POSITION._replace(go_on=batched._average)
    everybody = jax.tree.map(lambda w: jnp.repeat(w, 4, axis=0), start)
    seated = online.seated(here, network, conditions, online.begin(everybody))
    until = jnp.ones(4, jnp.int32)
    ended = online.advance(here, network, (), (), conditions, seated, until)
    assert np.allclose(ended.net.weights.hidden[2], np.mean(one_lane, axis=0), atol=1e-6)
