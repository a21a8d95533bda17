"""The ten attributes by which Matthews (2006, table 3.1) compares four games, from the code.

Spaces and direction follow from the paths of the pieces. The rest is observed in turns of play
(`complexity.watch`): a game allows what some play did. M-RULES stores the table.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tdlib import games
from tdlib.games import pachisi, parcheesi
from tdlib.papers.matthews2006.tables import PAPER
from tdlib.play import complexity
from tdlib.players.simple import RANDOM
from tdlib.study import seeds
from tdlib.study.measure import Measurement, Subject
from tdlib.study.scale import by_scale
from tdlib.study.store import Store
from tdlib.types import Game

COWRIES = np.array([1, 6, 15, 20, 15, 6, 1]) / 64
DICE = np.array([1 if a == b else 2 for a in range(6) for b in range(a + 1)]) / 36
YES = {True: "yes", False: "no"}
LENGTHS = {"backgammon": 100, "hypergammon": 24, "pachisi": 1_130, "parcheesi": 165}  # plies
TEAMS = {"pachisi": 2}  # seats that win together; elsewhere each for itself


class Row(NamedTuple):
    """A cell of the table; see `data/README.md`."""

    game: str
    turns: int  # of random play in which it was observed
    attribute: str
    found: str


def measurement(scale: str) -> Measurement:
    """The four columns of the table."""
    lanes, samples = by_scale(scale, smoke=(32, 4), quick=(256, 8), paper=(1_024, 16))

    def compute(store: Store, todo: Sequence[Subject]) -> Iterator[list[Row]]:
        for name, turns in todo:
            game, length = games.make(name), LENGTHS[name]
            key = seeds.key("M-RULES", 0, 0, name)
            seen = complexity.watch(
                game, RANDOM, key, lanes=lanes, samples=samples, warm_up=4 * length,
                stride=length // 4,
            )  # fmt: skip
            found = column(game, seen, winners=TEAMS.get(name, 1))
            yield [Row(name, turns, attribute, cell) for attribute, cell in found.items()]

    return Measurement(
        id="M-RULES", paper=PAPER, title="attributes of the games (table 3.1)", row=Row,
        subject=2, key=3, asked=lambda store: [(name, lanes * samples) for name in LENGTHS],
        compute=compute,
    )  # fmt: skip


def column(game: Game, turns: complexity.Turns, *, winners: int) -> dict[str, str]:
    """One column of the table, in its words.

    Args:
      turns: observed in play, with any leading axes; enough of them to include rare plays.
      winners: how many seats win together.
    """
    tracks, private = tracks_and_private(game)
    men, distance = complexity.moved(turns.before, turns.after)
    moves, farthest = most_moves(game, np.asarray(turns.roll), men, distance)
    still = (men == 0) & (np.asarray(turns.choices) > 1)
    again = np.asarray(turns.after.seat) == np.asarray(turns.before.seat)
    pieces = complexity.places(turns.before, np.zeros_like(turns.roll)).sum(-1)
    seats = f"{game.seats} (in teams of {winners})" if winners > 1 else f"{game.seats}"
    return {
        "Number of players": seats,
        "Pieces per player": "/".join(map(str, np.unique(pieces))),
        "Number of board spaces accessible by all players": f"{len(set().union(*tracks))}",
        "Number of board spaces private to each player": f"{private} per player",
        "Direction of movement": direction(tracks),
        "Moves per turn": f"up to {moves}" if moves > 1 else f"{moves}",
        "Bonus moves possible": YES[bool((distance > farthest).any())],
        "Bonus turns possible": YES[bool(again.any())],
        "Declining to move permitted": YES[bool(still.any())],
        "Randomizer": randomizer(game, turns.after),  # before may be an opening
    }


def tracks_and_private(game: Game) -> tuple[list[list[int]], int]:
    """Shared places in the order in which each seat passes them; how many others a path has."""
    if game.name.endswith("gammon"):
        down = list(range(24, 0, -1))
        return [down, [25 - point for point in down]], 2  # bar and off
    rules: Any = pachisi if game.name == "pachisi" else parcheesi
    paths = [[rules.square(seat, p) for p in range(rules.HOME + 1)] for seat in range(4)]
    return [[square for square in path if square >= 0] for path in paths], paths[0].count(-1)


def direction(tracks: list[list[int]]) -> str:
    """Do the first two seats pass two neighbouring places in the same order?"""
    common = [place for place in tracks[0] if place in tracks[1]]
    middle = len(common) // 2
    here, there = (tracks[1].index(place) for place in common[middle : middle + 2])
    return "same direction" if here < there else "opposite directions"


def most_moves(
    game: Game, roll: np.ndarray, men: np.ndarray, distance: np.ndarray
) -> tuple[int, np.ndarray]:
    """The most single moves seen in a turn, and how far each roll goes without a bonus [...].

    men, distance [...]: of `complexity.moved`. A piece that moves twice hides a move, so they
    are counted by distance, on doubles: in backgammon four times the number rolled; in
    Parcheesi fourteen squares are the numbers a, a, 7-a, 7-a, or two twos and a bonus of ten.
    """
    numbers = [[int(n) for n in name.split("-")] for name in game.rolls]
    total = np.array([sum(n) for n in numbers])[roll]
    if game.name == "pachisi":
        return int(men.max()), total
    die = np.array([a if a == b else 0 for a, b in numbers])[roll]
    if game.name == "parcheesi":
        four = (die > 0) & (die != 2) & (distance == 14)
        return 4 if four.any() else 2, np.where(die > 0, 14, total)
    farthest = np.where(die > 0, 4 * die, total)
    return int((distance[die > 0] / die[die > 0]).max(initial=0)), farthest


def randomizer(game: Game, states: Any) -> str:
    """What has the odds that the last of these positions has."""
    axes = np.ndim(states.seat)
    last = [np.asarray(field)[(-1,) * axes] for field in states]
    odds = np.asarray(game.odds(type(states)(*last)))
    for name, known in {
        "Two 6-sided dice": DICE,
        "Six cowry shells (coin flips)": COWRIES,
    }.items():
        if odds.shape == known.shape and np.allclose(odds, known):
            return name
    return "something else"
