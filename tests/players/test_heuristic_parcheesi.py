"""The heuristic Parcheesi player, against its plain-Python twin and by hand."""

import functools
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tdlib.games import make, parcheesi
from tdlib.games.parcheesi.windows import LIST
from tdlib.play import rollout
from tdlib.players import make as player_of
from tdlib.players.race import parcheesi_heuristic, parcheesi_worth
from tdlib.players.simple import RANDOM
from tests.games.test_parcheesi_twin import CROWDED
from tests.reference import parcheesi as twin
from tests.reference.race_players import ParcheesiTurn, parcheesi_order
from tests.reference.race_players import parcheesi_heuristic as twin_heuristic
from tests.reference.race_positions import parcheesi_positions
from tests.reference.test_twins_race_games import board

LANES = 256  # as in `tests.one_shape`, so that the plays are compiled once


@functools.cache
def chooser(player):
    choose = jax.vmap(player.choose, (None, None, 0, 0))
    return jax.jit(lambda states, plays: choose((), jax.random.key(0), states, plays))


def ranks(game, player, turns):
    """The ranks chosen, which follow `parcheesi_order` (`test_parcheesi_twin`)."""
    filled = turns + turns[:1] * (-len(turns) % LANES)
    found = []
    for start in range(0, len(filled), LANES):
        some = filled[start : start + LANES]
        states = parcheesi.State(
            pieces=jnp.array([t.pieces for t in some], jnp.int32),
            seat=jnp.array([t.player for t in some], jnp.int32),
            doubles=jnp.array([t.doubles for t in some], jnp.int32),
        )
        names = [f"{max(t.dice)}-{min(t.dice)}" for t in some]
        rolls = jnp.array([game.rolls.index(name) for name in names], jnp.int32)
        found += chooser(player)(states, jax.vmap(game.plays)(states, rolls)).tolist()
    return found[: len(turns)]


def ordered(turn, **options):
    found = twin.plays(turn.pieces, turn.player, turn.dice, doubles=turn.doubles, **options)
    return sorted(found, key=lambda play: parcheesi_order(play, turn.player))


@pytest.mark.parametrize("options", [{}, {"castles": "0-4-13", "must_enter": False}], ids=str)
def test_choices_are_the_twins(options):
    game = make("parcheesi", **options)
    turns = parcheesi_positions(Random(41), 2 * LANES, **options)
    ties = 0
    for turn, rank in zip(turns, ranks(game, player_of("heuristic", game), turns), strict=True):
        found = ordered(turn, **options)
        assert found[rank] == twin_heuristic(Random(0), turn, set(found), **options), turn
        values = [criteria(turn, play, **options) for play in found]
        assert values[rank] == min(values)
        ties += values.count(min(values)) > 1
    assert ties > 10  # "the first one encountered" was put to the test


def criteria(turn, play, further=0, **options):
    """Pips and pieces not safe, in plain Python."""
    path, row = twin.Rules(**options).path, play[0][turn.player]
    pips = sum(path.home - p + further * (p == 0) for p in row)
    return pips, 4 - sum(path.is_safe(turn.player, p) for p in row)


def test_lists_longer_than_their_places_are_searched_to_the_end():
    turns = [ParcheesiTurn(pieces, 0, (1, 1), 0) for pieces in CROWDED.values()]
    assert sum(number > LIST for number in CROWDED) == 3
    game = make("parcheesi")
    found = ranks(game, player_of("heuristic", game), turns)
    expected = []
    for turn in turns:
        values = [criteria(turn, play) for play in ordered(turn)]
        expected.append(values.index(min(values)))
    assert found == expected
    assert max(found) >= LIST  # the best play is not among those listed


def test_pieces_at_start_may_count_as_further_away():
    game = make("parcheesi", must_enter=False)
    turns = parcheesi_positions(Random(42), LANES, must_enter=False)
    differs = 0
    player = player_of("heuristic", game, start_further=5)
    for turn, rank in zip(turns, ranks(game, player, turns), strict=True):
        found = ordered(turn, must_enter=False)
        chosen = min(found, key=lambda play: criteria(turn, play, 5))
        assert found[rank] == chosen, turn
        differs += chosen != twin_heuristic(Random(0), turn, set(found))
    assert differs > 5


def test_criteria_are_packed_without_loss():
    safe = np.array([twin.PATHS["0-5-12"].is_safe(0, p) for p in range(73)] + [True])
    rng = Random(43)
    rows = np.array([[rng.randint(0, 72) for _ in range(4)] for _ in range(500)], np.int32)
    packed = jax.jit(lambda rows: parcheesi_worth(rows, safe, 5))(tuple(rows.T)).tolist()
    for row, number in zip(rows.tolist(), packed, strict=True):
        advanced = sum(p if p else -5 for p in row)
        assert divmod(number, 5) == (advanced, sum(safe[p] for p in row))
        assert abs(number) < 2**11


def test_order_of_the_criteria():
    game = make("parcheesi")
    cases = [
        ((20, 70), (2, 1), (31, 72)),  # home, and 10 for it: 13 pips
        ((9, 23, 30, 53), (2, 1), (9, 25, 30, 54)),  # 3 pips each: 25 is a castle, 30 stays one
    ]
    turns = [ParcheesiTurn(board(pieces), 0, dice, 0) for pieces, dice, _ in cases]
    found = ranks(game, player_of("heuristic", game), turns)
    for turn, rank, (_, _, expected) in zip(turns, found, cases, strict=True):
        assert ordered(turn)[rank][0] == board(expected)


def played(player, others):
    game = make("parcheesi")
    heuristic = player_of("heuristic", game)
    seats = [{"heuristic": heuristic, "random": RANDOM}[x] for x in (player, *[others] * 3)]
    found = rollout.play_games(
        game, seats, jax.random.key(9), count=LANES, lanes=LANES, max_plies=2000
    )
    assert not found.capped.any()
    return found


def test_a_heuristic_player_wins_four_games_in_five_against_three_random_players():
    # The twin: 538 of 679, 0.79. 256 games differ from 203 wins by more than 26 = 4 standard
    # errors with a chance below 1e-4.
    won = played("heuristic", "random").payoff[:, 0] > 0
    assert abs(int(won.sum()) - 203) <= 26


def test_four_heuristic_players_need_182_rolls_and_are_equals():
    # An independent program: 182 rolls a game; the standard deviation is 44. 256 games differ
    # from that by more than 11 = 4 standard errors with a chance below 1e-4, and so does one
    # of four seats, which wins 64, by more than 30.
    found = played("heuristic", "heuristic")
    assert float(found.plies.mean()) == pytest.approx(182, abs=11)
    assert np.abs((np.asarray(found.payoff) > 0).sum(0) - 64).max() <= 30


@pytest.mark.parametrize("further", [True, 2.5])
def test_wrong_options_are_refused(further):
    message = f"start_further must be a whole number from -1 to 99, not {further}"
    with pytest.raises(ValueError, match=message):
        parcheesi_heuristic(make("parcheesi"), start_further=further)
