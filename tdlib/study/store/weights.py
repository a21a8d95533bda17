"""Networks as npz files, which hold arrays only and nothing that is run.

    shards/<id>-<hash>/run-0-games-5000.npz   one network, as soon as it is there
    shards/<id>-<hash>/run-0-resume.npz       where a run under way goes on after a break
    weights.npz                               packed: many networks of many experiments

All of them have one format: the networks of an experiment are `<id>-<hash>/hidden` [N, H, I],
`<id>-<hash>/output` [N, O, H'] and `<id>-<hash>/networks` [N, 5] float64: run, games, plies,
capped, seconds. So a file that was copied to the place of another is noticed.
"""

import io
import math
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

from tdlib.files import write
from tdlib.study.experiment import Experiment, training_hash
from tdlib.study.network import Network, shapes
from tdlib.study.store.tables import Damaged
from tdlib.values.mlp import Weights

_ABOUT = "networks"
_COLUMNS = ("run", "games", "plies", "capped", "seconds")


def name(e: Experiment) -> str:
    """What the networks of an experiment are called, here and as a folder."""
    return f"{e.id}-{training_hash(e)}"


def save(path: Path, network: Network) -> None:
    """Write one network; ValueError if its weights are not numbers."""
    for array, numbers in network.weights._asdict().items():
        if not np.isfinite(numbers).all():
            raise ValueError(f"{array} of {network} is not finite: {path} is not written")
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, _content(_stacked([network])))


def read(path: Path, e: Experiment, run: int, games: int | None = None) -> Network:
    """The network in a file; Damaged if that is, or of another run. games: None means any."""
    found = [x for (r, n), x in unpack(path, e).items() if r == run and games in (None, n)]
    if len(found) != 1:
        whose = f"run {run} of {name(e)}" + ("" if games is None else f" after {games} games")
        raise _damaged(path, f"it should hold one network, of {whose}")
    return found[0]


def pack(path: Path, networks: Iterable[Network]) -> None:
    """Write networks into one file; those of other experiments that it has stay there."""
    by_name: dict[str, list[Network]] = {}
    for network in networks:
        by_name.setdefault(name(network.experiment), []).append(network)
    there = _arrays(path, lambda owner: owner not in by_name) if path.exists() else {}
    new = [_stacked(some) for some in by_name.values()]
    arrays = {array: numbers for some in (there, *new) for array, numbers in some.items()}
    write(path, _content(dict(sorted(arrays.items()))))


def unpack(path: Path, e: Experiment) -> dict[tuple[int, int], Network]:
    """The networks of one experiment in a file by run and games; Damaged if it is."""
    found = _arrays(path, lambda owner: owner == name(e))
    if not found:
        return {}
    parts = (*Weights._fields, _ABOUT)
    if found.keys() != {f"{name(e)}/{part}" for part in parts}:
        raise _damaged(path, f"of {name(e)} it should hold {', '.join(parts)}")
    hidden, output, about = (found[f"{name(e)}/{part}"] for part in parts)
    _check(path, e, Weights._make((hidden, output)), about)
    networks = {}
    for h, o, (*counts, seconds) in zip(hidden, output, about.tolist(), strict=True):
        run, games, plies, capped = map(int, counts)
        networks[run, games] = Network(
            e, run, Weights._make((h, o)), games, plies, capped, seconds
        )
    return networks


def _check(path: Path, e: Experiment, stacked: Weights, about: np.ndarray) -> None:
    """Damaged if these arrays cannot be of such networks."""
    if about.dtype != np.float64 or about.ndim != 2 or about.shape[1] != len(_COLUMNS):
        raise _damaged(path, f"{_ABOUT} should be a table of {', '.join(_COLUMNS)}")
    for array, numbers, one in zip(Weights._fields, stacked, shapes(e), strict=True):
        expected = (len(about), *one)
        if numbers.shape != expected or numbers.dtype != e.floats:
            found = f"{numbers.shape} of {numbers.dtype}"
            raise _damaged(path, f"{array} should be {expected} of {e.floats}, not {found}")
        if not np.isfinite(numbers).all():
            raise _damaged(path, f"{array} should be finite numbers")
    counts = about[:, :-1]
    if not np.isfinite(about).all() or (about < 0).any() or (counts % 1 != 0).any():
        raise _damaged(path, f"{', '.join(_COLUMNS)} should be numbers, 0 or more")


def _stacked(networks: Iterable[Network]) -> dict[str, np.ndarray]:
    """The arrays of networks of one experiment."""
    ordered = sorted(networks, key=lambda x: (x.run, x.games))
    prefix = name(ordered[0].experiment)
    arrays = {
        f"{prefix}/{array}": np.stack([getattr(x.weights, array) for x in ordered])
        for array in Weights._fields
    }
    about = [[getattr(x, column) for column in _COLUMNS] for x in ordered]
    return {**arrays, f"{prefix}/{_ABOUT}": np.array(about, np.float64)}


def _arrays(path: Path, chosen: Callable[[str], bool]) -> dict[str, np.ndarray]:
    """Arrays of the experiments that are chosen by name; Damaged whatever is wrong."""
    try:
        with zipfile.ZipFile(path) as file:
            names = [info.filename.removesuffix(".npy") for info in file.infolist()]
            mine = [x for x in names if chosen(x.rpartition("/")[0])]
            return {x: _array(file, f"{x}.npy") for x in mine}
    except Exception as error:  # a damaged zip or header raises almost anything
        raise _damaged(path, f"it cannot be read: {error}") from error


def _array(file: zipfile.ZipFile, name: str) -> np.ndarray:
    """One array, none of whose memory is taken on the word of a damaged header."""
    content = file.read(name)  # zipfile checks its checksum
    header = io.BytesIO(content)
    version = np.lib.format.read_magic(header)
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }[version]
    shape, _, dtype = read_header(header)
    if dtype.hasobject or math.prod(shape) * dtype.itemsize != len(content) - header.tell():
        raise ValueError(f"{name} should hold {shape} numbers of {dtype}")
    return np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)


def _content(arrays: Mapping[str, np.ndarray]) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, allow_pickle=False, **arrays)
    return out.getvalue()


def _damaged(path: Path, trouble: str) -> Damaged:
    return Damaged(
        f"{path}: {trouble}. Restore it from version control or from where it was copied, or"
        " delete it to have it computed again"
    )
