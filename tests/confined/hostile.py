"""Loaders that try what no stranger's file may; they run in a child process."""

import ctypes
import multiprocessing
import os
import signal
import socket
import threading
import time
from pathlib import Path
from typing import Any

from glocalx.confined.child import Loaded


def _read(where: str) -> str:
    return Path(where).read_text()


def _listed(where: str) -> str:
    return str(os.listdir(where))


def _write(where: str) -> str:
    return str(Path(where).write_text("was here"))


def _make(where: str) -> str:
    Path(where).mkdir()
    return where


def _touched(where: str) -> str:
    os.utime(where, (1, 1))
    os.chmod(where, 0o777)
    return where


def _connect(where: str) -> str:
    with socket.create_connection(("127.0.0.1", int(where)), timeout=5):
        return "connected"


def _datagram(where: str) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        return str(made.sendto(b"x", ("127.0.0.1", int(where))))


def _fork(where: str) -> str:
    if not os.fork():
        os._exit(0)
    return "forked"


def _spawn(where: str) -> str:
    process = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(0,))
    process.start()
    return "spawned"


def _run(where: str) -> str:
    os.execv("/bin/true", ["true"])


def _kill(where: str) -> str:
    os.kill(int(where), signal.SIGTERM)
    return "killed"


def _trace(where: str) -> str:
    attach, library = 16, ctypes.CDLL(None, use_errno=True)
    if library.ptrace(attach, int(where), None, None):
        raise OSError(ctypes.get_errno(), "no tracing")
    return "traced"


def _thread(where: str) -> str:
    heard: list[str] = []
    thread = threading.Thread(target=heard.append, args=("a thread",))
    thread.start()
    thread.join()
    return heard[0]


def _filled(where: str) -> str:
    return str(len(bytes(8 * 2**30)))


def try_it(content: bytes, options: dict[str, Any]) -> Loaded:
    """Do what `options` says; what came of it."""
    return Loaded({"done": globals()[f"_{options['do']}"](str(options["where"]))})


def never_ends(content: bytes, options: dict[str, Any]) -> Loaded:
    """Tells who it is, and computes on."""

    def answer(question: str, arrays: Any) -> Any:
        while True:
            pass

    return Loaded({"process": os.getpid()}, answer=answer)


def slow(content: bytes, options: dict[str, Any]) -> Loaded:
    """A file that takes its time."""
    time.sleep(float(options["seconds"]))
    return Loaded({})


def echo(content: bytes, options: dict[str, Any]) -> Loaded:
    """A loader that means no harm."""
    return Loaded({}, answer=lambda question, arrays: arrays)
