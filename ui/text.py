"""Text from people's files, made safe to stand in Markdown.

Everything that was not written by us goes through :func:`plain`: it shows exactly the characters
of the file and can be no heading, link, formula, badge, picture, icon or emoji.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from typing import TYPE_CHECKING

from glocalx.words.escape import on_one_line

if TYPE_CHECKING:
    from glocalx.plots.colours import OutcomeColours
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
    return _READ_AS_MORE.sub(_APART, on_one_line(str(text)).translate(_ESCAPED))


def bold(text: object) -> str:
    """Text in bold."""
    return f"**{plain(text)}**" if str(text).strip() else ""


def badge(outcome: str, colours: OutcomeColours, called: str | None = None) -> str:
    """An outcome on a ground of its colour, as Markdown."""
    text, word = plain(called or colours.name(outcome)), colours.word(outcome)
    if word:
        return f":{word}-badge[{text}]"
    tones = colours.tones(outcome)  # pages have no more badges that are free, only colours
    return f':color[{text}]{{foreground="{tones.text}" background="{tones.soft}"}}'


def coloured(outcome: str, colours: OutcomeColours, called: str | None = None) -> str:
    """An outcome in its colour, in bold, as Markdown."""
    word = colours.word(outcome)
    text = bold(called or colours.name(outcome))
    return (
        f":{word}[{text}]"
        if word
        else f':color[{text}]{{foreground="{colours.tones(outcome).text}"}}'
    )


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
            pieces.append(with_its_spaces(text))
    return "".join(pieces)


def with_its_spaces(text: str) -> str:
    """Text that Markdown shows as it is, and the space before and after it."""
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and text.strip() else ""
    return f"{before}{plain(text)}{after}"
