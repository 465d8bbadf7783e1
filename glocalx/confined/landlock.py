"""Landlock: a process of Linux gives up files and the network by itself, without any rights.

Three system calls: make a set of rules, add what stays allowed, keep to it from now on. What a
newer kernel can restrict in addition is restricted there, too.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every architecture
_ASK_VERSION = 1
_BENEATH = 1  # the kind of a rule: a folder and all that is in it
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}  # how many there are since which version
_TCP = 0b11  # to bind, to connect
_OTHERS = 0b11  # abstract sockets and signals of processes that are not fenced in with us
_NET_SINCE, _OTHERS_SINCE = 4, 6
_NO_NEW_PRIVILEGES = 38


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def landlock_version() -> int:
    """What the kernel knows of Landlock; 0 where it has none."""
    if not sys.platform.startswith("linux"):
        return 0
    try:
        return _called(_CREATE, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def allow_reading_only(places: Iterable[str]) -> None:
    """From now on this process reads what is in these places, and writes and connects nowhere."""
    version = landlock_version()
    files = (1 << max(n for since, n in _FILE_RIGHTS.items() if since <= version)) - 1
    rules = _Ruleset(files, _TCP, _OTHERS)
    size = 24 if version >= _OTHERS_SINCE else 16 if version >= _NET_SINCE else 8
    ruleset = _called(_CREATE, ctypes.byref(rules), size, 0)
    try:
        for place in places:
            _allow(ruleset, place)
        give_up_privileges()
        _called(_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def give_up_privileges() -> None:
    """No program that this process starts gets more rights than it has; needed to fence it in."""
    if prctl(_NO_NEW_PRIVILEGES, 1):
        raise OSError(ctypes.get_errno(), "privileges cannot be given up")


def prctl(what: int, *values: object) -> int:
    """The system call that changes something about this process."""
    given = [*values, *(0,) * (4 - len(values))]
    return int(
        _LIBRARY.prctl(what, *(ctypes.c_ulong(v) if isinstance(v, int) else v for v in given))
    )


def _allow(ruleset: int, place: str) -> None:
    try:
        opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there needs no permission
    try:
        rights = _READ_FILE | _READ_FOLDER if os.path.isdir(place) else _READ_FILE
        _called(_ADD, ruleset, _BENEATH, ctypes.byref(_Beneath(rights, opened)), 0)
    finally:
        os.close(opened)


def _called(number: int, *values: object) -> int:
    given = (ctypes.c_long(v) if isinstance(v, int) else v for v in values)
    answer = int(_LIBRARY.syscall(ctypes.c_long(number), *given))
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


_LIBRARY = ctypes.CDLL(None, use_errno=True)
