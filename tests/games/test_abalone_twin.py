"""Abalone against the plain-Python twin, move for move."""

import functools
from random import Random

import hypothesis.strategies as st
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings

from tdlib.games import abalone, afterstates, make
from tdlib.games.abalone.bits import CELL_NAMES
from tdlib.games.abalone.layouts import LAYOUTS
from tests.reference import abalone as twin

SIDES = ("black", "white")
SLOTS = 160
CHUNK = 256


@functools.cache
def _compiled(broadside):
    game = make("abalone", broadside=broadside)

    def every_move(cells, seat):
        after, legal = afterstates(game, abalone.from_cells(cells, seat), jnp.int32(0), SLOTS)
        over, _ = jax.vmap(game.outcome)(after)
        return jax.vmap(abalone.cells)(after), legal, after.seat, over

    return jax.jit(jax.vmap(every_move))


def moves(cases, *, broadside):
    """For each (board, side) the list of (board, side to move, over) after each legal move."""
    symbols = np.frombuffer(b".@O", np.uint8)
    for start in range(0, len(cases), CHUNK):
        part = cases[start : start + CHUNK]
        padded = part + part[:1] * (CHUNK - len(part))
        cells = np.array(
            [[".@O".index(cell) for cell in board] for board, _ in padded], np.int8
        )
        seats = np.array([SIDES.index(side) for _, side in padded], np.int32)
        result = map(np.asarray, _compiled(broadside)(cells, seats))
        for boards, legal, seats, over in list(zip(*result, strict=True))[: len(part)]:
            assert not legal[-1], "more moves than slots"
            n = legal.sum()
            text = [row.tobytes().decode() for row in symbols[boards[:n]]]
            yield list(zip(text, seats[:n].tolist(), over[:n].tolist(), strict=True))


def assert_equal_plays(cases, *, broadside):
    """All moves equal; how often each kind occurred."""
    seen = dict.fromkeys(KINDS, 0)
    for (board, side), found in zip(cases, moves(cases, broadside=broadside), strict=True):
        boards = [after for after, _, _ in found]
        assert len(boards) == len(set(boards)), f"listed twice: {board} {side}"
        assert set(boards) == twin.plays(board, side, broadside=broadside), f"{board} {side}"
        for after, seat, over in found:
            assert SIDES[seat] == twin.OTHER[side]
            assert over == twin.over(after)
            seen[kind(board, after, side)] += 1
    return seen


KINDS = (
    "single", "line of 2", "line of 3", "2v1", "3v1", "3v2",
    "2v1 eject", "3v1 eject", "3v2 eject", "broadside of 2", "broadside of 3",
)  # fmt: skip


def kind(before, after, side):
    """From the cells that changed: how many own stones moved, how many enemies, who left."""
    own, other = twin.SYMBOL[side], twin.SYMBOL[twin.OTHER[side]]
    left = [i for i in range(61) if before[i] == own != after[i]]
    if len(left) > 1:
        return f"broadside of {len(left)}"
    reached = next(i for i in range(61) if after[i] == own != before[i])
    here, there = twin._CELLS[left[0]], twin._CELLS[reached]
    stones = max(abs(a - b) for a, b in zip(here, there, strict=True))
    if before[reached] == ".":
        return "single" if stones == 1 else f"line of {stones}"
    step = [(b - a) // stones for a, b in zip(here, there, strict=True)]
    pushed = sum(_at(before, there, step, k) == other for k in range(3))
    if _at(before, there, step, 1) != other:
        pushed = 1
    ejected = before.count(other) > after.count(other)
    return f"{stones}v{pushed}{' eject' if ejected else ''}"


def _at(board, cell, step, times):
    index = twin._INDEX.get((cell[0] + times * step[0], cell[1] + times * step[1]))
    return None if index is None else board[index]


def test_layouts_and_cell_names_are_the_twins():
    assert list(CELL_NAMES) == twin.CELL_NAMES
    drawn = {name: "".join(".@O"[c] for c in cells) for name, cells in LAYOUTS.items()}
    assert drawn == twin.LAYOUTS


@pytest.mark.parametrize("broadside", [True, False])
def test_every_move_of_random_games_is_the_twins(broadside):
    cases = twin.random_positions(Random(2003), 700, broadside=broadside)
    seen = assert_equal_plays(cases, broadside=broadside)
    needed = [k for k in KINDS if broadside or not k.startswith("broadside")]
    assert min(seen[k] for k in needed) >= 10, seen


def crowded(rng):
    """A board on which lines of both colours meet, most of them at the rim."""
    cells = ["."] * 61
    for _ in range(rng.randint(2, 14)):
        place, direction = rng.randrange(61), rng.choice(list(twin.DIRECTIONS))
        line = rng.choice(
            ["@@O", "@@@O", "@@@OO", "@@OO", "@@@OOO", "OO@", "OOO@", "OOO@@", "@O@"]
        )
        if rng.random() < 0.6:  # begin at the rim, so that the push goes over it
            while twin.NEIGHBOUR[twin.BACK[direction]][place] is not None:
                place = twin.NEIGHBOUR[twin.BACK[direction]][place]
            line = line[::-1]
        for stone in line:
            if place is not None and cells[place] == "." and cells.count(stone) < 14:
                cells[place] = stone
                place = twin.NEIGHBOUR[direction][place]
    return "".join(cells), rng.choice(SIDES)


def test_every_move_of_crowded_boards_is_the_twins():
    rng = Random(61)
    seen = assert_equal_plays([crowded(rng) for _ in range(2500)], broadside=True)
    assert min(seen.values()) >= 100, seen


@settings(max_examples=100)
@given(
    order=st.permutations(range(61)),
    black=st.integers(0, 14),
    white=st.integers(0, 14),
    side=st.sampled_from(SIDES),
    dense=st.booleans(),
)
def test_every_move_of_any_board_is_the_twins(order, black, white, side, dense):
    cells = ["."] * 61
    places = sorted(order[:40]) if dense else order  # dense: whole rows are shared out
    for i, place in enumerate(places[: black + white]):
        cells[place] = "@" if i < black else "O"
    assert_equal_plays([("".join(cells), side)], broadside=True)
