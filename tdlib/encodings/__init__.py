"""What a network sees: `make(game, name, **options)` gives an `Encoding` of that game."""

import functools
from collections.abc import Callable

from tdlib.encodings import abalone, backgammon, kalah, pachisi, parcheesi
from tdlib.types import Encoding

ENCODINGS: dict[tuple[str, str], Callable[..., Encoding]] = {
    ("backgammon", "unary"): functools.partial(backgammon.unary, "backgammon"),
    ("backgammon", "smart"): functools.partial(backgammon.smart, "backgammon"),
    ("backgammon", "combined"): functools.partial(backgammon.combined, "backgammon"),
    ("hypergammon", "unary"): functools.partial(backgammon.unary, "hypergammon"),
    ("hypergammon", "smart"): functools.partial(backgammon.smart, "hypergammon"),
    ("hypergammon", "combined"): functools.partial(backgammon.combined, "hypergammon"),
    ("pachisi", "unary"): pachisi.unary,
    ("pachisi", "smart"): pachisi.smart,
    ("pachisi", "combined"): pachisi.combined,
    ("parcheesi", "unary"): parcheesi.unary,
    ("parcheesi", "smart"): parcheesi.smart,
    ("parcheesi", "combined"): parcheesi.combined,
    ("kalah", "raw"): kalah.raw,
    ("kalah", "handcrafted"): kalah.handcrafted,
    ("abalone", "abalearn10"): abalone.abalearn10,
    ("abalone", "abalearn11"): abalone.abalearn11,
    ("abalone", "abalearn12"): abalone.abalearn12,
    ("abalone", "leenoh"): abalone.leenoh,
}


@functools.cache
def make(game: str, name: str, **options) -> Encoding:
    if (game, name) not in ENCODINGS:
        known = ", ".join(encoding for owner, encoding in ENCODINGS if owner == game)
        raise ValueError(
            f"{game!r} has no encoding {name!r}; expected one of: {known or 'none'}"
        )
    return ENCODINGS[game, name](**options)
