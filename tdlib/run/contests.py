"""Play contests (`experiments.contests`) and store a row for each game; what is there stays.

Every game has random numbers of its own, by contest and number, so it does not matter which
games are played beside it, nor where a run was interrupted. Contests that differ in weights
are played side by side, games taking turns between contests.

Games are begun in order of their number, and short ones end sooner. So of a contest that was
broken off only the games before the first missing one count (`load`): the others are stored and
need not be played again, but they are the short ones among their like.

Searching players know the rules without the rule that stops endless games: that one belongs to
who watches.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd

from tdlib import chance, paths
from tdlib.experiments import select_contests
from tdlib.experiments.contests import Contest, config, scaled
from tdlib.files import now, version
from tdlib.run import entrants, parts, playing
from tdlib.run.windows import Memory
from tdlib.store.sheets import Sheet

PLACES = (32, 1_024)  # games side by side; two sizes, so that little is compiled. Where many
# are packed into the lanes of a search, few lanes wait for the longest: 1.2 ms of CPU a ply of
# F-MAIN with 1,024, 3.0 with 256.
PLIES = 8  # between looks at what has ended
SAVE = 20.0  # seconds between savings
WIN = "win"


class Row(NamedTuple):
    """One game; see `data/README.md`. Players are 0, which the contest is about, and 1."""

    experiment: str
    config: str
    game: int
    first: int  # the player that moved first
    ended: str  # win, draw, stuck or limit
    payoff: int  # of player 0; 0 unless it ended with a win
    pieces_0: int  # what each player has taken or brought home
    pieces_1: int
    plies: int
    choices: int  # legal plays, summed over all turns
    repeated: int  # turns in a position that had been there before, where rules remember
    winning_0: int  # turns of player 0 that had a winning move, and how many of them
    missed_0: int  # were played otherwise
    winning_1: int
    missed_1: int
    seconds: float  # its share of the batch
    date: str
    version: str
    jax: str


def sheet(contest: Contest, root: Path | str) -> Sheet:
    about = {"id": contest.id, "paper": contest.paper, "title": contest.title}
    return Sheet(root, Row, "games", settings=config(contest), **about)


def load(contests: Iterable[Contest], root: Path | str) -> pd.DataFrame:
    """The stored games of contests: as many of each as it asks for, up to the first gap."""
    frames = [_upto_gap(sheet(c, root).frame(), c.games) for c in contests]
    return pd.concat(frames, ignore_index=True)


def play(
    contests: Iterable[Contest],
    root: Path | str,
    *,
    fresh: bool = False,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> tuple[int, int]:
    """Play what is missing: games that were there, games played.

    tell: hears how many of the missing games are done, and of how many.
    """
    contests = list(contests)
    books = {c.id: _Book(c, root, fresh) for c in contests}
    there = sum(
        len(book.rows.keys() & set(range(book.contest.games))) for book in books.values()
    )
    total = sum(c.games for c in contests) - there
    alike: dict[Any, list[_Book]] = {}
    for book in books.values():
        alike.setdefault(entrants.shape(book.contest), []).append(book)
    done = 0
    for group in alike.values():
        for ended in _group(group):
            done += ended
            tell(done, total)
    return there, done


def results(
    names: Sequence[str],
    scale: str,
    *,
    play_missing: bool = True,
    fresh: bool = False,
    root: Path | str | None = None,
) -> pd.DataFrame:
    """Games of contests, groups or papers at a scale; says what was there and what was played.

    play_missing: whether to play what is not stored; fresh: and what is stored, too. root: None
    means where results of that scale are kept.
    """
    chosen = [scaled(c, scale) for c in select_contests(names)]
    place = root or paths.store_dir(scale)
    there, played = play(chosen, place, fresh=fresh) if play_missing else (0, 0)
    found = load(chosen, place)
    wanted = sum(c.games for c in chosen)
    told = f"{there} loaded, {played} played" if play_missing else f"{len(found)} of {wanted}"
    print(f"{', '.join(names)}: games {told}")
    return found


def replay(contest: Contest, number: int) -> list[Any]:
    """All positions of a contest's game of that number, from the first to the last."""
    size = PLACES[0]  # of which one is used: what was played is compiled already
    table, memory, busy = playing.table(contest), Memory(contest, size), np.arange(size) < 1
    place = _begun(table, [contest], [(number, 0)] * size)
    weights = _weights([contest], np.zeros(size, int))
    states = [place.state]
    while not playing.over(table, place)[0]:
        place = _advanced(table, memory, weights, place, busy, 1)
        states.append(place.state)
    return [jax.tree.map(lambda x: x[0], state) for state in states]


class _Book:
    """The rows of a contest, those still unwritten among them."""

    def __init__(self, contest: Contest, root: Path | str, fresh: bool) -> None:
        self.contest, self.sheet = contest, sheet(contest, root)
        self.rows: dict[int, Row] = {} if fresh else {r.game: r for r in self.sheet.rows()}
        self.todo = [n for n in range(contest.games) if n not in self.rows]
        self.new = False

    def write(self) -> None:
        if self.new:
            self.sheet.put(self.rows[n] for n in sorted(self.rows))
            self.new = False


def _group(books: Sequence[_Book]) -> Iterable[int]:
    """Play the games of contests of one shape; yields how many have just ended."""
    queue = sorted((n, i) for i, book in enumerate(books) for n in book.todo)
    if not queue:
        return
    contests = [book.contest for book in books]
    table = playing.table(contests[0])
    places = next((size for size in PLACES if len(queue) <= size), PLACES[-1])
    taken, queue = queue[:places], queue[places:]
    busy = np.arange(places) < len(taken)
    taken += [taken[0]] * (places - len(taken))  # of these nobody takes notice
    place = _begun(table, contests, taken)
    memory, spent, saved = Memory(contests[0], places), np.zeros(places), time.monotonic()
    while busy.any():
        began = time.monotonic()
        weights = _weights(contests, np.array([i for _, i in taken]))
        place = _advanced(table, memory, weights, place, busy, PLIES)
        ended = np.asarray(playing.over(table, place)) & busy
        spent[busy] += (time.monotonic() - began) / busy.sum()
        found = jax.tree.map(np.asarray, playing.ended(table, place))
        for at in np.flatnonzero(ended):
            number, i = taken[at]
            one = jax.tree.map(lambda x: x[at], found)  # noqa: B023
            books[i].rows[number] = _row(books[i], number, one, spent[at])
            books[i].new, spent[at], busy[at] = True, 0.0, bool(queue)
            if queue:
                taken[at] = queue.pop(0)
        if (refilled := ended & busy).any():
            place = playing.select(jnp.asarray(refilled), _begun(table, contests, taken), place)
            memory.forget(refilled)
        if time.monotonic() - saved > SAVE or not busy.any():
            for book in books:
                book.write()
            saved = time.monotonic()
        if ended.any():
            yield int(ended.sum())


def _begun(
    table: playing.Table, contests: Sequence[Contest], taken: Sequence[tuple[int, int]]
) -> playing.Places:
    """New games at all places."""
    numbers, which = np.array(taken, np.int32).T
    keys = jnp.stack([parts.key(c, 0, "contest") for c in contests])[which]
    keys = jax.vmap(chance.fold_in)(keys, jnp.asarray(numbers))
    turned = [_turned(contests[i], n) for n, i in taken]
    return playing.begin(table, keys, jnp.asarray(turned, jnp.int32))


def _advanced(
    table: playing.Table,
    memory: Memory,
    weights: tuple,
    place: playing.Places,
    busy: np.ndarray,
    plies: int,
) -> playing.Places:
    """At most so many plies further; only one while somebody learns from every position."""
    now, plies = memory.used(weights), 1 if memory.learning(busy) else plies
    after = playing.advance(table, now, place, jnp.asarray(busy), plies)
    memory.see(place, now, busy)
    return after


def _turned(contest: Contest, number: int) -> int:
    """By how many seats the entrants have moved on in a game."""
    return number % len(contest.entrants) if contest.rotate else 0


def _weights(contests: Sequence[Contest], which: np.ndarray) -> tuple:
    """Of each entrant, the weights at every place [B, ...]."""
    found = []
    for seat in range(len(contests[0].entrants)):
        mine = [entrants.player(c, c.entrants[seat]).weights for c in contests]
        found.append(jax.tree.map(lambda *x: np.stack(x)[which], *mine))
    return tuple(found)


def _row(book: _Book, number: int, one: playing.Ended, seconds: float) -> Row:
    how = entrants.ended(book.contest, one)
    (winning_0, missed_0), (winning_1, missed_1) = one.notes[:2, 1:].astype(int).tolist()
    id, settings = book.sheet.names
    return Row(
        id, settings, number, int(one.first), how, int(one.payoff[0]) if how == WIN else 0,
        int(one.pieces[0]), int(one.pieces[1]), int(one.plies), int(one.choices),
        int(one.notes[:, 0].sum()), winning_0, missed_0, winning_1, missed_1,
        float(seconds), now(), version(), jax.__version__,
    )  # fmt: skip


def _upto_gap(table: pd.DataFrame, games: int) -> pd.DataFrame:
    numbers = table.game.to_numpy()
    whole = int((numbers == np.arange(len(numbers))).sum())
    return table[table.game < min(whole, games)]
