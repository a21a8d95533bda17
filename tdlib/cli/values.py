"""Checks of what is written on the command line; argparse shows the message with the usage."""

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn


def whole(low: int, high: int) -> Callable[[str], int]:
    """A whole number from `low` to `high`."""

    def read(text: str) -> int:
        if re.fullmatch(r"-?\d{1,20}", text, re.ASCII) and low <= int(text) <= high:
            return int(text)
        _refuse(f"a whole number from {low:,} to {high:,}", text)

    return read


def decimal(low: float, high: float) -> Callable[[str], float]:
    """A number from `low` to `high`, which excludes nan and inf."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not low <= number <= high:
            _refuse(f"a number from {low:,} to {high:,}", text)
        return number

    return read


def run_numbers(text: str) -> range:
    """Runs of an experiment: "5" for the first five, "3-4" for these two."""
    if found := re.fullmatch(r"(?:(\d{1,6})-)?(\d{1,6})", text, re.ASCII):
        first, last = found[1], int(found[2])
        if runs := range(int(first), last + 1) if first else range(last):
            return runs
    _refuse("a number of runs like 5, or a range like 3-4", text)


def folder(text: str) -> str:
    """A folder, which need not exist yet."""
    if not text or (Path(text).exists() and not Path(text).is_dir()):
        _refuse("a folder", text)
    return text


def _refuse(expected: str, found: str) -> NoReturn:
    shown = found if len(found) <= 40 else f"{found[:40]}..."
    raise argparse.ArgumentTypeError(f"expected {expected}, found {shown!r}")
