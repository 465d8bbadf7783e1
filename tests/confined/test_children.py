"""Children die with whoever asked for them, and with the process that forked them."""

import os
import subprocess
import sys

import numpy as np
import pytest

from glocalx.confined import children, handed_file
from glocalx.confined.fence import POLITE, POLITE_SESSION
from glocalx.confined.fork_server import sweep
from glocalx.confined.handed_file import ConfinedFile, HandedFile
from glocalx.errors import GLocalXError
from tests.confined.processes import alive, soon

ASKING = """
from glocalx.confined.handed_file import ConfinedFile, HandedFile
asked = ConfinedFile(HandedFile("f", "tests.confined.hostile:never_ends", b"", {}))
print(asked.start()["process"], flush=True)
asked.ask("for ever", {})
"""
IDENTITY = HandedFile("f", "tests.confined.hostile:echo", b"", {})


@pytest.fixture
def own_warm_process(monkeypatch):
    """One that may be killed: all tests share another one."""
    children._close_connection()
    monkeypatch.delenv(children._ADDRESS, raising=False)
    yield
    children._close_connection()


@pytest.mark.parametrize("shared", [True, False])
def test_a_child_does_not_outlive_a_killed_parent(shared):
    """Whether it was forked by a process of its own parent or of somebody before."""
    children.warm_up()
    environment = dict(os.environ)
    if not shared:
        del environment[children._ADDRESS]
    with subprocess.Popen(
        [sys.executable, "-c", ASKING], stdout=subprocess.PIPE, env=environment
    ) as parent:
        child = int(parent.stdout.readline())
        assert alive(child)
        parent.kill()
        assert soon(lambda: not alive(child))


@pytest.mark.usefixtures("own_warm_process")
def test_a_killed_warm_process_is_no_loss():
    asked = ConfinedFile(IDENTITY)
    assert asked.ask("", {"x": np.arange(3)})["x"].tolist() == [0, 1, 2]
    child, warm = asked.process_id, _parent(asked.process_id)
    os.kill(warm, 9)
    assert soon(lambda: not alive(child))
    assert asked.ask("", {"x": np.arange(2)})["x"].tolist() == [0, 1]
    assert _parent(asked.process_id) != warm
    asked.close()


@pytest.mark.usefixtures("own_warm_process")
def test_a_question_survives_the_end_of_the_warm_process(monkeypatch):
    asked = ConfinedFile(IDENTITY)
    asked.start()
    warm = _parent(asked.process_id)
    sent = []

    send = handed_file.send

    def killing(stream, message):
        sent.append(message)
        if len(sent) == 1:
            os.kill(warm, 9)
            asked._child.process.wait()
        send(stream, message)

    monkeypatch.setattr(handed_file, "send", killing)
    assert asked.ask("", {"x": np.arange(2)})["x"].tolist() == [0, 1]
    asked.close()


def test_a_fork_of_this_process_has_a_connection_of_its_own():
    children.warm_up("tests.confined.hostile:echo")
    process = os.fork()
    if not process:
        code = 1
        try:
            asked = ConfinedFile(IDENTITY)
            code = int(asked.ask("", {"x": np.arange(2)})["x"].tolist() != [0, 1])
        finally:
            os._exit(code)
    assert os.waitpid(process, 0)[1] == 0
    asked = ConfinedFile(IDENTITY)
    assert asked.ask("", {"x": np.arange(2)})["x"].tolist() == [0, 1]
    asked.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("forks", [True, False])
def test_a_child_comes_last(monkeypatch, forks):
    """The server and the workers have the processor first, and keep their memory longest."""
    monkeypatch.setattr(children, "_can_fork", lambda: forks)
    asked = ConfinedFile(IDENTITY)
    asked.start()
    place = f"/proc/{asked.process_id}"
    assert os.getpriority(os.PRIO_PROCESS, asked.process_id) >= min(19, os.nice(0) + POLITE)
    with open(f"{place}/oom_score_adj") as file:
        assert file.read() == "1000\n"
    if os.path.exists(f"{place}/autogroup"):
        with open(f"{place}/autogroup") as file:
            assert file.read().endswith(f"nice {POLITE_SESSION}\n")
    asked.close()


@pytest.mark.usefixtures("own_warm_process")
@pytest.mark.parametrize("times", [2, 3])
def test_a_warm_process_that_is_killed_again_while_it_is_asked(monkeypatch, times):
    """The server got a ConnectionResetError at the second time."""
    started, start, fork = [], children._started, children._Connection.fork

    def noted(*given):
        started.append(start(*given))
        return started[-1]

    def killing(connection, pipes, task):
        if len(started) <= times:
            started[-1].kill()
            started[-1].wait()
        return fork(connection, pipes, task)

    monkeypatch.setattr(children, "_started", noted)
    monkeypatch.setattr(children._Connection, "fork", killing)
    asked = ConfinedFile(IDENTITY)
    if times == 2:
        assert asked.ask("", {"x": np.arange(2)})["x"].tolist() == [0, 1]
    else:
        with pytest.raises(GLocalXError, match="ended again and again"):
            asked.start()
    asked.close()


def test_without_a_warm_process_a_child_is_started_for_the_file(monkeypatch):
    monkeypatch.setattr(children, "_can_fork", lambda: False)
    asked = ConfinedFile(IDENTITY)
    assert asked.ask("", {"x": np.arange(2)})["x"].tolist() == [0, 1]
    child = asked.process_id
    assert _parent(child) == os.getpid()
    asked.close()
    assert not alive(child)


def _parent(process: int) -> int:
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def test_folders_of_killed_processes_are_swept_and_no_others(tmp_path):
    ended = subprocess.Popen(["true"])
    ended.wait()
    names = (f"{ended.pid}-a", f"{os.getpid()}-b", "nobody-c")
    for name in names:
        (tmp_path / f"glocalx-warm-{name}" / "7").mkdir(parents=True)
    (tmp_path / f"other-{ended.pid}-d").mkdir()
    sweep(tmp_path)
    left = {each.name for each in tmp_path.iterdir()}
    assert left == {*(f"glocalx-warm-{name}" for name in names[1:]), f"other-{ended.pid}-d"}
