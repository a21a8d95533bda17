"""The command line, `python -m tdlib`: `commands.COMMANDS` says what there is, `main` runs it.

Whatever goes wrong is one sentence on standard error. The exit status is 0 if all went well, 1
if something failed, 2 if what was asked for makes no sense (nothing was done then), 130 after
Ctrl-C and 143 after SIGTERM.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence

from tdlib import interrupts
from tdlib.cli.commands import COMMANDS, Command

OK, FAILED, REFUSED, INTERRUPTED, NOBODY_READS = 0, 1, 2, 130, 141  # exit statuses


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    options = vars(_parser().parse_args(arguments))
    command = COMMANDS[options.pop("command")]
    try:
        function = _imported(command)
        interrupts.at_work(True)
        problems = function(**options)
        sys.stdout.flush()
    except KeyboardInterrupt as interrupt:
        _say(str(interrupt) or "interrupted")
        return getattr(interrupt, "status", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for what Python flushes when it ends
        return NOBODY_READS
    except ValueError as error:
        _say(str(error))
        return REFUSED
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        _say(f"{error.strerror or error}{where}; what was stored before is kept")
        return FAILED
    except (MemoryError, OverflowError) as error:
        _say(f"this is more than the machine can hold: {str(error) or type(error).__name__}")
        return FAILED
    finally:
        interrupts.at_work(False)
    for problem in problems:
        _say(problem)
    return FAILED if problems else OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tdlib")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    for name, command in COMMANDS.items():
        subparser = commands.add_parser(name, help=command.help, description=command.help)
        for argument in command.arguments:
            subparser.add_argument(*argument.names, **argument.settings)
    return parser


def _imported(command: Command) -> Callable[..., Sequence[str]]:
    """The function of a command; if it computes, JAX is set up first."""
    if command.computes:
        from tdlib import jax_settings

        jax_settings.prepare()
    module, name = command.function.split(":")
    return getattr(importlib.import_module(module), name)


def _say(problem: str) -> None:
    print(f"tdlib: {problem}", file=sys.stderr)
