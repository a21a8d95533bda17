"""All that is measured of Choi's networks after training, in order: `python -m tdlib kalah`.

How much, by scale: `SIZES`. `notebooks/20_choi_kalah.ipynb` says where that is less than the
ledger asks for.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tdlib import paths
from tdlib import run as driver
from tdlib.exact import kalah as exact
from tdlib.experiments import Experiment, choi2013, scaled, select
from tdlib.run import kalah, ladder
from tdlib.store import Store

SOME = (1_000, 2_000, 5_000, 10_000)  # checkpoints of series that need no others
LATE = tuple(range(5_000, 10_001, 1_000))


class Sizes(NamedTuple):
    members: tuple[str, ...]  # which experiments are trained
    opponents: tuple[int, ...]  # depths of the ladder
    ladder: int  # games of a network against each depth
    final: int  # the same of the last networks,
    own_depths: tuple[int, ...]  # at these depths of their own,
    deep: tuple[int, ...]  # and against deeper minimax
    deep_games: int
    deepest: int  # of minimax against all smaller depths
    neighbours: int  # and from there on against the next smaller one
    baseline: int  # games of each pair
    style: int  # games of each network
    judged: int
    distinct: int  # games at the beginning of a training


_SERIES = "C-[ALRS]*-*.*"  # step sizes, lambda, random moves, initial weights
SIZES = {
    "smoke": Sizes(
        ("C-FULL", "C-ALPHA-0.2", "C-LAMBDA-0.0", "C-ENDS"),
        (1, 2), 2, 2, (1,), (), 0, 2, 2, 2, 4, 4, 5,
    ),
    "quick": Sizes(
        ("C-FULL", "C-HAND", "C-TURN", _SERIES, "C-HIDDEN-40", "C-END-1", "C-ENDS"),
        (1, 2, 3, 4), 20, 50, (1, 2), (), 0, 4, 4, 50, 50, 50, 200,
    ),
    "paper": Sizes(
        (choi2013.PAPER,),
        (1, 2, 3, 4), 50, 500, (1, 2), (5, 6, 7), 50, 5, 7, 100, 100, 200, 1_000,
    ),
}  # fmt: skip
Tell = Callable[[str], None]


def _entries(e: Experiment, marks: tuple[int, ...] = ()) -> Iterator[ladder.Entry]:
    """Networks of an experiment at these checkpoints; none, or a smaller scale: at all."""
    some = e.checkpoints if e.scale != "paper" or not marks else marks
    for run in range(e.runs):
        for games in e.checkpoints:
            if games in some:
                yield ladder.Entry(e, run, games)


def _last(e: Experiment) -> list[ladder.Entry]:
    return [ladder.Entry(e, run, max(e.checkpoints)) for run in range(e.runs)]


def series(scale: str) -> list[ladder.Entry]:
    """What is measured by the ladder."""
    whole = (choi2013.FULL, choi2013.HAND, choi2013.TURN)
    found = [entry for e in whole for entry in _entries(scaled(e, scale))]
    for e in choi2013.RULED:
        found += _entries(scaled(e, scale), SOME)
    marks = {"C-ALPHA": (), "C-LAMBDA": SOME, "C-HIDDEN": (*SOME, *LATE)}
    for group, members in choi2013.SERIES.items():
        for e in members.values():
            if e is not choi2013.FULL:
                found += _entries(scaled(e, scale), marks.get(group, (1_000, 10_000)))
    return found


def measure(store: Store, scale: str, tell: Tell = print) -> None:
    """Everything that is missing and whose networks are there."""
    sizes = SIZES[scale]
    full, hand = (scaled(e, scale) for e in (choi2013.FULL, choi2013.HAND))

    def progress(done: int, total: int) -> None:
        if done == total:
            tell(f"ladder: {done} of {total} networks")

    ladder.measure(
        series(scale), store, opponents=sizes.opponents, count=sizes.ladder, tell=progress
    )
    pairs = ladder.baseline(store, _pairs(sizes), count=sizes.baseline)
    tell(f"minimax against itself: {pairs} pairs")
    for e in (full, scaled(choi2013.TURN, scale)):
        deeper(store, e, sizes, tell)
    solved = exact.solved()
    ends = [scaled(e, scale) for e in (*choi2013.ENDGAMES, choi2013.ENDS)]
    learned = {e.id: number for number, e in enumerate(choi2013.ENDGAMES, start=1)}
    papers = [entry for e in (*ends, full) for entry in _entries(e)]
    last = _last(full)
    untrained = [ladder.Entry(full, run, 0) for run in range(full.runs)]
    counts = {
        "endgames": kalah.measure_endgames(store, papers, solved, learned),
        "judged": kalah.measure_judged(store, last, solved, games=sizes.judged),
        "style": kalah.measure_style(store, last, games=sizes.style),
        "predictions": kalah.measure_predictions(
            store, [*last, *untrained], games=sizes.judged
        ),
        "distinct": kalah.measure_distinct(
            store,
            [scaled(e, scale) for x, e in choi2013.SERIES["C-RANDOM"].items() if x <= 0.2],
            runs=full.runs,
            games=sizes.distinct,
        ),
    }
    if store.runs(hand):
        speeds = kalah.measure_speed(store, (full, hand), games=sizes.distinct // 5)
        counts["speed"] = speeds
    for name, number in counts.items():
        tell(f"{name}: {number} computed")


def command(scale: str, store: str | None) -> list[str]:
    """For the command line."""
    measure(Store(store or paths.store_dir(scale)), scale)
    return []


def train(scale: str, *, fresh: bool = False, store: Store | None = None) -> Store:
    """Train and measure what the notebook shows and the store lacks; the store."""
    chosen = [scaled(e, scale) for e in select(SIZES[scale].members)]
    place = store or Store(paths.store_dir(scale))
    summary = driver.run(chosen, place, fresh=fresh, keep="all")
    print(driver.told(summary))
    if not summary.complete:
        raise ValueError("\n".join([*map(str, summary.refused), *summary.troubles]))
    measure(place, scale)
    return place


def deeper(store: Store, e: Experiment, sizes: Sizes, tell: Tell) -> None:
    """The last networks of an experiment at several depths against all depths of minimax."""
    for depth in sizes.own_depths:
        deep = [((opponent,), sizes.deep_games) for opponent in sizes.deep]
        for opponents, count in ((sizes.opponents, sizes.final), *deep):
            done = ladder.measure(
                _last(e), store, opponents=opponents, count=count, depth=depth
            )
            if done:
                tell(f"{e.id}, depth {depth} against minimax {opponents}: {done} networks")


def _pairs(sizes: Sizes) -> list[tuple[int, int]]:
    """Depths of minimax that play against each other."""
    all_pairs = [(d, less) for d in range(2, sizes.deepest + 1) for less in range(1, d)]
    return all_pairs + [(d, d - 1) for d in range(sizes.deepest + 1, sizes.neighbours + 1)]
