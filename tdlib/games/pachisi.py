"""Pachisi for two teams of two, seats 0 and 2 against 1 and 3. Rules: Matthews 2006, sections
3.3 and 5.3, and the Masters Games rules it cites, read in copies.

    path of a piece, p          player k stands on (17k + p - 8) mod 68 of the outer track
      0        the Charkoni, not started
      1 .. 7   own middle column, outwards
      8 .. 76  outer track      8 and 76 are both the end square 17k of the own arm, before
      77 .. 83 own column back  and after the circuit; castles: squares 0, 4, 13 of each 17
      84       home

Six cowries: with 0..6 mouths up the throw is 25, 10, 2, 3, 4, 5, 6; a 25, 10 or 6 is a grace
and gives another throw. One piece moves the whole distance, or the player passes. A piece
leaves the Charkoni with a grace, the first one with any throw. Whoever passes the own end
square may stay outside for another circuit instead of turning in. Enemies are captured where
they stand, however many, except on castles, where nobody may join them. There are no
blockades. A team wins when its eight pieces are home.

Where the source is silent we chose: home needs no exact throw (`exact`; a piece on 83 would
wait for ever, no throw being 1); a piece enters at p = throw (`entry`); a grace counts also
when passing (`grace_on_pass`); captures earn nothing (`capture_throws_again`); players who are
home are skipped; a random player begins. Free passing, which the source states, lets untrained
players pass for ever; `passing` restricts it.

A turn has at most nine choices, so a play is a slot and the legal slots are a bit mask: slot 0
passes, slot 1 + 2i moves piece i towards home, slot 2 + 2i moves it into another circuit.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from tdlib.games.options import named_or_flags
from tdlib.kernels import bits, random_numbers
from tdlib.kernels.written_out import ascending
from tdlib.types import Array, Game, Key

SEATS = PIECES = 4
TEAMS = ((0, 2), (1, 3))
TRACK, QUARTER = 68, 17
OUT, ROUND, HOME = 8, 76, 84  # the own end square before and after the circuit; home
CASTLES = (0, 4, 13)  # modulo 17
DISTANCE = np.array([25, 10, 2, 3, 4, 5, 6])  # [7] by the number of mouths up
GRACE = np.array([True, True, False, False, False, False, True])
ODDS = np.array([1, 6, 15, 20, 15, 6, 1], np.float32) / 64
SLOTS = 1 + 2 * PIECES
PASS, INWARD = 1, 2  # masks of slot 0, and of slot 1, which moves the rearmost piece
NAMED = {
    "free_entry": ("once", "never", "none_out"),
    "entry": ("count", "first"),
    "passing": ("free", "no_pass_after_three", "not_twice", "forced_only"),
}


class State(NamedTuple):
    pieces: Array  # [4, 4] int32, path numbers of each player, ascending
    entered: Array  # [4] bool, who has brought a piece out in this game
    seat: Array  # [] int32, who throws next
    run: Array  # [] int32, passes in a row, up to 3; kept only if passing="no_pass_after_three"
    passed: Array  # [4] bool, whose latest choice was a pass; kept only if passing="not_twice"


class Plays(NamedTuple):
    count: Array  # type: ignore[assignment]  # [] int32, up to 9; not tuple.count
    slots: Array  # [] int32, bit mask of the legal slots
    roll: Array  # [] int32


class Rules(NamedTuple):
    """The options, see `game`."""

    exact: bool
    free_entry: str
    entry: str
    grace_on_pass: bool
    capture_throws_again: bool
    extra_circuit: bool
    passing: str


def game(
    *,
    exact: bool = False,
    free_entry: str = "once",
    entry: str = "count",
    grace_on_pass: bool = True,
    capture_throws_again: bool = False,
    extra_circuit: bool = True,
    passing: str = "free",
) -> Game:
    """Pachisi.

    Args:
      exact: a piece goes home by exact count only.
      free_entry: when a piece may leave the Charkoni without a grace: "once" (the first of the
        game), "never", or "none_out" (whenever no own piece is on the way).
      entry: a piece enters at p = the distance thrown ("count") or at p = 1 ("first").
      grace_on_pass: a grace gives another throw also to a player who passes.
      capture_throws_again: so does a capture.
      extra_circuit: a piece may stay outside for another circuit.
      passing: "free", or illegal if another choice exists and three passes in a row came
        before ("no_pass_after_three"), or the same player's latest choice was a pass
        ("not_twice"), or without further condition ("forced_only").
    """
    options = locals()
    named_or_flags(options, NAMED)
    rules = Rules(**options)

    def plays(state: State, roll: Array) -> Plays:
        return _plays(rules, state, roll)

    def play(state: State, plays: Plays, rank: Array) -> State:
        return _play(rules, state, plays, rank)

    rolls = tuple(str(d) for d in DISTANCE)
    return Game("pachisi", SEATS, rolls, init, odds, plays, play, outcome, pieces)


def init(key: Key) -> State:
    """All pieces in the Charkoni; a random player throws first."""
    return State(
        pieces=jnp.zeros((SEATS, PIECES), jnp.int32),
        entered=jnp.zeros(SEATS, bool),
        seat=random_numbers.below(key, 0, SEATS),
        run=jnp.int32(0),
        passed=jnp.zeros(SEATS, bool),
    )


def odds(state: State) -> Array:
    """Six fair cowries: [7] float32."""
    return jnp.asarray(ODDS)


def outcome(state: State) -> tuple[Array, Array]:
    """Over [] when a team is home; payoff [4], 1 for each of its players, -1 for the others."""
    home = (state.pieces == HOME).all(-1)
    won = home & home[np.arange(SEATS) - 2]
    over = won.any()
    return over, jnp.where(over, jnp.where(won, 1, -1), 0)


def pieces(state: State) -> Array:
    """Pieces home: [4]."""
    return (state.pieces == HOME).sum(-1, dtype=jnp.int32)


def can_win(state: State, plays: Plays) -> Array:
    """Whether the last piece of a team comes home with this throw: [] bool; see `INWARD`."""
    own, partner = state.pieces[state.seat], state.pieces[(state.seat + 2) % SEATS]
    others_home = (own[1:] == HOME).all() & (partner == HOME).all()
    arrives = own[0] + jnp.asarray(DISTANCE)[plays.roll] >= HOME
    return others_home & arrives & (plays.slots & INWARD > 0)


def square(player: int, p: int) -> int:
    """The square of the outer track on which path number p is, or -1: for one place in text."""
    return (QUARTER * player + p - OUT) % TRACK if OUT <= p <= ROUND else -1


def _plays(rules: Rules, state: State, roll: Array) -> Plays:
    """Which slots are legal, two own pieces on the same square being one choice."""
    assert state.pieces.shape == (SEATS, PIECES)
    own = state.pieces[state.seat]
    target = _targets(rules, own, roll)  # [4, 2]
    foes = _squares(state.pieces, np.arange(SEATS)[:, None])  # [4, 4], -1 off the track
    foes = jnp.where((np.arange(SEATS) - state.seat)[:, None] % 2 == 1, foes, -1).ravel()
    square = _squares(target, state.seat)
    held = (square[..., None] == foes[None, None]).any(-1) & (square >= 0)
    castle = (square[..., None] % QUARTER == np.array(CASTLES)[None, None]).any(-1)

    starts = own == 0
    may_start = jnp.asarray(GRACE)[roll]
    if rules.free_entry == "once":
        may_start |= ~state.entered[state.seat]
    if rules.free_entry == "none_out":
        may_start |= (starts | (own == HOME)).all()
    twin = jnp.concatenate([jnp.zeros(1, bool), own[1:] == own[:-1]])
    able = ~twin & (own < HOME) & (~starts | may_start)
    legal = able[:, None] & (target >= 0) & ~(held & castle)
    moves = bits.pack(legal.ravel())
    slots = moves << 1 | _may_pass(rules, state, moves > 0)
    return Plays(bits.size(slots), slots, jnp.int32(roll))


def _targets(rules: Rules, own: Array, roll: Array) -> Array:
    """Where the pieces [4] go, towards home and round again: [4, 2], -1 where they cannot."""
    distance = jnp.asarray(DISTANCE)[roll]
    to = own + distance
    inward = jnp.where(to > HOME, -1, to) if rules.exact else jnp.minimum(to, HOME)
    if rules.entry == "first":
        inward = jnp.where(own == 0, 1, inward)
    again = jnp.where((own <= ROUND) & (to > ROUND), OUT + to - ROUND, -1)
    if not rules.extra_circuit:
        again = jnp.full_like(own, -1)
    return jnp.stack([inward, again], axis=-1)


def _squares(p: Array, player: Array | np.ndarray) -> Array:
    """Squares of the outer track, -1 for places that are not on it."""
    return jnp.where((p >= OUT) & (p <= ROUND), (QUARTER * player + p - OUT) % TRACK, -1)


def _may_pass(rules: Rules, state: State, can_move: Array) -> Array:
    """Whether passing is legal: [] bool."""
    if rules.passing == "no_pass_after_three":
        return ~can_move | (state.run < 3)
    if rules.passing == "not_twice":
        return ~can_move | ~state.passed[state.seat]
    return ~can_move if rules.passing == "forced_only" else jnp.bool_(True)


def _play(rules: Rules, state: State, plays: Plays, rank: Array) -> State:
    """The position after the rank-th legal slot."""
    slot = bits.nth(plays.slots, jnp.int32(rank))
    moves = slot > 0
    piece, circuit = jnp.divmod(jnp.maximum(slot - 1, 0), 2)
    own = state.pieces[state.seat]
    to = _targets(rules, own, plays.roll)[piece, circuit]
    seats = np.arange(SEATS)
    mover = seats == state.seat

    square = _squares(to, state.seat)
    foe = ((seats - state.seat) % 2 == 1)[:, None]
    taken = foe & (_squares(state.pieces, seats[:, None]) == square) & (square >= 0) & moves
    moved = mover[:, None] & (np.arange(PIECES)[None] == piece) & moves
    pieces = jnp.where(taken, 0, jnp.where(moved, to, state.pieces))
    pieces = jnp.stack(ascending(*pieces.T), axis=-1)

    again = jnp.asarray(GRACE)[plays.roll]
    if not rules.grace_on_pass:
        again &= moves
    if rules.capture_throws_again:
        again |= taken.any()
    run, passed = state.run, state.passed
    if rules.passing == "no_pass_after_three":
        run = jnp.where(moves, 0, jnp.minimum(run + 1, 3))
    if rules.passing == "not_twice":
        passed = jnp.where(mover, ~moves, passed)
    return State(
        pieces=pieces,
        entered=state.entered | (mover & moves),
        seat=_next(pieces, state.seat + ~again),
        run=run,
        passed=passed,
    )


def _next(pieces: Array, seat: Array) -> Array:
    """The first player from `seat` on who has a piece that is not home: [] int32."""
    order = (seat + np.arange(SEATS)) % SEATS
    busy = (pieces < HOME).any(-1)[order]
    return order[jnp.argmax(busy)].astype(jnp.int32)
