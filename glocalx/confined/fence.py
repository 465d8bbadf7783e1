"""What a child process takes from itself before it looks at a stranger's file."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import sysconfig
from functools import cache
from pathlib import Path

from glocalx.confined.landlock import allow_reading_only, landlock_version, prctl
from glocalx.confined.syscall_filter import can_filter, refuse_calls

POLITE = 10  # workers are at 5, the server at 0
POLITE_SESSION = 5  # not more: time limits are by the clock, and an honest file must meet them
_DIES_WITH_PARENT = 1
_MACHINE = ("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/usr/share/zoneinfo")
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")


def die_with(parent: int) -> None:
    """End at once when the process that forked this one ends; where the system can."""
    if sys.platform.startswith("linux"):
        prctl(_DIES_WITH_PARENT, int(signal.SIGKILL))
        if os.getppid() != parent:  # it was quicker
            os._exit(1)


def come_last() -> None:
    """Compute when nobody else wants to, and be the first to go when there is no memory left.

    Some systems share the processor out to sessions and only then to processes: the session of
    children comes last, too.
    """
    if hasattr(os, "nice"):
        os.nice(POLITE)
    for name, value in (("oom_score_adj", 1000), ("autogroup", POLITE_SESSION)):
        with contextlib.suppress(OSError):  # not known here, or said a moment ago by another child
            Path(f"/proc/self/{name}").write_text(str(value), encoding="ascii")


def enclose(memory_mb: int) -> None:
    """No memory beyond this, no files but the program's own, no writing, network or processes.

    Whatever of that the system does not know is left out; see :func:`unprotected`.
    """
    _limit(memory_mb)
    if landlock_version():
        allow_reading_only(_own_places())
    if can_filter():
        refuse_calls()


@cache
def unprotected() -> tuple[str, ...]:
    """What this system cannot keep a model or another file from, in words for people."""
    open_doors = []
    if not landlock_version():
        open_doors.append("read and write files of this server")
    if not can_filter():
        open_doors.append("use the network and start processes")
    if not sys.platform.startswith("linux"):
        open_doors.append("go on for a while if the server is killed")
    return tuple(open_doors)


def _own_places() -> tuple[str, ...]:
    """Where the program, its libraries and its samples are, and what they ask about the machine."""
    paths = sysconfig.get_paths()
    own = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    own |= {place for place in sys.path if Path(place).name in ("site-packages", "dist-packages")}
    own.add(str(Path(sys.base_prefix) / "lib"))
    package = Path(__file__).resolve().parents[1]
    own |= {str(package), str(package.parent / "sample_data")}
    return (*sorted(own), *_LIBRARIES, *_MACHINE)


def _limit(memory_mb: int) -> None:
    """So much memory beyond what the program itself takes; no files written, no core dumps."""
    try:
        import resource
    except ImportError:  # Windows: only the server's limits on time hold there
        return
    memory = _taken() + memory_mb * 2**20
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _taken() -> int:
    """Bytes of address space that this process has; none where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
