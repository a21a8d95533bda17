"""Friedman & Ibarra 2004, "Abalone": its experiments as data.

    F-TIME        minimax and alpha-beta timed at the same positions (table 2): `timing`
    F-INIT        equal depths, no random choice: the games that ran in circles (table 3)
    F-MAIN        twelve settings, alpha-beta 3 plies deep against minimax 1 ply deep (table 4)
    F-FACTORIAL   ours: the four subsets of H1-H4 that table 4 lacks, under the same conditions
    F-TIES, ...   ours: what the paper leaves open, changed one at a time
    F-BORDER...   ours: H1's value on the border and what goes with it (`Reading`), found
                  afterwards
    F-INITTIME    how long alpha-beta thinks in the games of table 3

Settings are numbered as table 1 prints them ("reading A"); the second row labelled Run1 is run
1, and the first, H1 alone, is run 12 as well. Reading B counts rows instead; the README of
data/published tells why A fits the text. Which colour begins need not be varied: turning the
standard layout by half a turn exchanges the colours: if White began, only names would change.
"""

import dataclasses
import itertools
from typing import Any, NamedTuple

from tdlib.study import registry
from tdlib.study.contest import SEARCH, Contest, Entrant

PAPER = "friedman2004"
HEURISTICS = ("gravity", "rows", "packed", "kill")  # H1 to H4, as `values.abalone` calls them
RUNS = {  # table 1, reading A
    1: "H1+H2", 2: "H1+H3", 3: "H1+H4", 4: "H2", 5: "H3", 6: "H4", 7: "H1+H2+H3+H4",
    8: "H2+H3+H4", 9: "H2+H4", 10: "H2+H3", 11: "H3+H4", 12: "H1",
}  # fmt: skip
INITIAL = tuple(range(1, 8))  # the runs of table 3
DEPTHS = (1, 2, 3)
STUCK = 3  # a position and mover for the third time
LIMIT = 600  # plies
GAMES, FEWER, QUICK = 400, 100, 2  # of a contest, half of them with each colour

_STATED = {
    "game": "Abalone Rules: no broadside moves, six stones win; figure 1: standard start",
    "weights": "table 1: each heuristic is on (1) or off (0)",
    "opponent": "Implemented Heuristics: min-max with H1",
    "H1": "First Heuristic: a field's score falls with its distance to the centre; sums, own"
    " minus other",
    "H2": "Second Heuristic: in three directions, two in a row 1 point, three in a row 2",
    "H3": "Third Heuristic: neighbours of the same colour, counted for each stone",
    "H4": "Fourth Heuristic: exponential in stones thrown out, own minus other",
}
_ASSUMED = {
    "H1 table": "4, 3, 2, 1, 0 from the centre to the border: not printed",
    "H2 long rows": "a row of four or more counts as one of three: not said",
    "H4 base": "2^n - 1 for n stones: the base is not printed; 10 in F-BASE10",
    "scales": "heuristics are added unscaled, as weights of 0 and 1 suggest",
    "won games": "worth more than any heuristic, however deep they are found (Conclusions:"
    " a win three plies down is accepted like one at once)",
    "first move": "black begins; the paper does not say",
    "move": "one player's move, a ply",
    "move order": "by direction from east, then by rear stone from A1: theirs is not told,"
    " and decides which of equal moves is the first",
    "stuck": f"a position and mover for the third time, or {LIMIT} plies",
}
_MAIN_STATED = {
    "depths": "Experiments: 3 plies for alpha-beta, 1 for min-max",
    "ties": "Experiments: alpha-beta picks at random between boards with equal scores",
}
_MAIN_ASSUMED = {
    "random choice": "uniform among all equally good moves; the Conclusions speak of the first"
    " good move “with a very high probability”, see F-TIES, where it is always the first",
    "games": f"{GAMES // 2} with each colour instead of 7 or 8",
}
_INIT_STATED = {
    "depths": "Experiments: the same for both",
    "ties": "Experiments: none at random before the change",
}
_INIT_ASSUMED = {"depth": "not printed: 1, 2 and 3 are all played", "colours": "both"}


def weights(heuristics: str, **others: Any) -> dict[str, Any]:
    """Of a combination such as "H1+H3", or "none"."""
    chosen = {f"H{i}": name for i, name in enumerate(HEURISTICS, start=1)}
    found = dict.fromkeys(HEURISTICS, 0.0)
    for part in heuristics.split("+") if heuristics != "none" else ():
        if part not in chosen:
            raise ValueError(f"expected H1 to H4 joined by +, or none, not {heuristics!r}")
        found[chosen[part]] = 1.0
    return found | {"base": 2.0, "windows": False} | others


def searching(
    heuristics: str,
    *,
    depth: int,
    method: str = "alphabeta",
    ties: str = "random",
    wins: str = "equal",
    first: float = 0.0,
    **others: Any,
) -> Entrant:
    """A player of the paper. others: base, windows, border."""
    options: dict[str, Any] = {
        "value": "friedman", "depth": depth, "method": method, "ties": ties, "wins": wins
    } | ({"first": first} if first else {})  # fmt: skip
    return Entrant(
        player=SEARCH, options=tuple(options.items()),
        weights=tuple(weights(heuristics, **others).items()),
    )  # fmt: skip


def minimax(depth: int, **others: Any) -> Entrant:
    """The opponent: H1 alone, the first of equals.

    From depth 2 on it saves time by alpha-beta, which chooses the same moves.
    """
    method = "minimax" if depth == 1 else "alphabeta"
    return searching("H1", depth=depth, method=method, ties="first", **others)


def _contest(
    group: str, name: str, title: str, first: Entrant, depth: int, **more: Any
) -> Contest:
    settings: dict[str, Any] = {
        "game_options": {"broadside": False, "repetition": STUCK, "max_plies": LIMIT},
        "games": GAMES,
        "quick_games": QUICK,
        "stated": _STATED | _MAIN_STATED,
        "assumed": _ASSUMED | _MAIN_ASSUMED,
    }
    return Contest(
        id=f"{group}-{name}", paper=PAPER, group=group, title=title, game="abalone",
        entrants=(first, minimax(depth)), max_plies=LIMIT, **settings | more,
    )  # fmt: skip


def _main(group: str, name: str, heuristics: str, **others: Any) -> Contest:
    first = searching(heuristics, depth=3, **others)
    return _contest(group, name, f"{heuristics} at depth 3 against H1 at depth 1", first, 1)


def _other(group: str, run: int, games: int = FEWER, **others: Any) -> Contest:
    found = _main(group, str(run), RUNS[run], **others)
    return dataclasses.replace(found, games=games, quick_games=min(games, QUICK))


def _initial(group: str, run: int, depth: int, ties: str, games: int) -> Contest:
    first = searching(RUNS[run], depth=depth, ties=ties)
    title = f"{RUNS[run]} against H1, both at depth {depth}, ties: {ties}"
    stated, assumed = _STATED | _INIT_STATED, _ASSUMED | _INIT_ASSUMED
    return _contest(
        group, f"{run}-{depth}", title, first, depth, games=games,
        quick_games=min(games, QUICK), stated=stated, assumed=assumed,
    )  # fmt: skip


class Reading(NamedTuple):
    """What the paper leaves open and table 4 depends on; games are played on to the limit."""

    border: int = 0  # what H1 gives a stone on the border; 4 more in the centre
    base: int = 2  # of H4
    first: float = 0.0  # how probable it is that the first of equals is taken, else any

    @property
    def group(self) -> str:
        """The contests that it was computed with: the most informative were played first."""
        if (self.base, self.first) == (2, 0.0):
            return "F-BORDER"
        if self.border != 10:
            return "F-BORDERREST"
        return "F-BORDERFIRST" if self.first else "F-BORDERBASE"

    def cell(self, heuristics: str) -> "Reading":
        """The reading that stands for it: only with H4 and others beside it does base matter.

        H4 alone ranks positions alike with any base: by the stones of the side that took more,
        then by those of the other.
        """
        return self if "H4" in heuristics.split("+")[1:] else self._replace(base=2)

    def contest(self, heuristics: str) -> str:
        """The id of its games with that setting."""
        border, base, first = cell = self.cell(heuristics)
        ties = "mostlyfirst" if first else "any"
        return f"{cell.group}-b{border}-base{base}-{ties}-{heuristics.replace('+', '')}"


def _reading(reading: Reading, heuristics: str) -> Contest:
    border, base, first = reading
    player = searching(heuristics, depth=3, first=first, base=float(base), border=float(border))
    assumed = {
        "H1 table": f"{border + 4} in the centre to {border} on the border, for both players",
        "H4 base": f"{base}^n - 1 for n stones",
        "random choice": f"the first of equals with probability {first:g}, otherwise any",
        "stuck": f"{LIMIT} plies, however often a position returns",
        "games": f"{FEWER // 2} with each colour instead of 7 or 8",
    }
    return Contest(
        id=reading.contest(heuristics), paper=PAPER, group=reading.group, game="abalone",
        title=f"{heuristics} at depth 3 against H1 at depth 1",
        game_options=(("broadside", False), ("repetition", LIMIT), ("max_plies", LIMIT)),
        entrants=(player, minimax(1, border=float(border))), max_plies=LIMIT,
        games=FEWER, quick_games=QUICK, stated=_STATED | _MAIN_STATED,
        assumed=_ASSUMED | _MAIN_ASSUMED | assumed,
    )  # fmt: skip


MAIN = tuple(_main("F-MAIN", str(run), heuristics) for run, heuristics in RUNS.items())
MISSING = ("none", "H1+H2+H3", "H1+H2+H4", "H1+H3+H4")  # of the sixteen subsets
FACTORIAL = tuple(
    _main("F-FACTORIAL", heuristics.replace("+", ""), heuristics) for heuristics in MISSING
)
INIT = tuple(
    _initial("F-INIT", run, depth, "first", 2)
    for depth, run in itertools.product(DEPTHS, INITIAL)
)
INIT_RANDOM = tuple(  # con-k: what random choice alone does
    _initial("F-INITRANDOM", run, depth, "random", FEWER)
    for depth, run in itertools.product((1, 2), INITIAL)
)
TIES = tuple(_other("F-TIES", run, games=2, ties="first") for run in RUNS)
QUICK_WINS = tuple(  # con-j: the earlier win is worth more
    _other("F-QUICKWINS", run, games=200, wins="quick") for run in (1, 7, 12)
)
BLIND = tuple(_other("F-BLIND", run, wins="blind") for run in (1, 7, 12))
PATIENT = tuple(  # cycles that random choice may yet leave are not the end
    dataclasses.replace(
        _other("F-PATIENT", run),
        game_options=(("broadside", False), ("repetition", 10), ("max_plies", LIMIT)),
    )
    for run in (1, 4, 7, 12)
)
BOUNDS = tuple(  # the same with a player that takes moves for equal which are not
    dataclasses.replace(
        _other("F-BOUNDS", run, games=20, ties="bounds"), game_options=patient.game_options
    )
    for run, patient in zip((1, 4, 7, 12), PATIENT, strict=True)
)
BORDERS, BASES, FIRSTS = (0, 1, 2, 5, 10, 50), (2, 10), (0.0, 0.9)
READINGS = tuple(itertools.starmap(Reading, itertools.product(BORDERS, BASES, FIRSTS)))
CELLS = dict.fromkeys((r.cell(h), h) for r in READINGS for h in RUNS.values())
BORDER = tuple(itertools.starmap(_reading, CELLS))
BASE10 = tuple(_other("F-BASE10", run, base=10.0) for run in RUNS if "H4" in RUNS[run])
WINDOWS = tuple(_other("F-WINDOWS", run, windows=True) for run in RUNS if "H2" in RUNS[run])
CONTESTS = (
    *MAIN, *FACTORIAL, *INIT, *INIT_RANDOM, *TIES, *QUICK_WINS, *BLIND, *PATIENT, *BOUNDS,
    *BASE10, *WINDOWS, *BORDER,
)  # fmt: skip

registry.register(contests=CONTESTS)
