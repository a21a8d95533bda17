"""What a store holds and what a plan costs, as text."""

from collections.abc import Iterable, Sequence

from tdlib.experiments import Experiment
from tdlib.run.plan import Cost
from tdlib.store import Damaged, Store


def status(experiments: Iterable[Experiment], store: Store) -> tuple[str, list[Damaged]]:
    """A line for each experiment, and what is damaged."""
    lines, damaged = [], []
    for e in experiments:
        rows = []
        try:
            store.check(e)
        except Damaged as problem:
            damaged.append(problem)
        for run in store.runs(e):
            try:
                rows.append(store.rows(e, run))
            except Damaged as problem:
                damaged.append(problem)
        planned = [set(e.checkpoints) & of_run.keys() for of_run in rows]
        done = sum(map(len, planned))
        latest = [of_run[max(of_run)] for of_run in rows if of_run]
        rate = sum(x.wins / x.eval_games for x in latest) / len(latest) if latest else None
        lines.append(
            (
                e.id,
                f"{sum(map(bool, planned))} of {e.runs}",
                f"{done} of {e.runs * len(e.checkpoints)}",
                f"{max((x.games for x in latest), default=0):,}" if latest else "-",
                "-" if rate is None else f"{rate:.1%}",
                f"{store.size(e) / 1e6:.2f} MB" if rows else "-",
            )
        )
    head = ("experiment", "runs", "records", "games", "wins", "size")
    return table(head, lines), damaged


def plan(costs: Iterable[Cost], workers: int) -> str:
    """A line for each experiment, and the sum."""
    costs = list(costs)
    lines = [
        (
            cost.experiment.id,
            f"{cost.train_games:,}",
            f"{cost.train_length:,.0f}",
            f"{cost.train_speed:,.0f} ({cost.lanes})",
            f"{cost.train_hours:.2f}",
            f"{cost.eval_games:,}",
            f"{cost.eval_length:,.0f}",
            f"{cost.eval_speed:,.0f}",
            f"{cost.eval_hours:.2f}",
            f"{(cost.train_hours + cost.eval_hours) / workers:.2f}",
        )
        for cost in costs
    ]
    hours = sum(cost.train_hours + cost.eval_hours for cost in costs)
    head = (
        "experiment", "train games", "plies each", "plies/s (lanes)", "core h",
        "test games", "plies each", "plies/s", "core h", "hours",
    )  # fmt: skip
    total = f"{hours:.1f} core hours: {hours / workers:.1f} hours on {workers} cores"
    return f"{table(head, lines)}\n{total}"


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Columns of text, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *lines, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *rest = zip(cells, widths, strict=True)
        return "  ".join([first[0].ljust(first[1]), *(c.rjust(w) for c, w in rest)])

    return "\n".join(map(line, [head, *lines]))
