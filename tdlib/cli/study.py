"""Subcommands about experiments, results and notebooks: one function for each."""

import argparse

from tdlib.cli.common import (
    FAILED,
    OK,
    SCALES,
    Command,
    compile_once,
    refuse,
    scale_option,
    store_option,
    told,
)


def _reproduce_options(parser: argparse.ArgumentParser) -> None:
    scale_option(parser)
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
        return refuse(error)
    failed = reproduce.execute(jobs, scale=options.scale)
    print()
    verdicts = argparse.Namespace(scale=options.scale, figures=True)
    return FAILED if told(report.command, verdicts) or failed else OK


def _experiment_options(parser: argparse.ArgumentParser, nargs: str = "*") -> None:
    parser.add_argument(
        "experiments",
        nargs=nargs,
        metavar="EXPERIMENT",
        help="M-A1, 'M-A2*' or a paper, such as matthews2006",
    )
    scale_option(parser)
    store_option(parser)


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

    return told(commands.run, options)


def _rematch_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "rematches", nargs="*", metavar="GROUP", help="M-BEST, M-CROSS, M-ERR; default: all"
    )
    _place_options(parser)


def _rematch(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    return told(commands.rematch, options)


def _contest_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "contests", nargs="+", metavar="CONTEST", help="F-MAIN, F-MAIN-1, 'F-INIT-*' or a paper"
    )
    _place_options(parser)
    parser.add_argument(
        "--fresh", action="store_true", help="play again what the store already holds"
    )


def _contest(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    return told(commands.contest, options)


def _place_options(parser: argparse.ArgumentParser) -> None:
    scale_option(parser)
    store_option(parser)


def _timing(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    return told(commands.timing, options)


def _exact(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    compile_once()
    return told(commands.exactly, options)


def _kalah(options: argparse.Namespace) -> int:
    from tdlib.run import choi

    compile_once()
    return told(choi.command, options)


def _status(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    return told(commands.status, options)


def _plan_options(parser: argparse.ArgumentParser) -> None:
    _experiment_options(parser)
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    parser.add_argument(
        "--seconds", type=float, default=5, help="of training to measure (default: 5)"
    )


def _plan(options: argparse.Namespace) -> int:
    from tdlib.run import commands

    return told(commands.plan, options)


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
    store_option(parser)


def _report(options: argparse.Namespace) -> int:
    from tdlib.claims import report

    return told(report.command, options)


COMMANDS = {
    "run": Command("train and test what experiments lack, and store it", _run_options, _run),
    "rematch": Command("test stored networks again", _rematch_options, _rematch),
    "contest": Command(
        "play what contests between search players lack, and store it",
        _contest_options,
        _contest,
    ),
    "timing": Command("time minimax and alpha-beta", _place_options, _timing),
    "exact": Command(
        "what stored networks lose by each move, by the exact values of hypergammon",
        _experiment_options,
        _exact,
    ),
    "kalah": Command(
        "what stored networks of Kalah are worth, by matches and by exact endgames",
        _place_options,
        _kalah,
    ),
    "status": Command("what the store holds", _experiment_options, _status),
    "plan": Command("hours that a run would take here", _plan_options, _plan),
    "report": Command(
        "verdicts on the papers' claims, from stored results", _report_options, _report
    ),
    "reproduce": Command(
        "run the notebooks, write the figures, end with the scorecard",
        _reproduce_options,
        _reproduce,
    ),
}
