"""The command line, `python -m tdlib`: a thin front, one function for each subcommand.

To add one, write `_name(options) -> exit status` and `_name_options(parser)` in the module it
belongs to, and list them in its COMMANDS. Import what a subcommand needs inside its function:
`--help` should not wait for JAX.
"""

import argparse
import sys
from collections.abc import Sequence

from tdlib.cli import playing, study
from tdlib.cli.common import FAILED, INTERRUPTED, OK, REFUSED

__all__ = ["FAILED", "INTERRUPTED", "OK", "REFUSED", "main"]

COMMANDS = playing.COMMANDS | study.COMMANDS


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
