"""Workers are forked from a warm process, hear, say how they ended, and end with whoever asked."""

import os
import signal
import subprocess
import sys

from glocalx.workspace import workers
from tests.confined.processes import alive, soon
from tests.patience import PATIENCE

ASKING = """
from glocalx.workspace import workers
worker = workers.begin()
while worker.process_id is None:
    pass
print(worker.process_id, workers._warm[0]._process.pid, flush=True)
input()
"""


def test_workers_share_a_warm_process_and_a_killed_one_is_no_loss():
    first, second = workers.begin(), workers.begin()
    assert soon(lambda: first.process_id and second.process_id)
    assert first.process_id != second.process_id
    assert first.code is None
    warm = workers._warm[0]._process
    os.kill(warm.pid, signal.SIGKILL)
    warm.wait()
    third = workers.begin()
    assert workers._warm[0]._process is not warm
    assert first.code is None  # those at work go on
    for worker in (first, third):
        worker.let_go()
        assert worker.wait(PATIENCE)
        assert worker.code == 0  # nothing was asked of them
    second.kill()
    assert second.code == -signal.SIGKILL
    assert not alive(second.process_id)


def test_a_worker_that_is_killed_before_it_is_there_never_begins(monkeypatch):
    monkeypatch.setattr(workers, "_warm", [])
    worker = workers.begin()  # its process has yet to import everything
    assert worker.process_id is None
    assert not worker.wait(0)
    worker.kill()
    assert worker.code == -signal.SIGKILL
    worker.tell("nobody hears it")
    workers._end()


def test_they_end_with_whoever_began_them():
    command = [sys.executable, "-c", ASKING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        numbers = [int(number) for number in parent.stdout.readline().split()]
        assert all(alive(number) for number in numbers)
        parent.kill()
        assert soon(lambda: not any(alive(number) for number in numbers))
