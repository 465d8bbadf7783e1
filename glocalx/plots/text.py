"""Text in figures. Plotly reads a little HTML and TeX in every text, so data must be defused."""

from __future__ import annotations

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
