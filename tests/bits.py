"""Sets of records, which the library keeps as the bits of an integer, one record at a time."""

from collections.abc import Iterator


def records_in(bits: int) -> Iterator[int]:
    """The numbers of the records in a set, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
