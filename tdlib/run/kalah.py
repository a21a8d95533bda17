"""What is measured of stored networks of Kalah besides matches: `python -m tdlib kalah`.

    endgames      moves, values and their order in solved endgames (`tdlib.endgames`)
    judged        moves in games with itself, by the exact values of positions with few seeds
    style         which pits, captures and extra moves, against minimax of depth 3
    predictions   Brier scores of the values by quarter of a game
    distinct      different games among the first of a training
    speed         how long a game of training takes, raw and hand-crafted inputs in turn

Each is a table `kalah/<name>.csv` in the store; only rows that are missing are computed.
"""

import itertools
import time
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib import endgames
from tdlib import kalah_records as records
from tdlib.exact import kalah as exact
from tdlib.experiments import Experiment
from tdlib.files import now, version
from tdlib.kalah_records import Chooser, Record
from tdlib.learning import online
from tdlib.learning.recorded import distinct as count_distinct
from tdlib.run import kalah_tables as tables
from tdlib.run import parts, training
from tdlib.run.ladder import Entry
from tdlib.run.tasks import Lane
from tdlib.run.training import Learner
from tdlib.store import Store, identity

PHASES = 4
EXPLORE = 0.1  # random moves in games with itself, without which they would all be one game
OPPONENT = 3  # depth, for questions of style


# Endgames


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


def measure_endgames(
    store: Store,
    wanted: Iterable[Entry],
    solved: exact.Endgames,
    learned: dict[str, int],
) -> int:
    """learned: experiments that learned one position only, and its number."""
    todo = tables.missing(store, "endgames", wanted)
    if not todo:
        return 0
    lines = endgames.load()
    sets = {name: lines[lines.set == name] for name in ("learned", "unseen")}
    papers = {name: exam(solved, endgames.positions(rows)) for name, rows in sets.items()}
    own = {
        id: exam(solved, endgames.positions(sets["learned"][sets["learned"].number == number]))
        for id, number in learned.items()
        if any(e.id == id for e, _, _ in todo)
    }
    for (e, run), entries in itertools.groupby(todo, key=lambda entry: entry[:2]):
        mine = {"own": own[e.id], "unseen": papers["unseen"]} if e.id in own else papers
        rows = []
        for _, _, games in entries:
            weights = tables.weights(store, e, run, games)
            for name, paper in mine.items():
                cups, seats = paper.boards.reshape(-1, 14), np.repeat(paper.positions.seats, 6)
                values = records.chances(parts.encoding(e), weights, cups, seats)
                told = marks(values.reshape(-1, 6), paper)
                key = tables.named(e, run, games)
                rows.append(tables.Endgame._make((*key, name, *told, now(), version())))
        tables.table(store, "endgames").add(rows)
    return len(todo)


# Games with itself, by the solution


def judge(solved: exact.Endgames, record: Record) -> list[tuple[int, ...]]:
    """By seeds in the pits: seeds, decisions, sound, choices, best."""
    left = record.cups.reshape(-1, 2, 7)[:, :, :6].sum((1, 2))
    few = left <= solved.seeds
    moves = exact.moves(solved, record.cups[few], record.seat[few])
    n, pit = np.arange(few.sum()), record.pit[few]
    matters = (moves.sound != moves.legal).any(1)
    choice = (moves.best != moves.legal).any(1)
    rows = []
    for seeds in range(1, solved.seeds + 1):
        here = left[few] == seeds
        a, b = here & matters, here & choice
        counts = (a, moves.sound[n, pit] & a, b, moves.best[n, pit] & b)
        rows.append((seeds, *(int(x.sum()) for x in counts)))
    return rows


def measure_judged(
    store: Store, wanted: Iterable[Entry], solved: exact.Endgames, *, games: int
) -> int:
    def with_itself(chooser: Chooser, key: tuple) -> None:
        rng = _rng("judged", *key)
        record = records.play(chooser, chooser, games, rng, explore=EXPLORE)
        rows = judge(solved, record)
        tables.table(store, "judged").add(
            tables.Judged._make((*key, *x, now(), version())) for x in rows
        )

    todo = tables.missing(store, "judged", wanted)
    for e, run, trained in todo:
        player = records.network(parts.encoding(e), tables.weights(store, e, run, trained))
        with_itself(player, tables.named(e, run, trained))
    others = _others(store, "judged", (1, 2, 3, 4))
    for name, chooser in others.items():
        with_itself(chooser, (name, "", 0, 0))
    return len(todo) + len(others)


def _others(store: Store, name: str, depths: Sequence[int]) -> dict[str, Chooser]:
    """Players to compare with that have no rows yet."""
    known = {key[0] for key in tables.table(store, name).known()}
    players: dict[str, Chooser] = {"random": records.random}
    players |= {f"minimax{depth}": records.searching(depth) for depth in depths}
    return {name: player for name, player in players.items() if name not in known}


# Style


def described(record: Record, seats: np.ndarray) -> tuple:
    """From `eval_games` to `pits_expected` of a `Style`; seats [N]: where the player sat."""
    mine = record.seat == seats[record.game]
    cups, seat, pit = record.cups[mine], record.seat[mine], record.pit[mine]
    legal = records.legal_pits(cups, seat)
    some = legal.sum(1) > 1
    cups, seat, pit, legal = cups[some], seat[some], pit[some], legal[some]
    n, number = np.arange(len(pit)), legal.sum(1)
    nearest = 5 - np.argmax(legal[:, ::-1], axis=1)
    kinds = []
    _, movers, _ = endgames.after(cups, seat)
    for kind in (records.captures(cups, seat) & legal, (movers == seat[:, None]) & legal):
        open_ = kind.any(1) & (kind != legal).any(1)
        expected = (kind.sum(1) / number)[open_].sum()
        kinds += [int(open_.sum()), int(kind[n, pit][open_].sum()), float(expected)]
    margin = np.where(seats == 0, record.margin, -record.margin)
    own = np.where(seats[:, None] == 0, record.final[:, :6], record.final[:, 7:13])
    share = np.bincount(pit, minlength=6) / len(pit)
    expected = (legal / number[:, None]).mean(0)
    return (
        len(seats), int((margin > 0).sum()), len(pit),
        int((pit == nearest).sum()), float((1 / number).sum()), *kinds,
        int(own.any(1).sum()), *(" ".join(f"{x:.4f}" for x in y) for y in (share, expected)),
    )  # fmt: skip


def measure_style(store: Store, wanted: Iterable[Entry], *, games: int) -> int:
    def against(chooser: Chooser, key: tuple, number: int) -> None:
        rng, other = _rng("style", *key), records.searching(OPPONENT)
        half = number // 2
        both = [
            records.play(chooser, other, half, rng),
            records.play(other, chooser, half, rng),
        ]
        joined = _joined(both)
        told = described(joined, np.repeat([0, 1], half))
        tables.table(store, "style").add([tables.Style._make((*key, *told, now(), version()))])

    todo = tables.missing(store, "style", wanted)
    for e, run, trained in todo:
        player = records.network(parts.encoding(e), tables.weights(store, e, run, trained))
        against(player, tables.named(e, run, trained), games)
    others = _others(store, "style", (1, 2, 3, 4))
    for name, chooser in others.items():
        against(chooser, (name, "", 0, 0), 4 * games)
    return len(todo) + len(others)


def _joined(both: Sequence[Record]) -> Record:
    first = len(both[0].margin)
    second = both[1]._replace(game=both[1].game + first)
    return Record(*map(np.concatenate, zip(both[0], second, strict=True)))


# Predictions


def briers(values: np.ndarray, record: Record) -> list[tuple[int, int, float, float]]:
    """By quarter of a game: quarter, turns, Brier score of values [T], and of the baseline."""
    sign = np.where(record.seat == 0, 1, -1)
    outcome = (np.sign(record.margin[record.game] * sign) + 1) / 2
    ahead = (record.after[:, 6] - record.after[:, 13]) * sign
    slope = _logistic_slope(ahead, outcome)
    baseline = 1 / (1 + np.exp(-slope * ahead))
    length = np.bincount(record.game)[record.game]
    phase = PHASES * record.ply // length
    return [
        (
            k + 1,
            int((phase == k).sum()),
            float(((values - outcome)[phase == k] ** 2).mean()),
            float(((baseline - outcome)[phase == k] ** 2).mean()),
        )
        for k in range(PHASES)
    ]


def _logistic_slope(x: np.ndarray, outcome: np.ndarray) -> float:
    """Of the likeliest 1 / (1 + exp(-slope x)), by Newton's method."""
    slope = 0.0
    for _ in range(50):
        p = 1 / (1 + np.exp(-slope * x))
        step = (x * (outcome - p)).sum() / max((x**2 * p * (1 - p)).sum(), 1e-9)
        slope += float(np.clip(step, -1, 1))
    return slope


def measure_predictions(store: Store, wanted: Iterable[Entry], *, games: int) -> int:
    todo = tables.missing(store, "predictions", wanted)
    for e, run, trained in todo:
        key, weights = tables.named(e, run, trained), tables.weights(store, e, run, trained)
        player = records.network(parts.encoding(e), weights)
        record = records.play(player, player, games, _rng("self", *key), explore=EXPLORE)
        values = records.chances(parts.encoding(e), weights, record.after, record.seat)
        rows = briers(values, record)
        tables.table(store, "predictions").add(
            tables.Prediction(*key, *x, now(), version()) for x in rows
        )
    return len(todo)


# Different games


def measure_distinct(
    store: Store, experiments: Iterable[Experiment], *, runs: int, games: int
) -> int:
    """Of the very games that these experiments begin their training with."""
    known, done = tables.table(store, "distinct").known(), 0
    for e in experiments:
        lanes = [Lane(e, run, None, (games,), ()) for run in range(runs)]
        if all((e.id, identity(e), lane.run, games) in known for lane in lanes):
            continue
        learners = [Learner(lane, parts.initial(e, lane.run), [games]) for lane in lanes]
        weights = parts.stacked([learner.saved for learner in learners])
        found = count_distinct(
            training.task(learners), training.condition(learners), weights, games
        )
        tables.table(store, "distinct").add(
            tables.Distinct(*tables.named(e, run, games), int(n), now(), version())
            for run, n in enumerate(found)
        )
        done += runs
    return done


def measure_speed(
    store: Store, experiments: Sequence[Experiment], *, games: int, rounds: int = 3
) -> int:
    """Seconds of a training game; machines are shared, so kinds of inputs take turns."""
    if len(tables.table(store, "speed").load()) == rounds * len(experiments):
        return 0
    rows = []
    for turn in range(rounds + 1):  # the first compiles
        for e in experiments:
            lanes = [Lane(e, run, None, (games,), ()) for run in range(e.runs)]
            learners = [Learner(lane, parts.initial(e, lane.run), [games]) for lane in lanes]
            began = time.perf_counter()
            online.train(
                training.task(learners),
                (),
                training.condition(learners),
                online.begin(parts.stacked([learner.saved for learner in learners])),
                jnp.full(len(lanes), games, jnp.int32),
            )
            seconds = (time.perf_counter() - began) / games / len(lanes)
            rows.append(
                tables.Speed(e.encoding, turn, len(lanes), games, seconds, now(), version())
            )
    tables.table(store, "speed").add(row for row in rows if row.round)
    return rounds * len(experiments)


def _rng(*words: Any) -> np.random.Generator:
    return np.random.default_rng(zlib.crc32(" ".join(map(str, words)).encode()))
