"""The short forms of `make kills`: a few kills, two servers on one workspace, a full disk."""

import subprocess
import sys

import pytest

from tests.kills.full_disk import NO_DISK

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="uses /proc")


def told(*command: str) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_killed_processes_leave_everything_whole():
    code, said = told("tests.kills", "--kills", "4", "--trained-only")
    assert code == 0, said


def test_a_full_disk_leaves_nothing_half_made():
    code, said = told("tests.kills.full_disk", "--step", "48")
    if code == NO_DISK:
        pytest.skip(said)
    assert code == 0, said
