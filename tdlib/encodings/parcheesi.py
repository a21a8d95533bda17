"""The inputs of Matthews 2006 for Parcheesi (section 5.4).

All are objective: seats 0..3 keep their places, whoever moves or asks.

    unary     632  for each seat, each square 0..67 of the track and each place 65..71 of its
                   home path [n >= 1, n >= 2], then start and home [n >= 1 .. n >= 4]
    smart      32  turn, pip, worst, best, contact, exposure, hit, blockade, each of four seats
    combined  664  unary, then smart

Where the thesis is silent we chose: smart features are divided by the greatest value they could
take; a piece at start is 72 from home and has the whole track before it; only pieces alone on
a square that is no castle are exposed. A hit is a legal play, bonus moves left out, that
captures a piece of this player, in the mean of the three opponents; doubles of four numbers
count as such. A blockade is a roll of which not both dice can be used, bonus moves left out and
doubles taken as two dice. Both are asked for all players, whoever is to roll.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from tdlib.encodings import race
from tdlib.encodings.parcheesi_chances import chances
from tdlib.games.parcheesi import State
from tdlib.games.parcheesi_steps import HOME, IS_CASTLE, LAST, QUARTER, SEATS, TRACK, Rules
from tdlib.types import Array, Encoding

GREATEST = {
    "turn": 1,
    "pip": 4 * HOME,
    "worst": HOME,
    "best": HOME,
    "contact": 4 * 12,
    "exposure": 4,
    "hit": 1,
    "blockade": 1,
}
_SPACES = tuple(f"square {s}" for s in range(TRACK)) + tuple(
    f"home path {p}" for p in range(LAST + 1, HOME)
)
_AFTER = (np.arange(SEATS)[:, None] + np.arange(1, SEATS)[None]) % SEATS  # [4, 3] opponents


def unary() -> Encoding:
    """Truncated unary counts, the squares of the track in the same order for all players."""

    def locate(pieces: Array) -> Array:
        square = (QUARTER * np.arange(SEATS)[:, None] + 4 + pieces) % TRACK
        place = jnp.where(pieces <= LAST, square, TRACK + pieces - LAST - 1)
        return jnp.where((pieces > 0) & (pieces < HOME), place, -1)

    return race.unary(_SPACES, locate, HOME)


def smart(*, normalise: bool = True, must_enter: bool = True) -> Encoding:
    """Features a player would name.

    normalise: divide each by its greatest possible value. must_enter: as in `parcheesi.game`.
    """
    raw = functools.partial(raw_features, must_enter=must_enter)
    return race.smart(raw, GREATEST, normalise=normalise)


def combined(*, normalise: bool = True, must_enter: bool = True) -> Encoding:
    """Unary, then smart."""
    return race.combined(unary(), smart(normalise=normalise, must_enter=must_enter))


def raw_features(state: State, *, must_enter: bool = True) -> Array:
    """The smart features before division: [32] float32."""
    pieces = state.pieces
    on_track = (pieces >= 1) & (pieces <= LAST)
    alone = (pieces[:, :, None] == pieces[:, None, :]).sum(-1) == 1
    exposure = (on_track & alone & ~jnp.asarray(IS_CASTLE)[0, pieces]).sum(-1)
    contact = race.contact(pieces, _ahead(pieces, on_track))
    look = functools.partial(chances, _rules(must_enter))
    could_hit, blockade = jax.vmap(look)(pieces, pieces[_AFTER])  # [4, 3], [4]
    hit = jnp.zeros(SEATS, jnp.int32).at[_AFTER].add(could_hit)
    rest = [contact, exposure, hit / (36 * (SEATS - 1)), blockade / 36]
    features = [race.progress(state, HOME), jnp.stack(rest)]
    return jnp.concatenate([part.astype(jnp.float32) for part in features]).ravel()


def _ahead(pieces: Array, on_track: Array) -> Array:
    """For each seat, where its path meets the enemies' pieces: [4, 4, 4], 0 if nowhere."""
    seats = np.arange(SEATS)
    after = seats[None] - seats[:, None]  # how many seats the other comes after
    ahead = (pieces[None] + QUARTER * after[..., None] - 1) % TRACK + 1
    enemy = after != 0
    return jnp.where(enemy[..., None] & on_track[None] & (ahead <= LAST), ahead, 0)


def _rules(must_enter: bool) -> Rules:
    """The default rules of `parcheesi.game`, but for this option."""
    return Rules(
        must_enter=jnp.bool_(must_enter),
        castles=jnp.int32(0),
        larger_die=jnp.bool_(False),
        third_double=jnp.int32(0),
        move_blockade=jnp.bool_(False),
        own_blockade=jnp.bool_(True),
        entry_capture=jnp.bool_(True),
    )
