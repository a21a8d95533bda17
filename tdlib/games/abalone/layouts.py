"""The starting layouts of Abalone, drawn: `@` black, `O` white, row I above, row A below.

The layouts are those of Lee & Noh (standard, german_daisy, snakes, alien_attack, the_wall) and
the belgian_daisy, as collected by players' sites. Black begins.
"""

import numpy as np

SYMBOLS = ".@O"

_DRAWN = """
standard            belgian_daisy       german_daisy
    O O O O O           O O . @ @           . . . . .
   O O O O O O         O O O @ @ @         O O . . @ @
  . . O O O . .       . O O . @ @ .       O O O . @ @ @
 . . . . . . . .     . . . . . . . .     . O O . . @ @ .
. . . . . . . . .   . . . . . . . . .   . . . . . . . . .
 . . . . . . . .     . . . . . . . .     . @ @ . . O O .
  . . @ @ @ . .       . @ @ . O O .       @ @ @ . O O O
   @ @ @ @ @ @         @ @ @ O O O         @ @ . . O O
    @ @ @ @ @           @ @ . O O           . . . . .

snakes              alien_attack        the_wall
    O O O O O           O . O . O           . . O . .
   O . . . . .         . O @ @ O .         . . . . . .
  O . . . . . .       . O @ O @ O .       . O O O O O .
 O . . O O @ @ .     . . . O O . . .     O O O O O O O O
. O . O . @ . @ .   . . . . . . . . .   . . . . . . . . .
 . O O @ @ . . @     . . . @ @ . . .     @ @ @ @ @ @ @ @
  . . . . . . @       . @ O @ O @ .       . @ @ @ @ @ .
   . . . . . @         . @ O O @ .         . . . . . .
    @ @ @ @ @           @ . @ . @           . . @ . .
"""


def _read() -> dict[str, np.ndarray]:
    """[61] int8 by name, cells in reading order: 0 empty, 1 black, 2 white."""
    layouts = {}
    for block in _DRAWN.strip("\n").split("\n\n"):
        names, *rows = block.split("\n")
        for column, name in enumerate(names.split()):
            drawn = "".join(row[20 * column : 20 * (column + 1)] for row in rows)
            cells = [SYMBOLS.index(symbol) for symbol in drawn if symbol != " "]
            layouts[name] = np.array(cells, np.int8)
    return layouts


LAYOUTS = _read()
