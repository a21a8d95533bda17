"""`python -m tests.benchmarks [games|search]`, which is what `make bench` runs."""

import argparse

from tdlib import jax_settings

jax_settings.prepare()

from tests.benchmarks import games, search  # noqa: E402

parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
parser.add_argument("part", nargs="?", choices=("games", "search"), help="default: both")
part = parser.parse_args().part
if part != "search":
    games.main()
if part != "games":
    search.main()
