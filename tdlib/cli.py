"""The command line, `python -m tdlib`: a thin front, one function for each subcommand.

To add one, write `_name(options) -> exit status` and `_name_options(parser)`, and list them in
COMMANDS. Import what a subcommand needs inside its function: `--help` should not wait for JAX.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tdlib.paths import SCALES

OK, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130  # exit statuses


class Command(NamedTuple):
    """One subcommand."""

    help: str
    options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tdlib")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        subparser = commands.add_parser(name, help=command.help, description=command.help)
        command.options(subparser)
        subparser.set_defaults(run=command.run)
    options = parser.parse_args(arguments)
    try:
        return options.run(options)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return INTERRUPTED


def _reproduce_options(parser: argparse.ArgumentParser) -> None:
    _scale_option(parser)
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="01", help="beginnings of notebook names"
    )
    parser.add_argument(
        "-p",
        action="append",
        default=[],
        metavar="name=value",
        dest="assignments",
        help="a notebook parameter; may be repeated",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="compute again what the store already holds"
    )


def _reproduce(options: argparse.Namespace) -> int:
    from tdlib import reproduce
    from tdlib.claims import report

    try:
        jobs = reproduce.plan(
            scale=options.scale,
            only=options.only,
            assignments=options.assignments,
            fresh=options.fresh,
        )
    except ValueError as error:
        return _refuse(error)
    failed = reproduce.execute(jobs, scale=options.scale)
    print()
    verdicts = argparse.Namespace(scale=options.scale, figures=True)
    return FAILED if _told(report.command, verdicts) or failed else OK


def _experiment_options(parser: argparse.ArgumentParser, nargs: str = "*") -> None:
    parser.add_argument(
        "experiments",
        nargs=nargs,
        metavar="EXPERIMENT",
        help="M-A1, 'M-A2*' or a paper, such as matthews2006",
    )
    _scale_option(parser)
    _store_option(parser)


def _store_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", metavar="DIR", help="default: data/results at paper scale, else data/local"
    )


def _scale_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scale",
        choices=SCALES,
        default="quick",
        help="seconds, minutes, or as in the papers (default: quick)",
    )


def _run_options(parser: argparse.ArgumentParser) -> None:
    _experiment_options(parser, "+")
    parser.add_argument(
        "--runs", metavar="N", default="", help="5 for the first five, 3-4 for these two"
    )
    parser.add_argument("--workers", type=int, help="processes (default: one for each core)")
    parser.add_argument(
        "--fresh", action="store_true", help="compute again what the store already holds"
    )
    parser.add_argument(
        "--keep-weights",
        choices=("last", "all"),
        default="last",
        help="of each run, those of its last checkpoint or of all (default: last)",
    )


def _run(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    return _told(commands.run, options)


def _rematch_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "rematches", nargs="*", metavar="GROUP", help="M-BEST, M-CROSS, M-ERR; default: all"
    )
    _scale_option(parser)
    _store_option(parser)


def _rematch(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    return _told(commands.rematch, options)


def _status(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    return _told(commands.status, options)


def _plan_options(parser: argparse.ArgumentParser) -> None:
    _experiment_options(parser)
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    parser.add_argument(
        "--seconds", type=float, default=5, help="of training to measure (default: 5)"
    )


def _plan(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    return _told(commands.plan, options)


def _match_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument(
        "players",
        nargs="+",
        metavar="PLAYER",
        help="random, first, pubeval, heuristic, best, or a network: M-A8/0, M-A8/0/5000",
    )
    parser.add_argument("--games", type=int, default=1_000, help="(default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the dice (default: 0)")
    parser.add_argument("--store", metavar="DIR", help="of networks (default: data/results)")


def _match(options: argparse.Namespace) -> int:
    from tdlib import matches

    _compile_once()
    return _told(matches.command, options)


def _exact(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    _compile_once()
    return _told(commands.exactly, options)


def _solve_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", choices=("hypergammon",))
    parser.add_argument("--objective", choices=("wins", "money"), help="default: both")
    parser.add_argument(
        "--chequers", type=int, choices=(1, 2, 3), default=3, help="of each side (default: 3)"
    )


def _solve(options: argparse.Namespace) -> int:
    from tdlib import exact

    _compile_once()
    start = (24, 23, 22)[: options.chequers]
    try:
        for objective in (options.objective,) if options.objective else exact.OBJECTIVES:
            found = exact.solved(objective, options.chequers)
            told = f"{found.sweeps} sweeps in {found.seconds:.0f} s, error {found.residual:.0e}"
            print(f"{objective}: the opening is worth {found.value(start, start):.6f} ({told})")
    except ValueError as error:
        return _refuse(error)
    return OK


def _told(command: Callable[..., list[str]], options: argparse.Namespace) -> int:
    """Run a command that gives its troubles, and say what they are."""
    try:
        troubles = command(**{k: v for k, v in vars(options).items() if k != "run"})
    except ValueError as error:
        return _refuse(error)
    for trouble in troubles:
        print(f"tdlib: {trouble}", file=sys.stderr)
    return FAILED if troubles else OK


def _report_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scale", choices=SCALES, default="paper", help="of the results (default: paper)"
    )
    parser.add_argument(
        "--paper", action="append", default=[], metavar="matthews2006", help="may be repeated"
    )
    parser.add_argument("--csv", metavar="FILE", help="write the table to a file as well")
    parser.add_argument(
        "--figures", action="store_true", help="write scorecard.png, .svg and .csv to figures"
    )
    _store_option(parser)


def _report(options: argparse.Namespace) -> int:
    from tdlib.claims import report

    return _told(report.command, options)


def _plays_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")


def _plays(options: argparse.Namespace) -> int:
    from tdlib import queries

    _compile_once()
    try:
        queries.notation_of(options.game)
    except ValueError as error:
        return _refuse(error)
    for line in sys.stdin:
        if line.strip():
            print(queries.answer_line(options.game, line), flush=True)
    return OK


def _perft_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", choices=("abalone", "kalah"))
    parser.add_argument("--depth", type=int, required=True)
    parser.add_argument("--layout", help="abalone: the starting position")
    parser.add_argument(
        "--no-broadside", action="store_true", help="abalone: in-line moves only"
    )
    parser.add_argument("--to-move", choices=("black", "white"), help="abalone: who begins")
    parser.add_argument("--pits", type=int, help="kalah: pits per side")
    parser.add_argument("--seeds", type=int, help="kalah: seeds per pit")
    parser.add_argument("--empty-capture", action="store_true", help="kalah: capture alone")


def _perft(options: argparse.Namespace) -> int:
    from tdlib import perft

    return _told(perft.command, options)


def _show_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--position", help="as text; default: the starting position")
    parser.add_argument("--svg", metavar="FILE", help="draw it to a file as well")


def _show(options: argparse.Namespace) -> int:
    from pathlib import Path

    import jax

    from tdlib import boards, games, queries

    try:
        notation = queries.notation_of(options.game)
        if options.position is None:
            state = games.make(options.game).init(jax.random.key(0))
        else:
            state = notation.parse(options.position)
    except ValueError as error:
        return _refuse(error)
    print(notation.picture(state))
    print(notation.format(state))
    if options.svg:
        Path(options.svg).write_text(boards.svg(options.game, state, coordinates=True))
    return OK


def _bench(options: argparse.Namespace) -> int:
    from tdlib import bench

    bench.main()
    return OK


def _compile_once() -> None:
    from tdlib import compilation_cache

    compilation_cache.enable()


def _refuse(error: ValueError) -> int:
    """Say what was expected; nothing has run."""
    print(f"tdlib: {error}", file=sys.stderr)
    return REFUSED


COMMANDS = {
    "plays": Command(
        "answer JSON positions on standard input with all positions after a legal play",
        _plays_options,
        _plays,
    ),
    "perft": Command("count move sequences from a start", _perft_options, _perft),
    "show": Command("draw a position", _show_options, _show),
    "bench": Command(
        "speed of random play, beside pgx where installed", lambda parser: None, _bench
    ),
    "run": Command("train and test what experiments lack, and store it", _run_options, _run),
    "rematch": Command("test stored networks again", _rematch_options, _rematch),
    "solve": Command("what every position is worth", _solve_options, _solve),
    "exact": Command(
        "what stored networks lose by each move, by the exact values of hypergammon",
        _experiment_options,
        _exact,
    ),
    "status": Command("what the store holds", _experiment_options, _status),
    "plan": Command("hours that a run would take here", _plan_options, _plan),
    "report": Command(
        "verdicts on the papers' claims, from stored results", _report_options, _report
    ),
    "match": Command("play games between two players by name", _match_options, _match),
    "reproduce": Command(
        "run the notebooks, write the figures, end with the scorecard",
        _reproduce_options,
        _reproduce,
    ),
}
