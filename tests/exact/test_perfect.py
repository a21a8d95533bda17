"""The perfect player: nothing better can be found for any position and roll."""

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib import exact, games, paths, players
from tdlib.exact import places
from tdlib.games.backgammon import State
from tdlib.players.perfect import playing
from tdlib.values import exact as values
from tests.reference import hypergammon as twin


def random_states(number, seed):
    """Positions with one chequer of each side off; either seat moves."""
    rng, where, found = Random(seed), places.configurations(2).tolist(), []
    while len(found) < number:
        own, other = rng.choice(where[1:]), rng.choice(where[1:])
        if twin.position(own, other) is not None:
            men = np.array([np.bincount([0, *side], minlength=26) for side in (own, other)])
            found.append(State(men, np.int32(len(found) % 2), np.bool_(False)))
    return found


def worth(solution, after, seat):
    own, other = (np.repeat(np.arange(26), after.men[s]) for s in (seat, 1 - seat))
    return solution.after(own, other)


def test_nothing_better_can_be_played(game, two_left):
    player, rng = playing(two_left[0]), Random(3)
    states = random_states(64, seed=1)
    rolls = [rng.randrange(21) for _ in states]
    batch = jax.tree.map(lambda *x: jnp.stack(x), *states)
    plays = jax.vmap(game.plays)(batch, jnp.array(rolls))
    keys = jax.random.split(jax.random.key(0), len(states))
    choose = jax.jit(jax.vmap(player.choose, (None, 0, 0, 0)))
    chosen = choose(player.weights, keys, batch, plays)
    one = jax.tree.map(lambda x: x[5], (keys, batch, plays))
    assert jax.jit(player.choose)(player.weights, *one) == chosen[5]  # a single game, not many
    several = 0
    for state, roll, rank in zip(states, rolls, chosen, strict=True):
        found = games.every_play(game, state, roll)
        all_of_them = [worth(two_left[0], after, state.seat) for after in found]
        assert all_of_them[rank] == pytest.approx(max(all_of_them), abs=1e-6)
        several += len(found) > 1
    assert several > 40


def test_the_value_of_a_state_is_that_of_the_solution(two_left):
    table, value = values.table(two_left[1]), jax.jit(values.value)
    for state in random_states(20, seed=2):
        for seat in (0, 1):
            read = value(table, state, seat)
            assert read == pytest.approx(worth(two_left[1], state, seat), abs=1e-6)


def test_it_is_made_by_name_from_what_was_solved(game, two_left, monkeypatch):
    asked = []
    monkeypatch.setattr(exact, "load", lambda objective: asked.append(objective) or two_left[0])
    player = players.make("perfect", game)
    assert player.name == "perfect" and players.make("perfect", game) is player
    players.make("perfect", game, objective="money")
    assert asked == ["wins", "money"]


def test_without_a_solution_it_says_how_to_get_one(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "exact_dir", lambda: tmp_path)
    other = games.make("hypergammon", start="coin")  # not yet made elsewhere
    with pytest.raises(ValueError, match="first: python -m tdlib solve hypergammon"):
        players.make("perfect", other)


def test_it_refuses_other_games(small):
    with pytest.raises(ValueError, match="backgammon has no player 'perfect'"):
        players.make("perfect", games.make("backgammon"))
    with pytest.raises(ValueError, match="hypergammon has 3 chequers a side, not 2"):
        playing(small("wins", 2))
