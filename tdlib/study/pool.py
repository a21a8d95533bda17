"""Tasks in processes of their own, each on its own core, or all of them in this process.

Batches of the sizes that we train gain little from XLA's threads; one process for each core
does better. A task is an argument of a function that a new process can import. While it runs,
the function may send messages to this process by `tell`, its second argument:

    for outcome in run_all(function, tasks, workers=2, tell=print): ...

`Worker.submit` returns a future, as the client of dask.distributed does, so that tasks could be
spread over several machines in the same way.

Workers never outlive this process: Linux ends them with it, and everywhere a thread of theirs
waits for its end. Ctrl-C and SIGTERM are handled by this process, which then ends its workers;
files are written whole or not at all.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

Tell = Callable[[Any], None]
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_KEPT = "what it stored is kept, and the same command continues from there"
_messages: Connection  # in a worker: to the process that started it


class Outcome(NamedTuple):
    """What became of a task: its result, or in `trouble` what went wrong."""

    task: Any
    result: Any = None
    trouble: str = ""


def cores() -> list[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def run_all(
    function: Callable[[Any, Tell], Any], tasks: Sequence[Any], *, workers: int, tell: Tell
) -> Iterator[Outcome]:
    """`function(task, tell)` for every task; their outcomes, as each is completed.

    An error in a task, or a worker that dies, is the trouble of that task; the others go on.

    Args:
      tasks: begun in this order; each must be picklable.
      workers: processes; with one, everything runs in this process.
      tell: receives the messages of all tasks, in this process.
    """
    waiting = list(tasks)
    if min(workers, len(waiting)) <= 1:
        for task in waiting:
            yield _outcome(function, task, tell)
        return
    team: list[Worker] = []
    try:
        for number in range(min(workers, len(waiting))):
            team.append(Worker(cores()[number % len(cores())]))
            team[-1].submit(function, waiting.pop(0))
        while team:
            wait([end for worker in team for end in worker.ends])
            for worker in list(team):
                worker.hear(tell)
                if not worker.future.done():
                    continue
                worker.hear(tell)  # what came between
                yield worker.outcome()
                if worker.dead and waiting:
                    team[team.index(worker)] = worker = Worker(worker.core)
                if waiting:
                    worker.submit(function, waiting.pop(0))
                else:
                    team.remove(worker)
                    worker.end()
    finally:
        for worker in team:
            worker.end()


class Worker:
    """One process on one core, which does one task at a time."""

    def __init__(self, core: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.core = core
        self.messages, self._theirs = context.Pipe(duplex=False)
        self._done, self._tell_done = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(1, context, _begin, (self._theirs, core))
        self.future: Future
        self._task: Any = None

    def submit(self, function: Callable[[Any, Tell], Any], task: Any) -> Future:
        """Begin a task; the process is started with the first one."""
        self._task = task
        self.future = self._pool.submit(_outcome_here, function, task)
        self.future.add_done_callback(lambda future: self._tell_done.send(None))
        self._processes = list(self._pool._processes.values())
        self._theirs.close()  # so that the death of the process closes the pipe
        return self.future

    @property
    def ends(self) -> list[Connection]:
        """Ready to be read when there are messages, or the task is done."""
        return [self._done] if self.messages.closed else [self._done, self.messages]

    @property
    def dead(self) -> bool:
        return isinstance(self.future.exception(), BrokenProcessPool)

    def hear(self, tell: Tell) -> None:
        """Pass on the messages that are there."""
        try:
            while not self.messages.closed and self.messages.poll():
                tell(self.messages.recv())
        except (EOFError, OSError):
            self.messages.close()

    def outcome(self) -> Outcome:
        """Of the task that is done."""
        self._done.recv()
        error = self.future.exception()
        if error is None:
            return Outcome(self._task, *self.future.result())
        if not self.dead:  # its result could not be sent
            return Outcome(self._task, trouble=f"{type(error).__name__}: {error}")
        self._pool.shutdown(wait=True)  # its own thread may be the one that hears of the end
        for process in self._processes:
            process.join()
        status = ", ".join(_ended(process.exitcode) for process in self._processes)
        return Outcome(self._task, trouble=f"a worker {status}; {_KEPT}")

    def end(self) -> None:
        """End the process, whatever it does."""
        for process in self._processes:
            process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for pipe in (self.messages, self._done):
            pipe.close()


def _ended(status: int | None) -> str:
    if status is not None and status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with status {status}"


def _begin(messages: Connection, core: int) -> None:
    """The first thing that a worker does."""
    global _messages
    _messages = messages
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, and ends us
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})  # before JAX counts the cores
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _outcome_here(function: Callable[[Any, Tell], Any], task: Any) -> tuple[Any, str]:
    """In a worker: the result of a task, and what went wrong."""
    return _outcome(function, task, _messages.send)[1:]


def _outcome(function: Callable[[Any, Tell], Any], task: Any, tell: Tell) -> Outcome:
    try:
        return Outcome(task, function(task, tell))
    except (OSError, ValueError) as error:
        return Outcome(task, trouble=str(error))
    except Exception:
        return Outcome(task, trouble=traceback.format_exc())
