"""The parameters of a notebook: one cell tagged `parameters`, one typed literal a line.

    scale: str = "quick"  # smoke (seconds) | quick (minutes) | paper (as in the paper)

`declared` reads such a cell; the notebook runner (`tdlib.reproduce`) uses it before anything
runs. Plain papermill only warns of a name that it does not know, and checks no type, so the
first code cell of a notebook checks its own parameters:

    parameters.check(globals(), run=range(5), lam=parameters.Between(0, 1))

(Papermill's own inspection of that cell would not do: it skips the lines it cannot read.)
"""

import ast
import contextlib
import io
import tokenize
from collections.abc import Container, Mapping
from typing import Any, NamedTuple

from tdlib.paths import SCALES

TYPES = {"int": int, "float": float, "bool": bool, "str": str}
LARGEST = 2**32  # whole numbers are smaller, as seeds must be, and not negative
_INJECTED = "# Parameters"  # how the cell begins in which papermill puts the values it is given


class Parameter(NamedTuple):
    """One line of a parameters cell."""

    name: str
    type: str  # one of TYPES
    default: Any
    help: str

    def __str__(self) -> str:
        text = f"{self.name}: {self.type} = {self.default!r}"
        return f"{text}  # {self.help}" if self.help else text


class Between(NamedTuple):
    """The numbers that a parameter may have, both ends included."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


def declared(source: str) -> dict[str, Parameter]:
    """The parameters in the source of such a cell, by name; ValueError names a bad line."""
    try:
        lines = ast.parse(source).body
    except SyntaxError as error:
        raise ValueError(f"parameters cell: {error}") from error
    words = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {w.start[0]: w.string.strip("# ") for w in words if w.type == tokenize.COMMENT}
    found = [_parameter(line, comments.get(line.lineno, "")) for line in lines]
    return {parameter.name: parameter for parameter in found}


def fits(value: Any, kind: str) -> bool:
    """Whether a value is of one of TYPES; a whole number will do for a float."""
    return type(value) is TYPES.get(kind) or (kind, type(value)) == ("float", int)


def check(notebook: Mapping[str, Any], **allowed: Container) -> None:
    """Check the values of a notebook's parameters; ValueError says what was expected.

    Names are checked if papermill gave some. A whole number must not be negative, and `scale`
    is one of the scales.

    Args:
      notebook: its `globals()`.
      allowed: for some parameters the values they may have, such as `range(5)`, a tuple
        or `Between(0, 1)`.
    """
    known, given = _cells(notebook["In"])
    expected = ", ".join(known)
    for name in (*given, *allowed):
        if name not in known:
            raise ValueError(f"there is no parameter {name!r}; expected one of {expected}")
    for name, parameter in known.items():
        value = notebook[name]
        if not fits(value, parameter.type):
            raise ValueError(f"parameter {name!r}: expected {parameter.type}, found {value!r}")
        usual = range(LARGEST) if parameter.type == "int" else None
        choices = ({"scale": SCALES} | allowed).get(name, usual)
        if choices is not None and value not in choices:
            raise ValueError(f"parameter {name!r}: expected {_shown(choices)}, found {value!r}")


def _cells(history: list[str]) -> tuple[dict[str, Parameter], list[str]]:
    """From the cells run so far: the parameters, and the names that papermill gave values."""
    given: list[str] = []
    for source in reversed(history):
        if source.startswith(_INJECTED):
            lines = [line for line in ast.parse(source).body if isinstance(line, ast.Assign)]
            targets = [target for line in lines for target in line.targets]
            given = [target.id for target in targets if isinstance(target, ast.Name)]
        with contextlib.suppress(ValueError):
            if known := declared(source):
                return known, given
    raise ValueError("run the parameters cell first, then this one")


def _shown(choices: Container) -> str:
    if isinstance(choices, range):
        return f"a whole number from {choices[0]:,} to {choices[-1]:,}"
    if isinstance(choices, Between):
        return f"a number from {choices.low:g} to {choices.high:g}"
    words = ", ".join(map(str, choices)) if isinstance(choices, tuple) else f"{choices}"
    return f"one of {words}"


def _parameter(line: ast.stmt, comment: str) -> Parameter:
    """One declaration; anything else in that cell would not be overridden as it looks."""
    if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.value:
        kind = ast.unparse(line.annotation)
        with contextlib.suppress(ValueError):
            default = ast.literal_eval(line.value)
            if fits(default, kind):
                return Parameter(line.target.id, kind, default, comment)
    raise ValueError(
        f"parameters cell, line {line.lineno}: expected `name: type = literal` with type"
        f" {', '.join(TYPES)}; found `{ast.unparse(line)}`"
    )
