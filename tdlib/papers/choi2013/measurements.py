"""All that is measured of Choi's networks after training.

How much, by scale: `SIZES`. `notebooks/20_choi_kalah.ipynb` says where that is less than the
ledger asks for.
"""

import functools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tdlib.papers.choi2013 import exams, experiments, first_games, ladder, style
from tdlib.papers.choi2013.experiments import PAPER
from tdlib.papers.choi2013.ladder import Reference
from tdlib.study import drive, registry
from tdlib.study.experiment import Experiment, training_hash
from tdlib.study.measure import Found, Measurement, Subject, measure, missing
from tdlib.study.scale import scaled
from tdlib.study.store import Store, opened

SOME = (1_000, 2_000, 5_000, 10_000)  # checkpoints of series that need no others
LATE = tuple(range(5_000, 10_001, 1_000))
WHOLE = (experiments.FULL, experiments.HAND, experiments.TURN)
OTHERS = ("random", "minimax1", "minimax2", "minimax3", "minimax4")  # to compare with


class Sizes(NamedTuple):
    members: tuple[str, ...]  # which experiments are trained
    opponents: tuple[int, ...]  # depths of the ladder
    ladder: int  # games of a network against each depth
    final: int  # the same of the last networks,
    own_depths: tuple[int, ...]  # at these depths of their own,
    deep: tuple[int, ...]  # and against deeper minimax as well
    gain: int  # games against depth 2 before and after training (section 7)
    baseline: int  # games of each pair of depths of minimax
    style: int  # games of each network
    judged: int
    distinct: int  # games at the beginning of a training


_SERIES = "C-[ALRS]*-*.*"  # step sizes, lambda, random moves, initial weights
SIZES = {
    "smoke": Sizes(
        ("C-FULL", "C-TURN", "C-ALPHA-0.2", "C-LAMBDA-0.0", "C-ENDS"),
        (1, 2), 2, 2, (1,), (), 2, 2, 4, 4, 5,
    ),
    "quick": Sizes(
        ("C-FULL", "C-HAND", "C-TURN", _SERIES, "C-HIDDEN-40", "C-END-1", "C-ENDS"),
        (1, 2, 3, 4), 20, 50, (1, 2), (), 50, 50, 50, 50, 200,
    ),
    "paper": Sizes(
        ("C-*",),
        (1, 2, 3, 4), 50, 500, (1, 2), (5, 6, 7), 1_000, 200, 1_000, 1_000, 1_000,
    ),
}  # fmt: skip


def measured(scale: str) -> list[Measurement]:
    """All of it, at a scale."""
    sizes = SIZES[scale]
    known = {e.id: scaled(e, scale) for e in experiments.EXPERIMENTS}
    full, hand = known["C-FULL"], known["C-HAND"]
    ends = [known[e.id] for e in (*experiments.ENDGAMES, experiments.ENDS)]
    learned = {e.id: number for number, e in enumerate(experiments.ENDGAMES, start=1)}
    greedy = [known[e.id] for x, e in experiments.SERIES["C-RANDOM"].items() if x <= 0.2]
    players = [x for e in WHOLE for x in _last(known[e.id])]

    def table(id: str, title: str, row: Any, subject: int, key: int, asked, compute):
        return Measurement(
            id=id, paper=PAPER, title=title, row=row, subject=subject, key=key,
            asked=lambda store: asked, compute=compute,
        )  # fmt: skip

    judged, styled, predicted = (
        exams.judged_hash(sizes.judged),
        style.style_hash(sizes.style),
        style.predictions_hash(sizes.judged),
    )
    return [
        table(
            "ladder", "networks against minimax of several depths", ladder.Row,
            ladder.SUBJECT, ladder.SUBJECT, rungs(scale),
            functools.partial(ladder.compute, known),
        ),
        table(
            "endgames", "networks in solved endgames", exams.Endgame, 5, 6,
            _named([x for e in ends for x in _networks(e)], exams.EXAM_HASH),
            functools.partial(exams.examined, known, learned),
        ),
        table(
            "judged", "moves in games with itself, by exact values", exams.Judged, 5, 6,
            _named(players, judged, OTHERS),
            functools.partial(exams.judged, known, sizes.judged),
        ),
        table(
            "style", "pits, captures and extra moves", style.Style, 5, 5,
            _named(players, styled, OTHERS),
            functools.partial(style.styles, known, sizes.style),
        ),
        table(
            "predictions", "how well values predict who wins", style.Prediction, 5, 6,
            _named(_last(full), predicted),
            functools.partial(style.predictions, known, sizes.judged),
        ),
        table(
            "distinct", "different games among the first", first_games.Distinct, 4, 4,
            [(e.id, training_hash(e), run, sizes.distinct) for e in greedy
             for run in range(full.runs)],
            functools.partial(first_games.distinct, known),
        ),
        table(
            "speed", "seconds of a training game", first_games.Speed, 5, 5,
            [(e.encoding, training_hash(e), turn, e.runs, sizes.distinct // 5)
             for turn in range(1, first_games.ROUNDS + 1) for e in (full, hand)],
            functools.partial(first_games.speed, {e.encoding: e for e in (full, hand)}),
        ),
    ]  # fmt: skip


def load_or_measure(
    scale: str, *, store: Store | None = None, compute: bool = True, fresh: bool = False
) -> Store:
    """The store with all of it; networks that are missing are trained first.

    Says what was there and what was computed; ValueError if anything is damaged or fails.

    Args:
      store: None means where results of that scale are kept.
      compute: False means that no network may be missing, and that nothing is measured.
      fresh: compute again what is stored.
    """
    store = opened(store, scale)
    trained = [scaled(e, scale) for e in registry.select(SIZES[scale].members)]
    summary = drive.run(trained, store, compute=compute, fresh=fresh)
    if summary.problems:
        raise ValueError("\n".join(summary.problems))
    found = []
    for m in measured(scale):
        stored = Found(len(m.asked(store)) - len(missing(m, store)), 0)
        found.append(measure(m, store, fresh=fresh) if compute else stored)
    loaded, computed = (sum(x) for x in zip(*found, strict=True))
    print(f"{summary}; {loaded:,} measurements loaded, {computed:,} computed")
    return store


def rungs(scale: str) -> list[Subject]:
    """What is measured by the ladder; of each pair as many games as anybody asks for."""
    sizes = SIZES[scale]
    wanted: dict[tuple[Reference, tuple[int, int]], int] = {}

    def want(networks: Iterable[Reference], depth: int, depths: Iterable[int], n: int) -> None:
        for network in networks:
            for opponent in depths:
                place = network, (depth, opponent)
                wanted[place] = max(n, wanted.get(place, 0))

    want(series(scale), 1, sizes.opponents, sizes.ladder)
    depths = (*sizes.opponents, *sizes.deep)
    for e in WHOLE:
        for depth in sizes.own_depths:
            want(_last(scaled(e, scale)), depth, depths, sizes.final)
    full = scaled(experiments.FULL, scale)
    for games in (0, max(full.checkpoints)):
        want(((full, run, games) for run in range(full.runs)), 1, (2,), sizes.gain)
    for e in experiments.AGAIN:
        want(_last(scaled(e, scale)), 1, sizes.opponents, sizes.final)
    return [
        *(ladder.of_minimax(d, less, sizes.baseline) for d in depths for less in range(1, d)),
        *(ladder.of_network(*network, *depths, n) for (network, depths), n in wanted.items()),
    ]


def series(scale: str) -> list[Reference]:
    """The networks of the series."""
    found = [x for e in WHOLE for x in _networks(scaled(e, scale))]
    for e in experiments.RULED:
        found += _networks(scaled(e, scale), SOME)
    marks = {"C-ALPHA": (), "C-LAMBDA": SOME, "C-HIDDEN": (*SOME, *LATE)}
    for group, members in experiments.SERIES.items():
        for e in members.values():
            if e is not experiments.FULL:
                found += _networks(scaled(e, scale), marks.get(group, (1_000, 10_000)))
    return found


def _networks(e: Experiment, marks: tuple[int, ...] = ()) -> Iterator[Reference]:
    """Networks of an experiment at these checkpoints: none means all, as do smaller scales."""
    some = e.checkpoints if e.scale != "paper" or not marks else marks
    for run in range(e.runs):
        for games in e.checkpoints:
            if games in some:
                yield e, run, games


def _last(e: Experiment) -> Iterator[Reference]:
    for run in range(e.runs):
        yield e, run, max(e.checkpoints)


def _named(
    networks: Iterable[Reference], hash: str, others: Iterable[str] = ()
) -> list[Subject]:
    """Subjects (id, hash of the training, of the measurement, run, games)."""
    trained = [(e.id, training_hash(e), hash, run, games) for e, run, games in networks]
    return [*((name, "", hash, 0, 0) for name in others), *trained]


registry.register(measured=measured)
