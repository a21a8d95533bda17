"""What searching players learn within a game: the windows of Lee & Noh (`search.windows`).

Players have no memory, so the windows of all games under way are kept here and handed to them
as weights. Those of a game follow from its own positions, whatever is played beside it.
"""

import jax
import numpy as np

from tdlib.experiments.contests import Contest
from tdlib.run import entrants
from tdlib.run.playing import Places
from tdlib.search import windows
from tdlib.types import State


class Memory:
    """The windows of a contest's entrants at B places; of most entrants there are none."""

    def __init__(self, contest: Contest, places: int) -> None:
        found = enumerate(entrants.pruning(contest, e) for e in contest.entrants)
        self._searches = {i: search for i, search in found if search}
        shape = len(contest.entrants), places, len(windows.PERCENTILES)
        self._low, self._high = np.full(shape, -np.inf, "f4"), np.full(shape, np.inf, "f4")
        self._seen: dict[tuple[int, int], list[State]] = {}  # by entrant and place

    def learning(self, busy: np.ndarray) -> bool:
        """Whether any of the games [B] bool must be seen ply by ply."""
        places = np.flatnonzero(busy).tolist()
        return any(self._learns(i, at) for i in self._searches for at in places)

    def used(self, weights: tuple) -> tuple:
        """The weights of all entrants [B, ...] with the windows known by now."""
        return tuple(
            mine._replace(low=self._low[i].copy(), high=self._high[i].copy())
            if i in self._searches
            else mine
            for i, mine in enumerate(weights)
        )

    def see(self, places: Places, weights: tuple, busy: np.ndarray) -> None:
        """A ply was played from these positions, where busy [B]."""
        seats = self._low.shape[0]
        mover = (np.asarray(places.state.seat) + np.asarray(places.turned)) % seats
        for i, search in self._searches.items():
            for at in np.flatnonzero(busy & (mover == i)).tolist():
                if not self._learns(i, at):
                    continue
                state, mine = jax.tree.map(lambda x: x[at], (places.state, weights[i]))  # noqa: B023
                seen = self._seen.setdefault((i, at), [])
                seen.append(jax.device_get(state))
                if len(seen) == windows.MOVES:
                    keys = windows.gathered(search, mine.inner, seen)
                    _, self._low[i, at], self._high[i, at] = windows.learned((), keys)

    def forget(self, where: np.ndarray) -> None:
        """New games begin where [B] bool says."""
        self._low[:, where], self._high[:, where] = -np.inf, np.inf
        for i in self._searches:
            for at in np.flatnonzero(where).tolist():
                self._seen.pop((i, at), None)

    def _learns(self, entrant: int, place: int) -> bool:
        return len(self._seen.get((entrant, place), ())) < windows.MOVES
