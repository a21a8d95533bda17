"""Tasks in this process, or in several, each on a core of its own.

Batches of this size gain little from XLA's threads; as many processes as cores do better. They
write to the store themselves and tell their parent what they did. When it is gone they end.
"""

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

from tdlib.run.tasks import Lane
from tdlib.run.work import work
from tdlib.store import Row, Store

Task = Sequence[Lane]
_GONE = (EOFError, BrokenPipeError, ConnectionResetError)  # the process at the other end
_KEPT = "what it stored is kept, and the same command goes on from there"


class Played(NamedTuple):
    """So many more training games."""

    games: int


class Finished(NamedTuple):
    """A task: plies played in training and the room there was for them, or what went wrong."""

    done: int = 0
    room: int = 0
    trouble: str = ""


Tell = Callable[[Played | Row | Finished], None]


def cores() -> list[int]:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def here(store: Store, tasks: Sequence[Task], keep: str, tell: Tell) -> None:
    """All tasks, one after another."""
    for task in tasks:
        tell(_finished(store, task, keep, tell))


def together(
    store: Store, tasks: Sequence[Task], keep: str, tell: Tell, *, workers: int
) -> None:
    """All tasks, in so many processes; the next task goes to whoever has finished one."""
    waiting = list(tasks)
    processes: dict[Connection, BaseProcess] = {}
    try:
        for number in range(workers):
            connection, process = _started(store, keep, cores()[number % len(cores())])
            processes[connection] = process
            connection.send(waiting.pop(0) if waiting else None)
        busy = list(processes)
        while busy:
            for ready in wait(busy):
                assert isinstance(ready, Connection)
                try:
                    message = ready.recv()
                except _GONE:
                    busy.remove(ready)
                    continue
                tell(message)
                if isinstance(message, Finished):
                    ready.send(waiting.pop(0) if waiting else None)
        for process in processes.values():
            process.join()
            if process.exitcode:
                tell(
                    Finished(trouble=f"a worker ended with status {process.exitcode}; {_KEPT}")
                )
    finally:
        for process in processes.values():
            if process.is_alive():
                process.terminate()  # files are written whole or not at all
            process.join()


def _started(store: Store, keep: str, core: int) -> tuple[Connection, BaseProcess]:
    """A worker, and what to talk to it through."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, store.root, keep, core))
    process.start()
    theirs.close()
    return ours, process


def _serve(parent: Connection, root: Path, keep: str, core: int) -> None:
    """The life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, and ends us
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})  # before JAX counts the cores
    try:
        while task := parent.recv():
            parent.send(_finished(Store(root), task, keep, parent.send))
    except _GONE:
        return


def _finished(store: Store, task: Task, keep: str, tell: Tell) -> Finished:
    """Do a task. Trouble with one is told at the end and does not stop the others."""
    try:
        done, room = work(
            store, task, keep=keep, played=lambda games: tell(Played(games)), stored=tell
        )
    except _GONE:
        raise
    except Exception:
        names = ", ".join(dict.fromkeys(lane.experiment.id for lane in task))
        return Finished(trouble=f"{names}:\n{traceback.format_exc()}")
    return Finished(done, room)
