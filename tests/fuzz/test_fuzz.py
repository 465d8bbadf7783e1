"""The short form of `make fuzz`: the first few files for each reader.

Always the same ones: a forged tree may keep its child busy for minutes until it is stopped.
"""

import pytest

from tests.fuzz.outcomes import outcome, tally
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


def test_a_fault_is_seen(monkeypatch):
    def stumbling(data: bytes) -> object:
        raise KeyError("a traceback")

    monkeypatch.setitem(READERS, "rules", type(READERS["rules"])(READERS["rules"].whole, stumbling))
    counts, (fault,) = tally("rules", range(1))
    assert counts["fault"] == 1
    assert "KeyError" in fault
