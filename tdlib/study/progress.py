"""How far a run is: a bar in a terminal, a line now and then elsewhere."""

import sys
import time
from typing import TextIO

from tqdm import tqdm

SECONDS_BETWEEN_LINES = 30


class Progress:
    """Games done of all games to do, and the latest result; a context."""

    def __init__(self, games: int, out: TextIO | None = None) -> None:
        self.out = out or sys.stderr
        self.total = games
        self.games = 0
        self.latest = ""
        self.began = self.shown = time.monotonic()
        self.bar = None
        if self.out.isatty():
            self.bar = tqdm(total=games, unit=" games", unit_scale=True, file=self.out)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *error) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.games:
            self._line()

    def played(self, games: int) -> None:
        self.games += games
        if self.bar is not None:
            self.bar.update(games)
        elif time.monotonic() > self.shown + SECONDS_BETWEEN_LINES:
            self._line()

    def note(self, text: str) -> None:
        """The latest result."""
        self.latest = text
        if self.bar is not None:
            self.bar.set_postfix_str(text)

    def _line(self) -> None:
        self.shown = time.monotonic()
        seconds = self.shown - self.began
        rate = self.games / seconds if seconds else 0.0
        left = (self.total - self.games) / rate if rate else 0.0
        told = [
            f"{self.games:,} of {self.total:,} games",
            f"{rate:,.0f} games/s",
            f"{tqdm.format_interval(seconds)} gone, {tqdm.format_interval(left)} left",
            self.latest,
        ]
        print("    " + "; ".join(filter(None, told)), file=self.out, flush=True)
