"""Lee & Noh's experiments as data.

L-COMPLEX   ours: random games under their limits, for their table 1 and for Abalearn's
"""

from tdlib.study import registry
from tdlib.study.contest import Contest, Entrant

PAPER = "leenoh"
LIMITS = (("max_plies", 1_000), ("no_capture_limit", 200))
RANDOM = Entrant(player="random")

COMPLEX = Contest(
    id="L-COMPLEX", paper=PAPER, group="L-COMPLEX", title="random play", game="abalone",
    game_options=LIMITS, entrants=(RANDOM, RANDOM), max_plies=1_000, stopped="rules",
    games=1_000, quick_games=100,
    stated={"limits": "section 2.3: 200 moves without a capture, 1,000 in all"},
    assumed={"players": "random: which positions table 1 averages over is not said"},
)  # fmt: skip

registry.register(contests=(COMPLEX,))
