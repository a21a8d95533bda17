"""Run the notebooks in order through papermill, refusing whatever papermill would let pass.

`plan` checks every name and value against the notebooks' parameters cells
(`tdlib.parameters`) before anything runs; papermill only warns, and then runs. `execute` runs
the plan. Each notebook has a kernel, hence a process, of its own, in which all its memory and
compiled code live and die. Papermill itself only passes messages, so it stays in this process,
and a dead kernel is one failed notebook among others.
"""

import contextlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import papermill
from papermill.exceptions import PapermillExecutionError
from tqdm import tqdm
from traitlets.config import Config

from tdlib import jax_settings, parameters, paths
from tdlib.parameters import Parameter
from tdlib.show import scorecard
from tdlib.study.progress import Lines


class Job(NamedTuple):
    """One notebook and the values that replace its defaults."""

    notebook: Path
    values: dict[str, Any]


def command(
    scale: str, only: Sequence[str], assignments: Sequence[str], fresh: bool
) -> list[str]:
    """Run the notebooks, then show the scorecard and write it to the figures."""
    jobs = plan(scale=scale, only=only, assignments=assignments, fresh=fresh)
    failed = execute(jobs, scale=scale)
    print()
    problems = scorecard.command(scale=scale, figures=True)
    return [*(f"{name} failed" for name in failed), *problems]


def plan(
    *,
    scale: str = "quick",
    only: Sequence[str] = (),
    assignments: Sequence[str] = (),
    fresh: bool = False,
    root: Path = paths.ROOT,
) -> list[Job]:
    """The notebooks to run with their values; ValueError names what was expected.

    Args:
      only: beginnings of notebook names, such as "01"; none means all.
      assignments: "name=value"; each goes to every chosen notebook that declares the name.
      scale, fresh: go to the notebooks that declare them.
    """
    chosen = _choose(sorted((root / "notebooks").glob("*.ipynb")), only)
    declared = {notebook: read_parameters(notebook) for notebook in chosen}
    texts = dict(_split(assignment) for assignment in assignments)
    for name in texts:
        if not any(name in known for known in declared.values()):
            lines = {f"  {line}" for known in declared.values() for line in known.values()}
            expected = "\n".join(sorted(lines)) or "  none"
            raise ValueError(
                f"no notebook has a parameter {name!r}; expected one of\n{expected}"
            )
    texts["scale"] = paths.checked(scale)
    if fresh:
        texts["fresh"] = "true"
    jobs = []
    for notebook, known in declared.items():
        mine = [name for name in texts if name in known]
        values = {name: _value(known[name], texts[name], notebook) for name in mine}
        jobs.append(Job(notebook, values))
    return jobs


def read_parameters(notebook: Path) -> dict[str, Parameter]:
    """The parameters that a notebook declares, by name; none if it has no such cell."""
    try:
        cells = nbformat.read(notebook, as_version=4).cells
    except Exception as error:  # nbformat has no one class for files that are no notebooks
        raise ValueError(f"{notebook.name} is not a readable notebook ({error})") from error
    tagged = [cell.source for cell in cells if "parameters" in cell.metadata.get("tags", [])]
    if len(tagged) > 1:
        raise ValueError(f"{notebook.name} has {len(tagged)} parameters cells; expected one")
    try:
        return parameters.declared("".join(tagged))
    except ValueError as error:
        raise ValueError(f"{notebook.name}, {error}") from error


def execute(jobs: Iterable[Job], *, scale: str, root: Path = paths.ROOT) -> list[str]:
    """Run the plan and say where everything went; the names of notebooks that failed."""
    jobs = list(jobs)
    began, began_date = time.monotonic(), time.time()
    copies = paths.executed_dir(scale, root)
    failed = []
    with _kernel_environment() as transport:
        for number, job in enumerate(jobs, 1):
            title = f"[{number}/{len(jobs)}] {job.notebook.stem}"
            print(title, *(f"{k}={v}" for k, v in job.values.items()), flush=True)
            if not _run(job, copies / job.notebook.name, title, root, transport):
                failed.append(job.notebook.name)
    figures = paths.figure_dir(scale, root)
    written = sum(f.is_file() and f.stat().st_mtime >= began_date for f in figures.iterdir())
    ran = len(jobs) - len(failed)
    print(f"\nnotebooks  {copies.relative_to(root)}/  {ran} of {len(jobs)} ran")
    print(f"figures    {figures.relative_to(root)}/  {written} files written")
    print(f"time       {_clock(began)}", flush=True)
    return failed


def _choose(notebooks: list[Path], only: Sequence[str]) -> list[Path]:
    for beginning in only:
        if not any(notebook.name.startswith(beginning) for notebook in notebooks):
            names = ", ".join(notebook.stem for notebook in notebooks) or "none"
            raise ValueError(f"no notebook begins with {beginning!r}; there are: {names}")
    return [n for n in notebooks if not only or n.name.startswith(tuple(only))]


def _split(assignment: str) -> tuple[str, str]:
    name, equals, text = assignment.partition("=")
    if not equals or not name.isidentifier():
        raise ValueError(f"parameter {assignment!r}: expected name=value")
    if name in ("scale", "fresh"):
        raise ValueError(f"parameter {name!r} has an option of its own: --{name}")
    return name, text


def _value(parameter: Parameter, text: str, notebook: Path) -> Any:
    try:
        if parameter.type == "bool":
            return {"true": True, "false": False}[text.lower()]
        return parameters.TYPES[parameter.type](text)
    except (KeyError, ValueError):
        expected = "true or false" if parameter.type == "bool" else parameter.type
        raise ValueError(
            f"parameter {parameter.name!r} of {notebook.name}: "
            f"expected {expected}, found {text!r}"
        ) from None


@contextlib.contextmanager
def _kernel_environment() -> Iterator[Config]:
    """What kernels inherit: this tdlib, this environment's kernel, compiled programs.

    Yields how to talk to them: through files where the system can, so that no port is opened
    and no loopback device is needed.
    """
    jax_settings.prepare()
    places = [str(paths.ROOT), os.environ.get("PYTHONPATH", "")]
    # The sockets of kernels are files with short paths, which a home folder may not allow.
    short = "/tmp" if os.name == "posix" else None
    with tempfile.TemporaryDirectory(prefix="tdlib-", dir=short) as sockets:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, places))
        os.environ["PYTHONNOUSERSITE"] = "1"
        os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # not a namesake in the user's home
        os.environ["JUPYTER_RUNTIME_DIR"] = sockets
        os.environ["IPYTHONDIR"] = f"{sockets}/ipython"  # the user's start-up files do not run
        os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # silence the debugger they carry
        if os.name == "posix":
            yield Config(KernelManager={"transport": "ipc", "ip": f"{sockets}/kernel"})
        else:
            yield Config(KernelManager={"transport": "tcp"})


def _run(job: Job, copy: Path, title: str, root: Path, transport: Config) -> bool:
    """Execute one notebook and show what it prints; whether it ran to its end.

    Papermill saves the copy after every cell, so a failed notebook keeps what it did. Its paths
    are relative to `root`, because papermill writes them into the copy.
    """
    began = time.monotonic()
    echo = Lines()
    bar: dict[str, Any] = {"desc": title, "leave": False}
    if not sys.stderr.isatty():
        bar |= {"file": Lines(), "bar_format": "{desc}: cell {n} of {total}, {elapsed}"}
    trouble = ""
    try:
        with contextlib.chdir(root):
            papermill.execute_notebook(
                job.notebook.relative_to(root),
                copy.relative_to(root),
                job.values,
                kernel_name="python3",
                language="python",
                cwd=job.notebook.parent.relative_to(root),
                progress_bar=bar,
                stdout_file=echo,
                stderr_file=echo,
                start_timeout=120,
                config=transport,
            )
    except PapermillExecutionError as error:
        trace = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error.traceback))
        place = f"In [{error.exec_count}] of {copy.relative_to(root)}"
        trouble = f": {error.ename}: {error.evalue}, at {place}\n{trace}"
    except Exception as error:  # a dead kernel, a full disk: the other notebooks still count
        trouble = f": {type(error).__name__}: {error}"
    echo.write("\n")
    print(f"{title} {'FAILED' if trouble else 'done'} in {_clock(began)}{trouble}", flush=True)
    return not trouble


def _clock(began: float) -> str:
    return tqdm.format_interval(time.monotonic() - began)
