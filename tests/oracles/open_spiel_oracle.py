"""Backgammon, hypergammon and Kalah plays by OpenSpiel, in games that it plays at random."""

from collections.abc import Iterator
from random import Random
from typing import Any

import install
from engines import SIDES, Case


def _game(text: str) -> Any:
    install.package("pyspiel", "open-spiel")
    import pyspiel

    return pyspiel.load_game(text)


def backgammon_cases(rng: Random, game: str, n: int) -> Iterator[Case]:
    """Every fourth turn of random games, with all ways to play it."""
    hyper = game == "hypergammon"
    rules = _game(f"backgammon(hyper_backgammon={hyper},max_player_turns=100000)")
    men = 3 if hyper else 15
    found = 0
    while found < n:
        state = rules.new_initial_state()
        while not state.is_terminal() and found < n:
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
                if rng.random() < 0.25:
                    found += 1
                    mover = state.current_player()
                    dice = [int(die) for die in state.observation_tensor(mover)[-2:]]
                    record = {"position": list(_vector(state, mover, men)), "dice": dice}
                    yield record, [list(after) for after in _turn(state, mover, men)]
            else:
                state.apply_action(rng.choice(state.legal_actions()))


def _turn(state: Any, mover: int, men: int) -> set[tuple[int, ...]]:
    """Where the turn can end. Of a double OpenSpiel plays two moves, then two more."""
    ends, halves = set(), {}
    for action in state.legal_actions():
        after = state.child(action)
        if _moves_on(after, mover):
            halves[_vector(after, mover, men)] = after
        else:
            ends.add(_vector(after, mover, men))
    for half in halves.values():
        ends |= {_vector(half.child(action), mover, men) for action in half.legal_actions()}
    return ends


def _moves_on(state: Any, mover: int) -> bool:
    if state.is_terminal() or state.is_chance_node():
        return False
    return state.current_player() == mover


def _vector(state: Any, mover: int, men: int) -> tuple[int, ...]:
    """The position in the mover's view. Places run 0..23: X (0) moves up, O (1) down."""
    own = [state.board(mover, place) for place in range(24)]
    theirs = [state.board(1 - mover, place) for place in range(24)]
    points = [mine - other for mine, other in zip(own, theirs, strict=True)]
    if mover == 0:
        points.reverse()
    bar, off, _, their_bar, their_off, _ = map(int, state.observation_tensor(mover)[-8:-2])
    assert sum(own) + bar + off == sum(theirs) + their_bar + their_off == men
    return (*points, bar, their_bar, off, their_off)


def kalah_cases(rng: Random, game: str, n: int) -> Iterator[Case]:
    """Every position of random games, with all pits. OpenSpiel numbers the places
    0 store N, 1..6 S1..S6, 7 store S, 8..13 N1..N6, and names an action after its pit."""
    rules = _game("mancala")
    found = 0
    while found < n:
        state = rules.new_initial_state()
        while not state.is_terminal() and found < n:
            found += 1
            record = {"board": _cups(state), "to_move": SIDES[state.current_player()]}
            yield record, [_sowing(state, action) for action in state.legal_actions()]
            state.apply_action(rng.choice(state.legal_actions()))


def _sowing(state: Any, action: int) -> dict[str, Any]:
    after = state.child(action)
    board = _cups(after)
    if after.is_terminal():  # OpenSpiel counts what is left without moving it
        south, north = sum(board[:7]), sum(board[7:])
        sign = (south > north) - (south < north)
        assert after.returns() == [sign, -sign], "seeds left are not their owners'"
        return {"pit": _pit(action), "board": [0] * 6 + [south] + [0] * 6 + [north]}
    return {"pit": _pit(action), "board": board, "to_move": SIDES[after.current_player()]}


def _cups(state: Any) -> list[int]:
    places = [int(count) for count in state.observation_tensor(0)[:14]]
    return places[1:] + places[:1]


def _pit(action: int) -> int:
    return action if action < 7 else action - 7
