"""Figure 5.1: how far the winning rates of four identical players of Parcheesi differ.

The thesis lets four players of a kind play 10,000 games, once, and takes the difference between
the highest and the lowest winning rate so far for the error of a test. Here that is repeated,
with random players and with players that take the first move there is.

Who begins is drawn at random, so no seat has an advantage. As the board looks the same from
every seat, counting wins by the order of turns, whoever begins being the first, shows what
would have been found if the same player had always begun. So each row counts both ways.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib import games, players
from tdlib.papers.matthews2006.tables import PAPER
from tdlib.play import rollout
from tdlib.study import seeds
from tdlib.study.identity import fingerprint
from tdlib.study.measure import Measurement, Subject
from tdlib.study.scale import by_scale

PLAYERS = ("first", "random")  # the thesis's DeterministicPlayer and RandomPlayer
GAMES, EVERY = 10_000, 500
LANES = 50  # games side by side of each repetition; the games that are played depend on it
TOGETHER = 5  # repetitions in one batch
MAX_PLIES = 10_000


class Row(NamedTuple):
    """Wins in the first so many games of one repetition; see `data/README.md`."""

    experiment: str  # the name of the player
    test: str  # the hash of what is measured here
    run: int  # the repetition
    games: int
    seat_0: int
    seat_1: int
    seat_2: int
    seat_3: int
    turn_0: int  # whoever began
    turn_1: int
    turn_2: int
    turn_3: int
    capped: int  # games broken off


def measurement(scale: str) -> Measurement:
    """200 repetitions of 10,000 games at paper scale."""
    repetitions, count = by_scale(scale, smoke=(2, EVERY), quick=(5, 2_500), paper=(200, GAMES))
    test = fingerprint({"games": count, "every": EVERY, "lanes": LANES, "max_plies": MAX_PLIES})

    def compute(store: object, todo: Sequence[Subject]) -> Iterator[list[Row]]:
        for name in PLAYERS:
            runs = [run for player, _, run in todo if player == name]
            for start in range(0, len(runs), TOGETHER):
                yield _played(name, test, runs[start : start + TOGETHER], count)

    return Measurement(
        id="identical-players",
        paper=PAPER,
        title="wins of four identical players of Parcheesi, for figure 5.1",
        row=Row,
        subject=3,
        key=4,
        asked=lambda store: [
            (name, test, run) for name in PLAYERS for run in range(repetitions)
        ],
        compute=compute,
    )


def _played(name: str, test: str, runs: Sequence[int], count: int) -> list[Row]:
    game = games.make("parcheesi")
    keys = [seeds.key("M-ERR", 0, run, name) for run in runs]
    keys += keys[-1:] * (TOGETHER - len(runs))  # batches of one size are compiled once
    found = rollout.play_blocks(
        game,
        (players.make(name, game),) * game.seats,
        jnp.stack(keys),
        count=count,
        lanes=LANES,
        max_plies=MAX_PLIES,
    )
    rows = []
    for at, run in enumerate(runs):
        won = np.asarray(found.payoff[at]) > 0  # [N, 4]
        capped = np.asarray(found.capped[at])
        found_so_far = counted(won, np.asarray(found.first[at]), capped).tolist()
        rows += [Row._make((name, test, run, *numbers)) for numbers in found_so_far]
    return rows


def counted(won: np.ndarray, first: np.ndarray, capped: np.ndarray) -> np.ndarray:
    """Rows of games, wins by seat, wins by order of turns and capped games: [C, 10] int.

    won [N, 4] bool by seat, first [N]: the seat that began, capped [N] bool.
    """
    order = (first[:, None] + np.arange(won.shape[1])) % won.shape[1]
    by_turn = np.take_along_axis(won, order, axis=1)
    played = np.arange(1, len(won) + 1)[:, None]
    totals = np.cumsum(np.column_stack([won, by_turn, capped]), axis=0)
    return np.column_stack([played, totals])[EVERY - 1 :: EVERY].astype(int)
