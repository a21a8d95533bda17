"""Positions of pachisi and Parcheesi for comparing rules, and what each of them exercises.

Games alone seldom show the rare rules, so half of the positions are scattered: every piece is
put somewhere at random, crowding castles, entries, blockades and the way home. They obey the
rules of occupancy (`valid`) but need not be reachable. `..._features` names the rules a turn
shows, and `option name=value` where that option would change its plays, so that a test of
equality can assert that it saw them all.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from . import pachisi, parcheesi
from .race_players import (
    ParcheesiTurn,
    pachisi_game,
    pachisi_heuristic,
    pachisi_random,
    parcheesi_game,
    parcheesi_heuristic,
    parcheesi_random,
    roll_dice,
)

PACHISI_OPTIONS = (
    ("exact", True),
    ("free_entry", "never"),
    ("free_entry", "none_out"),
    ("entry", "first"),
    ("grace_on_pass", False),
    ("capture_throws_again", True),
    ("extra_circuit", False),
    ("passing", "no_pass_after_three"),
    ("passing", "not_twice"),
    ("passing", "forced_only"),
)
PARCHEESI_OPTIONS = (
    ("must_enter", False),
    ("larger_die", True),
    ("third_double", "ends"),
    ("third_double", "played"),
    ("move_blockade", True),
    ("own_blockade", False),
    ("double_choice", "two_allowed"),
    ("entry_capture", False),
)  # castles is left out: it renumbers the path, so the same numbers are another position


def pachisi_positions(rng: Random, n: int, **options: Any) -> list[pachisi.Turn]:
    """n unfinished positions, each with a throw: half from games, half scattered."""
    mixed = (pachisi_random, pachisi_heuristic) * 2
    turns: list[pachisi.Turn] = []
    while len(turns) < (n + 1) // 2:
        game = [turn for turn, _, _ in pachisi_game(rng, mixed, cap=2_000, **options)]
        turns += rng.sample(game, min(len(game), 40, (n + 1) // 2 - len(turns)))
    return turns + [_scattered_pachisi(rng) for _ in range(n - len(turns))]


def _scattered_pachisi(rng: Random) -> pachisi.Turn:
    def somewhere() -> int:
        low, high = rng.choices(
            ((0, 0), (1, 7), (8, 75), (60, 76), (8, 8), (76, 76), (77, 83), (84, 84)),
            (20, 8, 38, 10, 3, 3, 8, 10),
        )[0]
        return rng.randint(low, high)

    while True:
        pieces, player = _scatter(rng, somewhere, pachisi.HOME), rng.randrange(4)
        if rng.random() < 0.15:
            partner = (player + 2) % 4
            home = (pachisi.HOME,) * 4
            pieces = (*pieces[:partner], home, *pieces[partner + 1 :])
        entered = tuple(any(row) or rng.random() < 0.5 for row in pieces)
        stuck = pachisi.finished(pieces[player]) or pachisi.over(pieces)
        if pachisi.valid(pieces, entered) and not stuck:
            passed = tuple(rng.random() < 0.5 for _ in range(4))
            throw = rng.choice(pachisi.THROWS)
            return pachisi.Turn(pieces, entered, player, throw, rng.randrange(4), passed)


def parcheesi_positions(rng: Random, n: int, **options: Any) -> list[ParcheesiTurn]:
    """n unfinished positions, each with a roll: half from games, half scattered."""
    castles = parcheesi.Rules(**options).castles
    mixed = (parcheesi_random, partial(parcheesi_heuristic, castles=castles)) * 2
    turns: list[ParcheesiTurn] = []
    while len(turns) < (n + 1) // 2:
        game = [turn for turn, _, _ in parcheesi_game(rng, mixed, cap=2_000, **options)]
        turns += rng.sample(game, min(len(game), 40, (n + 1) // 2 - len(turns)))
    return turns + [_scattered_parcheesi(rng, castles) for _ in range(n - len(turns))]


def _scattered_parcheesi(rng: Random, castles: str) -> ParcheesiTurn:
    path = parcheesi.PATHS[castles]
    end, home = path.track_end, path.home
    # p of the four entry squares and of the four home-path squares, on anybody's path
    crowded = (1, 18, 35, 52, end - 51, end - 34, end - 17, end)
    crowd_start = rng.random() < 0.5  # else nobody there, for the four numbers of doubles

    def somewhere() -> int:
        spots = ((0, 0), (1, end), (end - 12, end), (end + 1, home - 1), (home, home))
        if rng.random() < 0.2:
            return rng.choice(crowded)
        low, high = rng.choices(spots, (15 if crowd_start else 1, 40, 10, 20, 15))[0]
        return rng.randint(low, high)

    while True:
        pieces = _scatter(rng, somewhere, home)
        unfinished = not any(row[0] == home for row in pieces)
        if unfinished and parcheesi.valid(pieces, castles=castles):
            a, b = roll_dice(rng)
            dice = (a, a) if rng.random() < 0.3 else (a, b)
            return ParcheesiTurn(pieces, rng.randrange(4), dice, rng.randrange(3))


def _scatter(rng: Random, somewhere: Callable[[], int], home: int) -> pachisi.Pieces:
    """Four rows of pieces; some all at start, some nearly home, some pieces joining others."""
    rows = []
    for _ in range(4):
        row = [somewhere() for _ in range(4)]
        for i in (1, 2, 3):
            if rng.random() < 0.25:
                row[i] = row[i - 1]
        fate = rng.random()
        if fate < 0.05:
            row = [0] * 4
        elif fate < 0.20:
            row = [rng.choice((row[0], home - rng.randint(1, 10))), home, home, home]
        rows.append(tuple(sorted(row)))
    return tuple(rows)


def pachisi_features(turn: pachisi.Turn, **options: Any) -> set[str]:
    """Names of the rules that this turn shows."""
    rules = pachisi.Rules(**options)
    found = pachisi.choices(turn, **options)
    own, player, grace = turn.pieces[turn.player], turn.player, turn.throw in pachisi.GRACES
    seen = {f"throw {turn.throw}"}
    seen |= {"grace"} if grace else set()
    seen |= {"forced pass"} if [c.moved for c in found] == [None] else set()
    seen |= {"piece at end of lap"} if pachisi.END_BACK in own else set()
    for p in set(own):
        wanted = pachisi.targets(turn, p, rules)
        if any(pachisi.refused(turn.pieces, player, target) for target in wanted):
            seen.add("castle refused")
    for choice in found:
        seen |= _pachisi_choice_features(turn, choice)
    plain = pachisi.plays(*turn[:4], run=turn.run, passed=turn.passed, **options)
    for name, value in PACHISI_OPTIONS:
        changed = {**options, name: value}
        if plain != pachisi.plays(*turn[:4], run=turn.run, passed=turn.passed, **changed):
            seen.add(f"option {name}={value}")
    return seen


def _pachisi_choice_features(turn: pachisi.Turn, choice: pachisi.Choice) -> set[str]:
    player, grace = turn.player, turn.throw in pachisi.GRACES
    own, partner = turn.pieces[player], turn.pieces[(player + 2) % 4]
    finishes = pachisi.finished(choice.pieces[player])
    ordinary_next = player if grace else (player + 1) % 4
    shown = {
        "skips finished player": choice.seat != ordinary_next and not finishes,
        "win": pachisi.over(choice.pieces),
    }
    if choice.moved is not None:
        start, target = choice.moved
        s = pachisi.square(player, target)
        partners = [pachisi.square((player + 2) % 4, p) for p in partner]
        shown |= {
            "capture": choice.captured > 0,
            "capture of several": choice.captured > 1,
            "extra circuit": 0 < target < start,
            "home by exact count": target == pachisi.HOME == start + turn.throw,
            "home beyond count": target == pachisi.HOME < start + turn.throw,
            "entry by grace": start == 0 and grace,
            "entry without grace": start == 0 and not grace,
            "entry captures": start == 0 and choice.captured > 0,
            "joins partner": s is not None and s in partners,
            "joins own piece": s is not None and target in own,
            "own end square twice": target in (8, 76) and {8, 76} <= {target, *own},
            "outgoing column": 0 < target < pachisi.END_OUT,
            "returning column": pachisi.END_BACK < target < pachisi.HOME,
            "player finishes": finishes,
            "player finishes on grace": finishes and grace,
        }
    return {name for name, is_so in shown.items() if is_so}


def parcheesi_features(turn: ParcheesiTurn, **options: Any) -> set[str]:
    """Names of the rules that this turn shows; refusals and bonuses as met in the search."""
    rules = parcheesi.Rules(**options)
    pieces, player, dice, doubles = turn
    own, double = pieces[player], dice[0] == dice[1]
    third = double and doubles == 2
    found = parcheesi.plays(pieces, player, dice, doubles=doubles, **options)
    seen = _parcheesi_place_features(pieces, player, rules.path)
    seen |= {"double"} if double else set()
    if third:
        seen |= {"third double"} | ({"third double with nobody out"} if not max(own) else set())
    if not third or rules.third_double == "played":
        roll = parcheesi.Roll(pieces, player, dice, rules)
        boards = roll.boards()
        seen |= roll.seen | _parcheesi_play_features(pieces, boards, player, dice, rules.path)
        if double and 0 not in own and boards == {pieces} and roll.two_dice() != {pieces}:
            seen.add("four numbers impossible")
    for name, value in PARCHEESI_OPTIONS:
        changed = {**options, name: value}
        if found != parcheesi.plays(pieces, player, dice, doubles=doubles, **changed):
            seen.add(f"option {name}={value}")
    return seen


def _parcheesi_place_features(
    pieces: parcheesi.Pieces, player: int, path: parcheesi.Path
) -> set[str]:
    own, end, home = pieces[player], path.track_end, path.home
    shown = {
        "blockade on track": any(_has_pair(row, 1, end) for row in pieces),
        "own blockade": _has_pair(own, 1, home - 1),
        "own blockade on home path": _has_pair(own, end + 1, home - 1),
        "home path": any(end < p < home for p in own),
        "piece home": home in own,
        "nobody at start": 0 not in own,
    }
    return {name for name, is_so in shown.items() if is_so}


def _parcheesi_play_features(
    before: parcheesi.Pieces,
    boards: set[parcheesi.Pieces],
    player: int,
    dice: tuple[int, int],
    path: parcheesi.Path,
) -> set[str]:
    own, moves = before[player], boards != {before}
    entries = {own.count(0) - board[player].count(0) for board in boards}
    homes = {board[player].count(path.home) - own.count(path.home) for board in boards}
    captures = {_captures(before, board, player) for board in boards}
    shown = {
        "no move": not moves,
        "four numbers": moves and dice[0] == dice[1] and 0 not in own,
        "enters one": 1 in entries,
        "enters two": 2 in entries,
        "enters by sum of five": sum(dice) == 5 and 1 in entries,
        "captures": 1 in captures,
        "captures several": max(captures) > 1,
        "brings one home": 1 in homes,
        "brings several home": max(homes) > 1,
        "win": any(row[player] == (path.home,) * 4 for row in boards),
        "over 50 plays": len(boards) > 50,
    }
    return {name for name, is_so in shown.items() if is_so}


def _has_pair(row: tuple[int, ...], low: int, high: int) -> bool:
    return any(row.count(p) == 2 for p in row if low <= p <= high)


def _captures(before: parcheesi.Pieces, after: parcheesi.Pieces, player: int) -> int:
    rows = [k for k in range(4) if k != player]
    return sum(after[k].count(0) - before[k].count(0) for k in rows)
