"""The command `solve`: what the opening of a solved game is worth."""

from tdlib import exact


def solve(game: str, objective: str | None, chequers: int) -> list[str]:
    """Print the value of the opening; what was solved before is loaded."""
    start = (24, 23, 22)[:chequers]
    for name in (objective,) if objective else exact.OBJECTIVES:
        found = exact.solved(name, chequers)
        effort = f"{found.sweeps} sweeps in {found.seconds:.0f} s, error {found.residual:.0e}"
        print(f"{name}: the opening is worth {found.value(start, start):.6f} ({effort})")
    return []
