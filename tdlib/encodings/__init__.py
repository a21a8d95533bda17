"""What a network sees: `make(game, name, **options)` gives an `Encoding` of that game.

A new game's encodings are a module here, and its line in `ENCODINGS`.
"""

import functools
from collections.abc import Callable, Mapping

from tdlib.encodings import abalone, backgammon, kalah, pachisi, parcheesi
from tdlib.types import Encoding

ENCODINGS: dict[str, Mapping[str, Callable[..., Encoding]]] = {
    "backgammon": backgammon.encodings("backgammon"),
    "hypergammon": backgammon.encodings("hypergammon"),
    "pachisi": pachisi.ENCODINGS,
    "parcheesi": parcheesi.ENCODINGS,
    "kalah": kalah.ENCODINGS,
    "abalone": abalone.ENCODINGS,
}


@functools.cache
def make(game: str, name: str, **options) -> Encoding:
    """The encoding of that name of a game; options not given have the papers' defaults."""
    known = ENCODINGS.get(game, {})
    if name not in known:
        expected = ", ".join(known) or "none"
        raise ValueError(f"{game!r} has no encoding {name!r}; expected one of: {expected}")
    return known[name](**options)
