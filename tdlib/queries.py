"""Questions about positions, one JSON object per line: what may be played here?"""

import json
from typing import Any

from tdlib.games import every_play
from tdlib.notation import NOTATIONS, Notation


def notation_of(name: str) -> Notation:
    if name not in NOTATIONS:
        raise ValueError(f"unknown game {name!r}; expected one of {', '.join(NOTATIONS)}")
    return NOTATIONS[name]


def plays(name: str, record: Any) -> list:
    """All distinct positions after a legal play, sorted, in the record's own format."""
    notation = notation_of(name)
    game, state, roll = notation.read_query(record)
    return notation.answer(state, every_play(game, state, roll))


def answer_line(name: str, line: str) -> str:
    """The answer to one line; a bad line is answered with what was expected."""
    try:
        return json.dumps({"plays": plays(name, json.loads(line))})
    except json.JSONDecodeError as error:
        return json.dumps({"error": f"expected one JSON object, found {line!r}: {error.msg}"})
    except ValueError as error:
        return json.dumps({"error": str(error)})
