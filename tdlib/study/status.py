"""What stores hold, as text."""

from collections.abc import Iterable, Sequence

from tdlib.study.experiment import Experiment
from tdlib.study.scale import scaled
from tdlib.study.store import Damaged, Store


def status(
    experiments: Iterable[Experiment], stores: dict[str, Store]
) -> tuple[str, list[Damaged]]:
    """A line for each experiment and scale with results, and what is damaged.

    stores: by scale.
    """
    lines = []
    damaged: dict[str, Damaged] = {}
    for e in experiments:
        found = []
        for scale, store in stores.items():
            try:
                found += _line(scaled(e, scale), store)
            except Damaged as problem:
                damaged[str(problem)] = problem
        lines += found or [(e.id, "-", f"0 of {e.runs}", "0", "-", "-")]
    head = ("experiment", "scale", "runs", "tests", "games", "wins")
    return aligned(head, lines), list(damaged.values())


def _line(e: Experiment, store: Store) -> list[tuple[str, ...]]:
    """What a store holds of an experiment: one line, or none."""
    rows = {
        run: {games: row for games, row in some.items() if games in e.checkpoints}
        for run, some in store.rows(e).items()
    }
    rows = {run: some for run, some in rows.items() if some}
    if not rows:
        return []
    latest = [some[max(some)] for some in rows.values()]
    rate = sum(x.wins / x.eval_games for x in latest) / len(latest)
    tests, planned = sum(map(len, rows.values())), max(e.runs, len(rows)) * len(e.checkpoints)
    runs, games = f"{len(rows)} of {e.runs}", f"{max(x.games for x in latest):,}"
    return [(e.id, e.scale, runs, f"{tests} of {planned}", games, f"{rate:.1%}")]


def aligned(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Columns of text, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *lines, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *rest = zip(cells, widths, strict=True)
        return "  ".join([first[0].ljust(first[1]), *(c.rjust(w) for c, w in rest)])

    return "\n".join(map(line, [head, *lines]))
