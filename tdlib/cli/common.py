"""What the subcommands share: exit statuses, common options, and how troubles are told."""

import argparse
import sys
from collections.abc import Callable
from typing import NamedTuple

from tdlib.paths import SCALES

OK, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130  # exit statuses


class Command(NamedTuple):
    """One subcommand."""

    help: str
    options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def store_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", metavar="DIR", help="default: data/results at paper scale, else data/local"
    )


def scale_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scale",
        choices=SCALES,
        default="quick",
        help="seconds, minutes, or as in the papers (default: quick)",
    )


def told(command: Callable[..., list[str]], options: argparse.Namespace) -> int:
    """Run a command that gives its troubles, and say what they are."""
    try:
        troubles = command(**{k: v for k, v in vars(options).items() if k != "run"})
    except ValueError as error:
        return refuse(error)
    for trouble in troubles:
        print(f"tdlib: {trouble}", file=sys.stderr)
    return FAILED if troubles else OK


def compile_once() -> None:
    from tdlib import compilation_cache

    compilation_cache.enable()


def refuse(error: ValueError) -> int:
    """Say what was expected; nothing has run."""
    print(f"tdlib: {error}", file=sys.stderr)
    return REFUSED
