"""Ctrl-C and SIGTERM end every command with one line and status 130 or 143, at any moment.

While modules are imported a `KeyboardInterrupt` would come out as a traceback, or be swallowed
by the code that it happens to interrupt. Nothing can be lost then, so the process simply ends.
Once a command is at work, `Interrupted` is raised in it, so that it can tidy up.
"""

import os
import signal
import sys
from types import FrameType

MESSAGES = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
_at_work = False


class Interrupted(KeyboardInterrupt):
    """Ctrl-C or SIGTERM; `status` is what the process should end with."""

    def __init__(self, number: int) -> None:
        super().__init__(MESSAGES[signal.Signals(number)])
        self.status = 128 + number


def install() -> None:
    """Handle both signals from now on, in this process."""
    for number in MESSAGES:
        signal.signal(number, _handle)
    sys.unraisablehook = _unraisable


def at_work(yes: bool) -> None:
    """Whether a command is at work, so that interrupting it means raising `Interrupted`."""
    global _at_work
    _at_work = yes


def _handle(number: int, frame: FrameType | None) -> None:
    if _at_work:
        raise Interrupted(number)
    os.write(2, f"\ntdlib: {MESSAGES[signal.Signals(number)]}\n".encode())
    os._exit(128 + number)


def _unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """Python drops exceptions in destructors and callbacks; an interrupt is sent again."""
    if isinstance(unraisable.exc_value, Interrupted):
        number = unraisable.exc_value.status - 128
        import threading  # later, since every import before `install` can be interrupted

        threading.Timer(0.05, os.kill, (os.getpid(), number)).start()
    else:
        sys.__unraisablehook__(unraisable)
