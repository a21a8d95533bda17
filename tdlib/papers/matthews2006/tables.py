"""Matthews 2006: tables A.1-A.28, the two networks of 50 hidden units in chapter 8, controls.

Networks of 10 hidden units and one output for each player learn four games by TD(0.7) with step
size 0.3: from unary inputs in various company (chapter 6), from three kinds of inputs by
self-play (chapter 7). Tests are against the skilled opponent of the game. Three experiments are
ours: the ledger of claims asks for a smaller step size, and for 10 hidden units in the same
training as the 50.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

from tdlib.learning.records import constant
from tdlib.study.experiment import LEARNER, Experiment

PAPER = "matthews2006"


class _Row(NamedTuple):
    """What sets one table apart from the others of its game."""

    encoding: str
    environment: str
    seats: tuple[str, ...]
    normalise: bool = True  # of inputs that are not unary


class _Setting(NamedTuple):
    """What the tables of one game have in common."""

    evaluation: tuple[str, ...]
    checkpoints: tuple[int, ...]
    wins: tuple[float, ...] = (0.9,)
    max_plies: int = 10_000  # of a game of training or of a test
    quick_games: int | None = None
    other: Mapping[str, Any] = {}  # fields of `Experiment`
    assumed: Mapping[str, str] = {}


_L, _R, _H, _P = LEARNER, "random", "heuristic", "pubeval"
_BY_5000 = tuple(range(0, 50_001, 5_000))
_GAMES = {
    "backgammon": _Setting((_L, _P), tuple(range(0, 100_001, 5_000)), (0.6, 0.75, 0.9)),
    "hypergammon": _Setting(
        (_L, _P), (*range(0, 5_000, 1_000), *_BY_5000[1:]), (0.6, 0.75, 0.9)
    ),
    "pachisi": _Setting(
        (_L, _H, _L, _H),
        _BY_5000,
        max_plies=20_000,
        quick_games=1_000,
        other={
            "habits": {"passes": "forced", "wins": "taken"},
            "eval_habits": {"wins": "taken"},
            "observe_end": True,
        },
        assumed={
            "habits": "section 3.3 lets everybody pass at any time, but learners who may would"
            " come to pass for ever, and no game of self-play would end. So a learner passes in"
            " training only if nothing can move; random players pass as they like. Not"
            " mentioned either: a move that wins the game is always taken",
            "eval_habits": "passing is free, as section 3.3 says; not mentioned: a move that"
            " wins the game is always taken",
            "observe_end": "section 5.1: “At the end of a game, each output was given a value”;"
            " we read that the last board is observed like any other, then this value",
            "blockade": "a player who is home and does not throw meets none: 0",
            "where these come from": "an independent program, which compared many readings with"
            " the published numbers; they were fixed before any result of ours",
        },
    ),
    "parcheesi": _Setting((_L, _H, _H, _H), _BY_5000),
}
_TWO_PLAYERS = (
    _Row("unary", "self-play", (_L, _L)),
    _Row("unary", "against a random player", (_L, _R)),
    _Row("unary", "against pubeval", (_L, _P)),
)
_TABLES = {  # in the order of appendix A
    "backgammon": (
        *_TWO_PLAYERS,
        _Row("smart", "self-play", (_L, _L), normalise=False),
        _Row("smart", "self-play", (_L, _L)),
        _Row("combined", "self-play", (_L, _L), normalise=False),
        _Row("combined", "self-play", (_L, _L)),
    ),
    "hypergammon": (
        *_TWO_PLAYERS,
        _Row("smart", "self-play", (_L, _L)),
        _Row("combined", "self-play", (_L, _L)),
    ),
    "pachisi": (
        _Row("unary", "self-play", (_L, _L, _L, _L)),
        _Row("unary", "with three random players", (_L, _R, _R, _R)),
        _Row("unary", "with three heuristic players", (_L, _H, _H, _H)),
        _Row("unary", "against a random team", (_L, _R, _L, _R)),
        _Row("unary", "against a heuristic team", (_L, _H, _L, _H)),
        _Row("smart", "self-play", (_L, _L, _L, _L)),
        _Row("combined", "self-play", (_L, _L, _L, _L)),
    ),
    "parcheesi": (
        _Row("unary", "self-play", (_L, _L, _L, _L)),
        _Row("unary", "against three random players", (_L, _R, _R, _R)),
        _Row("unary", "against three heuristic players", (_L, _H, _H, _H)),
        _Row("unary", "two learners, two random players", (_L, _L, _R, _R)),
        _Row("unary", "two learners, two heuristic players", (_L, _L, _H, _H)),
        _Row("unary", "two learners, a random and a heuristic player", (_L, _L, _R, _H)),
        _Row("unary", "observing two random and two heuristic players", (_R, _R, _H, _H)),
        _Row("smart", "self-play", (_L, _L, _L, _L)),
        _Row("combined", "self-play", (_L, _L, _L, _L)),
    ),
}

_STATED = {
    "game": "chapter 3",
    "encoding": "section 5.4",
    "hidden": "section 5.1",
    "outputs": "section 5.1",
    "span": "section 5.1",
    "alpha": "section 5.2",
    "lam": "section 5.2",
    "targets": "section 5.1",
    "rewards": "section 5.1: only the end of a game has a value",
    "seats": "chapter 6",
    "games": "section 5.2",
    "checkpoints": "the rows of the table in appendix A",
    "runs": "section 5.5",
    "evaluation": "section 5.5",
    "eval_games": "section 5.5",
}
_ASSUMED = {
    "game_options": "rules are not given in full; `tdlib.games` names each choice",
    "encoding_options": "scales are not given in full; `tdlib.encodings` names each choice",
    "bias": "not mentioned; Mitchell 1997, whom section 2.2 follows, has bias units",
    "epsilon": "not mentioned; dice and cowries explore",
    "gamma": "not mentioned; equations 2.3-2.5 have no discount",
    "kappa": "not mentioned; all errors count alike",
    "penalty": "not mentioned; a move costs nothing",
    "reevaluate": "not mentioned; a position is valued once, when it is reached",
    "rotate": "not mentioned; in a fixed seat the network would learn that seat's view alone",
    "max_plies": "not mentioned; far beyond any game, so that every run ends",
    "eval_max_plies": "not mentioned; far beyond any game, so that every test ends",
    "floats": "not mentioned; section 5.6 has a Java program, so perhaps float64 (notebook 35)",
    "ties": "not mentioned; of equally good plays the first as `tdlib.games` lists them",
    "when to learn": "after each throw or roll of anybody, forced passes included",
    "choice": "the play with the highest output of the player to move",
    "who begins": "drawn at random; in backgammon and hypergammon by the opening roll",
}
_ORDER = "section 6.4 says who plays, not who sits where; here equals sit side by side"


def _experiment(id: str, game: str, row: _Row) -> Experiment:
    setting = _GAMES[game]
    stated, assumed = dict(_STATED), {**_ASSUMED, **setting.assumed}
    if row.encoding != "unary":
        stated["encoding_options"] = "section 7.1: divided by their greatest values, or not"
        del assumed["encoding_options"]
    if game == "parcheesi" and row.seats.count(LEARNER) in (0, 2):
        assumed["seats"] = _ORDER
        del stated["seats"]
    return Experiment(
        id=id,
        paper=PAPER,
        group=game,
        title=f"{game}, {row.encoding} inputs, {row.environment}",
        game=game,
        encoding=row.encoding,
        encoding_options=() if row.encoding == "unary" else (("normalise", row.normalise),),
        hidden=10,
        outputs=len(row.seats),
        span=1.0,
        alpha=constant(0.3),
        lam=constant(0.7),
        targets=(0.1, 0.1, setting.wins),
        seats=row.seats,
        max_plies=setting.max_plies,
        games=max(setting.checkpoints),
        checkpoints=setting.checkpoints,
        runs=5,
        quick_games=setting.quick_games,
        evaluation=setting.evaluation,
        eval_games=5_000,
        eval_max_plies=setting.max_plies,
        **setting.other,
        stated=stated,
        assumed=assumed,
    )


def _longer(id: str, game: str, games: int, hidden: int, runs: int) -> Experiment:
    """Chapter 8: more games against pubeval, and more hidden units."""
    like = _experiment(id, game, _Row("combined", "against pubeval", (_L, _P)))
    said = dict.fromkeys(("hidden", "encoding", "seats", "games", "runs"), "chapter 8")
    unsaid = {"checkpoints": "not mentioned; every 5,000 games as in appendix A"}
    if hidden != 50:
        ours = "not in the thesis: a control for chapter 8, which changes this and more at once"
        unsaid |= {"hidden": ours, "runs": "not in the thesis: as many as in appendix A"}
    stated = {k: v for k, v in {**like.stated, **said}.items() if k not in unsaid}
    return dataclasses.replace(
        like,
        title=f"{like.title}, {hidden} hidden units",
        hidden=hidden,
        games=games,
        checkpoints=tuple(range(0, games + 1, 5_000)),
        runs=runs,
        stated=stated,
        assumed={**like.assumed, **unsaid},
    )


def _slower(id: str, like: Experiment) -> Experiment:
    """Section 5.2: the step size of TD-Gammon, which the thesis names and does not try."""
    stated = {k: v for k, v in like.stated.items() if k != "alpha"}
    unsaid = {"alpha": "not in the thesis: a control for the claim that 0.3 does no harm"}
    return dataclasses.replace(
        like,
        id=id,
        title=f"{like.title}, step size 0.1",
        alpha=constant(0.1),
        stated=stated,
        assumed={**like.assumed, **unsaid},
    )


_rows = [(game, row) for game, rows in _TABLES.items() for row in rows]
_tables = [_experiment(f"M-A{n}", *place) for n, place in enumerate(_rows, start=1)]
EXPERIMENTS = (
    *_tables,
    _longer("M-50BG", "backgammon", 150_000, hidden=50, runs=1),
    _longer("M-50HG", "hypergammon", 175_000, hidden=50, runs=1),
    _longer("M-10BG", "backgammon", 150_000, hidden=10, runs=5),
    _longer("M-10HG", "hypergammon", 175_000, hidden=10, runs=5),
    _slower("M-ALPHA", _tables[0]),
)
