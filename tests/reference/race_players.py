"""The fixed players of pachisi and Parcheesi, and whole games between them, in plain Python.

Matthews 2006, section 5.5: a random player, and a heuristic player that takes the
lexicographically best of ordered criteria. A player is `choose(rng, turn, found)`: for pachisi
`found` is the list of `pachisi.choices`, for Parcheesi the set of `parcheesi.plays`.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from . import pachisi, parcheesi

PachisiPlayer = Callable[[Random, pachisi.Turn, list[pachisi.Choice]], pachisi.Choice]


def pachisi_random(
    rng: Random, turn: pachisi.Turn, found: list[pachisi.Choice]
) -> pachisi.Choice:
    """Uniform over the choices, the pass included."""
    return rng.choice(found)


def pachisi_heuristic(
    rng: Random, turn: pachisi.Turn, found: list[pachisi.Choice]
) -> pachisi.Choice:
    """Smallest own pip count, most own safe pieces, smallest spread, first enumerated."""

    def rating(choice: pachisi.Choice) -> tuple[int, int, int]:
        own = choice.pieces[turn.player]
        pips = sum(pachisi.HOME - p for p in own)
        safe = sum(pachisi.is_safe(turn.player, p) for p in own)
        return pips, -safe, max(own) - min(own)

    return min(found, key=rating)


def pachisi_game(
    rng: Random,
    players: tuple[PachisiPlayer, ...] = (pachisi_random,) * 4,
    *,
    cap: int = 20_000,
    **options: Any,
) -> Iterator[tuple[pachisi.Turn, list[pachisi.Choice], pachisi.Choice]]:
    """One game from a random starter: each throw's turn, its choices and the one taken."""
    (pieces, entered), player = pachisi.initial(), rng.randrange(4)
    run, passed = 0, pachisi.NOBODY
    for _ in range(cap):
        turn = pachisi.Turn(pieces, entered, player, pachisi.throw_cowries(rng), run, passed)
        found = pachisi.choices(turn, **options)
        choice = players[player](rng, turn, found)
        yield turn, found, choice
        run, passed = pachisi.pass_history(turn, choice)
        _, _, pieces, entered, player = choice
        if pachisi.over(pieces):
            return


class ParcheesiTurn(NamedTuple):
    """A position and a roll."""

    pieces: parcheesi.Pieces
    player: int
    dice: tuple[int, int]
    doubles: int


ParcheesiPlayer = Callable[[Random, ParcheesiTurn, set[parcheesi.Play]], parcheesi.Play]


def parcheesi_random(
    rng: Random, turn: ParcheesiTurn, found: set[parcheesi.Play]
) -> parcheesi.Play:
    """Uniform over the final positions."""
    return rng.choice(sorted(found))


def parcheesi_heuristic(
    rng: Random, turn: ParcheesiTurn, found: set[parcheesi.Play], **options: Any
) -> parcheesi.Play:
    """Smallest own pip count, most own safe pieces, first in `parcheesi_order`."""
    path = parcheesi.Rules(**options).path

    def rating(play: parcheesi.Play) -> tuple[int, int, parcheesi.Pieces]:
        own = play[0][turn.player]
        safe = sum(path.is_safe(turn.player, p) for p in own)
        return sum(path.home - p for p in own), -safe, parcheesi_order(play, turn.player)

    return min(found, key=rating)


def parcheesi_first(
    rng: Random, turn: ParcheesiTurn, found: set[parcheesi.Play]
) -> parcheesi.Play:
    """The deterministic player: always the first play in `parcheesi_order`."""
    return min(found, key=lambda play: parcheesi_order(play, turn.player))


def parcheesi_order(play: parcheesi.Play, player: int) -> parcheesi.Pieces:
    """Own pieces, then the opponents' in seat order; compare ascending."""
    pieces = play[0]
    return (pieces[player], *(row for k, row in enumerate(pieces) if k != player))


def roll_dice(rng: Random) -> tuple[int, int]:
    return rng.randint(1, 6), rng.randint(1, 6)


def parcheesi_game(
    rng: Random,
    players: tuple[ParcheesiPlayer, ...] = (parcheesi_random,) * 4,
    *,
    cap: int = 20_000,
    **options: Any,
) -> Iterator[tuple[ParcheesiTurn, set[parcheesi.Play], parcheesi.Play]]:
    """One game from a random starter: each roll's turn, its plays and the one taken."""
    pieces, player, doubles = parcheesi.initial(), rng.randrange(4), 0
    for _ in range(cap):
        turn = ParcheesiTurn(pieces, player, roll_dice(rng), doubles)
        found = parcheesi.plays(*turn[:3], doubles=doubles, **options)
        play = players[player](rng, turn, found)
        yield turn, found, play
        pieces, player, doubles = play
        if parcheesi.over(pieces, **options):
            return
