"""Tasks in processes: messages, failures, and an end together with the parent."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tdlib.study import pool

ROOT = Path(__file__).parent.parent.parent
SECONDS = 60  # after which something is wrong


def square(number, tell):
    tell(("began", number))
    if number < 0:
        raise ZeroDivisionError(number)
    if number == 13:
        raise OSError("the disk is full")
    if number == 99:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 77:
        os._exit(3)
    return number * number


def where(task, tell):
    return os.getpid(), pool.cores(), "jax" in sys.modules


def forever(task, tell):
    tell(os.getpid())
    signal.pause()


def unpicklable(task, tell):
    return lambda: None


def outcomes(tasks, workers, function=square):
    heard = []
    found = list(pool.run_all(function, tasks, workers=workers, tell=heard.append))
    return {one.task: one for one in found}, heard


@pytest.mark.parametrize("workers", [1, 3])
def test_every_task_is_done_and_every_message_heard(workers):
    found, heard = outcomes(range(6), workers)
    assert {task: one.result for task, one in found.items()} == {n: n * n for n in range(6)}
    assert sorted(heard) == [("began", n) for n in range(6)]
    assert not any(one.trouble for one in found.values())


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_is_the_trouble_of_its_task_only(workers):
    found, _ = outcomes([-1, 13, 2, 3], workers)
    assert found[2].result == 4 and found[3].result == 9
    assert found[13].trouble == "the disk is full"  # a sentence; what is unexpected has more
    assert "Traceback" in found[-1].trouble and "ZeroDivisionError: -1" in found[-1].trouble


def test_a_worker_that_dies_is_the_trouble_of_its_task_only():
    found, heard = outcomes([99, 1, 77, 2, 99 - 96], 2)
    assert found[99].trouble.startswith("a worker was ended by SIGKILL; what it stored is kept")
    assert found[77].trouble.startswith("a worker ended with status 3; what it stored is kept")
    assert [found[n].result for n in (1, 2, 3)] == [1, 4, 9]
    assert ("began", 99) in heard and ("began", 77) in heard


def test_a_result_that_cannot_be_sent_is_trouble():
    found, _ = outcomes(["a", "b"], 2, unpicklable)
    assert "pickle" in found["a"].trouble and "pickle" in found["b"].trouble


def test_one_worker_is_this_process_and_several_have_a_core_each():
    assert outcomes(["a", "b"], 1, where)[0]["a"].result[0] == os.getpid()
    found, _ = outcomes(["a", "b"], 2, where)
    results = [one.result for one in found.values()]
    assert os.getpid() not in {pid for pid, _, _ in results}
    assert not any(jax for _, _, jax in results)  # which would count the cores too early
    if hasattr(os, "sched_setaffinity"):
        expected = [[pool.cores()[i % len(pool.cores())]] for i in (0, 1)]
        assert sorted(cores for _, cores, _ in results) == sorted(expected)


def test_leaving_early_ends_the_workers():
    heard = []

    def tell(message):
        heard.append(message)
        if len(heard) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(pool.run_all(forever, ["a", "b"], workers=2, tell=tell))
    assert not any(alive(pid) for pid in heard)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent(number):
    program = (
        "from tdlib import interrupts; interrupts.install(); interrupts.at_work(True);"
        "from tests.study.test_pool import forever; from tdlib.study import pool;"
        "list(pool.run_all(forever, 'ab', workers=2, tell=lambda m: print(m, flush=True)))"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen(
        [sys.executable, "-c", program],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    workers = [int(parent.stdout.readline()) for _ in "ab"]
    parent.send_signal(number)
    # The pipe to us is closed only when nobody is left who could write to it.
    parent.communicate(timeout=SECONDS)
    assert parent.returncode != 0
    assert not any(alive(pid) for pid in workers)


def alive(pid):
    """Whether it runs; one that ended and was not yet fetched by anybody does not."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")
    except (ProcessLookupError, FileNotFoundError):
        return False
