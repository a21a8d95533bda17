"""What searching players learn within a game: the windows of Lee & Noh (`search.windows`).

Players have no memory, so the windows of all games under way are kept here and handed to them
as weights. The windows of a game follow from its own positions, whatever is played beside it.
"""

import jax
import numpy as np

from tdlib.play.loop import Lanes
from tdlib.search import windows
from tdlib.study import entrants
from tdlib.study.contest import Contest
from tdlib.types import State


class Memory:
    """The windows of a contest's entrants in B lanes; most entrants have none."""

    def __init__(self, contest: Contest, lanes: int) -> None:
        found = enumerate(entrants.pruning(contest, e) for e in contest.entrants)
        self._searches = {i: search for i, search in found if search}
        shape = len(contest.entrants), lanes, len(windows.PERCENTILES)
        self._low, self._high = np.full(shape, -np.inf, "f4"), np.full(shape, np.inf, "f4")
        self._seen: dict[tuple[int, int], list[State]] = {}  # by entrant and lane

    def learning(self, busy: np.ndarray) -> bool:
        """Whether any of the games [B] bool must be seen ply by ply."""
        lanes = np.flatnonzero(busy).tolist()
        return any(self._learns(i, at) for i in self._searches for at in lanes)

    def used(self, weights: tuple) -> tuple:
        """The weights of all entrants [B, ...] with the windows known by now."""
        return tuple(
            mine._replace(low=self._low[i].copy(), high=self._high[i].copy())
            if i in self._searches
            else mine
            for i, mine in enumerate(weights)
        )

    def see(self, lanes: Lanes, weights: tuple, busy: np.ndarray) -> None:
        """A ply was played from these positions, in the lanes that are busy [B]."""
        seat = np.asarray(lanes.state.seat)
        mover = np.asarray(lanes.players)[np.arange(len(seat)), seat]
        for i, search in self._searches.items():
            for at in np.flatnonzero(busy & (mover == i)).tolist():
                if not self._learns(i, at):
                    continue
                state, mine = jax.tree.map(lambda x: x[at], (lanes.state, weights[i]))  # noqa: B023
                seen = self._seen.setdefault((i, at), [])
                seen.append(jax.device_get(state))
                if len(seen) == windows.MOVES:
                    keys = windows.gathered(search, mine.inner, seen)
                    _, self._low[i, at], self._high[i, at] = windows.learned((), keys)

    def forget(self, where: np.ndarray) -> None:
        """New games begin in these lanes [B] bool."""
        self._low[:, where], self._high[:, where] = -np.inf, np.inf
        for i in self._searches:
            for at in np.flatnonzero(where).tolist():
                self._seen.pop((i, at), None)

    def _learns(self, entrant: int, lane: int) -> bool:
        return len(self._seen.get((entrant, lane), ())) < windows.MOVES
