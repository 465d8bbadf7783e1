"""Text from people's files, made safe to stand in Markdown.

Everything that was not written by us goes through :func:`plain`: it shows exactly the characters
of the file and can be no heading, link, formula, badge, picture, icon or emoji.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterable
from typing import TYPE_CHECKING

from glocalx.words.phrases import percent as percent  # shares and their differences go together
from glocalx.words.phrases import signed

if TYPE_CHECKING:
    from glocalx.plots.theme import OutcomeColours
    from glocalx.words.wording import Phrase

_ESCAPED = str.maketrans({mark: f"\\{mark}" for mark in string.punctuation})
_READ_AS_MORE = re.compile(
    r"(\\:(?=(?:\w|\\[+_-])+\\:)|(?<=www)\\\.|\\:(?=\\/)|\\@)", re.IGNORECASE
)
_APART = r":color[\1]"  # a span of no colour: the same text, in pieces that are read one by one


def plain(text: object) -> str:
    """Text that Markdown shows as it is.

    Examples
    --------
    >>> plain("*a* [b](c)")
    '\\\\*a\\\\* \\\\[b\\\\]\\\\(c\\\\)'

    Emoji and addresses are found after escapes are gone, so what would begin one stands apart:

    >>> plain(":smile:")
    ':color[\\\\:]smile\\\\:'
    """
    one_line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    return _READ_AS_MORE.sub(_APART, one_line.translate(_ESCAPED))


def bold(text: object) -> str:
    """Text in bold."""
    return f"**{plain(text)}**" if str(text).strip() else ""


def badge(outcome: str, colours: OutcomeColours, called: str | None = None) -> str:
    """An outcome on a ground of its colour, as Markdown."""
    word = colours.word(outcome)
    return f":{word or 'gray'}-badge[{plain(called or colours.name(outcome))}]"


def coloured(outcome: str, colours: OutcomeColours, called: str | None = None) -> str:
    """An outcome in its colour, in bold, as Markdown."""
    word = colours.word(outcome)
    text = bold(called or colours.name(outcome))
    return f":{word}[{text}]" if word else text


def spoken(phrases: Iterable[Phrase], outcome: str, colours: OutcomeColours) -> str:
    """A rule's sentence as Markdown: conditions in bold, the outcome in its colour."""
    pieces = []
    for phrase in phrases:
        text = phrase.text
        if phrase.role == "condition":
            pieces.append(bold(text))
        elif phrase.role == "outcome":
            pieces.append(coloured(outcome, colours, text))
        else:
            pieces.append(_with_its_spaces(text))
    return "".join(pieces)


def _with_its_spaces(text: str) -> str:
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and text.strip() else ""
    return f"{before}{plain(text)}{after}"


def points(difference: float, digits: int = 1) -> str:
    """A difference of two shares, with a true minus sign.

    Examples
    --------
    >>> points(0.057), points(-0.0001), points(-0.25, 0)
    ('+5.7 points', '0.0 points', '−25 points')
    """
    return "–" if difference != difference else f"{signed(100 * difference, digits)} points"


def seconds(left: float | None) -> str:
    """How long something still takes, as people say it."""
    if left is None:
        return ""
    if left < 1.5:
        return "about a second"
    if left < 90:
        return f"about {left:.0f} seconds"
    return f"about {left / 60:.0f} minutes"


def between(low: float, high: float) -> str:
    """How long something may take, from seconds to seconds.

    Examples
    --------
    >>> between(1.2, 3.4), between(12, 23), between(40, 200), between(300, 1000)
    ('2 to 4 seconds', '12 to 25 seconds', '40 to 200 seconds', '5 to 17 minutes')
    """
    unit, one = ("minutes", 60) if low >= 90 else ("seconds", 1)
    first, last = (_rounded_up(end / one) for end in (low, high))
    if last <= 1:
        return "about a second"
    return f"about {first} {unit}" if first >= last else f"{first} to {last} {unit}"


def _rounded_up(number: float) -> int:
    """To whole steps that do not pretend to be exact."""
    step = 1 if number <= 20 else 5 if number <= 100 else 10
    return math.ceil(number / step) * step
