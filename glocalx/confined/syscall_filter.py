"""seccomp: system calls that a child needs not are refused by the kernel.

Landlock leaves some doors open: sockets other than TCP, new processes, owners and times of files.
They are shut here. Threads stay allowed, and signals of a process to itself (it may abort).
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys

from glocalx.confined.landlock import give_up_privileges, prctl

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Each with its number on x86_64 and on aarch64; 0 where the architecture has no such call.
_REFUSED = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "connect": (42, 203),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "io_uring_setup": (425, 425),
    "fork": (57, 0),
    "vfork": (58, 0),
    "execve": (59, 221),
    "execveat": (322, 281),
    "kill": (62, 129),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_by_handle_at": (304, 265),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "reboot": (169, 142),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "chmod": (90, 0),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, 0),
    "fchown": (93, 55),
    "lchown": (94, 0),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "utime": (132, 0),
    "utimes": (235, 0),
    "utimensat": (280, 88),
    "futimesat": (261, 0),
    "setpriority": (141, 140),
    "sched_setaffinity": (203, 122),
    "ioprio_set": (251, 30),
}
_CLONE, _CLONE3, _TGKILL, _PRLIMIT = (56, 220), (435, 435), (234, 131), (302, 261)
_CLONE_THREAD = 0x10000
_FOREIGN_NUMBERS = 0x40000000  # calls of another convention on x86_64

_LOAD, _EQUAL, _AT_LEAST, _HAS_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # places in what the kernel shows the filter
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_SET_SECCOMP, _GET_SECCOMP, _WITH_FILTER = 22, 21, 2


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("first", ctypes.POINTER(_Instruction)))


def can_filter() -> bool:
    """Whether this kernel and this architecture have such filters."""
    known = sys.platform.startswith("linux") and platform.machine() in _ARCHITECTURES
    return known and prctl(_GET_SECCOMP) >= 0


def refuse_calls() -> None:
    """From now on this process has no sockets and no children, and sends others no signals."""
    listed = _instructions(platform.machine(), os.getpid())
    array = (_Instruction * len(listed))(*(_Instruction(*each) for each in listed))
    give_up_privileges()
    program = _Program(len(listed), array)
    if prctl(_SET_SECCOMP, _WITH_FILTER, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), "system calls cannot be filtered")


def _instructions(machine: str, own: int) -> list[tuple[int, int, int, int]]:
    column = list(_ARCHITECTURES).index(machine)
    refuse = (_RETURN, 0, 0, _REFUSE | errno.EPERM)
    made = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _FOREIGN_NUMBERS),
        refuse,
    ]
    for numbers in _REFUSED.values():
        if numbers[column]:
            made += [(_EQUAL, 0, 1, numbers[column]), refuse]
    # The C library falls back to the older call, whose flags can be looked at.
    made += [(_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]
    for numbers, test, wanted in (
        (_CLONE, _HAS_BIT, _CLONE_THREAD),
        (_TGKILL, _EQUAL, own),
        (_PRLIMIT, _EQUAL, 0),
    ):
        made += [
            (_EQUAL, 0, 4, numbers[column]),
            (_LOAD, 0, 0, _FIRST_ARGUMENT),
            (test, 0, 1, wanted),
            (_RETURN, 0, 0, _ALLOW),
            refuse,
        ]
    return [*made, (_RETURN, 0, 0, _ALLOW)]
