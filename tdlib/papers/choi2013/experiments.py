"""Choi 2013: a network of one output learns Kalah by TD(lambda) against itself.

    C-FULL     the chosen setting (alpha 0.1, lambda 0.8, 30 hidden units), 120,000 games; its
               first 10,000 are the point through which the series below pass
    C-ALPHA    step sizes 0.05 to 0.2          C-LAMBDA   lambda from 0 to 1
    C-HIDDEN   0 to 40 hidden units            C-SPAN     half width of the initial weights
    C-RANDOM   share of random moves           C-HAND     hand-crafted inputs, 120,000 games
    C-TURN     ours: one input more, which tells who moves next; 120,000 games
    C-FULL-AGAIN, C-TURN-AGAIN   both once more, with other random numbers, to confirm what
               C-TURN had shown
    C-SEEDS, C-EMPTY   other rules: 3 and 6 seeds, capture with an empty pit opposite
    C-END      endgames, each learned from its own position (`choi2013_endgames`); C-ENDS all
               twenty by one network

Networks are tested after training against minimax of several depths (`ladder`); the
tests of the rows themselves are few games against depth 2.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

from tdlib.papers.choi2013.positions import POSITIONS, Position
from tdlib.study import registry
from tdlib.study.experiment import LEARNER, Experiment

PAPER = "choi2013"
EPOCHS = 10_000  # section 6.1: of the series
FULL_GAMES = 120_000
END_GAMES = 20_000
ALPHAS = (0.05, 0.07, 0.1, 0.15, 0.2)
LAMBDAS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
HIDDEN = (0, 5, 10, 20, 30, 40)
SPANS = (0.01, 0.1, 0.333, 1.0)
EPSILONS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)

_STATED = {
    "game": "section 4",
    "encoding": "section 5: 14 units, the seeds of each pit and store",
    "hidden": "section 6.1: 30",
    "outputs": "section 3: one estimate of the probability of winning",
    "span": "section 5: from -0.333 to 0.333",
    "alpha": "section 6.1: 0.1",
    "lam": "section 6.1: 0.8",
    "targets": "section 3: 1 for a win, 0 for a loss",
    "rewards": "section 3: z at the end alone",
    "gamma": "section 3: the equation has no discount",
    "seats": "section 5: trained by self-play",
    "games": "section 6.2: 120,000 epochs",
}
_ASSUMED = {
    "game_options": "4 seeds a pit, none captured into an empty pit; the page he cites had 3"
    " seeds then and names 4 for commercial sets",
    "encoding_options": "pits count double, stores do not: “One remedy is to multiply this"
    " value by 2” (section 5)",
    "bias": "not mentioned; usual",
    "epsilon": "“controlled randomness” (section 5): a random move with probability 0.1",
    "kappa": "not mentioned; all errors count alike",
    "penalty": "not mentioned; a move costs nothing",
    "reevaluate": "not mentioned; a position is valued once, when it is reached",
    "rotate": "South begins; in self-play the learner has both seats",
    "max_plies": "not mentioned; far beyond any game",
    "eval_max_plies": "not mentioned; far beyond any game",
    "checkpoints": "he saved every 1,000 epochs: so up to 10,000, then every 5,000",
    "runs": "not mentioned, presumably one; ten, to have intervals",
    "evaluation": "minimax with piece advantage; the depths are not told, here 2",
    "eval_games": "not mentioned; more games against more depths are played afterwards",
    "epoch": "one game of self-play",
    "draw": "counts 0.5",
    "view": "a position is seen by the player that has just moved into it",
    "choice": "the move with the highest output; of equal ones the first",
}
_EARLY = tuple(range(0, EPOCHS + 1, 1_000))

FULL = Experiment(
    id="C-FULL",
    paper=PAPER,
    group="whole-game",
    title="Kalah, raw inputs, self-play",
    game="kalah",
    encoding="raw",
    hidden=30,
    outputs=1,
    span=0.333,
    alpha=0.1,  # type: ignore[arg-type]  # numbers become schedules
    lam=0.8,  # type: ignore[arg-type]
    epsilon=0.1,  # type: ignore[arg-type]
    targets=(0.0, 0.5, (1.0,)),
    seats=(LEARNER, LEARNER),
    max_plies=1_000,
    games=FULL_GAMES,
    checkpoints=(*_EARLY, *range(15_000, FULL_GAMES + 1, 5_000)),
    runs=10,
    quick_games=2_000,
    evaluation=(LEARNER, "minimax2"),
    eval_games=200,
    eval_max_plies=1_000,
    stated=_STATED,
    assumed=_ASSUMED,
)
HAND = dataclasses.replace(
    FULL,
    id="C-HAND",
    title="Kalah, hand-crafted inputs, self-play",
    encoding="handcrafted",
    stated={
        **{k: v for k, v in _STATED.items() if k not in ("hidden", "games")},
        "encoding": "section 5: the 14 units and 27 more",
    },
    assumed={
        **_ASSUMED,
        "hidden": "30 as before; section 6.3 speaks of an “increase of the input and hidden"
        " units” without a number",
        "games": "not mentioned; as with the raw inputs",
        "encoding_options": "as for the raw inputs; vulnerable and attackable by one sowing",
    },
)
TURN = dataclasses.replace(
    FULL,
    id="C-TURN",
    title="Kalah, raw inputs and who moves next, self-play",
    encoding_options={"turn": True},  # type: ignore[arg-type]  # becomes a tuple
    stated={k: v for k, v in _STATED.items() if k != "encoding"},
    assumed={
        **_ASSUMED,
        "encoding": "the 14 units, and one that is 1 where the same player moves again: what"
        " a move is worth depends on that, and 14 counts of seeds do not say it",
    },
)
AGAIN = tuple(
    dataclasses.replace(
        e,
        id=f"{e.id}-AGAIN",
        title=f"{e.title}, once more",
        checkpoints=(0, EPOCHS, FULL_GAMES),
    )
    for e in (FULL, TURN)
)


def _varied(id: str, words: str, why: str, **changes: Any) -> Experiment:
    """The chosen setting for 10,000 games, with something changed."""
    field = next(iter(changes))
    assumed = {k: v for k, v in _ASSUMED.items() if k != field}
    said = {**_STATED, "games": "section 6.1: 10,000 epochs", field: why}
    if field in ("game_options", "epsilon"):
        assumed[field] = said.pop(field)
    return dataclasses.replace(
        FULL,
        id=id,
        group="series",
        title=f"Kalah, raw inputs, {words}",
        games=EPOCHS,
        checkpoints=_EARLY,
        quick_games=None,
        stated=said,
        assumed=assumed,
        **changes,
    )


_SERIES: dict[str, tuple[str, tuple, str, str]] = {  # field, values, words, where it is said
    "C-ALPHA": ("alpha", ALPHAS, "step size {}", "section 5: from 0.05 to 0.2"),
    "C-LAMBDA": ("lam", LAMBDAS, "lambda {}", "section 5: from 0 to 1"),
    "C-HIDDEN": ("hidden", HIDDEN, "{} hidden units", "section 5: none, or varying numbers"),
    "C-SPAN": ("span", SPANS, "initial weights up to {}", "section 5: “should be small”"),
    "C-RANDOM": (
        "epsilon",
        EPSILONS,
        "{} of the moves random",
        "how much is not told; a sweep",
    ),
}
_CHOSEN = {"alpha": 0.1, "lam": 0.8, "hidden": 30, "span": 0.333, "epsilon": 0.1}
_RULES: dict[str, tuple[str, Mapping[str, Any]]] = {
    "C-SEEDS-3": ("3 seeds a pit", {"seeds": 3}),
    "C-SEEDS-6": ("6 seeds a pit", {"seeds": 6}),
    "C-EMPTY": ("captures into empty pits", {"empty_capture": True}),
}


def series(group: str) -> dict[float, Experiment]:
    """The experiments of a series by what is varied; at the chosen value it is C-FULL."""
    field, values, words, why = _SERIES[group]
    return {
        value: FULL
        if value == _CHOSEN[field]
        else _varied(
            f"{group}-{value}",
            words.format(value),
            why,
            **{field: value},
        )
        for value in values
    }


def _ruled(id: str) -> Experiment:
    words, options = _RULES[id]
    seeds = {name: value for name, value in options.items() if name == "seeds"}
    why = f"{words}: another reading of the page he cites"
    return _varied(
        id,
        words,
        why,
        game_options=tuple(options.items()),
        encoding_options=tuple(seeds.items()),
    )


def _endgame(id: str, words: str, positions: tuple[Position, ...]) -> Experiment:
    """Games that start from these positions, whoever is to move."""
    starts = tuple((*cups, seat) for cups in positions for seat in (0, 1))
    why = "section 6.2: an endgame; his own is in a figure that is lost"
    end = _varied(id, words, why, game_options=(("starts", starts),))
    return dataclasses.replace(
        end,
        group="endgames-learned",
        games=END_GAMES,
        checkpoints=tuple(range(0, END_GAMES + 1, 1_000)),
        quick_games=2_000,
        evaluation=(LEARNER, "random"),
        eval_games=20,
        stated={k: v for k, v in end.stated.items() if k != "games"},
        assumed={
            **end.assumed,
            "games": "perfect after 7,000 (section 6.2); 20,000, to see whether it stays so",
            "evaluation": "none is told; what counts are the exact values (`run.endgames`)",
        },
    )


SERIES = {group: series(group) for group in _SERIES}
ENDS = _endgame("C-ENDS", "all endgames", POSITIONS)
ENDGAMES = tuple(
    _endgame(f"C-END-{number}", f"endgame {number}", (cups,))
    for number, cups in enumerate(POSITIONS, start=1)
)
_varying = [e for group in SERIES.values() for e in group.values() if e is not FULL]
RULED = tuple(map(_ruled, _RULES))
EXPERIMENTS = (FULL, HAND, TURN, *AGAIN, *_varying, *RULED, *ENDGAMES, ENDS)

registry.register(experiments=EXPERIMENTS)
