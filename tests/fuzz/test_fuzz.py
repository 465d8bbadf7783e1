"""The short form of `make fuzz`: the first few files for each reader.

Always the same ones: a forged tree may keep its child busy for minutes until it is stopped.
"""

import os
import signal

import pytest

from tests.fuzz.outcomes import outcome, tally
from tests.fuzz.read_here import UNKNOWN, iter_here
from tests.fuzz.readers import READERS

FEW = 6


@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_file_is_read_or_refused(reader):
    READERS[reader].read(READERS[reader].whole())  # the whole one is
    counts, faults = tally(reader, range(FEW))
    assert faults == []
    assert counts.total() == FEW


def test_the_same_number_is_the_same_file():
    assert outcome("rules", 7) == outcome("rules", 7)


def test_what_ends_its_process_is_tried_again_and_the_rest_goes_on():
    def tried(number: int) -> tuple[str, str]:
        if number == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        return "read", str(number)

    assert list(iter_here(tried, range(2, 7))) == [
        (number, "read", str(number)) if number != 4 else (4, *UNKNOWN) for number in range(2, 7)
    ]


def test_a_fault_is_seen(monkeypatch):
    def stumbling(data: bytes) -> object:
        raise KeyError("a traceback")

    monkeypatch.setitem(READERS, "rules", type(READERS["rules"])(READERS["rules"].whole, stumbling))
    counts, (fault,) = tally("rules", range(1))
    assert counts["fault"] == 1
    assert "KeyError" in fault
