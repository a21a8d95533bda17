"""What `python -m tdlib` can do: one table, a line or a few for each command.

A command is a line of help, its arguments, and the function that does it, named as
"module:function" so that it is imported only when it runs. The function is called with the
arguments by name and returns the problems it met, as text; ValueError means that nothing was
done because what was asked for makes no sense.
"""

from typing import Any, NamedTuple

from tdlib.cli.values import decimal, folder, run_numbers, whole
from tdlib.paths import SCALES


class Argument(NamedTuple):
    """What `ArgumentParser.add_argument` takes."""

    names: tuple[str, ...]
    settings: dict[str, Any]


class Command(NamedTuple):
    """One command."""

    help: str
    function: str  # "module:function"
    arguments: tuple[Argument, ...] = ()
    computes: bool = True  # whether it needs JAX to be set up


def _argument(*names: str, **settings: Any) -> Argument:
    return Argument(names, settings)


GAME = _argument("game", metavar="GAME")
STORE = _argument(
    "--store",
    metavar="DIR",
    type=folder,
    help="default: data/results at paper scale, else data/local",
)
SCALE = _argument(
    "--scale",
    choices=SCALES,
    default="quick",
    help="seconds, minutes, or as in the papers (default: quick)",
)
FRESH = _argument(
    "--fresh", action="store_true", help="compute again what the store already holds"
)


def _experiments(nargs: str = "*") -> Argument:
    return _argument(
        "experiments",
        nargs=nargs,
        metavar="EXPERIMENT",
        help="M-A1, 'M-A2*' or a paper, such as matthews2006",
    )


COMMANDS = {
    "plays": Command(
        "answer JSON positions on standard input with all positions after a legal play",
        "tdlib.show.queries:command",
        (GAME,),
    ),
    "perft": Command(
        "count move sequences from a start",
        "tdlib.games.perft:command",
        (
            _argument("game", metavar="GAME", choices=("abalone", "kalah")),
            _argument("--depth", type=whole(1, 100), required=True),
            _argument("--layout", help="abalone: the starting position"),
            _argument(
                "--no-broadside", action="store_true", help="abalone: in-line moves only"
            ),
            _argument("--to-move", choices=("black", "white"), help="abalone: who begins"),
            _argument("--pits", type=whole(1, 100), help="kalah: pits per side"),
            _argument("--seeds", type=whole(1, 1_000), help="kalah: seeds per pit"),
            _argument("--empty-capture", action="store_true", help="kalah: capture alone"),
        ),
    ),
    "show": Command(
        "draw a position",
        "tdlib.show.notation:command",
        (
            GAME,
            _argument("--position", help="as text; default: the starting position"),
            _argument("--svg", metavar="FILE", help="draw it to a file as well"),
        ),
        computes=False,
    ),
    "solve": Command(
        "what every position is worth",
        "tdlib.exact:command",
        (
            _argument("game", metavar="GAME", choices=("hypergammon",)),
            _argument("--objective", choices=("wins", "money"), help="default: both"),
            _argument(
                "--chequers",
                type=whole(1, 3),
                default=3,
                help="of each side, 1 to 3 (default: 3)",
            ),
        ),
    ),
    "match": Command(
        "play games between players by name",
        "tdlib.cli.matches:command",
        (
            GAME,
            _argument(
                "players",
                nargs="+",
                metavar="PLAYER",
                help="random, first, pubeval, heuristic, best, or a network: M-A8/0/5000",
            ),
            _argument("--games", type=whole(1, 10**7), default=1_000, help="(default: 1000)"),
            _argument(
                "--seed", type=whole(0, 2**32 - 1), default=0, help="of the dice (default: 0)"
            ),
            _argument(
                "--store",
                metavar="DIR",
                type=folder,
                help="of networks (default: data/results)",
            ),
        ),
    ),
    "run": Command(
        "train and test what experiments lack, and store it",
        "tdlib.study.commands:run",
        (
            _experiments("+"),
            SCALE,
            STORE,
            _argument(
                "--runs",
                metavar="N",
                type=run_numbers,
                help="5 for the first five, 3-4 for these two",
            ),
            _argument(
                "--workers", type=whole(1, 1_000), help="processes (default: one for each core)"
            ),
            FRESH,
        ),
    ),
    "contest": Command(
        "play what contests between search players lack, and store it",
        "tdlib.study.commands:contest",
        (
            _argument(
                "contests",
                nargs="+",
                metavar="CONTEST",
                help="F-MAIN, F-MAIN-1, 'F-INIT-*' or a paper",
            ),
            SCALE,
            STORE,
            FRESH,
        ),
    ),
    "measure": Command(
        "measure of stored networks what is missing, and store it",
        "tdlib.study.commands:measure",
        (
            _argument(
                "measurements",
                nargs="*",
                metavar="MEASUREMENT",
                help="M-CROSS, exact-losses, ladder, F-TIME, ... or a paper; default: all",
            ),
            SCALE,
            STORE,
            FRESH,
        ),
    ),
    "status": Command(
        "what is stored, at every scale",
        "tdlib.study.commands:status",
        (_experiments(), STORE),
        computes=False,
    ),
    "pack": Command(
        "move finished results into the files that version control holds",
        "tdlib.study.commands:pack",
        (SCALE, STORE),
        computes=False,
    ),
    "plan": Command(
        "hours that a run would take here",
        "tdlib.study.commands:plan",
        (
            _experiments(),
            SCALE,
            STORE,
            _argument(
                "--workers", type=whole(1, 1_000), default=2, help="processes (default: 2)"
            ),
            _argument(
                "--seconds",
                type=decimal(0.01, 3_600),
                default=5.0,
                help="of training to measure (default: 5)",
            ),
        ),
    ),
    "report": Command(
        "verdicts on the papers' claims, from stored results",
        "tdlib.show.scorecard:command",
        (
            _argument(
                "--scale",
                choices=SCALES,
                default="paper",
                help="of the results (default: paper)",
            ),
            _argument(
                "--paper",
                action="append",
                default=[],
                metavar="matthews2006",
                help="may be repeated",
            ),
            _argument("--csv", metavar="FILE", help="write the table to a file as well"),
            _argument(
                "--figures",
                action="store_true",
                help="write scorecard.png, .svg and .csv to figures",
            ),
            STORE,
        ),
    ),
    "reproduce": Command(
        "run the notebooks, write the figures, end with the scorecard",
        "tdlib.reproduce:command",
        (
            SCALE,
            _argument(
                "--only",
                nargs="+",
                default=[],
                metavar="01",
                help="beginnings of notebook names",
            ),
            _argument(
                "-p",
                action="append",
                default=[],
                metavar="name=value",
                dest="assignments",
                help="a notebook parameter; may be repeated",
            ),
            FRESH,
        ),
    ),
    "keep": Command(
        "take notebooks executed at paper scale into the repository",
        "tdlib.keep:command",
        computes=False,
    ),
}
