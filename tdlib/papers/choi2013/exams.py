"""Networks of Kalah, examined by exact solutions.

endgames   moves, values and their order in solved endgames (`endgames`)
judged     moves in games with itself, in positions with few seeds left
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from tdlib.exact import kalah as exact
from tdlib.papers.choi2013 import endgames, records
from tdlib.papers.choi2013.records import Record
from tdlib.study import seeds
from tdlib.study.experiment import Experiment
from tdlib.study.identity import fingerprint
from tdlib.study.measure import Subject
from tdlib.study.network import encoding
from tdlib.study.store import Store
from tdlib.values import mlp

EXPLORE = 0.1  # random moves in games with itself, without which they would all be one game
EXAM_HASH = fingerprint({"exam": "best play from the roots"})


class Endgame(NamedTuple):
    """In all positions of best play from some roots."""

    experiment: str
    config: str  # the hash of the network's training
    test: str  # and of what is measured here
    run: int
    games: int
    set: str  # "own": the position learned from; else a set of `endgames.SETS`
    roots: int
    perfect: int  # roots from which every move keeps the win
    decisions: int  # positions in which some move keeps the outcome and some does not
    sound: int  # of these, where the network keeps it
    choices: int  # positions in which not all moves keep the margin
    best: int  # of these, where the network keeps it
    error: float  # mean |value - outcome| of all moves
    correlation: float  # of values and exact margins, all moves
    pairs: int  # of moves from one position with different margins
    agree: int  # of these, valued in the right order


class Judged(NamedTuple):
    """Of moves with so many seeds left in the pits."""

    experiment: str  # or the name of a player
    config: str
    test: str
    run: int
    games: int
    seeds: int
    decisions: int
    sound: int
    choices: int
    best: int


def judged_hash(games: int) -> str:
    return fingerprint({"games": games, "explore": EXPLORE})


def examined(
    known: Mapping[str, Experiment],
    learned: Mapping[str, int],
    store: Store,
    todo: Sequence[Subject],
) -> Iterator[list[Endgame]]:
    """Rows of `Endgame` for those of these networks that are stored.

    learned: experiments that learned one position only, and its number.
    """
    solved, lines = exact.solved(), endgames.load()
    sets = {name: lines[lines.set == name] for name in ("learned", "unseen")}
    papers = {name: exam(solved, endgames.positions(rows)) for name, rows in sets.items()}
    own: dict[str, Exam] = {}
    for subject in todo:
        id, _, _, run, trained = subject
        if not store.saved(known[id], run) or not store.has(known[id], run, trained):
            continue  # an untrained network counts only as the beginning of a training
        if id in learned and id not in own:
            mine = sets["learned"][sets["learned"].number == learned[id]]
            own[id] = exam(solved, endgames.positions(mine))
        chosen = {"own": own[id], "unseen": papers["unseen"]} if id in own else papers
        network = store.network(known[id], run, trained)
        rows = []
        for name, paper in chosen.items():
            cups, seats = paper.boards.reshape(-1, 14), np.repeat(paper.positions.seats, 6)
            values = records.chances(encoding(known[id]), network.weights, cups, seats)
            rows.append(Endgame._make((*subject, name, *marks(values.reshape(-1, 6), paper))))
        yield rows


def judged(
    known: Mapping[str, Experiment], games: int, store: Store, todo: Sequence[Subject]
) -> Iterator[list[Judged]]:
    """Rows of `Judged` for stored networks and for the players to compare with."""
    solved = exact.solved()
    for subject, chooser in records.choosers(known, store, todo):
        rng = seeds.rng("judged", subject[0], *subject[3:])
        record = records.play(chooser, chooser, games, rng, explore=EXPLORE)
        yield [Judged._make((*subject, *line)) for line in judge(solved, record)]


class Exam(NamedTuple):
    """Positions of best play with all that is known about their moves."""

    positions: endgames.Positions
    boards: np.ndarray  # [N, 6, 14] after each move
    moves: exact.Moves


def exam(solved: exact.Endgames, roots: endgames.Positions) -> Exam:
    start = roots._replace(roots=np.arange(len(roots.roots)))
    positions, _ = endgames.best_play(solved, start)
    positions = positions._replace(roots=roots.roots[positions.roots])
    boards, _, _ = endgames.after(positions.cups, positions.seats)
    return Exam(positions, boards, exact.moves(solved, positions.cups, positions.seats))


def marks(values: np.ndarray, paper: Exam) -> tuple:
    """From `roots` to `agree` of an `Endgame`, given the values [N, 6] of all moves."""
    moves, legal = paper.moves, paper.moves.legal
    chosen = np.argmax(np.where(legal, values, -1), axis=1)
    n = np.arange(len(chosen))
    matters, choice = (moves.sound != legal).any(1), (moves.best != legal).any(1)
    sound, best = moves.sound[n, chosen], moves.best[n, chosen]
    roots = np.unique(paper.positions.roots)
    failed = np.unique(paper.positions.roots[matters & ~sound])
    outcome = (np.sign(moves.final) + 1) / 2
    one, two = np.triu_indices(6, 1)
    differ = legal[:, one] & legal[:, two] & (moves.final[:, one] != moves.final[:, two])
    slopes = (values[:, one] - values[:, two]) * (moves.final[:, one] - moves.final[:, two])
    v, z = values[legal], moves.final[legal]
    related = np.corrcoef(v, z)[0, 1] if v.std() > 0 else 0.0
    return (
        len(roots), len(roots) - len(failed), int(matters.sum()), int(sound[matters].sum()),
        int(choice.sum()), int(best[choice].sum()),
        float(np.abs(v - outcome[legal]).mean()), float(related),
        int(differ.sum()), int((slopes[differ] > 0).sum()),
    )  # fmt: skip


def valued(paper: Exam, e: Experiment, weights: mlp.Weights) -> pd.DataFrame:
    """All legal moves, one a line: what the network gives them and what they are worth.

    position: of best play; margin: the mover's at the end of best play; sound: it keeps the
    outcome; chosen: by the network; matters: not all moves of the position are sound.
    """
    moves, seats = paper.moves, paper.positions.seats
    cups = paper.boards.reshape(-1, 14)
    values = records.chances(encoding(e), weights, cups, np.repeat(seats, 6)).reshape(-1, 6)
    chosen = np.argmax(np.where(moves.legal, values, -1), axis=1)
    position, pit = np.nonzero(moves.legal)
    matters = (moves.sound != moves.legal).any(1)
    return pd.DataFrame(
        {
            "position": position,
            "value": values[position, pit],
            "margin": moves.final[position, pit],
            "sound": moves.sound[position, pit],
            "chosen": chosen[position] == pit,
            "matters": matters[position],
        }
    )


def judge(solved: exact.Endgames, record: Record) -> list[tuple[int, ...]]:
    """By seeds in the pits: seeds, decisions, sound, choices, best."""
    left = record.cups.reshape(-1, 2, 7)[:, :, :6].sum((1, 2))
    few = left <= solved.seeds
    moves = exact.moves(solved, record.cups[few], record.seat[few])
    n, pit = np.arange(few.sum()), record.pit[few]
    matters = (moves.sound != moves.legal).any(1)
    choice = (moves.best != moves.legal).any(1)
    rows = []
    for number in range(1, solved.seeds + 1):
        here = left[few] == number
        a, b = here & matters, here & choice
        counts = (a, moves.sound[n, pit] & a, b, moves.best[n, pit] & b)
        rows.append((number, *(int(x.sum()) for x in counts)))
    return rows
