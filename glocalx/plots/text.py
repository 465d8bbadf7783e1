"""Text in figures. Plotly reads a little HTML and TeX in every text, so data must be defused."""

from __future__ import annotations

import math

_DEFUSED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"})


def plain(text: object, most: int = 60) -> str:
    """Text of the table as plotly shows it literally: one line, not too long.

    Examples
    --------
    >>> plain("<b>a & b</b>")
    '&lt;b&gt;a &amp; b&lt;/b&gt;'
    >>> plain("a long name", most=7)
    'a long…'
    """
    return short(text, most).translate(_DEFUSED)


def short(text: object, most: int = 60) -> str:
    """Text of the table on one line and not too long, for places that show text as it is."""
    printable = "".join(c if c.isprintable() else " " for c in str(text))
    line = " ".join(printable.split())
    return f"{line[: most - 1].rstrip()}…" if len(line) > most else line


def percent(share: float, decimals: int = 0) -> str:
    """A share in per cent; a dash where it is undefined.

    Examples
    --------
    >>> percent(0.9312, 1), percent(0.9312), percent(float("nan"))
    ('93.1 %', '93 %', '–')

    What is not nothing, or not quite all, does not read as if it were.

    >>> percent(0.002), percent(0.998), percent(0.0001)
    ('0.2 %', '99.8 %', 'under 0.1 %')
    """
    if math.isnan(share):
        return "–"
    rest = min(share, 1 - share)
    if 0 < rest < 0.0005:
        return "under 0.1 %" if share < 0.5 else "over 99.9 %"
    return f"{100 * share:.{1 if 0 < rest < 0.005 else decimals}f} %"


def signed(value: float, decimals: int = 0) -> str:
    """A number with its sign, a true minus; nothing before a zero.

    Examples
    --------
    >>> signed(-17.6), signed(3.21, 1), signed(-0.2)
    ('−18', '+3.2', '0')
    """
    text = f"{abs(value):,.{decimals}f}"
    if not text.strip("0."):
        return text
    return f"{'−' if value < 0 else '+'}{text}"


def number(value: float) -> str:
    """A number in as few digits as its size needs, with commas and a true minus.

    Examples
    --------
    >>> number(12345.6), number(-0.25), number(3.0), number(0.0312)
    ('12,346', '−0.25', '3', '0.0312')
    """
    size = abs(value)
    decimals = (
        0 if size >= 100 or size == int(size) else 1 if size >= 10 else 2 if size >= 0.1 else 4
    )
    text = f"{size:,.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"−{text}" if value < 0 and text.strip("0.") else text
