"""Where files are: the one place that knows the folders of the repository.

Figures and results at paper scale belong to the repository; those of the smaller scales go to
folders that version control ignores, so a first quick run changes no committed file.
"""

from pathlib import Path

SCALES = ("smoke", "quick", "paper")  # seconds, minutes, as in the papers

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"


def figure_dir(scale: str, root: Path = ROOT) -> Path:
    """Folder for the figures of a scale, made if missing."""
    return _made(root / "figures" if checked(scale) == "paper" else root / "figures" / scale)


def executed_dir(scale: str, root: Path = ROOT) -> Path:
    """Folder for executed copies of the notebooks, made if missing; never committed."""
    return _made(root / "build" / "notebooks" / checked(scale))


def store_dir(scale: str, root: Path = ROOT) -> Path:
    """Folder of stored results and weights of a scale; it may not exist yet."""
    return root / "data" / ("results" if checked(scale) == "paper" else "local")


def exact_dir(root: Path = ROOT) -> Path:
    """Folder of solved games; never committed, and it may not exist yet."""
    return root / "data" / "local" / "exact"


def checked(scale: str) -> str:
    """The scale itself; ValueError if there is none of that name."""
    if scale not in SCALES:
        raise ValueError(f"unknown scale {scale!r}; expected one of {', '.join(SCALES)}")
    return scale


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
