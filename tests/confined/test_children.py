"""Children die with whoever asked for them, and with the process that forked them."""

import os
import subprocess
import sys

import numpy as np
import pytest

from glocalx.confined import children, handed_file
from glocalx.confined.fork_server import sweep
from glocalx.confined.handed_file import ConfinedFile, HandedFile
from tests.confined.processes import alive, soon

ASKING = """
from glocalx.confined.handed_file import ConfinedFile, HandedFile
asked = ConfinedFile(HandedFile("f", "tests.confined.hostile:never_ends", b"", {}))
print(asked.start()["process"], flush=True)
asked.ask("for ever", {})
"""
IDENTITY = HandedFile("f", "tests.confined.hostile:echo", b"", {})


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


def test_a_killed_warm_process_is_no_loss():
    asked = ConfinedFile(IDENTITY)
    assert asked.ask("", {"x": np.arange(3)})["x"].tolist() == [0, 1, 2]
    child, warm = asked.process_id, _parent(asked.process_id)
    os.kill(warm, 9)
    assert soon(lambda: not alive(child))
    assert asked.ask("", {"x": np.arange(2)})["x"].tolist() == [0, 1]
    assert _parent(asked.process_id) != warm
    asked.close()


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
            asked._child.wait()
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
