"""The command `show`: a position in characters, and as a drawing if asked for."""

from pathlib import Path

import jax

from tdlib import games
from tdlib.show.notation import notation_of


def show(game: str, position: str | None, svg: str | None) -> list[str]:
    """Print a position, by default the starting one; `svg` names a file to draw it to."""
    notation = notation_of(game)
    if position is None:
        state = games.make(game).init(jax.random.key(0))
    else:
        state = notation.parse(position)
    print(notation.picture(state))
    print(notation.format(state))
    if svg:
        from tdlib.show import boards  # which imports matplotlib

        Path(svg).write_text(boards.svg(game, state, coordinates=True))
    return []
