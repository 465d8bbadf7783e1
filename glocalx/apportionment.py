"""Whole numbers in given proportions, each with a least value of its own.

What seats are to parties, records are to outcomes: of a batch, of a sample, of the parts of a
table. Everybody gets the whole part of an exact share, and what is left over goes to the largest
remainders (Hamilton's method).
"""

from __future__ import annotations

from collections.abc import Sequence


def apportioned(size: int, exact: Sequence[float], least: Sequence[int]) -> list[int]:
    """Whole numbers that add up to `size`, as near to the exact ones as their least values let.

    Parameters
    ----------
    size
        What the numbers add up to; at least the sum of `least`.
    exact
        The shares of `size` before rounding. Of equal remainders the first is rounded up.
    least
        No number is below its least value; the others pay for what it takes.

    Examples
    --------
    >>> apportioned(15, [13.5, 1.5], [1, 1])
    [14, 1]
    >>> apportioned(5, [3.5, 1.0, 0.5], [0, 0, 0])
    [4, 1, 0]
    >>> apportioned(5, [3.5, 1.0, 0.5], [1, 1, 1])
    [3, 1, 1]
    """
    counts = [max(int(number), low) for number, low in zip(exact, least, strict=True)]
    places = range(len(counts))
    while sum(counts) < size:
        counts[max(places, key=lambda place: exact[place] - counts[place])] += 1
    while sum(counts) > size:
        spare = [place for place in places if counts[place] > least[place]]
        counts[max(spare, key=lambda place: counts[place] - exact[place])] -= 1
    return counts
