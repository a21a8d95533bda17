"""Record one random game of each kind: `make playthroughs`, after a deliberate change of rules.

A playthrough pins the rules and the text notation turn by turn; tests/test_playthroughs.py
plays it again. The dice and choices come from Python's own generator, so that a new version of
JAX changes nothing here.
"""

import sys
from pathlib import Path
from random import Random

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1]))  # run as a file, from anywhere

import jax  # noqa: E402

from tdlib.games import GAMES, every_play, make  # noqa: E402
from tdlib.show.notation import NOTATIONS  # noqa: E402

PICTURES, TURNS = 6, 250  # turns drawn in full; turns recorded at the most


def record(name: str) -> str:
    """The text of one game."""
    game, notation, rng = make(name), NOTATIONS[name], Random(name)
    state = game.init(jax.random.key(0))
    odds, outcome = jax.jit(game.odds), jax.jit(game.outcome)
    lines = [f"# {name}: a random game", notation.picture(state), notation.format(state)]
    for turn in range(1, TURNS + 1):
        (roll,) = rng.choices(range(len(game.rolls)), [float(p) for p in odds(state)])
        after = every_play(game, state, roll)
        texts = [notation.format(position) for position in after]
        pick = texts.index(rng.choice(sorted(texts)))  # whatever the order of the list
        rolled = f", {game.rolls[roll]}" if game.rolls[roll] else ""
        lines.append(
            f"{turn}. seat {int(state.seat)}{rolled}, {len(texts)} plays: {texts[pick]}"
        )
        state = after[pick]
        if turn <= PICTURES:
            lines += [notation.picture(state), ""]
        over, payoff = outcome(state)
        if over:
            return "\n".join([*lines, f"over, payoff {payoff.tolist()}", ""])
    return "\n".join([*lines, "to be continued", ""])


if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        (FOLDER / f"{name}.txt").write_text(record(name))
        print(f"recorded {name}")
