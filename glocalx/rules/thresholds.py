"""Thresholds that are as short to say as the records allow, put into a rule when it is made.

What is read is then what is computed: page, file, SQL and Python have the same number.
"""

from __future__ import annotations

_MOST_DIGITS = 17  # of a 64-bit number


def shortest_between(below: float, above: float) -> float:
    """The number with the fewest digits above one value and not above the next.

    It is looked for around their middle. `x >= number` tells the two values apart.

    Examples
    --------
    >>> shortest_between(3561.9, 3600.0), shortest_between(0.31, 0.3174), shortest_between(3.1, 3.2)
    (3600.0, 0.314, 3.2)
    """
    middle = below / 2 + above / 2
    for digits in range(_MOST_DIGITS):
        nearest = float(f"{middle:.{digits}e}")
        unit = float(f"1e{f'{middle:e}'.split('e')[1]}") * 10.0**-digits
        for number in (nearest, float(f"{nearest + unit:.{digits}e}")):
            if below < number <= above:
                return number
    return above
