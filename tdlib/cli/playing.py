"""Subcommands about games and players: one function for each."""

import argparse
import sys

from tdlib.cli.common import OK, Command, compile_once, refuse, told


def _plays_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")


def _plays(options: argparse.Namespace) -> int:
    from tdlib import queries

    compile_once()
    try:
        queries.notation_of(options.game)
    except ValueError as error:
        return refuse(error)
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

    return told(perft.command, options)


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
        return refuse(error)
    print(notation.picture(state))
    print(notation.format(state))
    if options.svg:
        Path(options.svg).write_text(boards.svg(options.game, state, coordinates=True))
    return OK


def _bench_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "part",
        nargs="?",
        choices=("games", "search"),
        help="default: both",
    )


def _bench(options: argparse.Namespace) -> int:
    from tdlib import bench, bench_search

    if options.part != "search":
        bench.main()
    if options.part != "games":
        bench_search.main()
    return OK


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

    compile_once()
    return told(matches.command, options)


def _solve_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", choices=("hypergammon",))
    parser.add_argument("--objective", choices=("wins", "money"), help="default: both")
    parser.add_argument(
        "--chequers", type=int, choices=(1, 2, 3), default=3, help="of each side (default: 3)"
    )


def _solve(options: argparse.Namespace) -> int:
    from tdlib import exact

    compile_once()
    start = (24, 23, 22)[: options.chequers]
    try:
        for objective in (options.objective,) if options.objective else exact.OBJECTIVES:
            found = exact.solved(objective, options.chequers)
            told = f"{found.sweeps} sweeps in {found.seconds:.0f} s, error {found.residual:.0e}"
            print(f"{objective}: the opening is worth {found.value(start, start):.6f} ({told})")
    except ValueError as error:
        return refuse(error)
    return OK


COMMANDS = {
    "plays": Command(
        "answer JSON positions on standard input with all positions after a legal play",
        _plays_options,
        _plays,
    ),
    "perft": Command("count move sequences from a start", _perft_options, _perft),
    "show": Command("draw a position", _show_options, _show),
    "bench": Command(
        "speed of play, learning and search, beside pgx where installed", _bench_options, _bench
    ),
    "solve": Command("what every position is worth", _solve_options, _solve),
    "match": Command("play games between two players by name", _match_options, _match),
}
