"""How far a computation is: a bar in a terminal, a line now and then elsewhere."""

import sys
import time
from typing import Any

from tqdm import tqdm

SECONDS_BETWEEN_LINES = 30


def bar(total: int | None, unit: str, **settings: Any) -> tqdm:
    """A bar of `tqdm`, which appears after a second."""
    terminal = sys.stderr.isatty()
    return tqdm(
        total=total,
        unit=f" {unit}",
        unit_scale=True,
        delay=1,
        file=sys.stderr if terminal else Lines(),
        **settings,
    )


class Lines:
    """A text file that prints whole lines; a bar that redraws itself, once in 30 seconds."""

    def __init__(self) -> None:
        self.pending = ""
        self.shown = time.monotonic()

    def write(self, text: str) -> None:
        *lines, self.pending = (self.pending + text).split("\n")
        for line in lines:
            self._show(line)
        if "\r" in self.pending and time.monotonic() > self.shown + SECONDS_BETWEEN_LINES:
            self._show(self.pending)
        self.pending = self.pending[max(self.pending.rfind("\r"), 0) :]  # the last drawing

    def flush(self) -> None:
        """Nothing to do: lines are printed when they are whole."""

    def _show(self, line: str) -> None:
        last_drawing = line.rstrip().rpartition("\r")[2]
        if last_drawing:
            tqdm.write(f"    {last_drawing}")
        self.shown = time.monotonic()
