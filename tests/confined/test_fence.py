"""What a child process may not, each tried; and that what it needs still works."""

import socket
import subprocess
import sys

import pytest

from glocalx.confined import fence
from glocalx.confined.handed_file import HandedFile, Limits, read_confined
from glocalx.errors import GLocalXError

pytestmark = pytest.mark.skipif(
    bool(fence.unprotected()), reason="this system has not all means of protection"
)


def tried(do: str, where: object = "") -> str:
    options = {"do": do, "where": str(where)}
    file = HandedFile("f", "tests.confined.hostile:try_it", b"", options, Limits(256))
    return str(read_confined(file).header["about"]["done"])


@pytest.mark.parametrize("do", ["read", "touched"])
def test_files_of_the_server_are_out_of_reach(do, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden")
    before = secret.stat()
    with pytest.raises(GLocalXError, match="PermissionError"):
        tried(do, secret)
    assert (secret.stat().st_mtime, secret.stat().st_mode) == (before.st_mtime, before.st_mode)


@pytest.mark.parametrize("where", ["/", "/etc/passwd", "/proc/self/environ", "/proc/1/cmdline"])
def test_neither_are_the_systems(where):
    with pytest.raises(GLocalXError, match="PermissionError"):
        tried("listed" if where == "/" else "read", where)


@pytest.mark.parametrize("do", ["write", "make"])
def test_nothing_is_written(do, tmp_path):
    for where in (tmp_path / "new", "here", "/dev/shm/glocalx-test"):
        with pytest.raises(GLocalXError, match=r"PermissionError|OSError"):
            tried(do, where)
    assert not (tmp_path / "new").exists()


def test_no_network():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for do in ("connect", "datagram"):
            with pytest.raises(GLocalXError, match="PermissionError"):
                tried(do, port)


@pytest.mark.parametrize("do", ["fork", "spawn", "run"])
def test_no_process_is_started(do):
    with pytest.raises(GLocalXError, match="PermissionError"):
        tried(do)


@pytest.mark.parametrize("do", ["kill", "trace"])
def test_other_processes_are_left_alone(do):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        with pytest.raises(GLocalXError, match=r"PermissionError|OSError"):
            tried(do, other.pid)
        assert other.poll() is None


def test_memory_has_an_end():
    with pytest.raises(GLocalXError, match="needs more than the 256 MB of memory"):
        tried("filled")


def test_threads_and_the_programs_own_libraries_stay():
    assert tried("thread") == "a thread"
    assert "Loaded" in tried("read", fence.__file__.replace("fence.py", "child.py"))


@pytest.mark.parametrize(
    ("landlock", "filters", "said"),
    [
        (0, True, ("read and write files of this server",)),
        (7, False, ("use the network and start processes",)),
        (7, True, ()),
    ],
)
def test_what_the_system_lacks_is_told(monkeypatch, landlock, filters, said):
    monkeypatch.setattr(fence, "landlock_version", lambda: landlock)
    monkeypatch.setattr(fence, "can_filter", lambda: filters)
    assert fence.unprotected.__wrapped__() == said


def test_a_child_works_where_the_system_has_no_means():
    """The limits on memory, writing and time are left."""
    program = (
        "from glocalx.confined import fence\n"
        "fence.landlock_version = lambda: 0\n"
        "fence.can_filter = lambda: False\n"
        "fence.enclose(256)\n"
        "try: bytes(2**32)\n"
        "except MemoryError: print('no more')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "no more\n", done.stderr
